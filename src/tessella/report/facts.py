"""The facts of a result: what was put together, by what, how well."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tessella.arrangement import EMPTY, unplaced
from tessella.layout import counted
from tessella.panels import fewer
from tessella.puzzle import Puzzle
from tessella.report.embed import text
from tessella.result import Result

NAMES_SHOWN = 20


def headline(puzzle: Puzzle, result: Result) -> str:
    """Return the list of facts under the title."""
    return (
        "<dl class='facts'>"
        + "".join(
            f"<div><dt>{text(name)}</dt><dd>{text(value)}</dd></div>"
            for name, value in _facts(puzzle, result)
        )
        + "</dl>"
    )


def _facts(puzzle: Puzzle, result: Result) -> Iterator[tuple[str, str]]:
    joins = len(result.joins)
    count, what, size = puzzle.described().replace(" x ", " × ").split(" ", 2)
    yield what, f"{count} {size}"
    yield "orientation", "upright" if puzzle.upright else "turned any way"
    small = puzzle.layout.fragments(result.arrangement)
    shapes = [s.shape for number, s in enumerate(result.arrangement.sheets) if number not in small]
    if len(set(shapes)) == 1:
        rows, cols = shapes[0]
        answer = _sheets(len(shapes)) + f"{rows} × {cols} cells (rows × columns)"
    else:
        answer = f"{len(shapes)} sheets of different shapes"
    loose = len(list(unplaced(result.arrangement, len(puzzle))))
    besides = [counted(len(small), "fragment")] if small else []
    besides += [f"{counted(loose, 'piece')} left over"] if loose else []
    yield "answer", "; ".join([answer, *besides])
    for key in ("measure", "solver", "seed"):
        if key in result.settings:
            yield key, _name(result.settings[key])
    yield "fitness", f"{result.fitness:.2f} over {joins} joins"
    if joins:
        yield "mean compatibility", f"{result.fitness / joins:.3f}"
    if result.recall is not None:
        yield "recall of the shortlist", str(result.recall)
    if result.worths:
        yield "worth", f"{result.worth:.2f}; the search goes by it, since cells may stay empty"
    if len(result.runs) > 1:
        which = "of most worth" if result.worths else "with the best fitness"
        yield "runs", f"{len(result.runs)}; the one {which} is shown"
    if result.seconds:
        yield "time", _time(result.seconds)


def _sheets(count: int) -> str:
    return "" if count == 1 else f"{count} sheets of "


def _name(value: Any) -> str:
    """Return what a setting is called: a plug-in may be told as a name or with its settings."""
    if isinstance(value, Mapping) and "name" in value:
        model = f" (model {value['model']})" if value.get("model") else ""
        return f"{value['name']}{model}"
    return str(value)


def _time(seconds: Mapping[str, float]) -> str:
    total = seconds.get("total", sum(seconds.values()))
    stages = ", ".join(f"{k} {_seconds(v)}" for k, v in seconds.items() if k != "total")
    return f"{_seconds(total)} ({stages})" if stages else _seconds(total)


def _seconds(value: float) -> str:
    return f"{value:.1f} s" if value >= 1 else f"{value:.2f} s"


def notices(puzzle: Puzzle, result: Result) -> str:
    """Return what a reader must know before trusting the pictures."""
    sentences = [*puzzle.notes, *fewer(result.settings, result.arrangement)]
    if result.stopped:
        sentences.append("The search was stopped early; this is the best answer it had by then.")
    empty = sum(int((sheet.piece == EMPTY).sum()) for sheet in result.arrangement.sheets)
    if empty:
        held = "cell holds" if empty == 1 else "cells hold"
        sentences.append(f"{empty} {held} no piece; empty cells are shown as a grey checker.")
    loose = list(unplaced(result.arrangement, len(puzzle)))
    if loose:
        names = ", ".join(puzzle.names[i] for i in loose[:NAMES_SHOWN])
        more = f" and {len(loose) - NAMES_SHOWN} more" if len(loose) > NAMES_SHOWN else ""
        sentences.append(f"Pieces that are left over, on no sheet: {names}{more}.")
    return "".join(f"<p class='notice'>{text(sentence)}</p>" for sentence in sentences)


def settings(result: Result) -> str:
    """Return every setting as a table."""
    rows = [
        f"<tr><th scope='row'>{text(key)}</th><td>{text(value)}</td></tr>"
        for key, value in _flat(result.settings)
    ]
    rows += [
        f"<tr><th scope='row'>{what} of run {k}</th><td>{value:.4f}</td></tr>"
        for what, values in (("fitness", result.runs), ("worth", result.worths))
        for k, value in enumerate(values, 1)
    ]
    return f"<table class='settings'><tbody>{''.join(rows)}</tbody></table>"


def _flat(settings: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, Any]]:
    for key, value in settings.items():
        name = f"{above}{key}"
        if isinstance(value, Mapping):
            yield from _flat(value, f"{name}.")
        else:
            yield name, value
