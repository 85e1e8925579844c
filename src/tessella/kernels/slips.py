"""Slips of strips: what two sides say at every slip, added up over stretches of their height.

Over one stretch the slip stays as it is; from one to the next it may change by one step, since
strips stretch and lie at angles. What counts is the sum of the chances of all ways to slip, as
logarithms, so that a pair that says nothing at any slip scores 0.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from tessella.kernels.jit import compiled


@compiled
def advance(state: NDArray[np.float32], said: NDArray[np.float32], change: float) -> None:
    """Take one stretch further the logarithms `state` of the chances of every slip.

    Parameters
    ----------
    state : so far, ``(A, B, S)``; becomes what it is behind the stretch
    said : what the stretch says at every slip, ``(S, A, B)``
    change : chance that the slip changes by one step, either way
    """
    rows, columns, slips = state.shape
    chance = np.empty(slips, np.float64)
    for a in range(rows):
        for b in range(columns):
            most = state[a, b, 0]
            for s in range(1, slips):
                most = max(most, state[a, b, s])
            for s in range(slips):
                chance[s] = math.exp(state[a, b, s] - most)
            before = 0.0
            for s in range(slips):
                own = chance[s]
                moved = before * change
                kept = own
                if s > 0:
                    kept -= own * change
                if s < slips - 1:
                    kept -= own * change
                    moved += chance[s + 1] * change
                before = own
                state[a, b, s] = most + math.log(kept + moved + 1e-30) + said[s, a, b]


def advance_plain(state: NDArray[np.float32], said: NDArray[np.float32], change: float) -> None:
    """Do what `advance` does, written plainly."""
    slips = state.shape[2]
    steps = np.zeros((slips, slips))  # from a slip, to a slip
    for s in range(slips):
        near = [t for t in (s - 1, s + 1) if 0 <= t < slips]
        steps[s, near] = change
        steps[s, s] = 1 - change * len(near)
    most = state.max(axis=2, keepdims=True)
    chance = np.exp((state - most).astype(np.float64)) @ steps
    state[...] = most + np.log(chance + 1e-30) + said.transpose(1, 2, 0)


@compiled
def settle(state: NDArray[np.float32], grain: float, out: NDArray[np.float32]) -> None:
    """Fill `out` ``(A, B)`` with the logarithms of the sums over slips, rounded to `grain`."""
    rows, columns, slips = state.shape
    for a in range(rows):
        for b in range(columns):
            most = state[a, b, 0]
            for s in range(1, slips):
                most = max(most, state[a, b, s])
            total = 0.0
            for s in range(slips):
                total += math.exp(state[a, b, s] - most)
            out[a, b] = np.rint((most + math.log(total)) / grain) * grain


def settle_plain(state: NDArray[np.float32], grain: float, out: NDArray[np.float32]) -> None:
    """Do what `settle` does, written plainly."""
    most = state.max(axis=2)
    total = np.exp((state - most[..., None]).astype(np.float64)).sum(axis=2)
    out[...] = np.rint((most + np.log(total)) / grain) * grain
