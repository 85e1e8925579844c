"""How many pairs a second the learned measure scores, factorised at the seam and plainly.

    python speed/dlcm.py [--pieces N] [--size P] [--channels C] [--shortlist K] [--threads T]

One sub-network of the paper's form with random weights. "edge" is what is done once for every edge
and way of facing; "pair" what is left for every pair; "plain" the whole pass over a pair, on the
same matrix products and threads. All three are taken in turn, several times, and the fastest
counts, so that other work on the machine disturbs them alike. "all" and "shortlist" are whole
upright puzzles: every pair both ways, or about 1.5 K pairs an edge, with the work for edges.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

import numpy as np

from tessella import edges
from tessella.networks.architecture import Architecture
from tessella.networks.model import Subnetwork
from tessella.networks.seam import Engine
from tessella.threads import available

ROUNDS = 5
BOTH_WAYS = 1.5
"""Pairs scored for an edge, as a multiple of K, where either edge may list the other."""


def network(size: int, channels: int) -> Subnetwork:
    form = Architecture("rgb", (channels, channels, "pool", channels, "pool", channels), size, size)
    rng = np.random.default_rng(0)
    kernels = tuple(
        (rng.normal(size=(b, a, 3, 3)) * np.sqrt(2 / (9 * a))).astype(np.float32)
        for a, b in form.kernels
    )
    last = form.levels[-1]
    head = rng.normal(size=(last.channels, last.rows, last.width)).astype(np.float32)
    return Subnetwork(form, kernels, head)


def seconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pieces", type=int, default=432)
    parser.add_argument("--size", type=int, default=28)
    parser.add_argument("--channels", type=int, default=64)
    parser.add_argument("--shortlist", type=int, default=32)
    parser.add_argument("--threads", type=int, default=available())
    given = parser.parse_args()
    sub = network(given.size, given.channels)
    engine = Engine(sub)
    rng = np.random.default_rng(1)
    some = 64 * given.threads
    view = rng.normal(size=(some, given.size, given.size, 3)).astype(np.float32)
    pair = np.concatenate([view, view[::-1]], axis=2)
    sides = [engine.sides(view, way, given.threads) for way in (edges.RIGHT, edges.LEFT)]
    which = rng.integers(0, some, (40 * some, 2))
    out = np.zeros(len(which), np.float32)

    def pairs() -> None:
        for _ in engine.pairs(sides[0], sides[1], which, out, given.threads):
            pass

    pairs()
    taken: list[list[float]] = [[], [], []]
    for _ in range(ROUNDS):
        taken[0].append(seconds(lambda: engine.sides(view, edges.RIGHT, given.threads)) / some)
        taken[1].append(seconds(pairs) / len(which))
        taken[2].append(seconds(lambda: engine.whole(pair, given.threads)) / some)
    edge, one, plain = (min(each) for each in taken)
    print(f"{given.threads} threads, {given.channels} channels, {given.size} px")
    print(f"edge  {1e3 * edge:8.3f} ms")
    print(f"pair  {1e3 * one:8.3f} ms  {1 / one:10.0f} a second")
    print(f"plain {1e3 * plain:8.3f} ms  {1 / plain:10.0f} a second")
    total = 4 * given.pieces
    short = round(BOTH_WAYS * given.shortlist)
    for name, count in (("all", given.pieces - 1), (f"shortlist {given.shortlist}", short)):
        spent = 2 * total * edge + total * count * one
        rate = total * count / spent
        print(f"{name:>12}: {spent:7.1f} s, {rate:8.0f} pairs a second, {rate * plain:.1f}x plain")


if __name__ == "__main__":
    main()
