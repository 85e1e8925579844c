"""How many pairs of edges a second each classical measure compares, and how much faster than NumPy.

    python speed/measures.py [--pieces N] [--size P] [--threads T]

"compared" is the measure's own work, all pairs of an upright group of N edges with N others;
"twin" is the same written with whole-array NumPy operations, on the same threads; "listed" is
`tessella.measuring.measure` on the whole puzzle, describing, ranking and storing included.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from tessella import edges
from tessella.imaging.color import lab
from tessella.kernels.border import sum_abs_plain, sum_powers_plain
from tessella.measures.l1 import L1
from tessella.measures.mgc import DUMMIES, Mgc
from tessella.measures.prediction import Prediction
from tessella.measures.ssd import Ssd
from tessella.measures.ssd_lab import SsdLab
from tessella.measures.wmgc import MgcSsd, Wmgc
from tessella.measuring import Measure, measure, rim
from tessella.puzzle import Puzzle
from tessella.threads import available, chunks, spread

Rows = Callable[[slice], NDArray[np.floating]]
"""Distances of some right edges to all left ones."""


def ssd_twin(right: NDArray[np.uint8], left: NDArray[np.uint8], colors=np.float64) -> Rows:
    x, y = (colors(p).reshape(len(p), -1) for p in (right[:, :, 0], left[:, :, 0]))
    return lambda rows: np.stack([((border - y) ** 2).sum(axis=1) for border in x[rows]])


def mgc_twin(right: NDArray[np.uint8], left: NDArray[np.uint8]) -> Rows:
    (x, q, s), (y, r, t) = gallagher(right), gallagher(left)

    def rows(part: slice) -> NDArray[np.float64]:
        found = []
        for border, ahead, inverse in zip(x[part], q[part], s[part], strict=True):
            there, back = y - ahead, border - r
            found.append(((there @ inverse) * there).sum(axis=(1, 2)))
            found[-1] += ((back @ t) * back).sum(axis=(1, 2))
        return np.stack(found)

    return rows


def gallagher(seen: NDArray[np.uint8]) -> tuple[NDArray[np.float64], ...]:
    """Return border, foretold border and inverse covariance of every edge."""
    near, far = seen[:, :, 0].astype(np.float64), seen[:, :, 1].astype(np.float64)
    gradient = near - far
    spreads = [np.cov(np.vstack([g, DUMMIES]).T) for g in gradient]
    return near, near + gradient.mean(axis=1, keepdims=True), np.linalg.inv(np.stack(spreads))


def mgc_ssd_twin(right: NDArray[np.uint8], left: NDArray[np.uint8]) -> Rows:
    mgc, ssd = mgc_twin(right, left), ssd_twin(right, left)
    return lambda rows: mgc(rows) * ssd(rows) ** (1 / MgcSsd().q)


def kernel_twin(by: L1 | Prediction, pieces: NDArray[np.uint8]) -> Rows:
    right, left = by.right(pieces, 0), by.left(pieces, 0)

    def rows(part: slice) -> NDArray[np.float32]:
        out = np.empty((len(right[part]), len(left)), np.float32)
        if isinstance(by, Prediction):
            sum_powers_plain(right[part], left, np.float32(by.p), out)
        else:
            sum_abs_plain(right[part], left, out)
        return out

    return rows


def blas_or_kernel(by: Measure, pieces: NDArray[np.uint8]) -> Rows:
    right, left = by.right(pieces, 0), by.left(pieces, 0)
    return lambda rows: -by.raw(right[rows], left)


def timed(work: Rows, count: int, threads: int) -> tuple[float, NDArray[np.floating]]:
    """Return pairs a second, the best of three, and what was found for the first rows."""
    first = work(slice(0, 4))  # compiles, and warms up
    best = np.inf
    for _ in range(3):
        start = time.perf_counter()
        for _ in spread(work, chunks(count, 64), threads):
            pass
        best = min(best, time.perf_counter() - start)
    return count * len(first[0]) / best, first


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pieces", type=int, default=1500)
    parser.add_argument("--size", type=int, default=28, help="side of a piece in pixels")
    parser.add_argument("--threads", type=int, default=available())
    options = parser.parse_args()
    rng = np.random.default_rng(0)
    pieces = rng.integers(0, 256, (options.pieces, options.size, options.size, 3), np.uint8)
    borders = rim(pieces, 0, edges.RIGHT), rim(pieces, 0, edges.LEFT)
    rivals: dict[str, tuple[Measure, Measure, Rows]] = {
        "ssd": (Ssd(), Ssd(), ssd_twin(*borders)),
        "ssd_lab": (SsdLab(), SsdLab(), ssd_twin(*borders, lab)),
        "l1": (L1(), L1(), kernel_twin(L1(), pieces)),
        "prediction": (Prediction(), Prediction(), kernel_twin(Prediction(), pieces)),
        "mgc": (Mgc(), Mgc(), mgc_twin(*borders)),
        "wmgc": (Wmgc(), MgcSsd(), mgc_ssd_twin(*borders)),
    }
    print(f"{len(pieces)} pieces of {options.size} px, {options.threads} threads; pairs a second")
    print(f"{'measure':12}{'compared':>12}{'twin':>12}{'ratio':>8}{'listed':>12}")
    for name, (by, compares, twin) in rivals.items():
        fast, found = timed(blas_or_kernel(compares, pieces), len(pieces), options.threads)
        slow, expected = timed(twin, len(pieces), options.threads)
        np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-3)
        start = time.perf_counter()
        measure(Puzzle(pieces), by, dense=False, threads=options.threads)
        listed = 4 * len(pieces) ** 2 / (time.perf_counter() - start)
        print(f"{name:12}{fast:12.3g}{slow:12.3g}{fast / slow:7.1f}x{listed:12.3g}")


if __name__ == "__main__":
    main()
