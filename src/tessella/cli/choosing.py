"""What ``tessella solve`` leaves to the pieces: the worn frame, and the measure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tessella.console import note
from tessella.usual import PIECES, Usual

if TYPE_CHECKING:
    from tessella.measuring import Keep
    from tessella.puzzle import Puzzle


def framed(puzzle: Puzzle, worn: int | None, *, quiet: bool) -> Puzzle:
    """Return `puzzle` with a worn frame of `worn` px, or of as many as are found and told."""
    from tessella.imaging.worn import find

    if worn is not None:
        return replace(puzzle, eroded=worn)
    if puzzle.eroded or puzzle.usual is not PIECES:  # Strips have no frames.
        return puzzle
    width = find(puzzle)
    if width and not quiet:
        note(
            f"The outer {width} px of every side show nothing of the picture and are left out of "
            "account; --worn 0 keeps them in."
        )
    return replace(puzzle, eroded=width)


def usual(
    puzzle: Puzzle,
    model: str | None,
    threads: int | None,
    settings: Mapping[str, Any],
    keep: Keep,
    *,
    quiet: bool,
) -> Usual:
    """Return what suits `puzzle`, its measure the one that `model` is for, and tell why.

    `settings` and `keep` say how the measure would be asked, on which its time depends.
    """
    from tessella import auto, models, registry
    from tessella.documents import wear
    from tessella.documents.usual import STRIPS

    default = puzzle.usual
    if model is not None:
        return replace(default, measure=models.about(model)[0])
    if default is not PIECES:
        if default is not STRIPS and not quiet:
            note(f"Measure {default.measure}: {wear.why(puzzle)}.")
        return default
    tiles = None
    if models.names(auto.TILES):
        valid = registry.settings(registry.find("measure", auto.TILES))
        own = {name: value for name, value in settings.items() if name in valid}
        tiles = registry.make("measure", auto.TILES, own)
    choice = auto.choose(puzzle, threads, tiles, keep)
    if not quiet:
        note(f"Measure {choice.measure}: {choice.why}.")
    return replace(default, measure=choice.measure)
