"""What every kind of training has: pictures, a state that can be kept, steps and validation."""

from __future__ import annotations

import json
import math
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from tessella.errors import InputError
from tessella.learning import pictures
from tessella.learning.recipe import Recipe

WARM_UP = 200
"""Steps in which the learning rate rises to its value."""


class Learnt(Protocol):
    """What a training gives."""

    @property
    def facts(self) -> Mapping[str, Any]:
        """Recipe, data, figures: what the model card needs."""

    def save(self, path: Path) -> None:
        """Write everything to one ``.npz`` file."""


class Kept(Protocol):
    """A part of a training's state: a network, an optimizer."""

    def state_dict(self) -> dict[str, Any]:
        """Return what a checkpoint holds of it."""

    def load_state_dict(self, state_dict: Any) -> Any:
        """Go on from what a checkpoint held."""


class Trainer(ABC):
    """The state of a training, and what changes it.

    Attributes
    ----------
    step, seconds : how far it is
    losses : their sum since somebody last set it to 0
    parts : what a checkpoint keeps, by name
    """

    def __init__(
        self,
        recipe: Recipe,
        training: Sequence[NDArray[np.uint8]],
        held: Sequence[NDArray[np.uint8]],
        device: str,
    ) -> None:
        self.recipe, self.held = recipe, held
        self.device = torch.device(device)
        self.data = pictures.digest(training)
        self.step, self.seconds = 0, 0.0
        self.losses: float | Tensor = 0.0
        self.parts: dict[str, Kept] = {}
        self.gather(training)
        torch.manual_seed(recipe.seed)
        self.build()

    def gather(self, training: Sequence[NDArray[np.uint8]]) -> None:
        """Bring the pictures to where views are taken of them."""
        recipe = self.recipe
        side = recipe.training.grid * recipe.piece
        aligned = recipe.piece if recipe.augment.simulate else None
        self.album = pictures.Album(training, side, recipe.augment, self.device, aligned=aligned)

    @abstractmethod
    def build(self) -> None:
        """Make what is trained, and fill in `parts`."""

    def advance(self, done: float) -> None:
        """Take one step, at the share `done` of the training."""
        chance = np.random.default_rng((self.recipe.seed, self.step))
        torch.manual_seed(self.recipe.seed + 1_000_003 * self.step)
        self.losses = self.losses + self.learn(chance, self.rate(done))
        self.step += 1

    def rate(self, done: float) -> float:
        """Return the learning rate at the share `done` of the training."""
        settings = self.recipe.training
        rising = min(1.0, (self.step + 1) / WARM_UP)
        if settings.schedule == "constant":
            return settings.rate * rising
        return settings.rate * rising * (0.5 + 0.5 * math.cos(math.pi * min(1.0, done)))

    @abstractmethod
    def learn(self, chance: np.random.Generator, rate: float) -> Tensor:
        """Draw a batch, take a step at the learning rate `rate` and return the loss, detached."""

    @abstractmethod
    def validate(self, limit: int | None = None) -> dict[str, float]:
        """Return figures on the first `limit` held pictures."""

    @abstractmethod
    def model(self, facts: dict[str, Any]) -> Learnt:
        """Return what has been learnt."""

    def begin(self, path: Path) -> None:
        """Take over the weights of a model."""
        raise InputError(f"A training of kind {self.recipe.kind} cannot begin with {path}.")

    def state(self) -> dict[str, Any]:
        """Return everything that a resumed training needs."""
        return {
            "recipe": json.dumps(self.recipe.to_json()),
            "data": self.data,
            "step": self.step,
            "seconds": self.seconds,
            "parts": {name: part.state_dict() for name, part in self.parts.items()},
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from `state`; it must be of the same recipe and the same pictures."""
        if state["recipe"] != json.dumps(self.recipe.to_json()):
            raise InputError("The checkpoint is of another recipe; train into a new folder.")
        if state["data"] != self.data:
            raise InputError("The checkpoint is of other pictures; train into a new folder.")
        self.step, self.seconds = state["step"], state["seconds"]
        for name, part in self.parts.items():
            part.load_state_dict(state["parts"][name])
