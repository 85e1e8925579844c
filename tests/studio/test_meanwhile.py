"""What a person does while a search goes on holds, and its answer is not lost for that."""

import threading

import numpy as np
import pytest

from tessella.studio.state import Spot
from tessella.studio.worker import Worker

from .test_server import measured

ROWS, COLS = 5, 6


@pytest.fixture
def session(desk, monkeypatch):
    """A project in the midst of a search; nobody searches."""
    monkeypatch.setattr(Worker, "solve", lambda self, task: True)
    opened = desk.session(desk.first)
    measured(desk)
    lay(opened, np.arange(30))
    opened.solve(task(), around=True)
    return opened


def task():
    from tessella.studio.worker import Task

    return Task()


def answer(order, kind="answer", **more):
    arrangement = {"pieces": [list(map(int, order))], "turns": [[0] * 30], "cols": [COLS]}
    told = {"fitness": 1.0, "seconds": 2.0, "stopped": False}
    return {"kind": kind, "arrangement": arrangement, **told, **more}


def lay(session, order):
    session._take_up(answer(order))


def found(session, order):
    """Let the search find `order`, and return what was told."""
    heard = []
    session.listen(heard.append)
    lay(session, order)
    return heard[-1]


def test_a_piece_that_was_moved_stays_and_the_rest_is_laid_around_it(session):
    session.act("swap", {"first": 0, "second": 29}, None)
    told = found(session, np.arange(30))
    assert (told["what"], told["kept"]) == ("answer", 2)
    state = session.project.state
    assert (state.spot(0), state.spot(29)) == (Spot(0, 4, 5, 0), Spot(0, 0, 0, 0))
    assert len(state.cells) == 30


def test_what_was_taken_back_is_not_kept(session):
    session.act("swap", {"first": 0, "second": 29}, None)
    session.back(None)
    found(session, np.roll(np.arange(30), 1))
    assert session.project.state.spot(0) == Spot(0, 0, 1, 0)
    session.back(None)  # of the solver's answer: a later one may move everything
    session.solve(task(), around=True)
    session.back(None)
    session.again(None)
    assert found(session, np.arange(30)[::-1])["kept"] == 0


def test_an_answer_is_laid_anew_so_that_it_holds_to_what_was_said_meanwhile(session):
    session.act("lock", {"pieces": [7]}, None)
    first, second = 4 * 8, 4 * 20 + 2  # the right side of piece 8, the left one of piece 20
    session.act("join", {"first": first, "second": second}, None)
    session.act("forbid", {"first": 0, "second": 4 + 2}, None)
    session.act("tray", {"pieces": [29]}, None)
    told = found(session, np.roll(np.arange(30), 3))
    assert told["what"] == "answer"
    state = session.project.state
    assert state.spot(7) == Spot(0, 1, 1, 0)
    assert state.spot(29).sheet == -1
    eight, twenty = state.spot(8), state.spot(20)
    assert (eight.turns, twenty.turns) == (twenty.turns, eight.turns)
    joins = {frozenset(pair) for pair in session.arrangement().joins().tolist()}
    assert frozenset((first, second)) in joins
    assert frozenset((0, 6)) not in joins
    assert len(state.cells) == 29


def test_the_best_so_far_is_shown_around_what_was_done(session):
    session.act("lock", {"pieces": [7]}, None)
    heard = []
    session.listen(heard.append)
    live = {"best": 1.0, "number": 1, "run": 0, "stagnant": 0}
    session._take_up(answer(np.roll(np.arange(30), 1), "live", **live))
    (told,) = heard
    assert told["spots"][7] == [0, 1, 1, 0]
    assert sorted(spot[:3] for spot in told["spots"] if spot) == [
        [0, row, col] for row in range(ROWS) for col in range(COLS)
    ]
    assert "spots" not in session.progress


def test_another_search_waits_for_the_one_that_goes_on(session, monkeypatch):
    from tessella.studio.errors import Refused

    begun = []
    monkeypatch.setattr(
        Worker, "solve", lambda self, task: not session.worker.busy and not begun.append(task)
    )
    session.worker.busy = True
    with pytest.raises(Refused, match="at work"):
        session.solve(task(), around=True)
    session.solve(task(), around=True, after=True)
    assert session.solving()["queued"]
    assert begun == []
    session.act("lock", {"pieces": [7]}, None)
    session.worker.busy = False
    lay(session, np.arange(30))
    assert [fixed.piece for fixed in begun[0].wishes.fixed] == [7]
    assert not session.solving()["queued"]
    assert session.progress["stage"] == "starting"


def test_the_time_left_is_the_servers_and_counts_from_the_search(desk, monkeypatch):
    from dataclasses import replace

    monkeypatch.setattr(Worker, "solve", lambda self, task: True)
    session = desk.session(desk.first)
    heard = []
    session.listen(heard.append)
    session.solve(replace(task(), seconds=60.0), around=True)
    assert (heard[-1]["passed"], heard[-1]["left"]) == (0, None)
    session._take_up({"kind": "prepared"})
    session._take_up({"kind": "stage", "stage": "solving", "total": 0, "done": 0})
    assert 55 < heard[-1]["left"] <= 60
    session.worker.busy = True
    assert 55 < session.solving()["left"] <= 60


def test_stopping_before_the_search_gives_up_at_once(folder):
    heard = []
    told = threading.Event()

    def hear(message):
        heard.append(message["kind"])
        if message["kind"] in ("stopped", "failed", "answer"):
            told.set()

    worker = Worker(folder, hear)
    try:
        for _ in range(2):  # and it can begin anew
            told.clear()
            assert worker.solve(task())
            worker.stop()
            assert told.wait(60)
            assert heard.pop() == "stopped"
            assert not worker.busy
    finally:
        worker.close()


def test_what_is_known_later_takes_the_place_of_what_was_known(desk, monkeypatch):
    tasks = []
    monkeypatch.setattr(Worker, "solve", lambda self, given: not tasks.append(given))
    session = desk.session(desk.first)
    assert session.project.facts.shape == (ROWS, COLS)
    for known, shape, panels in (
        ({"rows": 3, "cols": 10}, (3, 10), None),
        ({}, None, None),
        ({"rows": 6, "cols": 6, "missing": True}, (6, 6), (1, ((6, 6),))),
        ({"panels": 0}, None, (None, ())),
    ):
        session.act("know", known, None)
        session.solve(task(), around=True)
        told = tasks[-1]
        assert told.facts.shape == shape
        seen = told.panels
        assert (None if seen is None else (seen.count, seen.shapes)) == panels
        from tessella.studio.pieces import known as with_facts

        assert with_facts(session.puzzle(), told.facts).shape == shape
    # Cells are those of the shape that is known by now.
    session.act("know", {"rows": 3, "cols": 10}, None)
    session.act("place", {"pieces": [4], "sheet": 0, "rows": [2], "cols": [9]}, None)
    session.act("lock", {"pieces": [4]}, None)
    session.solve(task(), around=True)
    assert [(w.row, w.col) for w in tasks[-1].wishes.fixed] == [(2, 9)]


def test_a_search_is_over_when_its_answer_is_taken_up(session):
    assert session.solving()["busy"]
    session.act("lock", {"pieces": [7]}, None)
    seen = []
    session.listen(lambda message: seen.append(session.solving()["busy"]))
    lay(session, np.arange(30))
    assert seen == [True, False]  # the act of the solver, and that it ended
