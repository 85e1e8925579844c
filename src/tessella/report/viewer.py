"""The viewer: one page that shows a pyramid of tiles, without any third party's script."""

from __future__ import annotations

import base64
import hashlib

from tessella.imaging.pyramid import TILE, Pyramid
from tessella.report.embed import data, part, text


def viewer(name: str, pyramid: Pyramid, cell: tuple[float, float], title: str) -> str:
    """Return the page that shows the pyramid ``NAME_files`` beside it.

    Parameters
    ----------
    cell : height and width of a piece, for the readout of rows and columns
    """
    script = part("viewer.js")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = (
        "default-src 'none'; img-src 'self' file:; style-src 'unsafe-inline'; "
        f"script-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    )
    facts = {
        "files": f"{name}_files",
        "height": pyramid.height,
        "width": pyramid.width,
        "levels": pyramid.levels,
        "tile": TILE,
        "cell": list(cell),
    }
    return (
        "<!doctype html>\n<html lang='en'><head><meta charset='utf-8'>"
        "<meta name='viewport' content='width=device-width, initial-scale=1'>"
        f"<meta http-equiv='Content-Security-Policy' content=\"{policy}\">"
        f"<title>{text(title)}</title><style>{part('viewer.css')}</style></head><body>"
        f"<main id='view' tabindex='0' role='application' aria-label='{text(title)}; arrow keys "
        "move, plus and minus zoom, 0 shows the whole' aria-describedby='readout'></main>"
        "<p id='readout' role='status'>&nbsp;</p>"
        f"<script type='application/json' id='data'>{data(facts)}</script>"
        f"<script>{script}</script></body></html>\n"
    )
