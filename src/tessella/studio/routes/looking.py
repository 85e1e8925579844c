"""Looking: how sure joins are, what to ask next, what fits a cell, where a piece goes."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import FastAPI, Query

from tessella.studio import judging
from tessella.studio.desk import Desk
from tessella.studio.session import Unmeasured

Count = Annotated[int, Query(ge=1, le=200)]
Number = Annotated[int, Query(ge=-(10**6), le=10**6)]
Piece = Annotated[int, Query(ge=0, le=10**9)]


def add(app: FastAPI, desk: Desk) -> None:
    """Add them."""

    @app.get("/api/projects/{project}/joins", summary="All joins with their confidence")
    def joins(project: str) -> dict[str, Any]:
        session = desk.session(project)
        try:
            return {"measured": True, **session.judged().to_json()}
        except Unmeasured:
            seen = judging.nothing(session.project.version)
            return {"measured": False, **seen.to_json()}

    @app.get("/api/projects/{project}/questions", summary="The joins worth asking about")
    def questions(project: str, count: Count = 10) -> dict[str, Any]:
        session = desk.session(project)
        try:
            seen, compatibility = session.judged(), session.compatibility()
        except Unmeasured:
            return {"version": session.project.version, "questions": []}
        with session.project.still:
            asked = judging.questions(session.project.state, seen, compatibility, count)
        return {"version": seen.version, "questions": asked}

    @app.get("/api/projects/{project}/fitting", summary="What fits a cell")
    def fitting(
        project: str, sheet: Piece, row: Number, col: Number, count: Count = 24
    ) -> dict[str, Any]:
        session = desk.session(project)
        compatibility = session.compatibility()
        with session.project.still:
            state = session.project.state
            candidates = judging.fitting(state, compatibility, (sheet, row, col), count)
        return {"candidates": candidates}

    @app.get("/api/projects/{project}/places", summary="Where a piece goes")
    def places(project: str, piece: Piece, count: Count = 24) -> dict[str, Any]:
        session = desk.session(project)
        compatibility = session.compatibility()
        with session.project.still:
            session.project.state.check_piece(piece)
            places = judging.places(session.project.state, compatibility, piece, count)
        return {"places": places}
