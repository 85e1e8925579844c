"""Shreds on a dark bed, one folder a page: with masks and without, one by one and mixed.

    python speed/shreds.py FOLDER... [--measure contour] [--solver path] [--threads N]

The natural order of the files in a folder is the true order of its shreds; it serves to judge
answers and is hidden from the solver, which sees the shreds shuffled by seed, turned any way.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np

from tessella import api
from tessella.arrangement import Arrangement, Sheet
from tessella.documents.folder import Listed, paired
from tessella.documents.pages import to_grey
from tessella.documents.pagination import paginate
from tessella.documents.shreds import paper_mask, shreds_of
from tessella.documents.strips import Strips
from tessella.imaging.folder import natural
from tessella.imaging.read import SUFFIXES, read_image
from tessella.plan import make_plan
from tessella.truth import Truth


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--measure", default="contour")
    parser.add_argument("--solver", default="path")
    parser.add_argument("--threads", type=int)
    asked = parser.parse_args()
    print("| shreds | masks | count | neighbor | false joins | pages | seconds |")
    print("|---|---|---|---|---|---|---|")
    for masks in (True, False):
        found = [_tell(folder.name, [folder], masks, asked) for folder in asked.folders]
        print(f"| mean, one by one | {masks} | | {np.mean(found):.4f} | | | |")
        if len(asked.folders) > 1:
            _tell("all mixed", asked.folders, masks, asked)


def _tell(what: str, folders: list[Path], masks: bool, asked: argparse.Namespace) -> float:
    puzzle, truth = _read(folders, masks)
    began = time.monotonic()
    prepared = api.prepare(puzzle, make_plan(asked.measure, asked.solver), threads=asked.threads)
    result = paginate(puzzle, api.search(prepared, threads=asked.threads), None)
    took = time.monotonic() - began
    score = api.score(result, truth)
    pages = len(result.arrangement.sheets)
    print(
        f"| {what} | {masks} | {len(puzzle)} | {score.neighbor:.4f} | {score.false_joins:.4f} "
        f"| {pages} | {took:.1f} |"
    )
    return score.neighbor


def _read(folders: list[Path], masks: bool) -> tuple[Strips, Truth]:
    greys, papers, sheets = [], [], []
    for folder in folders:
        files = _listed(folder)
        sheet = len(greys) + np.arange(len(files.names), dtype=np.int32)[None]
        sheets.append(Sheet(sheet, np.zeros(sheet.shape, np.int8)))
        for name, mask in zip(files.names, files.masks, strict=True):
            grey = to_grey(read_image(folder / name))[0]
            greys.append(grey)
            shown = read_image(folder / mask)[..., 0] >= 128 if masks else paper_mask(grey)
            papers.append(shown)
    puzzle = shreds_of(greys, papers, upright=False)
    return puzzle, Truth(Arrangement(tuple(sheets)), np.arange(4 * len(puzzle), dtype=np.int32))


def _listed(folder: Path) -> Listed:
    names = [file.name for file in folder.iterdir() if file.suffix.lower() in SUFFIXES]
    return paired(sorted(names, key=natural))


if __name__ == "__main__":
    main()
