"""Training the measure `embedding`: every edge of a view against all others, both ways."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from tessella import edges
from tessella.errors import InputError
from tessella.learning import trainer
from tessella.learning.batches import cut, worn
from tessella.learning.border import mgc
from tessella.learning.twins import Network, Twins
from tessella.networks.embedding import Model
from tessella.networks.twins import Form, Twin
from tessella.networks.view import window

DOUBT = 1e-4
"""The loss takes a true partner to be at least so likely: what nobody could foretell, as where one
thing ends and another begins at the very seam, does not rule the rest."""

CLIP = 1.0
"""The longest step that one batch's gradient asks for."""

PLACES = 32
"""Validation tells recall among so many candidates."""


class Trainer(trainer.Trainer):
    """Twin networks."""

    def build(self) -> None:
        """Make what is trained."""
        recipe = self.recipe
        settings = recipe.training
        if not settings.turned:
            raise InputError("An embedding is trained with turned pieces; set turned = true.")
        self.form = recipe.twins.form(*recipe.seen)
        self.twins = Twins(self.form).to(self.device)
        on_card = self.device.type == "cuda"
        self.optimizer = torch.optim.Adam(self.twins.parameters(), settings.rate, fused=on_card)
        self.half = settings.half and on_card
        self.scaler = torch.amp.GradScaler(self.device.type, enabled=self.half)
        self.vectors = self.twins.forward
        if settings.compiled and on_card:
            self.vectors = torch.compile(self.twins.forward, dynamic=False)
        self.partner = partners(settings.grid, settings.grid).to(self.device)
        self.parts = {"twins": self.twins, "optimizer": self.optimizer, "scaler": self.scaler}

    def learn(self, chance: np.random.Generator, rate: float) -> Tensor:
        """Take one step."""
        settings, augment = self.recipe.training, self.recipe.augment
        views = self.album.views(settings.pictures, chance)
        eroded = int(chance.integers(self.recipe.eroded[0], self.recipe.eroded[1] + 1))
        pieces = cut(views, settings.grid, self.recipe.piece).flatten(1, 2)
        pieces = worn(pieces, augment.degrade, augment.shift, chance)
        seen = rims(pieces, eroded, self.form)  # (V, E, rows, depth, 3)
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        self.optimizer.zero_grad(set_to_none=True)
        with torch.autocast(self.device.type, torch.float16, enabled=self.half):
            vectors = self.vectors(seen.flatten(0, 1))
        total = loss(self.twins.scores(vectors, len(views)), self.partner, codes(seen))
        torch.autograd.backward(self.scaler.scale(total))
        self.scaler.unscale_(self.optimizer)
        torch.nn.utils.clip_grad_norm_(self.twins.parameters(), CLIP)
        self.scaler.step(self.optimizer)
        self.scaler.update()
        return total.detach()

    def validate(self, limit: int | None = None) -> dict[str, float]:
        """Return Top-1 and recall on held pictures, turned, and those of `mgc`."""
        self.twins.eval()
        shares: dict[str, list[float]] = {}
        for picture in self.held[:limit]:
            for eroded in sorted(set(self.recipe.eroded)):
                mark = f"{eroded} px " if self.recipe.eroded[1] else ""
                for name, value in self._judged(picture, eroded).items():
                    shares.setdefault(mark + name, []).append(value)
        self.twins.train()
        return {name: round(float(np.mean(values)), 4) for name, values in shares.items()}

    @torch.no_grad()
    def _judged(self, picture: NDArray[np.uint8], eroded: int) -> dict[str, float]:
        side = self.recipe.piece
        rows, columns = (size // side for size in picture.shape[:2])
        whole = torch.from_numpy(picture[: rows * side, : columns * side].copy()).to(self.device)
        pieces = whole.view(rows, side, columns, side, 3).transpose(1, 2).flatten(0, 1)
        seen = rims(pieces[None], eroded, self.form)[0]  # (E, rows, depth, 3)
        parts = [self.twins(part) for part in torch.split(seen, 4096)]
        scores = self.twins.scores(tuple(torch.cat(part) for part in zip(*parts, strict=True)))[0]
        classical = mgc(seen[None, :, :, :2].double(), seen.flip(1)[None, :, :, :2].double())[0]
        partner = partners(rows, columns).to(self.device)
        shares: dict[str, float] = {}
        for name, table in (("", scores), ("mgc ", classical)):
            top, recall = _ranked(table, partner)
            shares |= {f"{name}top1": top, f"{name}recall{PLACES}": recall}
        return shares

    def begin(self, path: Path) -> None:
        """Take over the weights of a model of the same form."""
        model = Model.load(path)
        if model.form != self.form:
            raise InputError(f"The networks of {path} are not of the recipe's form.")
        with torch.no_grad():
            for network, twin in ((self.twins.left, model.left), (self.twins.right, model.right)):
                mine = *network.kernels, *network.biases, network.row, network.edge
                given = *twin.kernels, *twin.biases, twin.row, twin.edge
                for weights, known in zip(mine, given, strict=True):
                    weights.copy_(torch.from_numpy(known))
            scale = torch.tensor([model.reach, model.steep], dtype=torch.float64).log()
            self.twins.scale.copy_(scale)

    def model(self, facts: dict[str, Any]) -> Model:
        """Return what has been learnt."""
        reach, steep = self.twins.scale.detach().double().exp().tolist()
        return Model(
            name=self.recipe.name,
            piece=self.recipe.piece,
            eroded=self.recipe.eroded,
            left=exported(self.twins.left),
            right=exported(self.twins.right),
            reach=reach,
            steep=steep,
            facts=facts,
        )


def rims(pieces: Tensor, eroded: int, form: Form) -> Tensor:
    """Return the rims of all edges of pieces ``(V, N, P, P, 3)``, the outermost column first.

    Returns
    -------
    ``(V, 4 N, rows, depth, 3)``, every piece turned so that the edge faces right
    """
    down, across = window(pieces.shape[2], eroded, form.rows, form.depth, edges.RIGHT)
    turned = [torch.rot90(pieces, -side % 4, (2, 3))[:, :, down, across] for side in range(4)]
    return torch.stack(turned, 2).flatten(1, 2).flip(3)


def partners(rows: int, columns: int) -> Tensor:
    """Return the true partner of every edge of pieces that lie row by row, -1 for none."""
    place = torch.arange(rows * columns).view(rows, columns)
    partner = torch.full((rows * columns, 4), -1)
    partner[place[:, :-1], edges.RIGHT] = 4 * place[:, 1:] + edges.LEFT
    partner[place[:, 1:], edges.LEFT] = 4 * place[:, :-1] + edges.RIGHT
    partner[place[1:], edges.TOP] = 4 * place[:-1] + edges.BOTTOM
    partner[place[:-1], edges.BOTTOM] = 4 * place[1:] + edges.TOP
    return partner.flatten()


def codes(seen: Tensor) -> Tensor:
    """Return numbers that are equal where rims show the same in two columns, ``(V, E)``."""
    numbers = seen[:, :, :, :2].flatten(2).double()
    return numbers @ torch.linspace(1, 2, numbers.shape[2], device=seen.device).double()


def loss(scores: Tensor, partner: Tensor, code: Tensor) -> Tensor:
    """Return the mean cross-entropy of true partners, by rows and by columns.

    Parameters
    ----------
    scores : of edges facing right (rows) with edges facing left, ``(V, E, E)``
    partner : ``(E,)``, -1 for none
    code : what tells rims apart; those like the partner's do not count, ``(V, E)``
    """
    asked = (partner >= 0).nonzero().flatten()
    true = partner[asked]
    piece = torch.arange(len(partner), device=partner.device) // 4
    barred = piece[asked][:, None] == piece  # (A, E)
    alike = code[:, true, None] == code[:, None]  # (V, A, E)
    barred = (barred | alike).scatter(2, true.expand(len(code), -1)[..., None], False)
    losses = []
    for table in (scores, scores.transpose(1, 2)):
        chance = functional.log_softmax(table[:, asked].masked_fill(barred, -torch.inf), 2)
        of_true = chance.gather(2, true.expand(len(code), -1)[..., None])
        losses.append(-torch.logaddexp(of_true, of_true.new_tensor(math.log(DOUBT))).mean())
    return torch.stack(losses).mean()


def _ranked(scores: Tensor, partner: Tensor) -> tuple[float, float]:
    """Return how often the true partner comes first, and among the first `PLACES`."""
    piece = torch.arange(len(partner), device=partner.device) // 4
    scores = scores.masked_fill(piece[:, None] == piece, -torch.inf)
    asked = (partner >= 0).nonzero().flatten()
    table = scores[asked]
    before = (table > table.gather(1, partner[asked][:, None])).sum(1)
    return float((before < 1).float().mean()), float((before < PLACES).float().mean())


def exported(network: Network) -> Twin:
    """Return a network's weights as the package uses them.

    Kernels but the first are rounded to half precision, in which a graphics card trains them.
    """

    def plain(tensor: Tensor) -> NDArray[np.float32]:
        return np.ascontiguousarray(tensor.detach().float().cpu().numpy())

    first, *others = network.kernels
    kernels = plain(first), *(plain(kernel.half()) for kernel in others)
    biases = tuple(plain(bias) for bias in network.biases)
    return Twin(network.form, kernels, biases, plain(network.row), plain(network.edge))
