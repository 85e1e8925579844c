"""The server: the studio as a web application on one's own machine.

Routes are one file a subject in `routes`; each has a function `add` that is called with the
application and the desk. This is the only part of tessella that needs the extra ``studio``.
"""

from __future__ import annotations

import asyncio
import errno
import socket
import threading
import time
import webbrowser
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any

import uvicorn
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse, Response
from pydantic import BaseModel
from starlette.exceptions import HTTPException

from tessella import __version__
from tessella.errors import TessellaError
from tessella.studio.desk import Desk, Unknown
from tessella.studio.errors import Refused, worded
from tessella.studio.guard import Guard, Keys, refusal_page, wants_page
from tessella.studio.routes import (
    acts,
    exports,
    looking,
    pages,
    pictures,
    projects,
    solving,
    uploads,
    wishes,
)

POLL = 0.5
"""Seconds between two looks for what other processes did."""


class Problem(BaseModel):
    """What every refusal says."""

    error: str


REFUSALS: dict[int | str, dict[str, Any]] = {
    code: {"model": Problem, "description": words}
    for code, words in {
        401: "Without the cookie",
        403: "From another page",
        404: "What is not there",
        409: "What the project as it stands does not allow",
        413: "Too long",
        421: "Under a foreign name",
        422: "What cannot be understood",
        507: "The disk would not do it",
    }.items()
}


def make_app(desk: Desk) -> FastAPI:
    """Return the application, without its guard."""

    @asynccontextmanager
    async def life(_: FastAPI) -> AsyncIterator[None]:
        watching = asyncio.create_task(_watch(desk))
        yield
        watching.cancel()

    app = FastAPI(
        title="tessella studio",
        version=__version__,
        description="Projects of the studio: what lies where, acts, questions, solving.",
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
        lifespan=life,
        responses=REFUSALS,
    )
    for subject in (pages, projects, pictures, uploads, acts, looking, solving, exports, wishes):
        subject.add(app, desk)
    app.exception_handler(TessellaError)(_explained)
    app.exception_handler(OSError)(_unwritten)
    app.exception_handler(RequestValidationError)(_misunderstood)
    app.exception_handler(HTTPException)(_missing)
    return app


async def _watch(desk: Desk) -> None:
    """Take up what other processes do to open projects."""
    while True:
        await asyncio.sleep(POLL)
        for session in await asyncio.to_thread(desk.sessions):
            with suppress(TessellaError, OSError):
                await asyncio.to_thread(session.refresh)


def _refused(request: Request, status: int, sentence: str) -> Response:
    """Return a refusal as the guard does: JSON, or a page for whoever looks at it in a browser."""
    if wants_page(request.headers.get("accept", "")):
        return HTMLResponse(refusal_page(sentence), status)
    return JSONResponse({"error": sentence}, status)


def _explained(request: Request, problem: Exception) -> Response:
    status = 404 if isinstance(problem, Unknown) else 409 if isinstance(problem, Refused) else 422
    return _refused(request, status, worded(str(problem)))


def _unwritten(request: Request, problem: Exception) -> Response:
    """Say that the disk is full, or what else it would not do."""
    assert isinstance(problem, OSError)
    if problem.errno in (errno.ENOSPC, errno.EDQUOT):
        error = "The disk is full: that was not kept; make room and do it again."
    else:
        error = f"That could not be read or written: {problem.strerror or problem}."
    return _refused(request, 507, error)


def _misunderstood(request: Request, problem: Exception) -> Response:
    assert isinstance(problem, RequestValidationError)
    first = problem.errors()[0]
    where = ".".join(str(part) for part in first["loc"])
    error = f"The request cannot be understood: {where}: {first['msg']}."
    return _refused(request, 422, error.encode("utf-8", "replace").decode()[:500])


def _missing(request: Request, problem: Exception) -> Response:
    assert isinstance(problem, HTTPException)
    return _refused(request, problem.status_code, f"{problem.detail}.")


def bind(port: int) -> socket.socket:
    """Return a socket on this machine alone; port 0 takes a free one."""
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    # An answer of two small parts must not wait 40 ms for the first to be acknowledged.
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    try:
        listening.bind(("127.0.0.1", port))
        listening.listen(128)  # who reads the address may come before the server is ready
    except OSError:
        listening.close()
        raise
    return listening


def serve(
    desk: Desk, listening: socket.socket, say: Callable[[str], None], *, browser: bool = True
) -> None:
    """Serve until Ctrl-C; says the address to open first."""
    keys = Keys(listening.getsockname()[1])
    address = f"http://127.0.0.1:{keys.port}/launch?token={keys.token}"
    config = uvicorn.Config(
        Guard(make_app(desk), keys),
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=1,
    )
    server = uvicorn.Server(config)
    say(address)
    if browser:
        threading.Thread(target=_browse, args=(server, address), daemon=True).start()
    try:
        with suppress(KeyboardInterrupt):  # how a person ends the studio
            server.run(sockets=[listening])
    finally:
        desk.close()


def _browse(server: uvicorn.Server, address: str) -> None:
    """Open the browser once the studio answers."""
    while not server.started:
        time.sleep(0.05)
    webbrowser.open(address)
