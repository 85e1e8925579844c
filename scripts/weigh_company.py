"""How much companions of the measure `tiles` tell, and what a setting of `Company` changes.

    python scripts/weigh_company.py OUT --data TILES [--crop 0.04] [--only TEXT...] [--turned]
        [--set near=6 false=0.2]... [--count]

TILES holds NAME_COLSxROWS_PITCH.png, panels that are cut every PITCH pixels (``speed/tiles.py``).
Every tile loses the share --crop of its side on every side and is brought to 64 px. Prints, for the
tile model alone and for every --set, the share of pairs that companions are asked about, what each
weighs, the mean surprise (minus the logarithm of the true partner's chance among the candidates)
and Top-1 before any post-processing. OUT keeps what was measured. With --count nobody is asked:
it tells how many pairs of an edge companions would be asked about, and how many times the square
root of its candidates that is (``tessella.auto``).
"""

from __future__ import annotations

import argparse
import pickle
import sys
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).parent.parent / "speed"))
from tiles import Photograph

from tessella.company import Company, Lists
from tessella.imaging.cut import cut
from tessella.measures._companions import companions
from tessella.measures.tiles import Tiles
from tessella.measuring import measure
from tessella.watch import SILENT

SIDE = 64
FAINT = 1e-6
"""No chance counts as less."""


def judged(
    lists: Lists, value: NDArray[np.float64], partner: NDArray[np.int32]
) -> NDArray[np.float64]:
    """Return surprise and Top-1, given what is said of all pairs and the true partners."""
    true = partner[lists.edge] == lists.partner
    chance = np.full(len(partner), FAINT)
    chance[lists.edge[true]] = np.maximum(lists.chances(value)[true], FAINT)
    first = np.zeros(len(partner), np.bool_)
    first[lists.edge[true & (value >= lists.best(value)[lists.edge])]] = True
    some = partner >= 0
    return np.array([-np.log(chance[some]).mean(), first[some].mean()])


def measured(photograph: Photograph, options: argparse.Namespace) -> tuple:
    """Return the tile model's scores, what all companions say of them, and the true partners."""
    way = "turned" if options.turned else "upright"
    kept = options.out / f"{photograph.name}-{options.crop:g}-{way}.pickle"
    if not kept.exists():
        panel, side = photograph.panel(options.crop, SIDE)
        puzzle, truth = cut(panel, side, turned=options.turned, seed=0)
        alone = measure(puzzle, Tiles(company=False))
        lists = Lists.of(alone)
        pairs = np.stack([lists.edge, lists.partner], axis=1)
        said = [companion(pairs, None, SILENT) for companion in companions(puzzle)]
        kept.write_bytes(pickle.dumps((alone, said, truth.partners())))
    return pickle.loads(kept.read_bytes())


def counted(photograph: Photograph, options: argparse.Namespace) -> str:
    """Return how many pairs of an edge companions would be asked about."""
    panel, side = photograph.panel(options.crop, SIDE)
    puzzle, _ = cut(panel, side, turned=options.turned, seed=1)
    lists = Lists.of(measure(puzzle, Tiles(company=False)))
    by, edges = Company(), len(lists.start) - 1
    asked = len(lists.among(by.near, by.least)) / edges
    every = (1 if puzzle.upright else 4) * (len(puzzle) - 1)
    return (
        f"{photograph.name}, {len(puzzle)} tiles: {asked:.1f} pairs an edge of {every}, "
        f"{asked / every**0.5:.2f} times the root"
    )


def main() -> None:
    """Measure once, and weigh by every setting."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out", type=Path)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--crop", type=float, default=0.04)
    parser.add_argument("--only", nargs="+", default=[""])
    parser.add_argument("--turned", action="store_true")
    parser.add_argument("--set", nargs="*", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--count", action="store_true")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    files = sorted(options.data.glob("*_*x*_*.png"))
    found = [Photograph(file) for file in files if any(text in file.stem for text in options.only)]
    if options.count:
        for photograph in found:
            print(counted(photograph, options), flush=True)
        return
    ways = [{}, *(dict(each.split("=") for each in words) for words in options.set)]
    rows: dict[str, list[NDArray[np.float64]]] = {}
    for photograph in found:
        alone, said, partner = measured(photograph, options)
        lists = Lists.of(alone)
        own = lists.levelled(lists.score)
        rows.setdefault("tiles alone", []).append(judged(lists, own, partner))
        for way in ways:
            by = Company(**{name: type(getattr(Company, name))(v) for name, v in way.items()})
            few = lists.among(by.near, by.least)
            heard = np.full((len(said), len(lists.edge)), np.nan)
            heard[:, few] = np.stack(said)[:, few]
            every = np.stack([own, *map(lists.levelled, heard)])
            weights = by.weighed(lists, every)
            name = " ".join(f"{n}={v}" for n, v in way.items()) or "as shipped"
            rows.setdefault(name, []).append(judged(lists, weights @ every, partner))
            asked = len(few) / len(lists.edge)
            told = (
                f"{photograph.name}, {name}: {asked:.2f} of the pairs, weights {weights.round(2)}"
            )
            print(told, rows[name][-1].round(3), flush=True)
    for name, each in rows.items():
        surprise, first = np.mean(each, axis=0)
        print(f"| {name} | {surprise:.3f} | {100 * first:.1f} |")


if __name__ == "__main__":
    main()
