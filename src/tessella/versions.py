"""What a result was made with."""

from __future__ import annotations

import platform
from importlib import metadata

import tessella

_ASKED = ("numpy", "numba", "scipy", "Pillow")


def versions() -> dict[str, str]:
    """Return the versions of tessella, Python and the packages that decide about an answer."""
    known = {"tessella": tessella.__version__, "python": platform.python_version()}
    return known | {name.lower(): metadata.version(name) for name in _ASKED}
