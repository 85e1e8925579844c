"""Solving: begin, stop, and how it goes."""

from __future__ import annotations

from typing import Any, Literal

from fastapi import FastAPI
from pydantic import BaseModel, Field

from tessella.studio.desk import Desk
from tessella.studio.session import QUICK_SECONDS, THOROUGH_RUNS
from tessella.studio.worker import Task


class Wanted(BaseModel):
    """How to solve; quick or thorough is all that most people need."""

    effort: Literal["quick", "thorough"] = "quick"
    around: bool = True
    after: bool = False
    seconds: float | None = Field(None, gt=0, le=86400)
    runs: int | None = Field(None, ge=1, le=100)
    seed: int = Field(0, ge=0, le=10**9)
    measure: str | None = Field(None, max_length=50)
    solver: str | None = Field(None, max_length=50)
    settings: dict[str, str] = Field(default_factory=dict)


def add(app: FastAPI, desk: Desk) -> None:
    """Add them."""

    @app.post("/api/projects/{project}/solve", summary="Begin to solve")
    def solve(project: str, wanted: Wanted) -> dict[str, Any]:
        quick = wanted.effort == "quick"
        task = Task(
            measure=wanted.measure,
            solver=wanted.solver,
            seconds=wanted.seconds or (QUICK_SECONDS if quick else None),
            runs=wanted.runs or (1 if quick else THOROUGH_RUNS),
            seed=wanted.seed,
            settings=wanted.settings,
        )
        session = desk.session(project)
        session.solve(task, around=wanted.around, after=wanted.after)
        return {"busy": True, "queued": session.solving()["queued"]}

    @app.post(
        "/api/projects/{project}/stop", summary="Stop, and keep the best so far; what waits begins"
    )
    def stop(project: str) -> dict[str, Any]:
        session = desk.session(project)
        session.worker.stop()
        return {"busy": session.worker.busy}

    @app.get("/api/projects/{project}/solving", summary="How the solver is doing")
    def solving(project: str) -> dict[str, Any]:
        session = desk.session(project)
        return {**session.solving(), "curve": session.curve}
