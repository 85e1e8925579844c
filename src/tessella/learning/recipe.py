"""Recipes: everything that decides what a training gives, as one TOML file."""

from __future__ import annotations

import dataclasses
import math
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from tessella import bounds, registry
from tessella.errors import InputError, NameUnknown, shown
from tessella.imaging.manifest import plain
from tessella.learning import limits
from tessella.learning.domain import Domain
from tessella.learning.shredding import Shredding
from tessella.learning.toml import check_names, filled
from tessella.networks.architecture import Architecture, Layer
from tessella.networks.shred_form import Form as ShredForm
from tessella.networks.tile_form import Form as TileForm
from tessella.networks.twins import Form as TwinForm

_TABLES = {
    "networks": "tiles",
    "domain": "tiles",
    "mix": "tiles",
    "sides": "shreds",
    "shredding": "shreds",
}
"""Tables of a recipe that only one kind has."""


@dataclass(frozen=True)
class Augment:
    """How training views differ from the pictures.

    Attributes
    ----------
    scale : smallest and largest factor of size
    turn : ``"any"`` quarter turns of whole views, ``"half"`` turns alone, or ``"none"``
    flip : mirror images of whole views
    jpeg : share of views that are compressed
    quality : lowest and highest JPEG quality
    degrade : widest frame that is blackened on single pieces, 0 to so many px (Section III-A)
    shift : farthest that single pieces are moved, 0 to so many px (Section III-A)
    simulate : ``"azulejo"`` turns the pictures into worn tile panels
    panels : how many such panels are made
    """

    scale: tuple[float, float] = (0.5, 1.0)
    turn: Literal["any", "half", "none"] = "any"
    flip: bool = True
    jpeg: float = 0.0
    quality: tuple[int, int] = (60, 95)
    degrade: int = 0
    shift: int = 0
    simulate: Literal["azulejo"] | None = None
    panels: int = 500

    def __post_init__(self) -> None:
        limits.check_scale(self.scale)
        limits.check_panels(self.panels)
        if not 0 <= self.degrade <= limits.PIECE or not 0 <= self.shift <= limits.PIECE:
            raise InputError(
                f"degrade and shift must be 0 to {limits.PIECE} px; "
                f"got {self.degrade} and {self.shift}."
            )
        if not 0 <= self.jpeg <= 1:
            raise InputError(f"jpeg is a share between 0 and 1; got {self.jpeg}.")
        if not 1 <= self.quality[0] <= self.quality[1] <= 100:
            raise InputError(f"quality needs two ascending numbers; got {list(self.quality)}.")


@dataclass(frozen=True)
class Training:
    """How the weights are found.

    Attributes
    ----------
    loss : ``"listwise"`` (cross-entropy of the true partner among candidates of its picture),
        ``"bce"`` or ``"triplet"`` (Section III-A)
    steps : how many batches
    rate : Adam's learning rate
    schedule : ``"cosine"`` lets the rate fall to 0, ``"constant"`` keeps it
    pictures : views in a batch
    grid : pieces along a view's side
    anchors : edges of a view that are asked about; 0 takes all
    candidates : partners that every anchor is compared with, the true one included
    rivals : whether wrong ones come from the whole ``"view"`` or from the same ``"row"`` (strips)
    sides : 2 asks the same pairs from the right-hand pieces too, whose left neighbour is wanted
    hard : how many of the wrong ones are those that `mgc` likes best
    turned : whether turned pieces are among the candidates
    joint : one loss of the sum of all sub-networks instead of one loss each
    beside : classical measures whose scores are added in the loss, with a weight that is learnt
    trust : by how much the learnt weight of `beside` is multiplied in the finished model
    dropout : share of features that are dropped after every convolution but the first
    half : half precision on a GPU, but for the first convolution
    compiled : fuse the network's small steps on a GPU (torch.compile)
    check : steps between two validations
    """

    loss: Literal["listwise", "bce", "triplet"] = "listwise"
    steps: int = 10_000
    rate: float = 1e-3
    schedule: Literal["cosine", "constant"] = "cosine"
    pictures: int = 8
    grid: int = 12
    anchors: int = 0
    candidates: int = 24
    rivals: Literal["view", "row"] = "view"
    sides: Literal[1, 2] = 1
    hard: int = 18
    turned: bool = True
    joint: bool = False
    beside: tuple[str, ...] = ()
    trust: float = 1.0
    dropout: float = 0.0
    half: bool = True
    compiled: bool = False
    check: int = 1000

    def __post_init__(self) -> None:
        if min(self.steps, self.pictures, self.check) < 1 or self.grid < 2:
            raise InputError("steps, pictures and check must be at least 1, grid at least 2.")
        if self.pictures > limits.PICTURES or self.grid > limits.GRID:
            raise InputError(
                f"A batch may have {limits.PICTURES} pictures, and a view {limits.GRID} pieces a "
                f"side; got {shown(self.pictures)} and {shown(self.grid)}."
            )
        if self.anchors < 0 or not 0 < self.rate <= 1 or not 0 <= self.dropout < 1:
            raise InputError(
                "anchors must be 0 or more, rate more than 0 and at most 1 and dropout a share "
                f"below 1; got {self.anchors}, {self.rate} and {self.dropout}."
            )
        if not self.candidates >= 2 or not 0 <= self.hard < self.candidates:
            raise InputError(
                "candidates must be at least 2, and hard fewer than candidates; "
                f"got {self.candidates} and {self.hard}."
            )
        most = self.grid - 1 if self.rivals == "row" else self.grid * self.grid - 1
        if self.candidates > most:
            raise InputError(f"A {self.rivals} has {most} candidates, not {self.candidates}.")
        if self.rivals == "row" and self.turned:
            raise InputError("Rivals of the same row cannot be turned; set turned = false.")
        if self.sides == 2 and self.loss != "listwise":
            raise InputError('sides = 2 needs loss = "listwise".')
        if set(self.beside) - {"mgc"}:
            raise InputError(f"beside may name mgc alone; got {list(self.beside)}.")


