"""A job on its way through the stages, one after the other; what they came to is kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tessella.checkpoint import State
from tessella.kernels.crossover import Parent
from tessella.snapshots import pack, unpack
from tessella.solving import Job
from tessella.stages.merge import Merged
from tessella.stages.stage import Answer, Stage

_OWN, _MERGED = "answer/", "merged/"


def passed(stages: Sequence[Stage], job: Job) -> Answer:
    """Return what a job's pieces come to by `stages`.

    Every few seconds the job's checkpoint keeps what a stage came to, instead of what the stage
    itself kept meanwhile. Stages before that are not passed again. What another seed came to is not
    taken up.
    """
    held = job.checkpoint.load() if job.checkpoint else None
    if held is not None and int(held.get(_OWN + "seed", job.seed)) != job.seed:
        held = None
    begun = 0 if held is None or _OWN + "stages" not in held else int(held[_OWN + "stages"])
    answer = _unpacked(held, job) if held and begun else Answer(searched=job.compatibility)
    for number, stage in enumerate(stages[begun:], start=begun + 1):
        answer = stage(answer, job)
        if job.checkpoint and answer.open and not job.stop() and job.checkpoint.due():
            job.checkpoint.save(_packed(answer, job) | {_OWN + "stages": np.array(number)})
    return answer


def _packed(answer: Answer, job: Job) -> dict[str, NDArray[Any]]:
    assert answer.arrangement is not None
    packed = pack(answer.arrangement, _OWN)
    packed[_OWN + "history"] = np.array(answer.history, np.float64)
    packed[_OWN + "seed"] = np.array(job.seed)
    packed[_OWN + "coarse"] = np.array(answer.searched is job.evidence.coarse)
    if answer.merged is not None:
        piece, cell, joins, firm = answer.merged
        named = {"piece": piece, "cell": cell, "firm": firm, **joins._asdict()}
        packed |= {_MERGED + name: np.asarray(value) for name, value in named.items()}
    return packed


def _unpacked(held: State, job: Job) -> Answer:
    answer = Answer(
        job.compatibility,
        arrangement=unpack(held, _OWN),
        history=tuple(held[_OWN + "history"].tolist()),
    )
    if held[_OWN + "coarse"] and job.evidence.coarse is not None:
        answer = replace(answer, searched=job.evidence.coarse)
    if _MERGED + "piece" not in held:
        return answer
    own = {name[len(_MERGED) :]: value for name, value in held.items() if _MERGED in name}
    joins = Parent(own["neighbor"], own["score"], float(own["alpha"]))
    return replace(answer, merged=Merged(own["piece"], own["cell"], joins, own["firm"]))
