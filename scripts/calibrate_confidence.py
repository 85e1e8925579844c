"""Fit how sure a join is: the numbers of `tessella.sureness`.

    python scripts/calibrate_confidence.py ANSWERS [--write] [--confirm ANSWERS] [--plot FILE.svg]

ANSWERS is a folder that scripts/collect_answers.py filled. Every join of the answers there is right
or wrong (up to pixel-identical pieces). Pictures are dealt to folds; every fold is judged by
numbers fitted to the others: calibration error over ten bins of equal count, area under the curve,
by how much the Brier score lies below that of the base rate, and how often the ten most doubtful
joins of an answer that is wrong somewhere hold a wrong one. --write fits to all of them and keeps
the numbers; --confirm judges other answers by them.
"""

from __future__ import annotations

import argparse
import hashlib
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata

from tessella import registry, sureness, witnesses
from tessella.arrangement import Arrangement, Sheet
from tessella.odds import Odds, calibration_of, odds_of
from tessella.plots.figure import png
from tessella.plots.reliability import reliability
from tessella.scores import Scores
from tessella.witnesses import Row

FOLDS = 4
SMOOTH = 1e-3
"""By how much large weights cost."""

STEPS = 100

BINS = (0, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99, 1.01)

FEWEST = 50
"""Groups with fewer wrong joins say little."""

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Answer:
    """One solved puzzle.

    Attributes
    ----------
    kind, picture : of which it is
    rows : its joins
    terms : what the first regression weighs, of all its joins
    right : whether they are
    row : whether its pieces lie in one row
    """

    kind: str
    picture: str
    arrangement: Arrangement
    rows: list[Row]
    terms: Floats
    right: Bools
    row: bool

    @property
    def measure(self) -> str:
        """Who measured."""
        return self.kind.split()[1]

    @property
    def group(self) -> str:
        """The first two words of the kind: clean, worn, panels or strips, and the measure."""
        return " ".join(self.kind.split()[:2])

    def fold(self) -> int:
        """Return which fold its picture is in, whatever else is made of it."""
        return int(hashlib.blake2b(self.picture.encode()).hexdigest(), 16) % FOLDS

    def split(self, values: Floats) -> list[Floats]:
        """Return values of all joins row by row."""
        return np.split(values, np.cumsum([len(row.pairs) for row in self.rows])[:-1])


def scores_of(held: dict[str, NDArray[np.generic]]) -> Scores:
    """Return what the measure said."""
    pieces, upright, square, distance = (int(x) for x in held["facts"][:4])
    facts = pieces, bool(upright), bool(square), bool(distance)
    return Scores(*facts, *(held[name] for name in ("lo", "hi", "partner", "score")))  # type: ignore[arg-type]


def odds_in(held: dict[str, NDArray[np.generic]]) -> Odds:
    """Return the odds, in the order of the answer's pieces, as the measure is read now."""
    settings = {"model": str(held["model"])} if str(held["model"]) else {}
    by = registry.make("measure", str(held["measure"]), settings)
    read_by = calibration_of(by)
    odds = odds_of(read_by.heard(scores_of(held)), read_by)
    return odds.relabelled(held["order"].astype(np.intp))


def read(file: Path) -> Answer:
    """Read one answer, and what speaks for its joins."""
    with np.load(file) as opened:
        held = dict(opened)
    count = int(held["facts"][-1])
    sheets = tuple(Sheet(held[f"piece{k}"], held[f"turns{k}"]) for k in range(count))
    arrangement = Arrangement(sheets)
    seen = witnesses.seen(arrangement, odds_in(held))
    classes = held["edge_class"]
    true = {tuple(sorted(pair)) for pair in classes[held["true"]].tolist()}
    pairs = np.concatenate([row.pairs for row, _ in seen])
    right = np.array([tuple(sorted(p)) in true for p in classes[pairs].tolist()], bool)
    row = sureness.in_one_row(arrangement)
    bent = sureness.row_terms if row else sureness.first_terms
    terms = bent(np.concatenate([leads for _, leads in seen]))
    kind, picture = str(held["kind"]), str(held["picture"])
    return Answer(kind, picture, arrangement, [row for row, _ in seen], terms, right, row)


def fitted(terms: Floats, right: Bools, weight: Floats) -> Floats:
    """Return the weights of a logistic regression, by Newton's method."""
    weight = weight / weight.sum()
    by = np.zeros(terms.shape[1])
    for _ in range(STEPS):
        chance = 1 / (1 + np.exp(-np.clip(terms @ by, -30, 30)))
        slope = terms.T @ (weight * (chance - right)) + 2 * SMOOTH * by
        bend = (terms * (weight * chance * (1 - chance))[:, None]).T @ terms
        bend += 2 * SMOOTH * np.eye(len(by))
        step = np.linalg.solve(bend, slope)
        by = by - step / max(1.0, float(np.abs(step).max()) / 2)  # far steps overshoot
        if np.abs(step).max() < 1e-4:
            break
    return by


def first_of(by: Floats, answer: Answer) -> Floats:
    """Return the first regression's logits."""
    return np.clip(answer.terms @ by, -sureness.MOST, sureness.MOST)


def second_terms(by: Floats, answer: Answer) -> Floats:
    """Return what the second regression weighs, given the weights of the first."""
    begun = answer.split(first_of(by, answer))
    again = np.concatenate(witnesses.again(answer.arrangement, answer.rows, begun))
    return sureness.second_terms(again, answer.terms)


def weights_of(answers: Sequence[Answer]) -> Floats:
    """Return what every join counts: all groups the same, but for the square root of their size."""
    size: dict[str, int] = {}
    for answer in answers:
        size[answer.group] = size.get(answer.group, 0) + len(answer.right)
    parts = [np.full(len(a.right), size[a.group] ** -0.5) for a in answers]
    return np.concatenate(parts)


