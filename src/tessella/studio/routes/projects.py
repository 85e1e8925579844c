"""Projects: which there are, what one holds, and what was done."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import FastAPI, Query

from tessella.studio import acts
from tessella.studio.desk import Desk

HISTORY = 1000


def add(app: FastAPI, desk: Desk) -> None:
    """Add them."""

    @app.get("/api/projects", summary="All projects: the desk as JSON")
    def projects() -> dict[str, Any]:
        return {"projects": desk.listed(), "first": desk.first}

    @app.get("/api/projects/{project}", summary="A project: its table as JSON")
    def project(project: str) -> dict[str, Any]:
        session = desk.session(project)
        session.refresh()
        made = session.project
        with made.still:
            return {
                "id": project,
                "facts": made.facts.to_json(),
                "version": made.version,
                "state": made.state.to_json(),
                "undo": len(made.done),
                "redo": len(made.undone),
                "notes": made.notes,
                "solving": session.solving(),
            }

    @app.get("/api/projects/{project}/history", summary="What was done, oldest first")
    def history(project: str, since: Annotated[int, Query(ge=0, le=10**9)] = 0) -> dict[str, Any]:
        found = desk.session(project).project.events(since, HISTORY)
        keys = ("version", "act", "by", "at", "args")
        return {"events": [{key: getattr(event, key) for key in keys} for event in found]}

    @app.get("/api/acts", summary="Every act and what it is given")
    def known_acts() -> dict[str, Any]:
        return {
            name: {
                "about": (acts.find(name).__doc__ or "").strip(),
                "given": {key: str(kind) for key, kind in acts.hints(name).items()},
            }
            for name in acts.names()
        }
