"""Documents cut into strips and put together again: page by page, and all pages at once.

    python speed/documents.py FILE.pdf [--dpi 500] [--strips 85] [--turned] [--measure ink]
                              [--solver path] [--pages unknown|known] [--threads N] [--limit K]

Content joins are true joins with at least one strip that is not blank; pixel-identical strips are
interchangeable. Strict neighbor cannot reach 1 where blank strips are identical.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tessella import api
from tessella.documents.cut import cut_strips
from tessella.documents.pages import read_pages
from tessella.documents.pagination import paginate
from tessella.metrics import Score
from tessella.plan import make_plan

Row = tuple[Score, int, float, float]


def main() -> None:
    asked = _asked()
    began = time.monotonic()
    pages = [page.grey for page in read_pages([asked.file], asked.dpi)][: asked.limit]
    print(
        f"{len(pages)} pages of {pages[0].shape} px, rendered in {time.monotonic() - began:.1f} s"
    )
    _solved(pages[:1], asked)  # compiles
    alone = [_solved([page], asked) for page in pages]
    print("| what | content | neighbor | pages | measuring s | solving s |")
    print("|---|---|---|---|---|---|")
    for number, row in enumerate(alone, 1):
        _tell(f"page {number}", row)
    content, strict = (
        float(np.mean([getattr(row[0], key) or 0 for row in alone]))
        for key in ("content", "neighbor")
    )
    print(f"| mean, one by one | {content:.4f} | {strict:.4f} | | | |")
    _tell(f"all {len(pages)} at once", _solved(pages, asked))


def _asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    parser.add_argument("file", type=Path)
    parser.add_argument("--dpi", type=int, default=500)
    parser.add_argument("--strips", type=int, default=85)
    parser.add_argument("--turned", action="store_true")
    parser.add_argument("--measure", default="ink")
    parser.add_argument("--solver", default="path")
    parser.add_argument("--pages", choices=["known", "unknown"], default="unknown")
    parser.add_argument("--threads", type=int)
    parser.add_argument("--limit", type=int)
    return parser.parse_args()


def _solved(pages: list[NDArray[np.uint8]], asked: argparse.Namespace) -> Row:
    puzzle, truth = cut_strips(pages, asked.strips, turned=asked.turned)
    began = time.monotonic()
    plan = make_plan(asked.measure, asked.solver)
    prepared = api.prepare(puzzle, plan, threads=asked.threads)
    measured = time.monotonic()
    result = api.search(prepared, threads=asked.threads)
    known = len(pages) if asked.pages == "known" or len(pages) == 1 else None
    result = paginate(puzzle, result, known)
    done = time.monotonic()
    score = api.score(result, truth)
    return score, len(result.arrangement.sheets), measured - began, done - measured


def _tell(what: str, row: Row) -> None:
    score, pages, measuring, solving = row
    print(
        f"| {what} | {score.content:.4f} | {score.neighbor:.4f} | {pages} | {measuring:.1f} "
        f"| {solving:.1f} |"
    )


if __name__ == "__main__":
    main()
