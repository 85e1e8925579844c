"""A trained model: sub-networks with their weights, what they were made for, how to read them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tessella.errors import InputError
from tessella.networks.architecture import Architecture
from tessella.networks.file import DLCM, opened, write

VERSION = 1


@dataclass(frozen=True, eq=False)
class Subnetwork:
    """An architecture with weights.

    Attributes
    ----------
    kernels : of every convolution, float32 ``(out, in, 3, 3)``
    head : of the linear layer, float32 ``(channels, rows, width)`` of the last layer's output
    """

    architecture: Architecture
    kernels: tuple[NDArray[np.float32], ...]
    head: NDArray[np.float32]

    def __post_init__(self) -> None:
        wanted = [(b, a, 3, 3) for a, b in self.architecture.kernels]
        if [k.shape for k in self.kernels] != wanted:
            raise InputError(f"Kernels must have the shapes {wanted}.")
        last = self.architecture.levels[-1]
        if self.head.shape != (last.channels, last.rows, last.width):
            raise InputError(f"The head's shape {self.head.shape} does not fit {last}.")


@dataclass(frozen=True, eq=False)
class Model:
    """Sub-networks whose scores are added.

    Attributes
    ----------
    name : what ``--model`` calls it
    piece : side of the pieces it was trained for, in pixels
    eroded : narrowest and widest worn frame it was trained for
    subnetworks : all of one `rows` and `depth`
    beside : weights of classical measures whose scores are added, such as ``{"mgc": 2.5}``
    by : who proposes candidates: a classical measure's name, or ``"scout"``
    count : how many it proposes for every edge where the user does not say
    slack : of those, the first few and whoever comes this close to the proposer's best are asked
        about; infinity asks about all
    scout : a small sub-network that looks at every pair and proposes
    facts : recipe, data, figures: whatever the training left for the model card
    mirrored : whether every pair is looked at twice, as it is and top to bottom, and the two scores
        of a sub-network averaged
    """

    name: str
    piece: int
    eroded: tuple[int, int]
    subnetworks: tuple[Subnetwork, ...]
    beside: Mapping[str, float] = field(default_factory=dict)
    by: str = "mgc"
    count: int = 32
    slack: float = math.inf
    scout: Subnetwork | None = None
    facts: Mapping[str, Any] = field(default_factory=dict)
    mirrored: bool = False

    def __post_init__(self) -> None:
        if (self.by == "scout") != (self.scout is not None):
            raise InputError("A model has a scout if, and only if, the scout proposes candidates.")
        if not self.slack >= 0:
            raise InputError(f"A model's slack must be 0 or more; got {self.slack}.")
        sizes = {(s.architecture.rows, s.architecture.depth) for s in self._all}
        if len(sizes) != 1:
            raise InputError("A model needs sub-networks, all of one rows and depth.")
        inside = self.piece - 2 * self.eroded[1]
        if not 0 <= self.eroded[0] <= self.eroded[1] or inside < max(self.rows, self.depth):
            raise InputError(
                f"Pieces of {self.piece} px with a frame of {self.eroded[1]} px do not show "
                f"{self.rows} x {self.depth} px."
            )

    @property
    def _all(self) -> tuple[Subnetwork, ...]:
        return self.subnetworks if self.scout is None else (*self.subnetworks, self.scout)

    @property
    def rows(self) -> int:
        """How many rows of a piece the sub-networks see."""
        return self.subnetworks[0].architecture.rows

    @property
    def depth(self) -> int:
        """How many columns of a piece they see, counted from the seam."""
        return self.subnetworks[0].architecture.depth

    def save(self, path: Path) -> None:
        """Write everything to one ``.npz`` file."""
        about = {
            "version": VERSION,
            "name": self.name,
            "piece": self.piece,
            "eroded": list(self.eroded),
            "rows": self.rows,
            "depth": self.depth,
            "subnetworks": [
                {"planes": s.architecture.planes, "layers": list(s.architecture.layers)}
                for s in self._all
            ],
            "mirrored": self.mirrored,
            "beside": dict(self.beside),
            "by": self.by,
            "count": self.count,
            "slack": None if math.isinf(self.slack) else self.slack,
            "facts": dict(self.facts),
        }
        arrays: dict[str, Any] = {}
        for i, sub in enumerate(self._all):
            arrays |= {f"{i}.kernel{k}": kernel for k, kernel in enumerate(sub.kernels)}
            arrays[f"{i}.head"] = sub.head
        write(path, about, arrays)

    @classmethod
    def load(cls, path: Path) -> Model:
        """Read what `save` wrote."""
        with opened(path, DLCM, VERSION) as (about, held):
            return cls._read(about, held)

    @classmethod
    def _read(cls, about: dict[str, Any], held: Mapping[str, NDArray[Any]]) -> Model:
        subnetworks = []
        for i, described in enumerate(about["subnetworks"]):
            architecture = Architecture(
                described["planes"], tuple(described["layers"]), about["rows"], about["depth"]
            )
            count = len(architecture.kernels)
            kernels = tuple(np.asarray(held[f"{i}.kernel{k}"], np.float32) for k in range(count))
            head = np.asarray(held[f"{i}.head"], np.float32)
            subnetworks.append(Subnetwork(architecture, kernels, head))
        scout = subnetworks.pop() if about["by"] == "scout" else None
        return cls(
            name=about["name"],
            piece=about["piece"],
            eroded=(about["eroded"][0], about["eroded"][1]),
            subnetworks=tuple(subnetworks),
            mirrored=about.get("mirrored", False),
            beside=about["beside"],
            by=about["by"],
            count=about["count"],
            slack=math.inf if about.get("slack") is None else about["slack"],
            scout=scout,
            facts=about["facts"],
        )
