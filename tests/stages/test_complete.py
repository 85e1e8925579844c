"""Sheets completed: whole pictures become full rectangles, those with holes stay as they were."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from skimage import data

import tessella
from tessella import executors
from tessella.arrangement import Sheet
from tessella.imaging.cut import cut_panels
from tessella.panels import Panels
from tessella.sorting import sort
from tessella.stages import complete
from tessella.stages.laying import trimmed
from tessella.watch import Silent
from tessella.workshop import Workshop

SIZE = 8 * 28


@pytest.fixture(scope="module")
def pictures():
    """One with a large flat sky and a textured one, 8 x 8 pieces each."""
    sky = data.rocket()[:SIZE, 300 : 300 + SIZE]
    return sky, data.coffee()[:SIZE, 200 : 200 + SIZE]


def test_a_sky_lies_on_the_sheet_of_its_picture(pictures):
    puzzle, truth = cut_panels(pictures, 28, seed=4)
    with_it = tessella.solve(puzzle, panels=Panels(), seed=1)
    without = tessella.solve(puzzle, panels=Panels(), settings={"without": "complete"}, seed=1)
    new, old = (sort(each.arrangement, truth, upright=True) for each in (with_it, without))
    assert new.sheets == 2
    assert new.purity >= old.purity
    assert new.purity > 0.97


def test_pictures_that_share_white_pieces_come_apart():
    """Both have a sky that is white throughout: every white edge fits every other."""
    ground = data.coffee()[100 : 100 + 5 * 28, 60 : 60 + SIZE]
    other = data.chelsea()[60 : 60 + 5 * 28, 60 : 60 + SIZE]
    skies = [np.full((3 * 28, SIZE, 3), 255, np.uint8)] * 2
    mixed = [np.vstack(pair) for pair in zip(skies, (ground, other), strict=True)]
    for picture in mixed:
        fade = np.clip(np.linspace(1.1, 0, 28), 0, 1)[:, None, None]
        part = picture[3 * 28 : 4 * 28]
        picture[3 * 28 : 4 * 28] = (255 * fade + part * (1 - fade)).astype(np.uint8)
    puzzle, truth = cut_panels(mixed, 28, seed=4)
    found = sort(tessella.solve(puzzle, panels=Panels(), seed=1).arrangement, truth, upright=True)
    assert found.sheets == 2
    assert found.purity > 0.9


class Listening(Silent):
    """A watcher that remembers what it is told of generations."""

    def __init__(self):
        self.told = []

    def generation(self, generation):
        self.told.append(generation)


def test_pictures_completed_side_by_side_are_those_completed_one_by_one(pictures):
    puzzle, _ = cut_panels(pictures, 28, seed=4)
    watch = Listening()
    one, two = (
        tessella.solve(puzzle, panels=Panels(), seed=1, threads=threads, watch=watch)
        for threads in (1, 3)
    )
    assert one.arrangement.to_json() == two.arrangement.to_json()
    # Pieces of a part are called otherwise than those of the whole.
    assert watch.told
    assert all(each.snapshot is None for each in watch.told)


def test_pictures_with_holes_stay_as_they_were_united(pictures):
    puzzle, _ = cut_panels(pictures[1:], 28, missing=0.2, seed=2)
    one, two = (
        tessella.solve(puzzle, panels=Panels(), settings={"without": left_out}, seed=1)
        for left_out in ("", "complete")
    )
    pairs = [set(map(tuple, np.sort(each.arrangement.joins()).tolist())) for each in (one, two)]
    assert pairs[0] == pairs[1]


@pytest.mark.parametrize(
    ("rows", "left"),
    [(["ab.", "cd.", "..e"], ["ab", "cd"]), (["abc", "d.f"], ["abc", "d.f"]), (["a.."], ["a.."])],
)
def test_rows_and_columns_that_hang_over_are_trimmed(rows, left):
    def sheet(text):
        piece = np.array([[-1 if c == "." else ord(c) - 97 for c in line] for line in text])
        return Sheet(piece.astype(np.int32), np.zeros(piece.shape, np.int8))

    every = np.ones(26, np.bool_)
    assert trimmed(sheet(rows), every).piece.tolist() == sheet(left).piece.tolist()


KILLED = """
import os, pickle, signal, sys
from pathlib import Path
import tessella
from tessella.panels import Panels
from tessella.stages import complete

