"""Poses: how one thing lies as another sees it, and things that are tied to each other."""

from __future__ import annotations

from collections.abc import Hashable
from typing import NamedTuple

from tessella.kernels.board import ACROSS, DOWN


class Pose(NamedTuple):
    """Quarter turns counter-clockwise, and then rows down and columns to the right."""

    turns: int
    row: int
    col: int

    def of(self, inner: Pose) -> Pose:
        """Return the pose, as seen from outside, of what lies so in what has this pose."""
        row, col = turned(self.turns, inner.row, inner.col)
        return Pose((self.turns + inner.turns) % 4, self.row + row, self.col + col)

    def inverse(self) -> Pose:
        """Return how the outside lies as seen from here."""
        back = -self.turns % 4
        row, col = turned(back, -self.row, -self.col)
        return Pose(back, row, col)


HERE = Pose(0, 0, 0)


def turned(turns: int, row: int, col: int) -> tuple[int, int]:
    """Return to where a step of so many rows and columns leads after quarter turns."""
    for _ in range(turns):
        row, col = -col, row
    return row, col


def joint(e: int, f: int) -> Pose:
    """Return how the piece of edge `f` lies, seen from that of edge `e`, if the two are joined."""
    side = e % 4
    return Pose((side + 2 - f) % 4, int(DOWN[side]), int(ACROSS[side]))


class Ties:
    """Things that are tied rigidly, each seen from the first one of its group (a union-find)."""

    def __init__(self) -> None:
        self._above: dict[Hashable, tuple[Hashable, Pose]] = {}

    def seen(self, thing: Hashable) -> tuple[Hashable, Pose]:
        """Return the first of a thing's group, and how the thing lies as seen from it."""
        path = []
        while thing in self._above:
            path.append(thing)
            thing = self._above[thing][0]
        pose = HERE
        for each in reversed(path):
            pose = pose.of(self._above[each][1])
            self._above[each] = (thing, pose)
        return thing, pose

    def tie(self, one: Hashable, other: Hashable, pose: Pose = HERE) -> bool:
        """Tie `other` to `one`, as seen from which it has `pose`; return whether it can be."""
        first, at_one = self.seen(one)
        second, at_other = self.seen(other)
        wanted = at_one.of(pose)
        if first == second:
            return wanted == at_other
        self._above[second] = (first, wanted.of(at_other.inverse()))
        return True

    def one(self, thing: Hashable, other: Hashable) -> bool:
        """Say whether two things are tied to each other."""
        return self.seen(thing)[0] == self.seen(other)[0]
