"""Exports: what lies on the sheets, as files for others."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Annotated
from urllib.parse import quote

from fastapi import FastAPI, Query
from fastapi.responses import Response

from tessella import exports
from tessella.studio.desk import Desk, folder_name
from tessella.studio.routes import file_of


def add(app: FastAPI, desk: Desk) -> None:
    """Add them."""

    @app.get("/api/exports", summary="The names of all exports")
    def names() -> dict[str, list[str]]:
        return {"exports": exports.names()}

    @app.get(
        "/api/projects/{project}/export",
        summary="What lies on the sheets, as a file",
        **file_of("application/octet-stream"),
    )
    def export(
        project: str,
        form: Annotated[str, Query(alias="as", max_length=20)] = "png",
        base_url: Annotated[str | None, Query(max_length=500)] = None,
    ) -> Response:
        session = desk.session(project)
        arrangement, puzzle = session.arrangement(), session.puzzle()
        with tempfile.TemporaryDirectory(prefix="tessella-") as place:
            write = exports.find(form)
            url = base_url or exports.BASE_URL
            target = exports.Target(Path(place), puzzle, arrangement, url, session.measured)
            made = exports.packed(write, Path(place), target)
            body = made.read_bytes()
        name = f"{folder_name(session.project.facts.name)}{made.suffix}"
        plain = name.encode("ascii", "replace").decode().replace("?", "-")
        disposition = f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(name)}"
        headers = {"content-disposition": disposition}
        return Response(body, 200, headers, "application/octet-stream")
