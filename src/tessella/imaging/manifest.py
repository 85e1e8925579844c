"""``puzzle.json``: what is known about a folder of pieces."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeGuard

from tessella.errors import FormatError
from tessella.imaging.grid import PIECE_MIN
from tessella.puzzle import Shape

NAME = "puzzle.json"
VERSION = 1
_KEYS = ("piece_height", "piece_width", "channels", "upright", "shape", "eroded", "pieces")


@dataclass(frozen=True)
class Manifest:
    """The contents of a ``puzzle.json``.

    Attributes
    ----------
    piece : height and width of every piece; either is None where strips differ in it
    channels : 1 when every piece is grey, else 3
    upright, shape, eroded : as in `tessella.puzzle.Puzzle`
    pieces : names of the picture files beside ``puzzle.json``, in the puzzle's order
    kind : "grid" or "strips"
    masks : names of as many pictures, white where a strip's picture shows paper; or none
    """

    piece: tuple[int | None, int | None]
    channels: int
    upright: bool
    shape: Shape | None
    eroded: int
    pieces: tuple[str, ...]
    kind: str = "grid"
    masks: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        self._check_numbers()
        self._check_eroded()
        self._check_shape()
        _check_names("pieces", self.pieces)
        if self.masks:
            _check_names("masks", self.masks)
            if len(self.masks) != len(self.pieces):
                raise FormatError(
                    f"masks must name one file for each of the {len(self.pieces)} pieces; "
                    f"got {len(self.masks)}."
                )

    def to_json(self) -> dict[str, Any]:
        """Return the contract's JSON form."""
        masks = {"masks": list(self.masks)} if self.masks else {}
        return {
            "version": VERSION,
            "kind": self.kind,
            "piece_height": self.piece[0],
            "piece_width": self.piece[1],
            "channels": self.channels,
            "upright": self.upright,
            "shape": None if self.shape is None else list(self.shape),
            "eroded": self.eroded,
            "pieces": list(self.pieces),
            **masks,
        }

    @classmethod
    def from_json(cls, value: dict[str, Any]) -> Manifest:
        """Read the contract's JSON form; keys that this version does not know are ignored."""
        _check_kind(value)
        missing = [key for key in _KEYS if key not in value]
        if missing:
            raise FormatError(f"It must have {', '.join(_KEYS)}; {', '.join(missing)} is missing.")
        shape, pieces = value["shape"], value["pieces"]
        if shape is not None and not (isinstance(shape, list) and len(shape) == 2):
            raise FormatError(f"shape must be null or [rows, cols]; got {shape!r}.")
        masks = (value.get("masks") or []) if value["kind"] == "strips" else []
        for key, names in (("pieces", pieces), ("masks", masks)):
            if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
                raise FormatError(f"{key} must be a list of file names.")
        return cls(
            piece=(value["piece_height"], value["piece_width"]),
            channels=value["channels"],
            upright=value["upright"],
            shape=None if shape is None else (shape[0], shape[1]),
            eroded=value["eroded"],
            pieces=tuple(pieces),
            kind=value["kind"],
            masks=tuple(masks),
        )

    def _check_numbers(self) -> None:
        sides = [s for s in self.piece if s is not None or self.kind == "grid"]
        if not all(_whole(side) and side >= PIECE_MIN for side in sides):
            raise FormatError(
                "piece_height and piece_width must be whole numbers of at least "
                f"{PIECE_MIN}; got {self.piece[0]!r} and {self.piece[1]!r}."
            )
        if not _whole(self.channels) or self.channels not in (1, 3):
            raise FormatError(f"channels must be 1 or 3; got {self.channels!r}.")
        if not isinstance(self.upright, bool):
            raise FormatError(f"upright must be true or false; got {self.upright!r}.")

    def _check_eroded(self) -> None:
        sides = [side for side in self.piece if side is not None]
        widest = 0 if self.kind == "strips" else (min(sides) - 2) // 2
        if not _whole(self.eroded) or not 0 <= self.eroded <= widest:
            raise FormatError(
                f"eroded must be 0 to {widest} for pieces of {self.piece[0]} x {self.piece[1]} px; "
                f"got {self.eroded!r}."
            )

    def _check_shape(self) -> None:
        if self.shape is None:
            return
        rows, cols = self.shape
        if not _whole(rows) or not _whole(cols) or rows < 1 or cols < 1:
            raise FormatError(
                f"shape must be null or two whole numbers of at least 1; got [{rows!r}, {cols!r}]."
            )
        if rows * cols < len(self.pieces):
            raise FormatError(
                f"shape [{rows}, {cols}] has {rows * cols} cells, fewer than the "
                f"{len(self.pieces)} pieces; make it larger or null."
            )


def _check_names(key: str, names: tuple[str, ...]) -> None:
    if not names:
        raise FormatError(f"{key} must name at least one file; the list is empty.")
    seen = set()
    for name in names:
        if not plain(name):
            raise FormatError(
                f"{key} must be plain names of files in the same folder; got {name!r}."
            )
        if name in seen:
            raise FormatError(f"{key} must name every file once; {name} is listed twice.")
        seen.add(name)


def plain(name: str) -> bool:
    """Whether `name` is a file's name alone: no folder, no way out of one."""
    return (
        name not in ("", ".", "..")
        and not any(sign in name for sign in "/\\\0")
        and Path(name).name == name
    )


def _check_kind(value: dict[str, Any]) -> None:
    if not _whole(value.get("version")) or value["version"] != VERSION:
        raise FormatError(f"This version reads version {VERSION}; got {value.get('version')!r}.")
    kind = value.get("kind")
    if kind not in ("grid", "strips"):
        raise FormatError(f'kind must be "grid" or "strips"; got {kind!r}.')


def _whole(value: Any) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)