@dataclass(frozen=True)
class Twins:
    """How large the networks of `embedding` are; `tessella.networks.twins.Form` explains."""

    channels: int = 192
    blocks: int = 3
    free: int = 6
    whole: int = 32
    foretells: bool = True

    def form(self, rows: int, depth: int) -> TwinForm:
        """Return the form of networks that see `rows` x `depth` px of a piece."""
        return TwinForm(rows, depth, **vars(self))


@dataclass(frozen=True)
class Mix:
    """What `tiles` is trained with beside panels that are painted as it trains.

    Attributes
    ----------
    aged : share of panels with the frozen wear of `tessella.imaging.azulejo`, tiles of 50 px
    worn : share of clean pictures whose pieces lose a frame of `Recipe.eroded` px
    panels : how many panels with the frozen wear are made before training begins
    """

    aged: float = 0.0
    worn: float = 0.0
    panels: int = 1600

    def __post_init__(self) -> None:
        limits.check_panels(self.panels)
        if min(self.aged, self.worn) < 0 or self.aged + self.worn > 1:
            raise InputError(
                f"aged and worn are shares of 1 together; got {self.aged} and {self.worn}."
            )


@dataclass(frozen=True)
class Recipe:
    """One model's training.

    Attributes
    ----------
    name : of the model
    kind : what is trained; ``learning/KIND.py`` trains it
    piece : side of a piece in pixels
    rows, depth : what the sub-networks see of a piece; all of it when 0
    eroded : narrowest and widest worn frame, drawn per batch
    by, count, slack : who proposes candidates when the model is used, and how many (see `Model`)
    hide : px at a seam that `gan` in-paints although the pieces are whole
    subnetworks : planes and layers of each
    mirrored : whether the finished model looks at every pair top to bottom too (see `Model`)
    scout : planes and layers of the small sub-network that proposes candidates, if any
    seed : of weights and of all that is drawn
    twins : the networks of `embedding`
    networks : those of `tiles`; its tiles are pieces
    domain : what the panels look like that `tiles` is trained with
    mix : what else it is trained with
    sides : the network of `shreds`, which looks at `piece` columns of a side
    shredding : how the pages are shredded that `shreds` is trained with
    """

    name: str
    piece: int
    subnetworks: tuple[tuple[str, tuple[Layer, ...]], ...]
    rows: int = 0
    depth: int = 0
    eroded: tuple[int, int] = (0, 0)
    scout: tuple[str, tuple[Layer, ...]] | None = None
    kind: Literal["dlcm", "embedding", "squeezenet", "gan", "tiles", "shreds"] = "dlcm"
    mirrored: bool = False
    by: str = "mgc"
    count: int = 32
    slack: float = math.inf
    hide: int = 0
    seed: int = 0
    training: Training = Training()
    augment: Augment = Augment()
    twins: Twins = Twins()
    networks: TileForm = dataclasses.field(default_factory=TileForm)
    domain: Domain = dataclasses.field(default_factory=Domain)
    mix: Mix = Mix()
    sides: ShredForm = dataclasses.field(default_factory=ShredForm)
    shredding: Shredding = dataclasses.field(default_factory=Shredding)

    def __post_init__(self) -> None:
        if not plain(self.name):
            raise InputError(
                f"A model's name must do as that of a file; got {shown(repr(self.name))}."
            )
        if not 0 <= self.eroded[0] <= self.eroded[1]:
            raise InputError(f"eroded needs two ascending widths; got {list(self.eroded)}.")
        if not 1 <= self.count <= bounds.CANDIDATES:
            raise InputError(f"count must be 1 to {bounds.CANDIDATES}; got {self.count}.")
        if self.hide < 0 or 2 * self.hide >= self.piece or self.slack < 0:
            raise InputError(
                "hide must be 0 or more and leave something of a piece, and slack 0 or more; "
                f"got {self.hide} and {self.slack}."
            )
        bounds.check_seed(self.seed)
        limits.check_piece(self.piece, self.eroded[1], self.rows, self.depth)
        limits.check_batch(self.training.pictures, self.training.grid, self.piece)
        if self.by not in ("scout", *registry.names("measure")):
            raise NameUnknown("proposer", self.by, ("scout", *registry.names("measure")))
        own = self.kind != "dlcm"  # Networks of a form of their own.
        if own and self.subnetworks:
            raise InputError(f"{self.kind} has a form of its own; leave out [[subnetwork]].")
        if not own and not self.subnetworks:
            raise InputError("A recipe needs at least one [[subnetwork]].")
        if (self.by == "scout") != (self.scout is not None):
            raise InputError('A recipe has a [scout] if, and only if, by = "scout".')
        if self.training.beside and not self.training.joint:
            raise InputError("beside needs joint = true: it is one part of the sum.")
        limits.check_weights(self._shapes())

    @property
    def seen(self) -> tuple[int, int]:
        """Rows and columns that networks see of a piece."""
        inside = self.piece - 2 * self.eroded[1]
        return self.rows or inside, self.depth or inside

    @property
    def architectures(self) -> tuple[Architecture, ...]:
        """The sub-networks' architectures; the scout's, if any, is the last."""
        every = self.subnetworks if self.scout is None else (*self.subnetworks, self.scout)
        return tuple(Architecture(planes, layers, *self.seen) for planes, layers in every)

    def _shapes(self) -> Iterator[tuple[int, ...]]:
        """Yield the shapes of all weights that are as large as the recipe says."""
        for form in self.architectures:
            yield from ((9, *kernel) for kernel in form.kernels)
            last = form.levels[-1]
            yield last.rows, last.width, last.channels
        if self.kind == "embedding":
            twins = self.twins.form(*self.seen)
            yield from (*twins.kernels, *twins.heads) * 2
        yield from self.networks.shapes().values()
        yield from self.sides.shapes().values()

    def to_json(self) -> dict[str, Any]:
        """Return the recipe as plain values."""
        return dataclasses.asdict(self)


