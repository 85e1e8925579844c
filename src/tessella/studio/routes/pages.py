"""The two pages and what they are made of: the desk, a project's table, scripts and texts."""

from __future__ import annotations

import mimetypes
from pathlib import Path

from fastapi import FastAPI
from fastapi.responses import FileResponse, RedirectResponse, Response

from tessella.studio.desk import Desk, Unknown

STATIC = Path(__file__).parent.parent / "static"
TYPES = {".js": "text/javascript", ".mjs": "text/javascript", ".css": "text/css"}


def _files() -> dict[str, Path]:
    """Return every file that pages are made of, by the name under which it is asked for."""
    files = (path for path in STATIC.rglob("*") if path.is_file())
    return {path.relative_to(STATIC).as_posix(): path for path in files}


def add(app: FastAPI, desk: Desk) -> None:
    """Add the pages."""
    files = _files()

    @app.get("/", include_in_schema=False)
    def first() -> Response:
        if desk.first is not None:
            return RedirectResponse(f"/p/{desk.first}", 303)
        return RedirectResponse("/desk", 303)

    @app.get("/desk", include_in_schema=False)
    def desk_page() -> Response:
        return FileResponse(STATIC / "desk.html", media_type="text/html")

    @app.get("/p/{project}", include_in_schema=False)
    def table_page(project: str) -> Response:
        desk.session(project)
        return FileResponse(STATIC / "table.html", media_type="text/html")

    @app.get("/api/overlays", summary="The names of all overlays of the table")
    def overlays() -> dict[str, list[str]]:
        return {"overlays": sorted(path.stem for path in (STATIC / "overlays").glob("*.js"))}

    @app.get("/static/{name:path}", include_in_schema=False)
    def static(name: str) -> Response:
        path = files.get(name)
        if path is None:
            raise Unknown("There is no such file.")
        kind = TYPES.get(path.suffix) or mimetypes.guess_type(path.name)[0]
        headers = {"cache-control": "no-cache"}
        return FileResponse(path, media_type=kind or "text/plain", headers=headers)
