"""What the server answers, one file a subject."""

from __future__ import annotations

from typing import Any

from fastapi.responses import Response


def file_of(kind: str) -> dict[str, Any]:
    """Return how a route says that it answers with a file of a kind, and not with JSON."""
    return {"response_class": Response, "responses": {200: {"content": {kind: {}}}}}
