"""Random numbers for kernels: small, seeded, the same on every machine and thread."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tessella.kernels.jit import compiled


@compiled
def mix(word: np.uint64) -> np.uint64:
    """Scramble a 64-bit word (the finaliser of SplitMix64, Steele et al. 2014)."""
    word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return word ^ (word >> np.uint64(31))


@compiled
def seeded(seed: int, first: int, second: int) -> np.uint64:
    """Return a starting state for stream (`first`, `second`) of `seed`."""
    state = mix(np.uint64(seed) + np.uint64(0x9E3779B97F4A7C15))
    state = mix(state ^ (np.uint64(first) + np.uint64(0x9E3779B97F4A7C15)))
    return mix(state ^ (np.uint64(second) + np.uint64(0x7F4A7C159E3779B9)))


@compiled
def draw(state: NDArray[np.uint64]) -> np.uint64:
    """Return the next 64 random bits; `state` ``(1,)`` moves on."""
    state[0] += np.uint64(0x9E3779B97F4A7C15)
    return mix(state[0])


@compiled
def below(state: NDArray[np.uint64], limit: int) -> int:
    """Return a random integer from 0 to `limit` - 1."""
    return np.int64(((draw(state) >> np.uint64(32)) * np.uint64(limit)) >> np.uint64(32))


@compiled
def unit(state: NDArray[np.uint64]) -> float:
    """Return a random number in [0, 1)."""
    return (draw(state) >> np.uint64(11)) * (1.0 / 9007199254740992.0)
