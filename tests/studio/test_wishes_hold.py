"""Whatever a person says, every later answer holds to it, or says that it contradicts itself."""

from __future__ import annotations

import shutil
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tessella.errors import InputError
from tessella.imaging.cut import cut
from tessella.imaging.folder import write_puzzle
from tessella.studio import intake
from tessella.studio.errors import Refused
from tessella.studio.session import Session
from tessella.studio.state import parted
from tessella.studio.worker import Task, _Bench

ROWS, COLS = 3, 4
PIECES = ROWS * COLS
TASKS = (
    Task(measure="ssd", solver="paikin_tal"),
    Task(measure="ssd", solver="genetic", settings={"population": "6", "patience": "2"}),
)


class Here:
    """A worker of this process: what a search finds is taken up when `work` is called."""

    def __init__(self, bench, session):
        self.bench, self.session = bench, session
        self.busy, self.task = False, None

    def solve(self, task):
        self.busy, self.task = True, task
        return True

    def work(self):
        """Search, and return what was told of the end."""
        told = []
        self.bench.pipe = SimpleNamespace(send=told.append)
        try:
            self.bench.solve(self.task)
        except InputError as problem:
            told.append({"kind": "failed", "error": str(problem)})
        self.busy = False
        for message in told:
            self.session._take_up(message)
        return self.session.progress

    def close(self):
        pass


@pytest.fixture(scope="module", params=["upright, shape known", "turned, shape unknown"])
def measured(request, tmp_path_factory):
    """A project of twelve pieces, measured, and the bench that measured it."""
    place = tmp_path_factory.mktemp("twelve")
    image = np.random.default_rng(3).integers(0, 256, (ROWS * 4, COLS * 4, 3), np.uint8)
    smooth = image.repeat(6, 0).repeat(6, 1)
    known = request.param.startswith("upright")
    puzzle, _ = cut(smooth, 24, seed=1, turned=not known)
    write_puzzle(place / "pieces", puzzle)
    shape = (ROWS, COLS) if known else (None, None)
    order = intake.Order(
        str(place / "pieces"), str(place / "base"), "twelve", upright=known, rows=shape[0],
        cols=shape[1],
    )  # fmt: skip
    intake.make(order)
    bench = _Bench(SimpleNamespace(send=lambda message: None), place / "base", None)
    bench.flag = SimpleNamespace(is_set=lambda: False)
    bench.solve(TASKS[0])
    return place / "base", bench


piece, row, col = st.integers(0, PIECES - 1), st.integers(0, ROWS - 1), st.integers(0, COLS - 1)
edges = st.tuples(piece, st.integers(0, 3), piece).map(  # those of upright pieces, too, can meet
    lambda told: {"first": 4 * told[0] + told[1], "second": 4 * told[2] + (told[1] + 2) % 4}
)
ACTS = st.one_of(
    st.tuples(st.just("swap"), st.fixed_dictionaries({"first": piece, "second": piece})),
    st.tuples(
        st.just("lock"),
        st.fixed_dictionaries({"pieces": st.lists(piece, min_size=1, max_size=3, unique=True)}),
    ),
    st.tuples(st.just("join"), edges),
    st.tuples(st.just("reply"), edges.map(lambda told: {**told, "said": "no"})),
    st.tuples(
        st.just("bar"),
        st.fixed_dictionaries({"piece": piece, "sheet": st.just(0), "row": row, "col": col}),
    ),
)
rounds = st.lists(st.tuples(st.lists(ACTS, max_size=6), st.sampled_from(TASKS)), max_size=3)


def seams(session):
    """Return the pairs of edges that lie against each other."""
    return {frozenset(pair) for pair in session.arrangement().joins().tolist()}


def forbid_some(session, count):
    """Forbid joins that lie there: an answer would come to them again."""
    for pair in sorted(map(sorted, seams(session)))[:count]:
        session.act("forbid", {"first": pair[0], "second": pair[1]}, None)


@settings(max_examples=12, deadline=None)
@given(rounds, st.integers(0, 3))
def test_every_later_answer_holds_to_what_was_said(measured, tmp_path_factory, done, count):
    base, bench = measured
    folder = tmp_path_factory.mktemp("held") / "twelve.tessella"
    shutil.copytree(base, folder)
    session = Session(folder)
    session.worker = worker = Here(bench, session)
    state = session.project.state
    for acts, task in [([], TASKS[0]), *done]:
        for name, args in acts:
            try:
                session.act(name, args, None)
            except Refused:
                continue
        if acts:
            forbid_some(session, count)
        locked = {int(key): state.spot(int(key)) for key in state.tables["lock"]}
        session.solve(task, around=True)
        told = worker.work()
        if told["kind"] == "failed":
            assert "contradict" in told["error"] or "cannot be met" in told["error"], told
            break
        assert {each: state.spot(each) for each in locked} == locked
        lying = seams(session)
        for key, word in state.tables["join"].items():
            assert (frozenset(parted(key)) in lying) == (word == "joined"), (key, word)
        for key in state.tables["bar"]:
            barred, *cell = map(int, key.split(":"))
            assert state.cells.get(tuple(cell)) != barred
    session.close()
