"""``tessella list``: what there is to choose from."""

from __future__ import annotations

import ast
import sys
from collections.abc import Mapping
from pathlib import Path

import typer

from tessella import registry
from tessella.console import on_terminal

Names = Mapping[str, str]


def list_names() -> None:
    """List measures, solvers, adjustments, models and suites.

    Example: tessella list
    """
    table = {
        "measures": _described("measure"),
        "solvers": _described("solver"),
        "adjustments": _described("adjustment"),
        "models": _models(),
        "suites": _suites(),
    }
    if on_terminal(sys.stdout):
        _print_table(table)
        return
    for kind, names in table.items():
        for name, description in names.items():
            typer.echo(f"{kind} {name}: {description}")


def _described(kind: str) -> Names:
    """Return every plug-in's name and the first line of its file; none of them is imported."""
    folder = Path(registry.__file__).parent / registry.KINDS[kind]
    return {name: _first_line(folder / f"{name}.py") for name in registry.names(kind)}


def _first_line(file: Path) -> str:
    text = ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or ""
    return text.partition("\n")[0].rstrip(".")


def _models() -> Names:
    from tessella import models

    return {
        name: f"{models.about(name)[1]} px pieces. {models.card(name)}".rstrip(". ")
        for name in models.names(None)
    }


def _suites() -> Names:
    from tessella.bench import suites

    return {name: suite.title for name, suite in suites.SUITES.items()}


def _print_table(table: dict[str, Names]) -> None:
    from rich.console import Console
    from rich.table import Table

    grid = Table.grid(padding=(0, 2))
    for kind, names in table.items():
        grid.add_row(f"[bold]{kind}[/bold]")
        for name, description in names.items() or [("none yet", "")]:
            grid.add_row(f"  {name}", description)
    Console().print(grid)
