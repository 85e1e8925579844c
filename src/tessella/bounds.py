"""How large a number may be that a person gives, in one place.

Beyond these limits nothing sensible can happen: memory runs out, or the machine's whole numbers do.
"""

from __future__ import annotations

from typing import Any

from tessella.errors import InputError, shown

RUNS = 10_000
THREADS = 1024
SEED = 10**18
"""Seeds of runs and searches are counted on from here in 64 bits."""

SECONDS = 1e9
CELLS_A_PIECE = 100
"""A shape may have so many cells for every piece."""

PANELS = 10_000
PAGES = 999_999
CANDIDATES = 10**6
PIECE_SIDE = 20_000
SETTING = 10**9
WIDTH = 4096
"""Channels of one layer of a network."""

LAYERS = 100
"""Layers of a network, or blocks of one scale."""

WEIGHTS = 10**8
"""Numbers that a network may learn; training holds each four times."""

OWN = {"population": 10_000, "keep": 10_000, "seed": SEED}
"""Settings that take memory have limits of their own, and so have seeds."""

ENDLESS = ("slack",)
"""Settings that may be infinite, which leaves nobody out."""


def check_count(what: str, count: int, most: int) -> None:
    """Raise unless there is at least 1 of `what`, and at most `most`."""
    if count < 1:
        raise InputError(f"There must be at least 1 {what}; got {shown(count)}.")
    if count > most:
        raise InputError(f"There may be at most {most} {what}s; got {shown(count)}.")


def check_seed(seed: int) -> None:
    """Raise unless `seed` can be counted on in 64 bits."""
    if not 0 <= seed <= SEED:
        raise InputError(f"A seed must be 0 or more, and at most 10^18; got {shown(seed)}.")


def check_seconds(seconds: float | None) -> None:
    """Raise unless a time limit is one."""
    if seconds is not None and not 0 < seconds <= SECONDS:
        raise InputError(
            f"The time limit must be more than 0 seconds, and at most 10^9; got {shown(seconds)}."
        )


def check_cells(rows: int, cols: int) -> None:
    """Raise unless a shape has a cell."""
    if rows < 1 or cols < 1:
        raise InputError(f"A shape needs at least 1 x 1 cells; got {shown(rows)} x {shown(cols)}.")


def check_shape(rows: int, cols: int, pieces: int) -> None:
    """Raise unless `pieces` fit into a shape, and the shape is not made of empty cells."""
    check_cells(rows, cols)
    if rows * cols < pieces:
        raise InputError(
            f"A shape of {rows} x {cols} has {rows * cols} cells, fewer than the "
            f"{pieces} pieces; give a larger --shape, --shape unknown, or --panels 1 if pieces may "
            "be left over."
        )
    if rows * cols > CELLS_A_PIECE * pieces:
        raise InputError(
            f"A shape may have {CELLS_A_PIECE} cells for every piece; {shown(rows)} x "
            f"{shown(cols)} is more for {pieces} pieces; give a smaller --shape or --shape unknown."
        )


def check_candidates(keep: int | None) -> None:
    """Raise unless a shortlist has a candidate, and not more than can be held."""
    if keep is not None and not 1 <= keep <= CANDIDATES:
        raise InputError(
            "A shortlist needs at least 1 candidate an edge, or all, and at most "
            f"{CANDIDATES}; got {shown(keep)}."
        )


def check_setting(key: str, value: Any) -> None:
    """Raise if a setting, such as ``patience`` or ``training.rate``, is no number or too large."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return
    _, _, name = key.rpartition(".")
    most = OWN.get(name, SETTING)
    if name in ENDLESS and value == float("inf"):
        return
    if not abs(value) <= most:  # not a number is within nothing
        raise InputError(f"Setting {key} must lie within {most:g} of 0; got {shown(value)}.")


def check_layers(count: int, *widths: int) -> None:
    """Raise unless a network has at most `LAYERS`, of at most `WIDTH` channels each."""
    if count > LAYERS:
        raise InputError(
            f"A network may have {LAYERS} layers, and a scale so many blocks; got {shown(count)}."
        )
    if max(widths, default=0) > WIDTH:
        raise InputError(f"A layer may have {WIDTH} channels; got {shown(max(widths))}.")


def check_weights(count: int) -> None:
    """Raise unless a network learns at most `WEIGHTS` numbers."""
    if count > WEIGHTS:
        raise InputError(f"A network may have {WEIGHTS} weights; this one has {shown(count)}.")
