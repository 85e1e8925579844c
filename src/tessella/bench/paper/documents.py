"""Shredded documents for ``bench paper``: pages cut into strips, one by one and all at once."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tessella import api, registry
from tessella.bench.published import DOCUMENTS
from tessella.bench.tables import Grid, percent
from tessella.documents.cut import cut_strips
from tessella.documents.pages import read_pages
from tessella.documents.pagination import paginate
from tessella.documents.usual import STRIPS
from tessella.errors import FormatError, OutputError
from tessella.plan import make_plan
from tessella.provenance import UNKNOWN, Provenance, provenance

NAME = "documents.jsonl"
TITLE = "8. Shredded documents"
DPI, STRIPS_A_PAGE = 500, 85
"""The paper's: strips of 50 px."""

SEED = 1
LEARNED = "graynet"
"""The paper's measure of strips."""


@dataclass(frozen=True)
class Shredded:
    """One answer: a page alone, or all pages of a file at once.

    Attributes
    ----------
    page : its number from 1; 0 for all pages at once
    pages : how many pages went in, and how many `found`
    total : how many pages the file has
    """

    measure: str
    file: str
    page: int
    pages: int
    total: int
    turned: bool
    strips: int
    neighbor: float
    content: float
    found: int
    measuring: float
    solving: float
    made_with: Provenance = UNKNOWN

    @property
    def key(self) -> tuple[str, str, int, int, bool]:
        """What it is about."""
        return self.measure, self.file, self.page, self.pages, self.turned

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form."""
        values = {f.name: getattr(self, f.name) for f in fields(self) if f.name != "made_with"}
        return values | self.made_with.to_json()

    @classmethod
    def from_json(cls, value: dict[str, Any]) -> Shredded:
        """Read the JSON form; earlier records do not say what made them."""
        versions = tuple(value.pop("versions", {}).items())
        made = Provenance(versions, value.pop("commit", None), value.pop("machine", ""))
        return cls(**value, made_with=made)


class Ledger:
    """The answers of a folder, one line of JSON each; a line cut short by a kill is dropped."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / NAME
        text = self.path.read_text(encoding="utf-8") if self.path.exists() else ""
        whole = text[: text.rfind("\n") + 1]
        if whole != text:
            self.path.write_text(whole, encoding="utf-8")
        try:
            read = [Shredded.from_json(json.loads(line)) for line in whole.splitlines()]
        except (ValueError, TypeError, AttributeError) as problem:
            raise FormatError(
                f"{self.path} holds a line that is not of this command; delete it."
            ) from problem
        self.held = {each.key: each for each in read}

    def append(self, answer: Shredded) -> None:
        """Write `answer` down at once."""
        try:
            with self.path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(answer.to_json()) + "\n")
        except OSError as problem:
            raise OutputError(f"Cannot write {self.path}: {problem.strerror}.") from problem
        self.held[answer.key] = answer


def shred(
    files: Sequence[Path],
    ledger: Ledger,
    *,
    measure: str = STRIPS.measure,
    limit: int | None = None,
    threads: int | None = None,
    tell: Callable[[str], None] = lambda _: None,
) -> None:
    """Do what `ledger` does not hold: every page of every file alone, then all together.

    Parameters
    ----------
    limit : how many pages of a file, None for all
    """
    for file in files:
        pages: list[NDArray[np.uint8]] = []
        for page, turned in _wanted(measure, file, ledger, limit):
            pages = pages or [each.grey for each in read_pages([file], DPI)]
            chosen = [pages[page - 1]] if page else pages[:limit]
            answer = _answer(measure, file.name, page, len(pages), chosen, turned, threads)
            ledger.append(answer)
            which = f"{measure}, {file.name} {_which(answer)}"
            tell(f"{which}: {percent(answer.content)} % of content joins")


