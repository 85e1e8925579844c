"""What can go wrong, as a tree.

::

    TessellaError
    ├── InputError          what was given cannot be used (the command line exits with 2)
    │   ├── ImageError      a picture that cannot be read, or is too large
    │   ├── FormatError     a puzzle, arrangement or truth file that does not say what it must
    │   ├── NameUnknown     a measure, solver, model, suite or setting that does not exist
    │   └── OutputError     a place to write to that is taken, or cannot be written
    └── RunError            valid input, but the work itself failed (the command line exits with 1)

Every message is one sentence or two: what was expected, what came, what to do.
"""

from __future__ import annotations

from collections.abc import Iterable

SHOWN = 80
"""So many characters of what came are repeated in a message."""


def shown(value: object) -> str:
    """Return `value` as a message repeats it: in printable characters, and not all of it."""
    text = value if isinstance(value, str) else repr(value)
    text = "".join(sign if sign.isprintable() else "?" for sign in text)
    return text if len(text) <= SHOWN else f"{text[: SHOWN - 3]}..."


class TessellaError(Exception):
    """The base of everything tessella raises on purpose."""


class InputError(TessellaError):
    """What was given cannot be used."""


class ImageError(InputError):
    """A picture that cannot be read, is damaged, or is too large."""


class FormatError(InputError):
    """A file of ours that does not say what it must."""


class NameUnknown(InputError):
    """A name that nothing answers to; the message lists the valid ones."""

    def __init__(self, kind: str, name: str, valid: Iterable[str]) -> None:
        choices = ", ".join(sorted(valid)) or "none"
        super().__init__(f"There is no {kind} called {name!r}; choose one of: {choices}.")


class OutputError(InputError):
    """A place to write to that is taken, or cannot be written."""


class RunError(TessellaError):
    """Valid input, but the work itself failed."""
