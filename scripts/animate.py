"""Draw the README's picture: the demo's pieces while they are put back together.

``python scripts/animate.py docs/images/solving.webp`` cuts the shipped picture as ``tessella demo``
does, solves it with the paper's algorithm, and shows what was the best arrangement of some
generations: those at which the fitness had come another step of the way, since most of it comes
early.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

import tessella
from tessella.arrangement import Arrangement
from tessella.imaging.render import render
from tessella.metrics import score
from tessella.plots.evolution import as_they_came
from tessella.puzzle import Puzzle
from tessella.shuffle import restore
from tessella.truth import Truth
from tessella.watch import Generation, Silent

PIECE, SEED = 28, 1
WIDTH, BAR = 520, 30
FRAMES = 40
FIRST, EACH, LAST = 1500, 250, 4500
"""How long the first frame, each in between and the last are shown, in milliseconds."""


class Film(Silent):
    """A watcher that keeps every generation that was better than all before it."""

    def __init__(self) -> None:
        self.shots: list[Generation] = []

    def generation(self, generation: Generation) -> None:
        """Keep it if it improved."""
        if generation.snapshot is not None:
            self.shots.append(generation)


@dataclass(frozen=True)
class Shot:
    """What one frame shows."""

    label: str
    arrangement: Arrangement


def solved(puzzle: Puzzle) -> list[Shot]:
    """Return the pieces as they came, some generations of a run, and its answer."""
    plan = tessella.make_plan("mgc", "genetic", {"strategy": "paper"})
    prepared = tessella.prepare(puzzle, plan, seed=SEED)
    film = Film()
    found = tessella.search(prepared, watch=film)
    reached = np.array([shot.best for shot in film.shots])
    wanted = np.linspace(reached[0], reached[-1], FRAMES)
    chosen = sorted({int(np.abs(reached - fitness).argmin()) for fitness in wanted})
    shots = [Shot("as they came", as_they_came(puzzle))]
    for shot in (film.shots[k] for k in chosen[:-1]):
        # The search looks at the pieces in an order of its own.
        arrangement = restore(shot.snapshot, prepared.order)
        shots.append(Shot(f"generation {shot.number + 1}", arrangement))
    return [*shots, Shot(f"generation {film.shots[-1].number + 1}", found.arrangement)]


def upside_down(arrangement: Arrangement, truth: Truth) -> bool:
    """Say whether more pieces stand on their heads than on their feet.

    Nothing tells a solver which way up turned pieces were; a film that turns over is hard to watch.
    """
    true, found = turns(truth.arrangement), turns(arrangement)
    off = (found - true) % 4
    return int((off == 2).sum()) > int((off == 0).sum())


def turns(arrangement: Arrangement) -> NDArray[np.int32]:
    """Return how every piece is turned, by its number, ``(N,)``; every cell holds one."""
    (sheet,) = arrangement.sheets
    return sheet.turns.ravel()[np.argsort(sheet.piece, axis=None)]


def drawn(puzzle: Puzzle, truth: Truth, shot: Shot) -> Image.Image:
    """Return one frame: the arrangement, and below it how far it has come."""
    right = score(shot.arrangement, truth).neighbor
    picture = Image.fromarray(render(puzzle, shot.arrangement.sheets[0]))
    if upside_down(shot.arrangement, truth):
        picture = picture.rotate(180)
    height = round(picture.height * WIDTH / picture.width)
    frame = Image.new("RGB", (WIDTH, height + BAR), (250, 250, 248))
    frame.paste(picture.resize((WIDTH, height), Image.Resampling.LANCZOS))
    pen, font = ImageDraw.Draw(frame), ImageFont.load_default(size=15)
    pen.rectangle((0, height, round(WIDTH * right), height + 3), fill=(33, 74, 140))
    words = f"{shot.label}: {100 * right:.0f} % of the joins found"
    pen.text((6, height + 8), words, fill=(40, 40, 40), font=font)
    return frame


def main(out: Path) -> None:
    """Write the animation to `out`."""
    puzzle, truth = tessella.cut(tessella.demo_picture(), PIECE, turned=True, seed=SEED)
    frames = [drawn(puzzle, truth, shot) for shot in solved(puzzle)]
    times = [FIRST, *[EACH] * (len(frames) - 2), LAST]
    first, *rest = frames
    first.save(out, save_all=True, append_images=rest, duration=times, loop=0, quality=50, method=6)
    print(f"{out}: {len(frames)} frames, {out.stat().st_size / 1e6:.2f} MB")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
