"""Networks that are given both pieces of a pair: training, validation, scoring on a card."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from tessella import edges
from tessella.learning import trainer
from tessella.learning.batches import Batch
from tessella.learning.scoring import precisely, sharing
from tessella.learning.units import folded
from tessella.learning.validate import judged
from tessella.learning.view import seen
from tessella.networks.pair_model import Kind, PairModel
from tessella.watch import SILENT, Watcher

AT_ONCE = 2**12
"""How many pairs are scored at a time."""

HELD = 12
"""Validation looks at the first so many rows and columns of pieces of a picture."""

Judge = Callable[[Tensor, int], Tensor]
"""Scores pairs ``(B, rows, 2 * depth, 3)`` whose pieces have lost so many px a side, ``(B,)``."""


def joined(left: Tensor, right: Tensor, which: Tensor) -> Tensor:
    """Set candidates `which` ``(A, K)`` of `right` beside `left`, ``(A K, rows, 2 * depth, 3)``."""
    repeated = left[:, None].expand(-1, which.shape[1], -1, -1, -1).flatten(0, 1)
    return torch.cat([repeated, right[which.flatten()]], 2)


class Trainer(trainer.Trainer):
    """The state of a training of one network, or of two that oppose each other.

    Attributes
    ----------
    units : all layers that the model is made of; a subclass fills it in
    """

    units: nn.ModuleDict

    def build(self) -> None:
        """Make what is trained."""
        recipe = self.recipe
        self.rows, self.depth = recipe.seen
        self.half = recipe.training.half and self.device.type == "cuda"
        self.scaler = torch.amp.GradScaler(self.device.type, enabled=self.half)
        self.parts["scaler"] = self.scaler

    @abstractmethod
    def judge(self, pair: Tensor, eroded: int) -> Tensor:
        """Score pairs ``(B, rows, 2 * depth, 3)``, ``(B,)``."""

    def adam(self, made: nn.ModuleDict) -> torch.optim.Adam:
        """Return an optimizer of units."""
        fused = self.device.type == "cuda"
        return torch.optim.Adam(made.parameters(), self.recipe.training.rate, fused=fused)

    def take_step(self, optimizer: torch.optim.Adam, total: Tensor, rate: float) -> None:
        """Let `optimizer` lower the loss `total`."""
        for group in optimizer.param_groups:
            group["lr"] = rate
        optimizer.zero_grad(set_to_none=True)
        torch.autograd.backward(self.scaler.scale(total))
        self.scaler.step(optimizer)

    def sides(self, batch: Batch) -> tuple[Tensor, Tensor]:
        """Return what is seen of a batch's left and right pieces, ``(A, rows, depth, 3)`` each."""
        return self.seen(batch.left, batch.eroded, edges.RIGHT), self.seen(
            batch.right, batch.eroded, edges.LEFT
        )

    def seen(self, pieces: Tensor, eroded: int, direction: int) -> Tensor:
        """Return what is seen of pieces ``(A, P, P, 3)``, ``(A, rows, depth, 3)``."""
        frame = eroded if self.recipe.kind == "squeezenet" else 0
        return seen(pieces, frame, "rgb", self.rows, self.depth, direction)

    def autocast(self) -> torch.autocast:
        """Return what computes in half precision where the recipe wants it."""
        return torch.autocast(self.device.type, torch.float16, enabled=self.half)

    def validate(self, limit: int | None = None) -> dict[str, float]:
        """Return Top-1 on held pictures, at the narrowest and the widest worn frame."""
        self.units.eval()
        shares: dict[str, float] = {}
        for eroded in sorted(set(self.recipe.eroded)):
            means = np.mean([self._top1(picture, eroded) for picture in self.held[:limit]], axis=0)
            mark = f"{eroded} px " if self.recipe.eroded[1] else ""
            shares |= {f"{mark}before": round(means[0], 4), f"{mark}after": round(means[1], 4)}
        self.units.train()
        return shares

    def _top1(self, picture: NDArray[np.uint8], eroded: int) -> tuple[float, float]:
        """Return Top-1 before and after post-processing, all pairs, upright."""
        size = self.recipe.piece
        rows, cols = (min(HELD, extent // size) for extent in picture.shape[:2])
        cut = picture[: rows * size, : cols * size].reshape(rows, size, cols, size, 3)
        tiles = torch.from_numpy(cut.copy()).to(self.device)
        tiles = tiles.permute(0, 2, 1, 3, 4).reshape(-1, size, size, 3)
        tables = []
        for turn in range(4):
            pieces = torch.rot90(tiles, turn, (1, 2))
            left = self.seen(pieces, eroded, edges.RIGHT)
            right = self.seen(pieces, eroded, edges.LEFT)
            every = torch.arange(len(pieces), device=self.device).expand(len(pieces), -1)
            tables.append(asked(self.judge, left, right, every, eroded))
        return judged(torch.stack(tables), cols)

    def model(self, facts: dict[str, object]) -> PairModel:
        """Return what has been learnt."""
        recipe = self.recipe
        assert recipe.kind in ("squeezenet", "gan")
        kind: Kind = "gan" if recipe.kind == "gan" else "squeezenet"
        return PairModel(
            kind=kind,
            name=recipe.name,
            piece=recipe.piece,
            eroded=recipe.eroded,
            rows=self.rows,
            depth=self.depth,
            weights=folded(self.units),
            hide=recipe.hide,
            tiles=recipe.augment.simulate == "azulejo",
            by=recipe.by,
            count=recipe.count,
            facts=facts,
        )


def asked(judge: Judge, left: Tensor, right: Tensor, which: Tensor, eroded: int) -> Tensor:
    """Score candidates `which` ``(A, K)`` of `right` beside `left` in portions, ``(A, K)``."""
    step = max(1, AT_ONCE // which.shape[1])
    rows = []
    with torch.inference_mode():
        for start in range(0, len(which), step):
            part = slice(start, start + step)
            scores = judge(joined(left[part], right, which[part]), eroded)
            rows.append(scores.float().view(-1, which.shape[1]))
    return torch.cat(rows)


@sharing
def pairs(
    model: PairModel,
    left: NDArray[np.uint8],
    right: NDArray[np.uint8],
    which: NDArray[np.int64],
    eroded: int,
    *,
    device: str = "cuda",
    watch: Watcher = SILENT,
) -> NDArray[np.float32]:
    """Score listed pairs with torch, ``(M,)``.

    Parameters
    ----------
    left : pieces at the left of pairs, ``(A, P, P, 3)``
    right : pieces at the right, ``(B, P, P, 3)``
    which : a row of `left` and one of `right` for every pair, ``(M, 2)``
    """
    place = torch.device(device)
    judge = _loaded(model, place)
    size = "rgb", model.rows, model.depth
    frame = model.frame(eroded)
    first = seen(torch.from_numpy(left).to(place), frame, *size, edges.RIGHT)
    second = seen(torch.from_numpy(right).to(place), frame, *size, edges.LEFT)
    listed = torch.from_numpy(which).to(place)
    out = []
    with precisely():
        for start in range(0, len(which), AT_ONCE):
            part = listed[start : start + AT_ONCE]
            out.append(asked(judge, first[part[:, 0]], second, part[:, 1:], eroded)[:, 0])
            watch.advance(len(part))
    return np.asarray(torch.cat(out).cpu().numpy())


def _loaded(model: PairModel, place: torch.device) -> Judge:
    """Return a model in torch, ready to score."""
    if model.kind == "squeezenet":
        from tessella.learning import squeezenet

        return squeezenet.load(model, place)
    from tessella.learning import gan

    return gan.load(model, place)
