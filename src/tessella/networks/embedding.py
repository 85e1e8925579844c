"""A trained model of the measure `embedding`: twin networks and how to read their vectors."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tessella import edges
from tessella.errors import InputError
from tessella.networks.file import opened, write
from tessella.networks.twins import Form, Twin
from tessella.networks.view import window
from tessella.threads import chunks

VERSION = 1
KIND = "embedding"

_PORTION = 64
"""Edges that go through a network together: what they need stays near the processor."""


@dataclass(frozen=True, eq=False)
class Model:
    """Twin networks, one for either piece of a pair.

    Attributes
    ----------
    name : what ``--model`` calls it
    piece : side of the pieces it was trained for, in pixels
    eroded : narrowest and widest worn frame it was trained for
    left, right : the networks for the left and for the right piece of a pair
    reach, steep : T and S of the score ``f - T log(1 + S d)``
    facts : recipe, data, figures: whatever the training left for the model card
    """

    name: str
    piece: int
    eroded: tuple[int, int]
    left: Twin
    right: Twin
    reach: float
    steep: float
    facts: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.left.form != self.right.form:
            raise InputError("Twin networks must be of one form.")
        inside = self.piece - 2 * self.eroded[1]
        if not 0 <= self.eroded[0] <= self.eroded[1] or inside < max(
            self.form.rows, self.form.depth
        ):
            raise InputError(
                f"Pieces of {self.piece} px with a frame of {self.eroded[1]} px do not show "
                f"{self.form.rows} x {self.form.depth} px."
            )
        if not (self.reach > 0 and self.steep > 0):
            raise InputError("reach and steep must be more than 0.")

    @property
    def form(self) -> Form:
        """The form of both networks."""
        return self.left.form

    def vectors(
        self, pieces: NDArray[np.uint8], eroded: int, direction: int
    ) -> NDArray[np.float64]:
        """Return the vectors of pieces ``(A, P, P, 3)``, their first part before the free one.

        Parameters
        ----------
        direction : `edges.RIGHT` for pieces at the left of a pair, `edges.LEFT` for the others
        """
        down, across = window(self.piece, eroded, self.form.rows, self.form.depth, direction)
        seen = pieces[:, down, across]
        rims = seen[:, :, ::-1] if direction == edges.RIGHT else seen
        parts = [self._vectors(rims[part], direction) for part in chunks(len(rims), _PORTION)]
        return np.concatenate(parts)

    def _vectors(self, rims: NDArray[np.uint8], direction: int) -> NDArray[np.float64]:
        one = np.ones((len(rims), 1))
        if direction == edges.RIGHT:
            foretold, showing, free = self.left.vectors(rims)
            return np.hstack([foretold, showing, free[:, :1], one, free[:, 1:]])
        foretold, showing, free = self.right.vectors(rims)
        return np.hstack([showing, foretold, one, free])

    def scores(self, right: NDArray[np.float64], left: NDArray[np.float64]) -> NDArray[np.float32]:
        """Compare all vectors of edges that face right with all that face left, ``(A, B)``."""
        split = self.form.exact
        score = (right[:, split:] @ left[:, split:].T).astype(np.float32)
        if split:
            # In double precision until here: small differences of large numbers.
            distance = right[:, :split] @ left[:, :split].T
            far = np.maximum(distance * -self.steep, 0, out=distance).astype(np.float32)
            far += 1
            np.log(far, out=far)
            far *= np.float32(self.reach)
            score -= far
        return score

    def save(self, path: Path) -> None:
        """Write everything to one ``.npz`` file."""
        about = {
            "version": VERSION,
            "kind": KIND,
            "name": self.name,
            "piece": self.piece,
            "eroded": list(self.eroded),
            "form": dataclasses.asdict(self.form),
            "reach": self.reach,
            "steep": self.steep,
            "facts": dict(self.facts),
        }
        arrays: dict[str, Any] = {}
        for side, twin in (("left", self.left), ("right", self.right)):
            for i, (kernel, bias) in enumerate(zip(twin.kernels, twin.biases, strict=True)):
                arrays |= {f"{side}.kernel{i}": _short(kernel), f"{side}.bias{i}": bias}
            arrays |= {f"{side}.row": twin.row, f"{side}.edge": twin.edge}
        write(path, about, arrays)

    @classmethod
    def load(cls, path: Path) -> Model:
        """Read what `save` wrote."""
        with opened(path, KIND, VERSION) as (about, held):
            return cls._read(about, held)

    @classmethod
    def _read(cls, about: dict[str, Any], held: Mapping[str, NDArray[Any]]) -> Model:
        form = Form(**about["form"])

        def array(name: str) -> NDArray[np.float32]:
            return np.asarray(held[name], np.float32)

        def twin(side: str) -> Twin:
            every = range(len(form.kernels))
            kernels = tuple(array(f"{side}.kernel{i}") for i in every)
            biases = tuple(array(f"{side}.bias{i}") for i in every)
            return Twin(form, kernels, biases, array(f"{side}.row"), array(f"{side}.edge"))

        return cls(
            name=about["name"],
            piece=about["piece"],
            eroded=(about["eroded"][0], about["eroded"][1]),
            left=twin("left"),
            right=twin("right"),
            reach=about["reach"],
            steep=about["steep"],
            facts=about["facts"],
        )


def _short(weights: NDArray[np.float32]) -> NDArray[np.floating[Any]]:
    """Return weights in half precision where that loses nothing."""
    half = np.clip(weights, -60_000, 60_000).astype(np.float16)
    return half if np.array_equal(half, weights) else weights
