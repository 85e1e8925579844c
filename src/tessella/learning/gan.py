"""Training a generator to in-paint the gap between worn pieces, and a discriminator to judge it.

Bridger, Danon and Tal, "Solving Jigsaw Puzzles With Eroded Boundaries" (CVPR 2020), in two phases.
First the two oppose each other on true pairs: the generator fills the gap as it was, the
discriminator tells what was there from what is painted. Then the generator is left as it is, and
the discriminator learns to tell true pairs from false ones, all of them in-painted; what it says is
the compatibility. `tessella.networks.gan` says how the networks differ from theirs. Worn tiles, of
which nobody knows what their rims showed, are in-painted over the rims themselves in both phases,
where Rika et al. (Appendix "Other DL-based CMs") take the generator from photographs.
"""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from tessella.learning import pairs
from tessella.learning.batches import draw
from tessella.learning.losses import loss
from tessella.learning.units import Unit, fill, units
from tessella.networks.gan import BAND, discriminator_layers, generator_layers
from tessella.networks.pair_model import PairModel

PAINTING = 0.3
"""The share of the training that the first phase takes."""

ADVERSARIAL = 0.02
"""The weight of the discriminator's opinion beside the mean absolute error, in the first phase."""


def masked(pair: Tensor, gap: int) -> Tensor:
    """Blank and mark `gap` columns a side of pairs ``(B, H, W, 3)``, ``(B, 4, H, W)``."""
    seam = pair.shape[2] // 2
    lost = torch.zeros_like(pair[..., :1])
    lost[:, :, seam - gap : seam + gap] = 1
    return torch.cat([pair * (1 - lost), lost], 3).permute(0, 3, 1, 2)


def filled(made: nn.ModuleDict, canvas: Tensor) -> Tensor:
    """Return canvases ``(B, 4, H, W)`` with what the generator paints where they are marked."""
    seam = canvas.shape[3] // 2
    first = made["in_full"]
    assert isinstance(first, Unit)
    fine = first.precisely(canvas)
    half = made["in_half"](fine)
    deep = made["deep"](made["in_quarter"](half))
    values = torch.cat([_enlarged(_middle(deep, 2)), _middle(half, 4)], 1)
    values = _enlarged(made["out_half"](values))
    values = torch.cat([_middle(values, BAND), _middle(fine, BAND)], 1)
    painted = made["paint"](made["out_full"](values)).float()  # (B, 3, H, 2 * BAND)
    painted = functional.pad(painted, (seam - BAND, seam - BAND))
    return torch.cat([canvas[:, :3] + painted * canvas[:, 3:], canvas[:, 3:]], 1)


def judged(made: nn.ModuleDict, canvas: Tensor) -> Tensor:
    """Return what the discriminator says of canvases ``(B, 4, H, W)``, ``(B,)``."""
    first = made["look"]
    assert isinstance(first, Unit)
    values = first.precisely(canvas)
    for name in list(discriminator_layers(8, 4))[1:]:
        values = made[name](values)
    return values.float().flatten()


def _middle(values: Tensor, reach: int) -> Tensor:
    seam = values.shape[3] // 2
    return values[..., seam - reach : seam + reach]


def _enlarged(values: Tensor) -> Tensor:
    return functional.interpolate(values, scale_factor=2, mode="nearest")


def load(model: PairModel, place: torch.device) -> pairs.Judge:
    """Return a model in torch, ready to score."""
    made = units(model.layers, norm=False)
    fill(made, model.weights)
    made.to(place).eval().requires_grad_(False)
    return lambda pair, eroded: judged(made, filled(made, masked(pair, model.gap(eroded))))


class Trainer(pairs.Trainer):
    """A generator and a discriminator.

    Attributes
    ----------
    painting : whether the first phase is on
    """

    def build(self) -> None:
        """Make what is trained."""
        super().build()
        self.painting = True
        form = discriminator_layers(self.rows, self.depth)
        self.generator = units(generator_layers(), norm=True)
        self.discriminator = units(form, norm=False)
        self.units = nn.ModuleDict({**self.generator, **self.discriminator})
        self.units.to(self.device)
        self.painter, self.judging = self.adam(self.generator), self.adam(self.discriminator)
        self.parts |= {"units": self.units, "painter": self.painter, "judging": self.judging}
        # What a model could not be made of is better known before the training than after it.
        _ = self.model({})

    def advance(self, done: float) -> None:
        """Take one step, at the share `done` of the training."""
        self.painting = done < PAINTING
        super().advance(done)

    def learn(self, chance: np.random.Generator, rate: float) -> Tensor:
        """Take one step of whichever phase is on."""
        batch = draw(self.album, self.recipe, chance)
        which = batch.which[:, :1] if self.painting else batch.which
        pair = pairs.joined(*self.sides(batch), which)
        gap = max(batch.eroded, self.recipe.hide)
        if self.painting:
            return self._oppose(pair, gap, rate)
        self.generator.eval()
        with self.autocast():
            with torch.no_grad():
                canvas = filled(self.units, masked(pair, gap))
            scores = judged(self.units, canvas).view(which.shape)
        total = loss(self.recipe.training.loss, scores, batch.same)
        self.take_step(self.judging, total, rate)
        self.scaler.update()
        return total.detach()

    def _oppose(self, pair: Tensor, gap: int, rate: float) -> Tensor:
        """Let the discriminator learn, then the generator; returns the latter's loss."""
        canvas = masked(pair, gap)
        real = torch.cat([pair.permute(0, 3, 1, 2), canvas[:, 3:]], 1)
        with self.autocast():
            fake = filled(self.units, canvas)
            verdicts = judged(self.units, torch.cat([real, fake.detach()]))
        shown, painted = verdicts.chunk(2)
        verdict = functional.softplus(-shown).mean() + functional.softplus(painted).mean()
        self.take_step(self.judging, verdict, rate)
        with self.autocast():
            opinion = judged(self.units, fake)
        error = (fake - real).abs().sum() / (3 * canvas[:, 3:].sum())
        total = error + ADVERSARIAL * functional.softplus(-opinion).mean()
        self.take_step(self.painter, total, rate)
        self.scaler.update()
        return total.detach()

    def judge(self, pair: Tensor, eroded: int) -> Tensor:
        """Score pairs ``(B, rows, 2 * depth, 3)``, ``(B,)``."""
        gap = max(eroded, self.recipe.hide)
        return judged(self.units, filled(self.units, masked(pair, gap)))
