"""The command line: ``tessella COMMAND``, one file a command."""

from __future__ import annotations

import errno
import functools
import importlib
import os
import re
import sys
from collections.abc import Callable, Sequence
from typing import Any

import typer

from tessella.errors import SHOWN, InputError, RunError, TessellaError, shown

FAILED, BAD_INPUT = 1, 2

COMMANDS = {
    "demo": "tessella.cli.demo:demo",
    "collect": "tessella.cli.collect:collect",
    "cut": "tessella.cli.cut:cut",
    "solve": "tessella.cli.solve:solve",
    "studio": "tessella.cli.studio:studio",
    "score": "tessella.cli.score:score",
    "export": "tessella.cli.export:export",
    "rank": "tessella.cli.rank:rank",
    "train": "tessella.cli.train:train",
    "bench": "tessella.cli.bench:bench",
    "list": "tessella.cli.names:list_names",
}
"""Every command, and the module and function behind it."""

_UsageError: Any = typer.BadParameter.__mro__[1]
"""What typer raises for a call it cannot understand; it has no public name of its own."""


def make_app(only: str | None = None) -> typer.Typer:
    """Return the command line; with `only` that one command, so that no other is imported."""
    app = typer.Typer(
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
        help="Put pictures back together from shuffled pieces.",
        epilog="Begin with: tessella demo",
        callback=_options,
    )
    for name, home in COMMANDS.items():
        if only in (None, name):
            module, _, function = home.partition(":")
            command = getattr(importlib.import_module(module), function)
            app.command(name)(_interruptible(command))
    return app


def _interruptible(command: Callable[..., None]) -> Callable[..., None]:
    """Turn Ctrl-C into an error of ours; versions of typer disagree about what it is."""

    @functools.wraps(command)
    def run(*given: Any, **named: Any) -> None:
        try:
            command(*given, **named)
        except KeyboardInterrupt:
            raise RunError("Interrupted before the work was done.") from None

    return run


def _say_version(wanted: bool) -> None:
    if wanted:
        from tessella import __version__

        typer.echo(f"tessella {__version__}")
        raise typer.Exit


def _options(
    version: bool = typer.Option(
        False, "--version", help="Print the version.", callback=_say_version, is_eager=True
    ),
) -> None:
    del version  # its callback has answered


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return 0, 1 (failed) or 2 (bad input).

    With TESSELLA_DEBUG set in the environment, errors are raised with their traceback.
    """
    given = list(sys.argv[1:] if arguments is None else arguments)
    only = given[0] if given and given[0] in COMMANDS else None
    try:
        app = make_app(only)
        code = app(args=given or ["--help"], prog_name="tessella", standalone_mode=False)
        return code if isinstance(code, int) else 0
    except Exception as problem:
        if os.environ.get("TESSELLA_DEBUG"):
            raise
        code, sentence = _explained(problem, given)
        print(sentence, file=sys.stderr)
        return code


def _explained(problem: BaseException, given: Sequence[str]) -> tuple[int, str]:
    """Return the exit code and the one line that a problem deserves."""
    if isinstance(problem, InputError):
        return BAD_INPUT, _one_line(str(problem), given)
    if isinstance(problem, _UsageError):
        command = problem.ctx.command_path if problem.ctx else "tessella"
        return BAD_INPUT, f"{_one_line(problem.format_message(), given)} See {command} --help."
    if isinstance(problem, TessellaError):
        return FAILED, _one_line(str(problem), given)
    if isinstance(problem, OSError) and problem.errno in _NOT_A_PLACE:
        place = shown(os.fsdecode(problem.filename or "that"))
        return BAD_INPUT, f"Cannot use {place}: {problem.strerror}; name another file or folder."
    if isinstance(problem, MemoryError):
        return FAILED, "There is not enough memory for this puzzle; try --shortlist 16."
    message = _one_line(f"{type(problem).__name__}: {problem}", given)
    return FAILED, f"This should not have happened, please report it with {message}"


def _one_line(text: str, given: Sequence[str]) -> str:
    """Return one sentence a line, without what cannot be printed or is too long to repeat."""
    for argument in given:
        if len(argument) > (_LONGEST_PATH if os.sep in argument else SHOWN):
            text = text.replace(argument, shown(argument))
    text = re.sub(_TOO_LONG, lambda match: shown(match[0]), text)
    line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return line if line.endswith(".") else f"{line}."


_LONGEST_PATH = 1000
_NOT_A_PLACE = (errno.ENAMETOOLONG, errno.ELOOP, errno.ENOTDIR, errno.EACCES, errno.EPERM)
"""What a path can be that nobody could have read or written."""

_TOO_LONG = re.compile(rf"(?<=got )(?:(?!; |\. )[^\n]){{{SHOWN + 1},}}|[\w+-]{{{SHOWN + 1},}}")
"""What came, after the word that announces it, or one word; in messages that repeat it whole."""
