"""A trained model of the measure `shreds`: the weights of its network, and how to read them."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from tessella.errors import InputError
from tessella.networks.file import opened, write
from tessella.networks.layers import Floats
from tessella.networks.shred_form import Form

VERSION = 1
KIND = "shreds"

_MOST_HALF = 60_000.0


@dataclass(frozen=True, eq=False)
class ShredModel:
    """A network that describes sides of strips.

    Attributes
    ----------
    name : what ``--model`` calls it
    form : how large the network is
    weights : of all layers, by name; float32, stored as float16
    facts : recipe, data, figures: whatever the training left for the model card
    """

    name: str
    form: Form
    weights: Mapping[str, Floats]
    facts: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        wanted = self.form.shapes()
        if {name: array.shape for name, array in self.weights.items()} != wanted:
            raise InputError(f"The weights of {self.name} do not fit its form.")

    @property
    def piece(self) -> int:
        """How many columns next to a side it looks at."""
        return self.form.size

    def save(self, path: Path) -> None:
        """Write everything to one ``.npz`` file."""
        about = {
            "version": VERSION,
            "kind": KIND,
            "name": self.name,
            "piece": self.piece,
            "form": dataclasses.asdict(self.form),
            "facts": dict(self.facts),
        }
        short = {
            name: np.clip(array, -_MOST_HALF, _MOST_HALF).astype(np.float16)
            for name, array in self.weights.items()
        }
        write(path, about, short)

    @classmethod
    def load(cls, path: Path) -> ShredModel:
        """Read what `save` wrote."""
        with opened(path, KIND, VERSION) as (about, held):
            given: dict[str, Any] = {
                k: tuple(v) if isinstance(v, list) else v for k, v in about["form"].items()
            }
            form = Form(**given)
            weights = {name: np.asarray(held[name], np.float32) for name in form.shapes()}
            return cls(about["name"], form, weights, about["facts"])
