"""Draw the demo picture: ``PYTHONPATH=scripts python -m caravel OUT.webp``."""

from __future__ import annotations

import sys

from PIL import Image

from caravel.panel import draw


def main() -> None:
    """Draw to the file that the command line names; WebP is written without loss."""
    if len(sys.argv) != 2:
        sys.exit("Name the file to write: PYTHONPATH=scripts python -m caravel OUT.webp")
    Image.fromarray(draw()).save(sys.argv[1], lossless=True, quality=100, method=6)


if __name__ == "__main__":
    main()
