"""The guard: who may speak to the studio, and what every answer says about itself.

Everything is checked before a request reaches its route: the name that the browser believes to
talk to (so that a foreign name that points here is refused), where the page comes from that asks,
and the cookie that the launch token was exchanged for.
"""

from __future__ import annotations

import hmac
import html
import json
import secrets
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

LAUNCH = "/launch"
OPEN = (LAUNCH,)
"""What may be asked for without the cookie."""

SAFE = ("GET", "HEAD")
BODY_MAX = 8 * 2**20
UPLOAD_MAX = 2 * 2**30
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>tessella studio</title></head>
<body><h1>tessella studio</h1><p>{english}</p>{portuguese}</body></html>
"""
"""What a browser shows that is refused."""

NOT_IN = "Open the studio by the address that it printed when it was started."
USED = "This address was used already, or is none of this studio; start it again."
PORTUGUESE = {
    NOT_IN: "Abra o estúdio pelo endereço que escreveu ao começar.",
    USED: "Este endereço já foi usado, ou não é deste estúdio; comece-o de novo.",
    "There is no such project.": "Esse projeto não existe.",
}
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}


@dataclass
class Keys:
    """The secrets of one launch.

    Attributes
    ----------
    port : that the studio listens on
    hosts : names under which it may be reached
    token : opens the studio once; then it is None
    cookie : what the token is exchanged for
    """

    port: int
    hosts: tuple[str, ...] = ("127.0.0.1", "localhost", "[::1]")
    token: str | None = field(default_factory=lambda: secrets.token_urlsafe(24))
    cookie: str = field(default_factory=lambda: secrets.token_urlsafe(32))

    @property
    def name(self) -> str:
        """The cookie's name; each port has its own."""
        return f"tessella-{self.port}"

    def names(self) -> set[str]:
        """Return every Host that is answered."""
        return {f"{host}:{self.port}" for host in self.hosts}

    def origins(self) -> set[str]:
        """Return every Origin that may act."""
        return {f"http://{name}" for name in self.names()}

    def exchange(self, token: str) -> str | None:
        """Return the cookie for the right token, once; a wrong one changes nothing."""
        if self.token is None or not hmac.compare_digest(token.encode(), self.token.encode()):
            return None
        self.token = None
        return self.cookie


class Guard:
    """Stands before the application."""

    def __init__(self, app: App, keys: Keys) -> None:
        self.app = app
        self.keys = keys

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse, or pass on with limits and headers."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self.app(scope, receive, send)
            return  # no web sockets here
        given = {
            name.decode("latin-1").lower(): value.decode("latin-1")
            for name, value in scope["headers"]
        }
        page = wants_page(given.get("accept", ""))
        refusal = self._refusal(scope, given)
        if refusal is not None:
            await _refuse(send, *refusal, page=page)
            return
        if scope["path"] == LAUNCH:
            await self._launch(scope, send, given, page=page)
            return
        most = UPLOAD_MAX if "/uploads/" in scope["path"] else BODY_MAX
        if int(given.get("content-length") or 0) > most:
            await _refuse(send, 413, f"A request holds at most {most} bytes.", page=page)
            return
        await self.app(scope, _limited(receive, most), _labelled(send))

    def _refusal(self, scope: Scope, given: dict[str, str]) -> tuple[int, str] | None:
        """Return why a request is refused; None where it is not."""
        if given.get("host", "").lower() not in self.keys.names():
            return 421, "The studio is not known by that name."
        acting = scope["method"] not in SAFE
        origin = given.get("origin", "" if acting else None)
        if origin is not None and origin not in self.keys.origins():
            return 403, "Another page must not act here; the request needs the studio's own Origin."
        foreign = given.get("sec-fetch-site", "none") not in ("none", "same-origin")
        if foreign and (acting or scope["path"] != LAUNCH):
            return 403, "Another page must not look in here."
        length = given.get("content-length", "0")
        if not (length.isascii() and length.isdigit() and len(length) < 16):
            return 400, "The request's length is no number."
        if scope["path"] not in OPEN and not self._known(given):
            return 401, NOT_IN
        return None

    def _known(self, given: dict[str, str]) -> bool:
        for part in given.get("cookie", "").split(";"):
            name, _, value = part.strip().partition("=")
            if name == self.keys.name and hmac.compare_digest(
                value.encode(), self.keys.cookie.encode()
            ):
                return True
        return False

    async def _launch(self, scope: Scope, send: Send, given: dict[str, str], *, page: bool) -> None:
        """Exchange the token for the cookie; who has the cookie already is let in again."""
        asked = parse_qs(scope["query_string"].decode("latin-1"))
        cookie = None
        if scope["method"] == "GET":
            cookie = self.keys.exchange(asked.get("token", [""])[0])
            if cookie is None and self._known(given):
                cookie = self.keys.cookie
        if cookie is None:
            await _refuse(send, 401, USED, page=page)
            return
        value = f"{self.keys.name}={cookie}; HttpOnly; SameSite=Strict; Path=/"
        headers = [(b"location", b"/"), (b"set-cookie", value.encode())]
        await _labelled(send)({"type": "http.response.start", "status": 303, "headers": headers})
        await send({"type": "http.response.body", "body": b""})


def _limited(receive: Receive, most: int) -> Receive:
    """Return what receives at most `most` bytes, whatever the request said of its length."""
    left = most

    async def limited() -> Message:
        nonlocal left
        message = await receive()
        left -= len(message.get("body", b""))
        if left < 0:
            from starlette.exceptions import HTTPException

            raise HTTPException(413, f"A request holds at most {most} bytes")
        return message

    return limited


def _labelled(send: Send) -> Send:
    """Return what adds to every answer what a browser must know of it."""

    async def labelled(message: Message) -> None:
        if message["type"] == "http.response.start":
            held = list(message.get("headers", []))
            names = {name.lower() for name, _ in held}
            held += [
                (k.encode(), v.encode()) for k, v in HEADERS.items() if k.encode() not in names
            ]
            if b"cache-control" not in names:
                held.append((b"cache-control", b"no-store"))
            message["headers"] = held
        await send(message)

    return labelled


def wants_page(accept: str) -> bool:
    """Whether whoever says what it accepts looks at pages."""
    return "text/html" in accept


def refusal_page(sentence: str) -> str:
    """Return the page that says a sentence, in Portuguese too where it is known there."""
    known = PORTUGUESE.get(sentence)
    portuguese = f'<p lang="pt">{known}</p>' if known else ""
    return PAGE.format(english=html.escape(sentence), portuguese=portuguese)


async def _refuse(send: Send, status: int, sentence: str, *, page: bool = False) -> None:
    """Answer with a sentence: JSON, or a page for whoever looks at it in a browser."""
    text = refusal_page(sentence) if page else json.dumps({"error": sentence})
    body = text.encode("utf-8", "replace")
    headers = [
        (b"content-type", b"text/html; charset=utf-8" if page else b"application/json"),
        (b"content-length", str(len(body)).encode()),
        (b"connection", b"close"),
    ]
    await _labelled(send)({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
