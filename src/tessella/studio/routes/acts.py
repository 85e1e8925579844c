"""Acts, undo and redo, and the stream that tells every listener of them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Annotated, Any

from fastapi import FastAPI
from fastapi.responses import StreamingResponse
from pydantic import BaseModel, Field

from tessella.studio.desk import Desk
from tessella.studio.errors import Refused
from tessella.studio.log import Event
from tessella.studio.session import Session
from tessella.studio.worker import Message

WAITING = 1000
"""Messages that may wait for a slow listener; then it must begin anew."""

ALIVE = 15.0
"""Seconds after which a silent stream says that it is still there."""

Base = Annotated[int | None, Field(ge=0, le=10**9)]


class Deed(BaseModel):
    """What to do, and the version of the project that it is based on."""

    act: str = Field(max_length=50)
    args: dict[str, Any] = Field(default_factory=dict)
    base: Base = None


class Back(BaseModel):
    """The version of the project that an undo or redo is based on."""

    base: Base = None


class Alone(Back):
    """The version of the act to take back alone."""

    of: int = Field(ge=1, le=10**9)


def add(app: FastAPI, desk: Desk) -> None:
    """Add them."""

    @app.post("/api/projects/{project}/acts", summary="Do an act (GET /api/acts names them)")
    def act(project: str, deed: Deed) -> dict[str, Any]:
        session = desk.session(project)
        if deed.act == "answer":  # the solver's alone
            raise Refused("Only the solver answers; place the pieces instead.")
        return _done(session, session.act(deed.act, deed.args, deed.base))

    @app.post("/api/projects/{project}/undo", summary="Take back the last act")
    def undo(project: str, back: Back) -> dict[str, Any]:
        session = desk.session(project)
        return _done(session, session.back(back.base))

    @app.post("/api/projects/{project}/redo", summary="Do again what was taken back last")
    def redo(project: str, back: Back) -> dict[str, Any]:
        session = desk.session(project)
        return _done(session, session.again(back.base))

    @app.post("/api/projects/{project}/retract", summary="Take back one act alone")
    def retract(project: str, alone: Alone) -> dict[str, Any]:
        session = desk.session(project)
        return _done(session, session.retract(alone.of, alone.base))

    @app.get(
        "/api/projects/{project}/stream",
        summary="Everything that happens, as server-sent events",
        response_class=StreamingResponse,
        responses={200: {"content": {"text/event-stream": {}}}},
    )
    async def stream(project: str) -> StreamingResponse:
        session = await asyncio.to_thread(desk.session, project)
        headers = {"x-accel-buffering": "no"}
        return StreamingResponse(_stream(session), media_type="text/event-stream", headers=headers)


def _done(session: Session, event: Event) -> dict[str, Any]:
    return {
        "version": event.version,
        "act": event.act,
        "changes": event.changes,
        "undo": len(session.project.done),
        "redo": len(session.project.undone),
    }


async def _stream(session: Session) -> AsyncIterator[str]:
    loop = asyncio.get_running_loop()
    waiting: asyncio.Queue[Message | None] = asyncio.Queue()

    def put(message: Message) -> None:
        if waiting.qsize() < WAITING:
            waiting.put_nowait(message)
        elif waiting.qsize() == WAITING:
            waiting.put_nowait(None)

    def hear(message: Message) -> None:
        loop.call_soon_threadsafe(put, message)

    end = session.listen(hear)
    try:
        yield _line({"kind": "hello", "version": session.project.version})
        while True:
            try:
                message = await asyncio.wait_for(waiting.get(), ALIVE)
            except TimeoutError:
                yield ": still here\n\n"
                continue
            if message is None:
                return
            yield _line(message)
    finally:
        end()


def _line(message: Message) -> str:
    return f"data: {json.dumps(message, separators=(',', ':'))}\n\n"
