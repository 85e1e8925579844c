"""Snapshots: a few arrangements that show how an answer came about."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tessella.arrangement import Arrangement, Sheet
from tessella.checkpoint import Checkpoint, State
from tessella.watch import Generation, Watcher

MOST = 12
"""How many snapshots of a run are kept in the end."""

_OWN = "snapshots/"


class Snapshots:
    """A watcher of one run that keeps some of its improved generations and passes all on.

    While the run goes on, every `stride`-th improvement is kept; whenever that makes too many,
    every second one is dropped and `stride` doubles. So memory is bounded, what is kept spreads
    evenly, and a run that was continued from a checkpoint keeps the same ones.
    """

    def __init__(self, run: int, watch: Watcher) -> None:
        self.run = run
        self.watch = watch
        self.kept: list[Generation] = []
        self.last: Generation | None = None
        self.seen = 0
        self.stride = 1

    def stage(self, name: str, total: int) -> None:
        """Pass on."""
        self.watch.stage(name, total)

    def advance(self, steps: int = 1) -> None:
        """Pass on."""
        self.watch.advance(steps)

    def generation(self, generation: Generation) -> None:
        """Keep the generation if its turn has come, and pass it on with the run's number."""
        numbered = replace(generation, run=self.run)
        if numbered.snapshot is not None:
            self._keep(numbered)
        self.watch.generation(numbered)

    def _keep(self, generation: Generation) -> None:
        self.last = generation
        if self.seen % self.stride == 0:
            self.kept.append(generation)
        self.seen += 1
        if len(self.kept) > 2 * MOST:
            self.kept = self.kept[::2]
            self.stride *= 2

    def chosen(self) -> tuple[Generation, ...]:
        """Return at most `MOST` generations, the first and the last among them, oldest first."""
        every = list(self.kept)
        if self.last is not None and every[-1] is not self.last:
            every.append(self.last)
        places = np.unique(np.linspace(0, len(every) - 1, min(MOST, len(every))).round())
        return tuple(every[int(place)] for place in places)

    def state(self) -> dict[str, NDArray[Any]]:
        """Return everything as named arrays, for a checkpoint."""
        state = {_OWN + "count": np.array([self.seen, self.stride])}
        held = [*self.kept, *([self.last] if self.last is not None else [])]
        return state | pack_generations(held, _OWN)

    def restore(self, state: State) -> None:
        """Take up what `state` returned."""
        self.seen, self.stride = (int(number) for number in state[_OWN + "count"])
        held = unpack_generations(state, _OWN)
        self.kept, self.last = held[:-1], held[-1] if held else None
        if self.kept and self.last is not None and self.kept[-1].number == self.last.number:
            self.last = self.kept[-1]


class SnapshotCheckpoint(Checkpoint):
    """A solver's checkpoint that keeps the run's snapshots beside the solver's own state."""

    def __init__(self, checkpoint: Checkpoint, snapshots: Snapshots) -> None:
        super().__init__(checkpoint.path, checkpoint.key, checkpoint.every)
        self.snapshots = snapshots

    def save(self, state: State) -> None:
        """Write the solver's state and the snapshots."""
        super().save({**state, **self.snapshots.state()})

    def load(self) -> dict[str, NDArray[Any]] | None:
        """Return the solver's state; the snapshots are taken up on the way."""
        state = super().load()
        if state is None:
            return None
        self.snapshots.restore(state)
        return {name: value for name, value in state.items() if not name.startswith(_OWN)}


def pack_generations(generations: list[Generation], prefix: str) -> dict[str, NDArray[Any]]:
    """Return generations that have snapshots as arrays named `prefix` and more."""
    facts = [[g.run, g.number, g.best, g.stagnant] for g in generations]
    packed: dict[str, NDArray[Any]] = {prefix + "facts": np.array(facts).reshape(-1, 4)}
    for k, generation in enumerate(generations):
        if generation.snapshot is not None:
            packed |= pack(generation.snapshot, f"{prefix}{k}/")
    return packed


def unpack_generations(state: State, prefix: str) -> list[Generation]:
    """Return what `pack_generations` packed."""
    return [
        Generation(int(run), int(number), best, int(stagnant), unpack(state, f"{prefix}{k}/"))
        for k, (run, number, best, stagnant) in enumerate(state[prefix + "facts"].tolist())
    ]


def pack(arrangement: Arrangement, prefix: str) -> dict[str, NDArray[Any]]:
    """Return an arrangement as arrays named `prefix` and more."""
    packed: dict[str, NDArray[Any]] = {}
    for k, sheet in enumerate(arrangement.sheets):
        packed[f"{prefix}{k}/piece"] = sheet.piece
        packed[f"{prefix}{k}/turns"] = sheet.turns
    return packed


def unpack(state: Mapping[str, NDArray[Any]], prefix: str) -> Arrangement:
    """Return what `pack` packed."""
    sheets: list[Sheet] = []
    while f"{prefix}{len(sheets)}/piece" in state:
        at = f"{prefix}{len(sheets)}/"
        sheets.append(Sheet(state[at + "piece"], state[at + "turns"]))
    return Arrangement(tuple(sheets))