def fit(answers: Sequence[Answer]) -> sureness.Weights:
    """Fit all numbers to `answers`."""
    grids, strips = [a for a in answers if not a.row], [a for a in answers if a.row]
    right = np.concatenate([a.right for a in grids])
    weight = weights_of(grids)
    first = fitted(np.concatenate([a.terms for a in grids]), right, weight)
    terms = np.concatenate([second_terms(first, a) for a in grids])
    second = fitted(terms, right, weight)
    row = np.array(sureness.shipped().row)
    if strips:
        right = np.concatenate([a.right for a in strips])
        row = fitted(np.concatenate([a.terms for a in strips]), right, weights_of(strips))
    wrong = Counter({a.measure: 0 for a in answers})
    for answer in answers:
        wrong[answer.measure] += int((~answer.right).sum())
    facts = {
        "measures": sorted(name for name, many in wrong.items() if many >= FEWEST),
        "answers": len(answers),
        "pictures": len({a.picture for a in answers}),
        "joins": int(sum(len(a.right) for a in answers)),
        "joins in one row": int(sum(len(a.right) for a in strips)),
        "wrong": wrong.total(),
    }
    return sureness.Weights(tuple(first), tuple(second), tuple(row), facts)


def sure(by: sureness.Weights, answer: Answer) -> Floats:
    """Return the chances of an answer's joins."""
    if answer.row:
        logit = answer.terms @ np.array(by.row)
    else:
        logit = second_terms(np.array(by.first), answer) @ np.array(by.second)
    return np.asarray(1 / (1 + np.exp(-np.clip(logit, -sureness.MOST, sureness.MOST))))


def table_row(chance: Floats, right: Bools) -> str:
    """Say how well chances keep their word, as cells of a table."""
    parts = [p for p in np.array_split(np.argsort(chance, kind="stable"), 10) if len(p)]
    error = sum(abs(chance[p].mean() - right[p].mean()) * len(p) for p in parts) / len(right)
    yes, no = int(right.sum()), int((~right).sum())
    curve = (rankdata(chance)[right].sum() - yes * (yes + 1) / 2) / max(yes * no, 1)
    base = right.mean() * (1 - right.mean())
    below = 1 - ((chance - right) ** 2).mean() / max(base, 1e-12)
    return f"| {error:.3f} | {curve:.3f} | {100 * below:.0f} | {no} of {len(right)} |"


def show(judged: Sequence[tuple[Answer, Floats]]) -> None:
    """Print a table: a line a group and a kind."""
    print("| | calibration error | AUROC | Brier below base % | wrong joins |")
    print("|---|---:|---:|---:|---:|")

    def line(name: str, chosen: Callable[[Answer], bool]) -> None:
        some = [(each, chance) for each, chance in judged if chosen(each)]
        right = np.concatenate([each.right for each, _ in some])
        if (~right).sum() >= FEWEST:
            print(f"| {name} {table_row(np.concatenate([c for _, c in some]), right)}")

    for group in sorted({each.group for each, _ in judged}):
        line(f"**{group}**", lambda each, group=group: each.group == group)  # type: ignore[misc]
        for kind in sorted({each.kind for each, _ in judged if each.group == group}):
            line(kind, lambda each, kind=kind: each.kind == kind)  # type: ignore[misc]
    line("all", lambda _: True)
    wrong = [(each, chance) for each, chance in judged if not each.right.all()]
    found = [not each.right[np.argsort(chance)[:10]].all() for each, chance in wrong]
    print(f"The ten most doubtful hold a wrong one in {sum(found)} of {len(found)} answers.")
    misses = [
        f"{a.kind} {a.picture}: {(~a.right).sum()} wrong"
        for (a, _), f in zip(wrong, found, strict=True)
        if not f
    ]
    print("\n".join(misses))


def in_words(judged: Sequence[tuple[Answer, Floats]]) -> None:
    """Print how often joins of every confidence were right."""
    chance = np.concatenate([c for _, c in judged])
    right = np.concatenate([each.right for each, _ in judged])
    for low, high in pairwise(BINS):
        some = (chance >= low) & (chance < high)
        if some.any():
            said, were = chance[some].mean(), right[some].mean()
            print(f"{said:.3f} said, {were:.3f} right, {some.sum()} joins")


def drawn(judged: Sequence[tuple[Answer, Floats]], path: Path) -> None:
    """Draw the reliability curves of the groups with mistakes enough."""
    groups = {}
    for group in sorted({each.group for each, _ in judged}):
        some = [(each, chance) for each, chance in judged if each.group == group]
        right = np.concatenate([each.right for each, _ in some])
        if (~right).sum() >= FEWEST:
            groups[group] = np.concatenate([chance for _, chance in some]), right
    path.write_bytes(png(reliability(groups)))


def main() -> None:
    """Fit, judge and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("answers", type=Path)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--confirm", type=Path)
    parser.add_argument("--plot", type=Path)
    given = parser.parse_args()
    answers = [read(file) for file in sorted(given.answers.glob("*.npz"))]
    answers = [answer for answer in answers if len(answer.right)]
    judged = []
    for fold in range(FOLDS):
        by = fit([a for a in answers if a.fold() != fold])
        judged += [(a, sure(by, a)) for a in answers if a.fold() == fold]
    show(judged)
    in_words(judged)
    if given.plot is not None:
        drawn(judged, given.plot)
    final = fit(answers)
    if given.write:
        final.save()
    if given.confirm is not None:
        others = [read(file) for file in sorted(given.confirm.glob("*.npz"))]
        show([(a, sure(final, a)) for a in others if len(a.right)])


if __name__ == "__main__":
    main()
