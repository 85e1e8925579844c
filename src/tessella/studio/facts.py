"""What is known of a project's pieces; written once, when it is made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tessella.errors import FormatError
from tessella.files import read_json
from tessella.studio.errors import Unreadable

VERSION = 1


@dataclass(frozen=True)
class Facts:
    """The pieces of a project.

    Attributes
    ----------
    name : what to call the project
    pieces : how many there are
    names : what to call each piece
    kind : "grid" or "strips"
    height, width : of a piece in pixels; of the largest strip
    upright : whether no piece was turned
    square : whether pieces may be turned by a quarter
    shape : rows and columns of the answer, None when unknown
    panels : how many panels or pages there are, None when unknown
    missing : whether pieces may be missing
    refers : the folder or picture that holds the pieces; None where the project holds them itself
    eroded : width of the worn frame of every piece in pixels
    backs : pieces whose back there is a picture of
    made_of : the file or folder that the project was made of; empty where that was an upload
    """

    name: str
    pieces: int
    names: tuple[str, ...]
    kind: str = "grid"
    height: int = 1
    width: int = 1
    upright: bool = False
    square: bool = True
    shape: tuple[int, int] | None = None
    panels: int | None = 1
    missing: bool = False
    refers: str | None = None
    eroded: int = 0
    backs: tuple[int, ...] = ()
    made_of: str = ""

    def told(self, known: Mapping[str, Any] | None) -> Facts:
        """Return the same with what a person said of the whole since; see the act `know`."""
        if known is None:
            return self
        rows, cols = known["rows"], known["cols"]
        shape = None if rows is None else (rows, cols)
        return replace(
            self,
            shape=shape if self.kind == "grid" else self.shape,
            panels=known["panels"] or None,
            missing=known["missing"],
        )

    def to_json(self) -> dict[str, Any]:
        """Return what project.json holds."""
        return {"version": VERSION, **vars(self)}

    @classmethod
    def read(cls, path: Path) -> Facts:
        """Read project.json."""
        try:
            value = read_json(path)
            if value.pop("version", None) != VERSION:
                raise Unreadable(f"{path} is not of version {VERSION}; open it with a newer one.")
            value["names"] = tuple(value["names"])
            value["shape"] = None if value["shape"] is None else tuple(value["shape"])
            value["backs"] = tuple(value.get("backs", ()))
            return cls(**value)
        except (FormatError, KeyError, TypeError) as problem:
            raise Unreadable(f"{path.parent} is no project of the studio: {problem}") from problem