puzzle, folder = pickle.loads(sys.stdin.buffer.read())
once = complete.Completing.do
complete.is_closed = lambda sheet: False

def do(self, number, threads):
    if number == 1:
        os.kill(os.getpid(), signal.SIGKILL)
    return once(self, number, threads)

complete.Completing.do = do
tessella.solve(puzzle, panels=Panels(), seed=1, threads=1, checkpoint=Path(folder))
"""


def test_after_a_kill_pictures_that_were_completed_are_taken_as_they_are(pictures, tmp_path):
    puzzle, _ = cut_panels([picture[-6 * 28 :, : 6 * 28] for picture in pictures], 28, seed=4)
    told = pickle.dumps((puzzle, str(tmp_path)))
    run = subprocess.run([sys.executable, "-c", KILLED], input=told, check=False)
    assert run.returncode == -signal.SIGKILL
    parts = tmp_path / "run-000-parts" / "complete"
    assert [path.name for path in parts.iterdir()] == ["00000.npz"]
    done = []

    class Counting(complete.Completing):
        def do(self, number, threads):
            done.append(number)
            return super().do(number, threads)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(complete, "Completing", Counting)
        patch.setattr(complete, "is_closed", lambda sheet: False)  # else nothing is left to do
        resumed = tessella.solve(puzzle, panels=Panels(), seed=1, checkpoint=tmp_path)
        assert done
        assert 0 not in done
        unbroken = tessella.solve(puzzle, panels=Panels(), seed=1)
        assert 0 in done
    assert resumed.arrangement.to_json() == unbroken.arrangement.to_json()
    assert resumed.history == unbroken.history
    assert not tmp_path.exists()


def lose_once(marker, function, *args):
    """Kill the worker that does this, unless one was killed before."""
    if not Path(marker).exists():
        Path(marker).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return function(*args)


class Losing:
    """An executor for tests that loses a worker."""

    def __init__(self, executor, marker):
        self.executor, self.marker = executor, marker
        self.workers, self.threads, self.asked = executor.workers, executor.threads, 0

    def submit(self, function, /, *args):
        self.asked += 1
        return self.executor.submit(lose_once, self.marker, function, *args)


@pytest.mark.parametrize("name", executors.names())
def test_workers_complete_the_same_pictures_and_a_lost_one_costs_its_task(
    name, pictures, tmp_path, monkeypatch
):
    if name == "dask":
        pytest.importorskip("distributed", reason="dask.distributed is not installed")
    monkeypatch.setattr(complete, "is_closed", lambda sheet: False)  # else nothing is left to do
    puzzle, _ = cut_panels([picture[-6 * 28 :, : 6 * 28] for picture in pictures], 28, seed=4)
    alone = tessella.solve(puzzle, panels=Panels(), seed=1)
    monkeypatch.setattr(complete.Completing, "do", None)  # in this process
    with executors.started(name, workers=2, threads=2) as executor:
        losing = Losing(executor, str(tmp_path / "lost"))
        how = {"workshop": Workshop(executor=losing), "checkpoint": tmp_path / "kept"}
        shared = tessella.solve(puzzle, panels=Panels(), seed=1, **how)
    assert losing.asked == 2
    assert (tmp_path / "lost").exists()
    assert shared.arrangement.to_json() == alone.arrangement.to_json()
    assert not (tmp_path / "kept").exists()


def test_what_of_a_knot_lies_on_sheets_is_looked_for_where_it_lies():
    rng = np.random.default_rng(2)
    order = rng.permutation(400).astype(np.int32)
    turns = np.zeros((2, 3), np.int8)
    sheets = [Sheet(order[k : k + 6].reshape(2, 3), turns) for k in range(0, 300, 6)]
    asked = []

    class Sheets(list):
        def __getitem__(self, number):
            asked.append(number)
            return super().__getitem__(number)

    knot = complete.Knot(np.sort(order[[0, 5, 7, 298, 350]]).astype(np.intp), (0,))
    parts = complete.Lying(Sheets(sheets)).parts(knot)
    assert [part.piece.tolist() for part in parts] == [
        np.where(np.isin(sheet.piece, knot.pieces), sheet.piece, -1).tolist()
        for sheet in (sheets[0], sheets[1], sheets[49])
    ]
    assert asked == [0, 1, 49]
    assert complete.Lying(()).parts(knot) == []