def _wanted(
    measure: str, file: Path, ledger: Ledger, limit: int | None
) -> Iterator[tuple[int, bool]]:
    """Yield page and kind of what is missing; a file that is done need not be rendered again."""
    known = [each.total for each in ledger.held.values() if each.file == file.name]
    total = known[0] if known else len(read_pages([file], 20))
    count = total if limit is None else min(limit, total)
    for turned in (False, True):
        for page in (*range(1, count + 1), 0):
            if (measure, file.name, page, 1 if page else count, turned) not in ledger.held:
                yield page, turned


def _answer(
    measure: str,
    file: str,
    page: int,
    total: int,
    pages: list[NDArray[np.uint8]],
    turned: bool,
    threads: int | None,
) -> Shredded:
    puzzle, truth = cut_strips(pages, STRIPS_A_PAGE, turned=turned)
    began = time.monotonic()
    plan = make_plan(measure, STRIPS.solver)
    prepared = api.prepare(puzzle, plan, seed=SEED, threads=threads)
    measured = time.monotonic()
    result = api.search(prepared, threads=threads)
    result = paginate(puzzle, result, 1 if page else None)
    done = time.monotonic()
    score = api.score(result, truth)
    assert score.content is not None  # cut_strips tells blank strips
    return Shredded(
        measure=measure,
        file=file,
        page=page,
        pages=len(pages),
        total=total,
        turned=turned,
        strips=len(puzzle),
        neighbor=score.neighbor,
        content=score.content,
        found=len(result.arrangement.sheets),
        measuring=measured - began,
        solving=done - measured,
        made_with=provenance(),
    )


def _which(answer: Shredded) -> str:
    kind = "turned" if answer.turned else "upright"
    return f"page {answer.page}, {kind}" if answer.page else f"{answer.pages} pages at once, {kind}"


def table(ledger: Ledger) -> Grid:
    """Return the paper's two figures beside ours."""
    rows: list[tuple[str, ...]] = []
    for each in DOCUMENTS:
        label = f"{each.pages} pages, {'one by one' if each.alone else 'all at once'}, published"
        rows.append((label, str(each.strips), f"{each.neighbor:g}", "-", "-", "-"))
    every = list(ledger.held.values())
    alike = dict.fromkeys((a.measure, a.file, a.turned) for a in every)
    for measure, file, turned in alike:
        own = [a for a in every if (a.measure, a.file, a.turned) == (measure, file, turned)]
        rows += _rows(f"{measure}, {file}", turned, own)
    done = {answer.measure for answer in every}
    rows += [(measure, *["not run"] * 5) for measure in measures() if measure not in done]
    remarks = (
        f"{DPI} dpi, {STRIPS_A_PAGE} strips a page, solver {STRIPS.solver}, number "
        "of pages unknown where there are several. Content: true joins found of which at least "
        "one strip is not blank, identical strips interchangeable; strict neighbor cannot reach "
        "100 where blank strips are identical. The paper's file, a CVPR 2018 paper of 9 pages, is "
        "not among the data.",
    )
    head = ("puzzle", "strips", "neighbor %", "content %", "pages found", "s")
    return Grid(TITLE, head, tuple(rows), remarks)


def measures() -> tuple[str, ...]:
    """Return the usual measure of strips, and the learned one where this version has it."""
    return STRIPS.measure, *(name for name in registry.names("measure") if name == LEARNED)


def _rows(file: str, turned: bool, answers: Sequence[Shredded]) -> Iterator[tuple[str, ...]]:
    kind = ", turned" if turned else ""
    alone = [answer for answer in answers if answer.page]
    if alone:
        done = f"{len(alone)}/{alone[0].total}" if len(alone) < alone[0].total else f"{len(alone)}"
        yield (
            f"{file}, {done} pages, one by one{kind}",
            f"{alone[0].strips}",
            percent(fmean(answer.neighbor for answer in alone)),
            percent(fmean(answer.content for answer in alone)),
            "-",
            f"{fmean(answer.measuring + answer.solving for answer in alone):.1f}",
        )
    for one in (answer for answer in answers if not answer.page):
        yield (
            f"{file}, {one.pages} of {one.total} pages at once{kind}",
            f"{one.strips}",
            percent(one.neighbor),
            percent(one.content),
            f"{one.found}",
            f"{one.measuring + one.solving:.1f}",
        )
