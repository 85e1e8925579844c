"""``tessella studio``: look at an answer, doubt it, move pieces, and solve on, in a browser."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

Given = Annotated[
    Path | None,
    typer.Argument(metavar="[PROJECT|PUZZLE|FOLDER]", help="A project, or what to make one of."),
]
Where = Annotated[
    Path | None,
    typer.Option("--project", metavar="DIR", help="Folder of the project to make or open."),
]
Port = Annotated[
    int, typer.Option("--port", metavar="P", min=0, max=65535, help="0 takes a free one.")
]
NoBrowser = Annotated[bool, typer.Option("--no-browser", help="Print the address alone.")]


@dataclass(frozen=True)
class Options:
    """What a call was given; see the command's help."""

    what: Path | None
    project: Path | None
    port: int
    no_browser: bool


def studio(
    what: Given = None,
    project: Where = None,
    port: Port = 0,
    no_browser: NoBrowser = False,
) -> None:
    """Open the studio: propose and confirm, in a browser, on this machine alone.

    A project is a folder NAME.tessella. Of a folder of pieces, a scrambled picture, a zip or a PDF
    (shredded for trying) one is made beside it, unless --project says where; without anything, the
    studio asks. The address is printed on one line; it lets one browser in. Ctrl-C ends the studio;
    nothing is lost.

    Example: tessella studio photo-cut/puzzle
    """
    _studio(Options(**locals()))


def _studio(given: Options) -> None:
    """Make or open the project, and serve it until Ctrl-C."""
    from tessella.errors import RunError

    try:
        from tessella.studio.server import bind, serve
    except ModuleNotFoundError as problem:
        raise RunError(
            f"The studio needs {problem.name}, which is not installed; "
            "install it with: pip install 'tessella[studio]'."
        ) from problem
    from tessella.studio.desk import Desk

    folder = _project(given.what, given.project)
    desk = Desk(folder.parent if folder is not None else Path.cwd())
    with ExitStack() as in_vain:
        in_vain.callback(desk.close)
        if folder is not None:
            desk.first = desk.add(folder)
            desk.session(desk.first)
        try:
            listening = bind(given.port)
        except OSError as problem:
            raise RunError(
                f"Port {given.port} cannot be used: {problem.strerror}; name another."
            ) from problem
        in_vain.pop_all()
    serve(desk, listening, _say, browser=not given.no_browser)


def _say(address: str) -> None:
    typer.echo(address)


def _project(what: Path | None, project: Path | None) -> Path | None:
    """Return the project to open, made if it is not there yet; None asks in the browser."""
    from tessella.errors import InputError
    from tessella.studio import intake
    from tessella.studio.project import SUFFIX, is_project

    if what is None:
        if project is not None and not is_project(project):
            raise InputError(f"{project} is no project; name what to make one of, too.")
        return project
    if is_project(what):
        return what
    if not what.exists():
        raise InputError(f"There is nothing at {what}; name a project, a folder or a picture.")
    whole = what.resolve()
    name = whole.parent.name if whole.name == "puzzle" else whole.stem
    folder = project or whole.parent / f"{name or 'project'}{SUFFIX}"
    if project is None and is_project(folder) and _other(folder, whole):
        folder = whole.parent / f"{whole.name}{SUFFIX}"  # tiles.png beside tiles
    if not is_project(folder):
        typer.echo(f"Making {folder} ...", err=True)
        kind = "document" if whole.suffix.lower() == ".pdf" else "pieces"
        intake.run(intake.Order(str(what), str(folder), name or "project", kind))
    return folder


def _other(folder: Path, whole: Path) -> bool:
    """Whether a project was made of something else than `whole`."""
    from tessella.studio.facts import Facts
    from tessella.studio.project import FILE

    made_of = Facts.read(folder / FILE).made_of
    return bool(made_of) and made_of != str(whole)
