"""Wishes: what a person said so far, as a file, and lists of wishes and codes to take up."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path
from typing import Annotated, Any

from fastapi import FastAPI, Query, Request

from tessella.studio import laying, wishing
from tessella.studio.desk import Desk


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
        project: str, kind: Annotated[str, Query(pattern="^(csv|json)$")], request: Request
    ) -> dict[str, Any]:
        body = await request.body()
        return await asyncio.to_thread(_taken, desk, project, kind, body)


def _taken(desk: Desk, project: str, kind: str, body: bytes) -> dict[str, Any]:
    from tessella.wishes.files import read_wishes

    session = desk.session(project)
    with tempfile.TemporaryDirectory(prefix="tessella-") as place:
        path = Path(place) / f"wishes.{kind}"
        path.write_bytes(body)
        wishes = read_wishes(path, session.puzzle())
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