def read(path: Path) -> Recipe:
    """Read a recipe."""
    try:
        given = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as problem:
        raise InputError(f"Cannot read {path}: {problem.strerror or problem}.") from problem
    except (ValueError, RecursionError) as problem:  # also a number of thousands of digits
        raise InputError(f"{path} is not valid TOML: {problem}.") from problem
    try:
        return _recipe(given)
    except InputError as problem:
        raise InputError(f"{path}: {problem}") from problem


def _recipe(given: dict[str, Any]) -> Recipe:
    given = dict(given)
    parts = given.pop("subnetwork", [])
    if not isinstance(parts, list):
        raise InputError("Every sub-network must be a table of its own: [[subnetwork]].")
    subnetworks = tuple(_form("subnetwork", part) for part in parts)
    scout = _form("scout", given.pop("scout")) if "scout" in given else None
    training = filled(Training, "training", given.pop("training", {}))
    augment = filled(Augment, "augment", given.pop("augment", {}))
    twins = filled(Twins, "twins", given.pop("twins", {}))
    _check_tables(given)
    size = {"size": given["piece"]} if "piece" in given else {}
    domain = filled(Domain, "domain", given.pop("domain", {}))
    mix = filled(Mix, "mix", given.pop("mix", {}))
    shredding = filled(Shredding, "shredding", given.pop("shredding", {}))
    own = {name: given.pop(name, {}) for name in ("networks", "sides")}
    kind = given.get("kind")
    tiles = filled(TileForm, "networks", {**size, **own["networks"]} if kind == "tiles" else {})
    sides = filled(ShredForm, "sides", {**size, **own["sides"]} if kind == "shreds" else {})
    extra = {
        "subnetworks": subnetworks,
        "scout": scout,
        "training": training,
        "augment": augment,
        "twins": twins,
        "networks": tiles,
        "domain": domain,
        "mix": mix,
        "sides": sides,
        "shredding": shredding,
    }
    made: Recipe = filled(Recipe, "recipe", given, extra)
    return made


def _check_tables(given: dict[str, Any]) -> None:
    """Raise unless the tables of a recipe belong to its kind."""
    for name, kind in _TABLES.items():
        if name in given and given.get("kind") != kind:
            raise InputError(f'[{name}] belongs to kind = "{kind}"; leave it out.')


def _form(name: str, part: dict[str, Any]) -> tuple[str, tuple[Layer, ...]]:
    check_names(name, part, {"planes", "layers"})
    if set(part) != {"planes", "layers"}:
        raise InputError(f"{name} needs planes and layers.")
    if not isinstance(part["planes"], str) or not isinstance(part["layers"], list):
        raise InputError(f"{name} needs planes such as 'rgb' and a list of layers.")
    return part["planes"], tuple(part["layers"])
