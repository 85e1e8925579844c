"""A trained model of the measure `tiles`: the weights of its networks, and how to read them."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from tessella.errors import InputError
from tessella.networks.file import opened, write
from tessella.networks.layers import Floats
from tessella.networks.tile_form import Form

VERSION = 1
KIND = "tiles"

_MOST_HALF = 60_000.0


@dataclass(frozen=True, eq=False)
class TileModel:
    """Networks that describe edges of tiles and judge pairs of them.

    Attributes
    ----------
    name : what ``--model`` calls it
    form : how large the networks are, and the side of the tiles that they look at
    weights : of all layers, by name; float32, stored as float16
    count : how many candidates are proposed for every edge where the user does not say
    slack : of those, the first few and whoever comes this close to the best are judged
    beside : weights of classical measures whose scores are added
    facts : recipe, data, figures: whatever the training left for the model card
    """

    name: str
    form: Form
    weights: Mapping[str, Floats]
    count: int = 64
    slack: float = math.inf
    beside: Mapping[str, float] = field(default_factory=dict)
    facts: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        wanted = self.form.shapes()
        if {name: array.shape for name, array in self.weights.items()} != wanted:
            raise InputError(f"The weights of {self.name} do not fit its form.")
        if not self.slack >= 0 or self.count < 1:
            raise InputError(
                f"A model's count must be 1 or more and its slack 0 or more; got {self.count} and "
                f"{self.slack}."
            )

    @property
    def piece(self) -> int:
        """Side of the tiles that it looks at, in pixels."""
        return self.form.size

    def save(self, path: Path) -> None:
        """Write everything to one ``.npz`` file."""
        about = {
            "version": VERSION,
            "kind": KIND,
            "name": self.name,
            "piece": self.piece,
            "form": dataclasses.asdict(self.form),
            "count": self.count,
            "slack": None if math.isinf(self.slack) else self.slack,
            "beside": dict(self.beside),
            "facts": dict(self.facts),
        }
        short = {
            name: np.clip(array, -_MOST_HALF, _MOST_HALF).astype(np.float16)
            for name, array in self.weights.items()
        }
        write(path, about, short)

    @classmethod
    def load(cls, path: Path) -> TileModel:
        """Read what `save` wrote."""
        with opened(path, KIND, VERSION) as (about, held):
            given: dict[str, Any] = {
                k: tuple(v) if isinstance(v, list) else v for k, v in about["form"].items()
            }
            form = Form(**given)
            weights = {name: np.asarray(held[name], np.float32) for name in form.shapes()}
            return cls(
                name=about["name"],
                form=form,
                weights=weights,
                count=about["count"],
                slack=math.inf if about["slack"] is None else about["slack"],
                beside=about["beside"],
                facts=about["facts"],
            )
