"""Wishes: what a person said so far, as a file, and lists of wishes and codes to take up."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from fastapi import FastAPI, Query, Request

from tessella.errors import InputError
from tessella.studio import laying, unpack, wishing
from tessella.studio.desk import Desk

if TYPE_CHECKING:
    from tessella.puzzle import Puzzle
    from tessella.wishes import Wishes


def add(app: FastAPI, desk: Desk) -> None:
    """Add them."""

    @app.get("/api/projects/{project}/wishes", summary="What a person said, as wishes")
    def wishes(project: str) -> dict[str, Any]:
        from tessella.wishes import Wishes
        from tessella.wishes.files import wishes_to_json

        made = desk.session(project).project
        with made.still:
            found = wishing.wishes(made.state, laying.laid(made.state), made.facts)
        return wishes_to_json(found or Wishes(), made.facts.names)

    @app.post(
        "/api/projects/{project}/wishes",
        summary="Take up wishes and codes; the body is a CSV or JSON file",
        openapi_extra={"requestBody": {"content": {"application/octet-stream": {}}}},
    )
    async def take(
        project: str,
        request: Request,
        kind: Annotated[str, Query(pattern="^(csv|json)$")],
        name: Annotated[str, Query(max_length=1000)] = "",
    ) -> dict[str, Any]:
        body = await request.body()
        called = unpack.safe(name).name if name else f"wishes.{kind}"
        return await asyncio.to_thread(_taken, desk, project, kind, called, body)


def _taken(desk: Desk, project: str, kind: str, called: str, body: bytes) -> dict[str, Any]:
    session = desk.session(project)
    wishes = _read(body, kind, called, session.puzzle())
    args = {
        "fixed": [[w.piece, w.sheet, w.row, w.col, w.turns] for w in wishes.fixed],
        "joined": [list(pair) for pair in wishes.joined],
        "forbidden": [list(pair) for pair in wishes.forbidden],
        "barred": [[w.piece, w.sheet, w.row, w.col] for w in wishes.barred],
        "coded": [
            [w.piece, -1 if w.row is None else w.row, -1 if w.col is None else w.col]
            for w in wishes.codes
        ],
        "panels": [w.panel or "" for w in wishes.codes],
    }
    event = session.act("wish", args, None)
    left_out = len(wishes.together) + len(wishes.apart) + len(wishes.upright)
    return {"version": event.version, "changes": len(event.changes), "left_out": left_out}


def _read(body: bytes, kind: str, called: str, puzzle: Puzzle) -> Wishes:
    """Return the wishes of a file; what is wrong with it is told of the name it was sent under."""
    from tessella.wishes.files import read_wishes

    called = called if called.lower().endswith(f".{kind}") else f"{called}.{kind}"
    with tempfile.TemporaryDirectory(prefix="tessella-") as place:
        path = Path(place) / called
        path.write_bytes(body)
        try:
            return read_wishes(path, puzzle)
        except InputError as problem:
            raise InputError(str(problem).replace(f"{place}/", "")) from problem
