"""Trained models that ship with the package: weights ``NAME.npz``, and a card ``NAME.md`` each."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from tessella.errors import InputError, NameUnknown
from tessella.networks.model import Model

FOLDER = Path(__file__).parent


def names() -> list[str]:
    """Return the names of all shipped models, sorted."""
    return sorted(file.stem for file in FOLDER.glob("*.npz"))


def find(name: str) -> Model:
    """Return the model `name`: a shipped one, or the path of an ``.npz`` file."""
    if name in names():
        return _read(FOLDER / f"{name}.npz")
    if not name.endswith(".npz"):
        raise NameUnknown("model", name, (*names(), "the path of an .npz file"))
    path = Path(name)
    if not path.is_file():
        raise InputError(f"There is no model file {path}; train one with tessella train.")
    return _read(path.resolve())


def every() -> list[Model]:
    """Return all shipped models, by name."""
    return [find(name) for name in names()]


def card(name: str) -> str:
    """Return the first line of a model's card, without its mark of a heading."""
    file = FOLDER / f"{name}.md"
    text = file.read_text(encoding="utf-8") if file.exists() else ""
    return text.partition("\n")[0].lstrip("# ").rstrip(".")


def _read(path: Path) -> Model:
    """Return the model in a file, read once as long as the file does not change."""
    told = path.stat()
    return _load((path, told.st_mtime_ns, told.st_size))


@cache
def _load(version: tuple[Path, int, int]) -> Model:
    return Model.load(version[0])
