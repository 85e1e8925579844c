"""Stages one after the other: what is done is kept, and taken up after a kill."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
import pytest

from tessella.arrangement import Arrangement
from tessella.checkpoint import Checkpoint
from tessella.compatibility import from_lists
from tessella.evidence import Evidence
from tessella.kernels.crossover import Parent
from tessella.solving import Job
from tessella.stages.merge import Merged
from tessella.stages.passing import passed
from tessella.stages.soften import Soften


@dataclass(frozen=True)
class Turning:
    """A stage for tests: reverses the row, and writes down that it did."""

    log: list
    name: str = "turning"
    killed: bool = False

    def __call__(self, answer, job):
        if self.killed:
            raise KeyboardInterrupt
        self.log.append(self.name)
        piece = answer.arrangement.sheets[0].piece[:, ::-1]
        history = (*answer.history, len(answer.history) + 0.5)
        return replace(answer, arrangement=Arrangement.single(piece), history=history)


@dataclass(frozen=True)
class Beginning:
    """A stage for tests: merges, then lays a row."""

    log: list
    merged: Merged | None
    name: str = "beginning"

    def __call__(self, answer, job):
        self.log.append(self.name)
        first = Arrangement.single(np.arange(3)[None])
        return replace(answer, merged=self.merged, arrangement=first, history=(0.25,))


@dataclass
class Case:
    job: Job
    merged: Merged
    log: list = field(default_factory=list)

    def stages(self, killed):
        last = Turning(self.log, "last", killed)
        return [Soften(), Beginning(self.log, self.merged), Turning(self.log), last]


@pytest.fixture
def case(tmp_path):
    nobody = np.full((12, 1), -1, np.int32)
    told = [from_lists(3, True, True, nobody, np.zeros((12, 1), np.float32)) for _ in range(2)]
    job = Job(Evidence(*told), checkpoint=Checkpoint(tmp_path / "state.npz", "key", every=0))
    joins = Parent(np.arange(12, dtype=np.int32), np.ones(3, np.float32), 0.5)
    numbers = np.arange(3)
    return Case(job, Merged(numbers, numbers[:, None], joins, np.arange(12, dtype=np.int32)))


def test_stages_before_a_kill_are_not_passed_again(case):
    with pytest.raises(KeyboardInterrupt):
        passed(case.stages(killed=True), case.job)
    assert case.log == ["beginning", "turning"]
    found = passed(case.stages(killed=False), case.job)
    assert case.log == ["beginning", "turning", "last"]
    unbroken = passed(case.stages(killed=False), replace(case.job, checkpoint=None))
    assert found.arrangement.same(unbroken.arrangement)
    assert found.history == unbroken.history
    assert found.searched is unbroken.searched is case.job.evidence.coarse
    for name in ("piece", "cell", "firm"):
        np.testing.assert_array_equal(getattr(found.merged, name), getattr(case.merged, name))
    np.testing.assert_array_equal(found.merged.joins.neighbor, case.merged.joins.neighbor)
    assert found.merged.joins.alpha == 0.5


def test_what_was_stopped_is_not_kept(case):
    passed(case.stages(killed=False), replace(case.job, stop=lambda: True))
    assert case.job.checkpoint.load() is None


def test_a_checkpoint_beside_another_is_one_of_its_own(tmp_path):
    one = Checkpoint(tmp_path / "run-000-state.npz", "key")
    other = one.beside("again")
    other.save({"some": np.array(1)})
    assert one.load() is None
    assert other.path.name == "run-000-state-again.npz"
    assert other.key == one.key
