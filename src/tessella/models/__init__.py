"""Trained models that ship with the package: weights ``NAME.npz``, and a card ``NAME.md`` each."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING
from zipfile import BadZipFile

import numpy as np

from tessella.errors import FormatError, InputError, NameUnknown

if TYPE_CHECKING:
    from tessella.networks.model import Model

FOLDER = Path(__file__).parent


def names(kind: str | None = "dlcm") -> list[str]:
    """Return the names of all shipped models that the measure `kind` uses, or all, sorted."""
    every = sorted(FOLDER.glob("*.npz"))
    return [file.stem for file in every if kind is None or about(file.stem)[0] == kind]


def about(name: str) -> tuple[str, int]:
    """Return which measure uses a model, shipped or not, and the side of its pieces."""
    shipped = {file.stem: file for file in FOLDER.glob("*.npz")}
    if name not in shipped and not name.endswith(".npz"):
        raise NameUnknown("model", name, (*sorted(shipped), "the path of an .npz file"))
    file = shipped.get(name) or path(name)
    try:
        return _about(*_version(file))
    except (OSError, ValueError, KeyError, EOFError, BadZipFile) as problem:
        raise FormatError(f"{file} is not a trained model: {problem}.") from problem


def find(name: str) -> Model:
    """Return the model `name` of `dlcm`: a shipped one, or the path of an ``.npz`` file."""
    return _load(*_version(path(name)))


def path(name: str, kind: str = "dlcm") -> Path:
    """Return the file of the model `name`: a shipped one of that kind, or any ``.npz`` file."""
    if name in names(kind):
        return FOLDER / f"{name}.npz"
    if not name.endswith(".npz"):
        raise NameUnknown("model", name, (*names(kind), "the path of an .npz file"))
    file = Path(name)
    if not file.is_file():
        raise InputError(f"There is no model file {file}; train one with tessella train.")
    return file.resolve()


def every() -> list[Model]:
    """Return all shipped models, by name."""
    return [find(name) for name in names()]


def card(name: str) -> str:
    """Return the first line of a model's card, without its mark of a heading."""
    file = FOLDER / f"{name}.md"
    text = file.read_text(encoding="utf-8") if file.exists() else ""
    return text.partition("\n")[0].lstrip("# ").rstrip(".")


@cache
def _about(file: Path, _changed: int, _size: int) -> tuple[str, int]:
    with np.load(file) as held:
        facts = json.loads(str(held["about"]))
    return str(facts.get("kind", "dlcm")), int(facts["piece"])


def _version(file: Path) -> tuple[Path, int, int]:
    status = file.stat()
    return file, status.st_mtime_ns, status.st_size


@cache
def _load(file: Path, _changed: int, _size: int) -> Model:
    """Return the model in a file, read once as long as the file does not change."""
    from tessella.networks.model import Model

    return Model.load(file)
