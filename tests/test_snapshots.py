"""Snapshots stay few, keep the first and the last, and survive a checkpoint."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from tessella.arrangement import Arrangement, Sheet
from tessella.checkpoint import Checkpoint
from tessella.snapshots import MOST, SnapshotCheckpoint, Snapshots, pack, unpack
from tessella.watch import SILENT, Generation

SMALL = Arrangement.single([[0, 1]])


def tell(snapshots: Snapshots, improved: list[bool], first: int = 0) -> None:
    for number, better in enumerate(improved, first):
        snapshots.generation(Generation(0, number, 1.0, 0, SMALL if better else None))


def numbers(snapshots: Snapshots) -> list[int]:
    return [generation.number for generation in snapshots.chosen()]


class Ear:
    def __init__(self):
        self.heard = []

    def stage(self, name, total):
        self.heard.append((name, total))

    def advance(self, steps=1):
        self.heard.append(steps)

    def generation(self, generation):
        self.heard.append(generation)


def test_everything_is_passed_on_with_the_number_of_the_run():
    ear = Ear()
    snapshots = Snapshots(3, ear)
    snapshots.stage("solving", 7)
    snapshots.advance(2)
    snapshots.generation(Generation(0, 5, 1.0, 4))
    assert ear.heard[:2] == [("solving", 7), 2]
    assert (ear.heard[2].run, ear.heard[2].number) == (3, 5)


def test_a_solver_without_generations_leaves_no_snapshots():
    assert Snapshots(0, SILENT).chosen() == ()


@settings(max_examples=25, deadline=None)
@given(improved=st.lists(st.booleans(), max_size=150))
def test_few_are_chosen_in_order_the_first_and_the_last_among_them(improved):
    snapshots = Snapshots(0, SILENT)
    tell(snapshots, improved)
    where = [number for number, better in enumerate(improved) if better]
    chosen = numbers(snapshots)
    assert len(chosen) == min(MOST, len(where))
    assert chosen == sorted(set(chosen))
    assert set(chosen) <= set(where)
    assert chosen[:1] == where[:1]
    assert chosen[-1:] == where[-1:]


def test_memory_is_bounded_and_what_is_kept_spreads_evenly():
    snapshots = Snapshots(0, SILENT)
    tell(snapshots, [True] * 1000)
    assert len(snapshots.kept) <= 2 * MOST
    steps = np.diff(numbers(snapshots))[:-1]  # the last one ends wherever the run does
    assert steps.max() <= 2 * steps.min()


@settings(max_examples=25, deadline=None)
@given(improved=st.lists(st.booleans(), max_size=120), data=st.data())
def test_a_continued_run_keeps_the_same_ones(improved, data):
    cut = data.draw(st.integers(0, len(improved)))
    whole, before, after = (Snapshots(1, SILENT) for _ in range(3))
    tell(whole, improved)
    tell(before, improved[:cut])
    after.restore(before.state())
    tell(after, improved[cut:], cut)
    assert numbers(after) == numbers(whole)
    assert all(g.run == 1 and g.snapshot.same(SMALL) for g in after.chosen())


def test_a_checkpoint_keeps_the_solvers_state_and_the_snapshots_apart(tmp_path):
    plain = Checkpoint(tmp_path / "state.npz", "key")
    first, second = Snapshots(0, SILENT), Snapshots(0, SILENT)
    tell(first, [True, False, True])
    SnapshotCheckpoint(plain, first).save({"population": np.arange(3)})
    held = SnapshotCheckpoint(plain, second).load()
    assert list(held) == ["population"]
    assert numbers(second) == [0, 2]


def test_a_checkpoint_without_a_file_is_none(tmp_path):
    checkpoint = Checkpoint(tmp_path / "state.npz", "key")
    assert SnapshotCheckpoint(checkpoint, Snapshots(0, SILENT)).load() is None


def test_an_arrangement_of_several_sheets_is_packed_whole():
    sheet = Sheet(np.array([[2, -1], [3, 4]]), np.array([[1, 0], [2, 3]]))
    arrangement = Arrangement((SMALL.sheets[0], sheet))
    assert unpack(pack(arrangement, "a/"), "a/").same(arrangement)
