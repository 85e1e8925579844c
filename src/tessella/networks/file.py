"""One ``.npz`` file a model: arrays, and a JSON text ``about`` that says what they are."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from tessella.errors import FormatError
from tessella.files import replacing

DLCM = "dlcm"
"""The measure whose models need not say that they are its own."""


def write(path: Path, about: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> None:
    """Write a model; `about` holds its version."""
    held: dict[str, Any] = {**arrays, "about": np.array(json.dumps(about))}
    with replacing(path) as temporary, temporary.open("wb") as file:
        np.savez(file, **held)


@contextmanager
def opened(
    path: Path, kind: str, version: int
) -> Iterator[tuple[dict[str, Any], Mapping[str, NDArray[Any]]]]:
    """Open a model of the measure `kind`; yields `about` and the arrays.

    Whatever goes wrong with a file, within the block too, is told in one sentence.
    """
    try:
        with path.open("rb") as file, np.load(file) as held:
            about = json.loads(str(held["about"]))
            written = about.get("kind", DLCM)
            if written != kind:
                raise FormatError(f"{path} is a model for --measure {written}.")
            if about["version"] != version:
                raise FormatError(
                    f"{path} is a model of version {about['version']}; this tessella reads "
                    f"version {version}."
                )
            yield about, held
    except (
        *(OSError, EOFError, BadZipFile),
        *(ValueError, TypeError, LookupError, AttributeError),
    ) as problem:
        raise FormatError(f"{path} is not a model: {problem}.") from problem
