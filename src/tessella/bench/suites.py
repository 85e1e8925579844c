"""Suites: the sets of pictures that solvers of square puzzles are compared on."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tessella.bench.panels import Panel, panels
from tessella.errors import InputError, NameUnknown
from tessella.imaging.folder import natural
from tessella.imaging.read import SUFFIXES


@dataclass(frozen=True)
class Suite:
    """A published set of pictures.

    Attributes
    ----------
    name : of the suite and of its folder
    title : what it is
    pictures : how many the whole set has; a copy may hold fewer
    pieces : of 28 px that a picture of it is cut into
    """

    name: str
    title: str
    pictures: int
    pieces: int


_ALL = (
    Suite("mit_432", "MIT (Cho et al. 2010)", 20, 432),
    Suite("mcgill_540", "McGill (Olmos and Kingdom 2004)", 20, 540),
    Suite("pomeranz_805", "Pomeranz et al. 2011", 20, 805),
    Suite("pomeranz_2360", "Pomeranz et al. 2011", 3, 2360),
    Suite("pomeranz_3300", "Pomeranz et al. 2011", 3, 3300),
    Suite("sholomon_5015", "Sholomon et al. 2013", 20, 5015),
    Suite("sholomon_10375", "Sholomon et al. 2013", 20, 10375),
    Suite("sholomon_22834", "Sholomon et al. 2013", 20, 22755),
)

SUITES = {suite.name: suite for suite in _ALL}
"""The published suites by name. Any other folder of pictures can be a suite too."""


SIMULATIONS = ("azulejo",)
"""What pictures can be turned into."""

_SIMULATED = " as "


def simulated(suite: str, simulation: str) -> str:
    """Return the name of the suite whose pictures are those of `suite`, turned into something else.

    It is a suite of its own, so that its records are never taken for those of the plain pictures.
    """
    if simulation not in SIMULATIONS:
        raise NameUnknown("simulation", simulation, SIMULATIONS)
    return f"{suite}{_SIMULATED}{simulation}"


def pictures(suite: str, data: Path) -> tuple[Path, ...] | tuple[Panel, ...]:
    """Return what `suite` has to be cut: picture files, or the panels that are made of them.

    Parameters
    ----------
    suite : a name in `SUITES`, that of any folder of pictures in `data`, or one of `simulated`
    data : the folder above the suite's
    """
    name, _, simulation = suite.rpartition(_SIMULATED)
    if simulation in SIMULATIONS:
        return panels(_files(name, data))
    return _files(suite, data)


def _files(suite: str, data: Path) -> tuple[Path, ...]:
    """Return the picture files of `suite` in natural order: 2.jpg comes before 10.jpg."""
    present = _folders(data)
    if suite not in present:
        raise _missing(suite, data, present)
    files = [file for file in (data / suite).iterdir() if _is_picture(file)]
    if not files:
        raise InputError(
            f"The suite's folder {data / suite} must hold PNG, JPEG, TIFF or WebP files; it holds "
            "none, so copy the pictures there."
        )
    return tuple(sorted(files, key=lambda file: natural(file.name)))


def _folders(data: Path) -> list[str]:
    """Return the names of the folders in `data`."""
    if not data.is_dir():
        what = "is a file" if data.exists() else "does not exist"
        raise InputError(
            f"--data must be the folder above the suite's folder; {data} {what}, so name another."
        )
    return sorted(inner.name for inner in data.iterdir() if inner.is_dir() and _visible(inner))


def _missing(suite: str, data: Path, present: list[str]) -> InputError:
    """Return what to say when `data` has no folder `suite`."""
    if suite not in SUITES:
        return NameUnknown("suite", suite, {*SUITES, *present, "ablation", "odds", "paper"})
    above = data.resolve()
    if above.name == suite:
        return InputError(
            f"--data must be the folder above the suite's folder; {data} is the suite's own, so "
            f"give --data {above.parent}."
        )
    held = ", ".join(present) or "no folders"
    return InputError(
        f"--data must hold a folder {suite} with the suite's pictures; {data} holds {held}."
    )


def _is_picture(file: Path) -> bool:
    return _visible(file) and file.suffix.lower() in SUFFIXES and file.is_file()


def _visible(path: Path) -> bool:
    return not path.name.startswith(".")
