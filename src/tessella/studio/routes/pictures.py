"""Pictures of a project: thumbnails, pieces, their backs, and whole sheets."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import FastAPI, Path
from fastapi.responses import FileResponse, Response

from tessella.imaging.read import png
from tessella.imaging.unknown import drawn
from tessella.studio import atlas, faces
from tessella.studio.desk import Desk, Unknown
from tessella.studio.project import FILE
from tessella.studio.routes import file_of


def add(app: FastAPI, desk: Desk) -> None:
    """Add them."""

    @app.get("/api/projects/{project}/atlas", summary="How thumbnails lie in their pictures")
    def atlas_index(project: str) -> dict[str, Any]:
        session = desk.session(project)
        cache = session.project.folder / "cache"
        found = atlas.index(cache)
        if found is None:
            cache.mkdir(exist_ok=True)
            atlas.make(cache, session.puzzle())
            found = atlas.index(cache)
        assert found is not None
        made = (session.project.folder / FILE).stat().st_mtime_ns
        return {**found, "made": str(made)}

    @app.get(
        "/api/projects/{project}/atlas/{number}",
        summary="One picture of thumbnails",
        **file_of("image/jpeg"),
    )
    def atlas_picture(project: str, number: Annotated[int, Path(ge=0, le=10**6)]) -> Response:
        path = desk.session(project).project.folder / "cache" / f"atlas-{number}.jpg"
        if not path.is_file():
            raise Unknown("There is no such atlas.")
        headers = {"cache-control": "private, max-age=86400"}
        return FileResponse(path, media_type="image/jpeg", headers=headers)

    @app.get(
        "/api/projects/{project}/pieces/{piece}",
        summary="A piece's picture, as PNG",
        **file_of("image/png"),
    )
    def piece(project: str, piece: Annotated[int, Path(ge=0, le=10**9)]) -> Response:
        session = desk.session(project)
        if piece >= session.project.facts.pieces:
            raise Unknown("There is no such piece.")
        headers = {"cache-control": "private, max-age=86400"}
        return Response(png(drawn(session.puzzle(), piece)), 200, headers, "image/png")

    @app.get(
        "/api/projects/{project}/pieces/{piece}/back",
        summary="A piece's back, as PNG",
        **file_of("image/png"),
    )
    def back(project: str, piece: Annotated[int, Path(ge=0, le=10**9)]) -> Response:
        path = desk.session(project).project.folder / faces.FOLDER / f"{piece}.png"
        if not path.is_file():
            raise Unknown("There is no picture of that back.")
        headers = {"cache-control": "private, max-age=86400"}
        return FileResponse(path, media_type="image/png", headers=headers)

    @app.get(
        "/api/projects/{project}/sheets/{sheet}",
        summary="What lies on a sheet, as PNG",
        **file_of("image/png"),
    )
    def sheet(project: str, sheet: Annotated[int, Path(ge=0, le=10**6)]) -> Response:
        return Response(png(desk.session(project).picture(sheet)), 200, None, "image/png")
