"""New projects of what a person uploads: pictures, a folder, a zip, scans, a PDF."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any, Literal

from fastapi import FastAPI, Path, Query, Request
from fastapi.responses import FileResponse, Response
from pydantic import BaseModel, Field

from tessella.studio import intake
from tessella.studio.desk import Desk, Unknown
from tessella.studio.routes import file_of

Corner = Annotated[list[float], Field(min_length=2, max_length=2)]


class Outline(BaseModel):
    """What a person said about one outline; see `tessella.studio.outlining.amended`."""

    piece: int | None = Field(None, ge=0, le=100_000)
    picture: int | None = Field(None, ge=0, le=100_000)
    corners: Annotated[list[Corner], Field(min_length=4, max_length=4)] | None = None
    keep: bool = True


class Look(BaseModel):
    """What to look for in pictures that were uploaded."""

    kind: Literal["tiles", "strips"] = "tiles"


class New(BaseModel):
    """What is known of the pieces that were uploaded."""

    upload: str = Field(max_length=40)
    name: str = Field("project", min_length=1, max_length=100)
    kind: Literal["pieces", "tiles", "strips", "document"] = "pieces"
    upright: bool | None = None
    rows: int | None = Field(None, ge=1, le=100_000)
    cols: int | None = Field(None, ge=1, le=100_000)
    panels: int | None = Field(1, ge=1, le=100_000)
    missing: bool = False
    outlines: list[Outline] = Field(default_factory=list, max_length=100_000)


def add(app: FastAPI, desk: Desk) -> None:
    """Add them."""

    @app.post("/api/uploads", summary="Begin an upload")
    def begin() -> dict[str, Any]:
        return {"upload": desk.upload()}

    @app.put(
        "/api/uploads/{upload}/files",
        summary="Add a file to an upload; the body is the file",
        openapi_extra={"requestBody": {"content": {"application/octet-stream": {}}}},
    )
    async def put(
        upload: str, name: Annotated[str, Query(max_length=1000)], request: Request
    ) -> dict[str, Any]:
        target = await asyncio.to_thread(desk.room, upload, name)
        size = 0
        try:
            with await asyncio.to_thread(target.open, "wb") as file:
                async for chunk in request.stream():
                    desk.took(upload, len(chunk))
                    size += len(chunk)
                    await asyncio.to_thread(file.write, chunk)
        except FileNotFoundError as problem:  # it made room for another upload
            raise Unknown("There is no such upload.") from problem
        except BaseException:
            target.unlink(missing_ok=True)
            raise
        return {"bytes": size}

    @app.post("/api/uploads/{upload}/outlines", summary="Look for pieces in uploaded pictures")
    def outlines(upload: str, look: Look) -> dict[str, Any]:
        return desk.find(upload, look.kind)

    @app.get(
        "/api/uploads/{upload}/pictures/{number}",
        summary="An uploaded picture, smaller",
        **file_of("image/jpeg"),
    )
    def picture(upload: str, number: Annotated[int, Path(ge=0, le=10**6)]) -> Response:
        return FileResponse(desk.shown(upload, number), media_type="image/jpeg")

    @app.post("/api/projects", summary="Make a project of an upload")
    def make(new: New) -> dict[str, Any]:
        order = intake.Order("", "", **new.model_dump(exclude={"upload"}))
        return {"id": desk.make(new.upload, order)}

    @app.get("/api/uploads/{upload}", summary="How far the making of a project is")
    def making(upload: str) -> dict[str, Any]:
        return desk.progress(upload)
