"""Malformed input of every kind, made from a seed: one sentence or an answer, and nothing left.

``make test`` tries 1,000; ``TESSELLA_FUZZ=10000 python -m pytest tests/test_fuzz.py`` tries more.
"""

import io
import json
import os
import shutil
import socket
import struct
import tempfile
import zlib
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from tessella import output
from tessella.cli import main
from tessella.documents.cut import cut_strips
from tessella.files import write_json
from tessella.imaging.cut import cut
from tessella.imaging.folder import write_puzzle
from tessella.imaging.read import write_image
from tessella.studio import intake

COUNT = int(os.environ.get("TESSELLA_FUZZ", "1000"))
STUDIO = find_spec("uvicorn") is not None and find_spec("fastapi") is not None
BATCHES = 20
PER_BATCH = -(-COUNT // BATCHES)

NUMBERS = (
    *(0, -1, 1, 2, 7, 10**20, -(10**20), 2**31, 2**63, 2**64 - 1, 10**400, 999999, 1e308, 0.5),
    *(float("nan"), float("inf"), -float("inf"), True, False),
)
TEXTS = (
    *(
        "",
        " ",
        "x",
        "-",
        "--",
        "nan",
        "inf",
        "-0",
        "1e309",
        "٣",
        "½",
        "0x10",
        "1_000",
        "1,5",
        "auto",
    ),
    *(
        "unknown",
        "all",
        "none",
        "../..",
        "/",
        "~",
        "a" * 5000,
        "9" * 5000,
        "\x1b[31m",
        "\n\n",
        "\0",
    ),
    *(
        "é" * 90,
        "\u202e",
        "💥",
        "3x3",
        "999999x999999",
        "0x0",
        "3x",
        "x3",
        "3x3x3",
        "8",
        "8x8",
        "-3x-3",
    ),
    *("100000000000000000000", "-100000000000000000000", "1" + "0" * 30, "1e20", "0.0000001", "2"),
)
NAMES = (
    *("-.png", "--force.png", " .png", "a b.png", "é.png", "💥.PNG", "a\nb.png", "\x1b[31m.png"),
    *("." * 20 + ".png", "a" * 200 + ".png", "puzzle.json.png", "%s%n.png", "con.png", ".png"),
)
SOLVE_OPTIONS = (
    *("--piece", "--shape", "--resize", "--pages", "--shortlist", "--runs", "--seconds", "--seed"),
    *("--threads", "--measure", "--solver", "--model", "--device", "--set", "--nonsense"),
    *("--panels", "--worn", "--workers", "--executor", "--kind"),
)
CUT_OPTIONS = (
    *("--piece", "--erode", "--seed", "--strips", "--dpi", "--simulate", "--nonsense"),
    *("--missing", "--block", "--foreign", "--foreign-from"),
)
COLLECT_OPTIONS = (
    *("--dpi", "--tile-mm", "--marker-mm", "--inset", "--kind"),
    *("--bed", "--shape", "--corners", "--seed"),
)
RANK_OPTIONS = (
    *("--measure", "--model", "--piece", "--shortlist", "--set", "--threads", "--device"),
    "--nonsense",
)
BENCH_OPTIONS = (
    *("--measure", "--solver", "--on", "--shape", "--erode", "--piece", "--simulate", "--limit"),
    *("--runs", "--seed", "--device", "--model", "--set", "--threads", "--jobs", "--only"),
    *("--mixed", "--missing", "--foreign", "--executor", "--scheduler"),
)
PAPER_OPTIONS = ("--threads", "--jobs", "--device", "--executor", "--scheduler", "--only", "--data")
TRAIN_OPTIONS = ("--held", "--begin", "--device", "--seconds", "--data", "--out", "--nonsense")
EXPORT_OPTIONS = ("--base-url", "--pieces", "--as")
STUDIO_OPTIONS = ("--port", "--project", "--nonsense")
DEMO_OPTIONS = ("--threads", "--out", "--nonsense")
USUAL = ("--quiet", "--threads", "1", "--seconds", "1")
SETTINGS = ("population", "patience", "islands", "adjust", "without", "strategy", "alpha0", "x")


RECIPE = """
name = "small"
piece = 8
rows = 8
depth = 8
eroded = [0, 0]
hide = 0
count = 4
slack = 1.0
seed = 1
[[subnetwork]]
planes = "rgb"
layers = [4, 4, "pool", 4]
[training]
steps = 1
rate = 1e-3
pictures = 1
grid = 3
anchors = 0
candidates = 4
hard = 2
trust = 1.0
dropout = 0.0
check = 1
[augment]
scale = [0.5, 1.0]
jpeg = 0.5
quality = [60, 95]
degrade = 0
shift = 0
panels = 1
"""
EMBEDDING = """
name = "small"
kind = "embedding"
piece = 8
depth = 4
[twins]
channels = 4
blocks = 1
free = 2
whole = 2
[training]
steps = 1
pictures = 1
grid = 3
candidates = 4
hard = 2
"""
TILES = """
name = "small"
kind = "tiles"
piece = 16
[networks]
channels = [4, 4, 4]
blocks = [0, 1, 0]
columns = [2, 2, 2]
width = 4
along = 1
vector = 2
pair = 4
[domain]
clean = 0.2
extent = [0.5, 1.0]
colours = [1.0, 1.0, 1.0, 1.0]
lost = [0.0, 0.1]
blur = [0.2, 1.0]
quality = [40, 96]
[mix]
worn = 0.0
panels = 1
[training]
steps = 1
pictures = 1
grid = 3
candidates = 4
hard = 0
"""
SHREDS = """
name = "small"
kind = "shreds"
piece = 8
[sides]
channels = [4, 4, 4]
blocks = [0, 1, 0]
width = 4
along = 1
vector = 2
slips = 1
[shredding]
scale = [0.6, 1.5]
width = [24.0, 110.0]
kinds = [1.0, 1.0, 1.0, 1.0]
blur = [0.0, 1.0]
deep = [0.7, 5.0]
missing = [0.5, 0.5]
[training]
steps = 1
pictures = 1
grid = 4
hard = 0
"""
RECIPES = {"recipe": RECIPE, "embedding": EMBEDDING, "tiles": TILES, "shreds": SHREDS}


class World:
    """A small good puzzle with all its files, which one test spoils."""

    def __init__(self, good: Path, folder: Path, rng: np.random.Generator) -> None:
        shutil.copytree(good, folder, symlinks=True)
        self.folder, self.rng = folder, rng
        self.puzzle, self.strips = folder / "puzzle", folder / "strips"
        self.truth, self.arrangement = folder / "truth.json", folder / "arrangement.json"
        self.picture, self.out = folder / "picture.png", folder / "out"
        self.scan = folder / "scan.png"

    def any(self, choices):
        return choices[int(self.rng.integers(len(choices)))]

    def solve(self, *more: str) -> list[str]:
        which = self.puzzle if self.rng.random() < 0.8 else self.strips
        return ["solve", str(which), str(self.out), *USUAL, *more]

    def piece(self) -> Path:
        return self.any(sorted(self.any((self.puzzle, self.strips)).glob("*.png")))


def odd_value(world: World):
    """Return something that JSON can hold and a reader hardly expects."""
    deep: object = 1
    for _ in range(50):
        deep = [deep]
    odd = (None, [], {}, [None], {"piece": 10**20, "turns": 0}, deep, [1] * 500, ["a"] * 300)
    return world.any((*NUMBERS, *TEXTS, *odd))


def odd_text(world: World) -> str:
    """Return what nobody should give as an option's value."""
    return str(world.any((*NUMBERS, *TEXTS)))


def odd_bytes(world: World, old: bytes) -> bytes:
    """Return what a broken disk, a broken program or a joker makes of a file."""
    rng, data = world.rng, bytearray(old)
    kind = rng.integers(8)
    if kind == 0:
        return b""
    if kind == 1:
        return bytes(data[: rng.integers(len(data))])
    if kind == 2:
        return rng.bytes(int(rng.integers(1, 400)))
    if kind == 3:
        return world.any(
            (b"GIF89a", b"II*\0", b"\xff\xd8\xff\xe0", b"RIFF\0\0\0\0WEBP", b"%PDF-1.7\n")
        )
    if kind == 4:
        return bytes(data) + rng.bytes(50)
    if kind == 5:
        return bomb(*(int(side) for side in rng.integers(0, 2**31, 2)))
    for place in rng.integers(0, len(data), int(rng.integers(1, 12))):
        data[place] = int(rng.integers(256))
    return bytes(data)


def bomb(width: int, height: int) -> bytes:
    def chunk(kind: bytes, content: bytes) -> bytes:
        return (
            struct.pack(">I", len(content))
            + kind
            + content
            + struct.pack(">I", zlib.crc32(kind + content))
        )

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + chunk(b"IDAT", zlib.compress(b"0"))
        + chunk(b"IEND", b"")
    )


def spoil_json(world: World, path: Path) -> None:
    """Change one value somewhere in a JSON file, or its bytes."""
    if world.rng.random() < 0.3:
        path.write_bytes(odd_bytes(world, path.read_bytes()))
        return
    value = json.loads(path.read_text())
    at = value
    while True:
        keys = list(at) if isinstance(at, dict) else list(range(len(at)))
        key = world.any(keys)
        if not isinstance(at[key], (dict, list)) or not at[key] or world.rng.random() < 0.3:
            break
        at = at[key]
    if world.rng.random() < 0.15:
        del at[key]
    else:
        at[key] = odd_value(world)
    path.write_text(json.dumps(value))


def pictures(world: World) -> list[str]:
    """Break a picture."""
    if world.rng.random() < 0.3:
        world.picture.write_bytes(odd_bytes(world, world.picture.read_bytes()))
        more = ["--strips", "3"] if world.rng.random() < 0.3 else ["--piece", "8"]
        return ["cut", str(world.picture), str(world.out), *more]
    broken = world.piece()
    broken.write_bytes(odd_bytes(world, broken.read_bytes()))
    return world.solve("--solver", "pomeranz") if broken.parent == world.puzzle else world.solve()


def manifests(world: World) -> list[str]:
    """Break what is known about the pieces."""
    for folder in (world.puzzle, world.strips):
        spoil_json(world, folder / "puzzle.json")
    return world.solve()


def judged(world: World) -> list[str]:
    """Break an arrangement or a truth."""
    ranked = ["rank", str(world.puzzle), str(world.truth), "--quiet"]
    if world.rng.random() < 0.3:
        return [*ranked, "--measure", "mgc", world.any(RANK_OPTIONS), odd_text(world)]
    spoil_json(world, world.any((world.truth, world.arrangement)))
    if world.rng.random() < 0.3:
        return [*ranked, "--measure", "mgc", "--threads", "1"]
    return ["score", str(world.arrangement), str(world.truth)]


def arguments(world: World) -> list[str]:
    """Give options values that nobody should."""
    value = odd_text(world)
    kind = world.rng.integers(5)
    if kind == 0:
        options = [world.any(CUT_OPTIONS), value]
        return ["cut", str(world.picture), str(world.out), *options]
    if kind == 1:
        return world.solve("--set", f"{world.any(SETTINGS)}={value}")
    if kind == 2:
        any_word = world.any(("solve", "cut", "score", "rank", "list", value))
        return [
            any_word,
            *(str(world.any((*NUMBERS, *TEXTS))) for _ in range(world.rng.integers(1, 3))),
        ]
    if kind == 3:
        scanned = ["--kind", world.any(("tiles", "strips", value))]
        more = [world.any(SOLVE_OPTIONS), value]
        return ["solve", str(world.scan), str(world.out), *USUAL, *scanned, *more]
    return world.solve(world.any(SOLVE_OPTIONS), value)


def links(world: World) -> list[str]:
    """Put links, folders and pipes where files should be."""
    there = world.any((world.piece(), world.puzzle / "puzzle.json", world.truth, world.out))
    there.unlink(missing_ok=True)
    kind = world.rng.integers(5)
    if kind == 0:
        there.symlink_to(there.name)
    elif kind == 1:
        there.symlink_to("nowhere/at all")
    elif kind == 2:
        there.mkdir()
    elif kind == 3:
        there.symlink_to(world.folder)
    else:
        there.symlink_to(world.picture)
    if there == world.truth:
        return ["score", str(world.arrangement), str(world.truth)]
    return world.solve()


def names(world: World) -> list[str]:
    """Give files names that are hard to bear."""
    old = world.piece()
    new = old.with_name(world.any(NAMES))
    old.rename(new)
    if world.rng.random() < 0.5:
        listed = (old.parent / "puzzle.json").read_text()
        (old.parent / "puzzle.json").write_text(
            listed.replace(old.name, json.dumps(new.name)[1:-1])
        )
    elif world.rng.random() < 0.5:
        (old.parent / "puzzle.json").unlink()
    return world.solve()


def wishes(world: World) -> list[str]:
    """Break what a person knows, or the answer to begin with."""
    if world.rng.random() < 0.25:
        spoil_json(world, world.arrangement)
        return [
            "solve",
            str(world.puzzle),
            str(world.out),
            *USUAL,
            "--from",
            str(world.arrangement),
        ]
    path = world.any((world.folder / "wishes.json", world.folder / "wishes.csv"))
    if path.suffix == ".json":
        spoil_json(world, path)
    elif world.rng.random() < 0.3:
        path.write_bytes(odd_bytes(world, path.read_bytes()))
    else:
        rows = [line.split(",") for line in path.read_text().splitlines()]
        row = world.any(rows)
        row[int(world.rng.integers(len(row)))] = str(world.any((*NUMBERS, *TEXTS)))
        path.write_text("\n".join(map(",".join, rows)))
    return ["solve", str(world.puzzle), str(world.out), *USUAL, "--wishes", str(path)]


def exported(world: World) -> list[str]:
    """Break an answer that is to be exported, its pieces, or how."""
    form = world.any(("png", "tiff", "ora", "iiif", "csv", "json", "pdf", "svg", ""))
    more = []
    kind = world.rng.integers(3)
    if kind == 0:
        spoil_json(world, world.arrangement)
    elif kind == 1:
        broken = world.any(sorted(world.puzzle.iterdir()))
        broken.write_bytes(odd_bytes(world, broken.read_bytes()))
    else:
        more = [world.any(EXPORT_OPTIONS), odd_text(world)]
    given = ["export", str(world.arrangement), str(world.out), "--pieces", str(world.puzzle)]
    return [*given, "--as", form, *more]


def collected(world: World) -> list[str]:
    """Break a scan, or say of it what cannot be."""
    more = ["--kind", world.any(("tiles", "strips", "panel", "auto"))]
    if world.rng.random() < 0.4:
        world.scan.write_bytes(odd_bytes(world, world.scan.read_bytes()))
    else:
        if more[1] == "panel" and world.rng.random() < 0.7:
            more += ["--shape", "2x2", "--corners", "5,5 85,5 85,85 5,85"]
        more += [world.any(COLLECT_OPTIONS), odd_text(world)]
    return ["collect", str(world.scan), str(world.out), "--quiet", *more]


def benched(world: World) -> list[str]:
    """Break a suite's picture, or ask for a benchmark that cannot be."""
    suite = world.folder / "suites" / "few"
    value = odd_text(world)
    given = ["--data", str(suite.parent), "--out", str(world.out)]
    kind = world.rng.random()
    if kind < 0.2:  # which names its own solvers, and finds no pictures here
        return ["bench", "paper", *given, world.any(PAPER_OPTIONS), value]
    given += ["--piece", "8", "--threads", "1", "--limit", "1", "--runs", "1"]
    if kind < 0.3:
        studied = ["--on", "few", "--ours", "--measure", "ssd"]
        return ["bench", "ablation", *given, *studied, world.any(BENCH_OPTIONS), value]
    if kind < 0.5:
        lossy = ["--on", "few", "--solver", "paikin_tal", "--missing", "0.1"]
        return ["bench", "odds", *given, *lossy, world.any(BENCH_OPTIONS), value]
    given += ["--solver", "pomeranz"]
    more = []
    if world.rng.random() < 0.3:
        (picture,) = suite.iterdir()
        picture.write_bytes(odd_bytes(world, picture.read_bytes()))
    else:
        more = [world.any(BENCH_OPTIONS), value]
    name = "few" if world.rng.random() < 0.9 else world.any(("ablation", "odds", "paper", value))
    return ["bench", name, *given, *more]


def trained(world: World) -> list[str]:
    """Break a recipe, the pictures to train on, or how to."""
    recipe, more = world.folder / f"{world.any(tuple(RECIPES))}.toml", []
    kind = world.rng.random()
    if kind < 0.6:
        lines = recipe.read_text().splitlines()
        place = int(world.rng.integers(len(lines)))
        name, _, old = lines[place].partition("=")
        if "[" in old and world.rng.random() < 0.8:
            parts = old.strip(" []").split(",")
            parts[int(world.rng.integers(len(parts)))] = odd_toml(world)
            lines[place] = f"{name}= [{', '.join(parts)}]"
        else:
            lines[place] = f"{name}= {odd_toml(world)}"
        recipe.write_text("\n".join(lines))
    elif kind < 0.75:
        recipe.write_bytes(odd_bytes(world, recipe.read_bytes()))
    else:
        more = [world.any(TRAIN_OPTIONS), odd_text(world)]
    data = str(world.folder / "suites" / "few")
    given = ["train", str(recipe), "--data", data, "--out", str(world.out), "--device", "cpu"]
    return [*given, "--quiet", "--seconds", "0.01", *more]


def odd_toml(world: World) -> str:
    """Return a value as TOML writes it that a recipe hardly expects, numbers above all."""
    value = world.any(NUMBERS if world.rng.random() < 0.7 else (*TEXTS, *(10**9, -1.0, 1e-300)))
    return json.dumps(value) if isinstance(value, str) else str(value).lower()


def shown(world: World) -> list[str]:
    """Open the studio, or see the demo, in a way that cannot be."""
    if not STUDIO or world.rng.random() < 0.4:
        out = world.folder / "demo"
        return ["demo", "--quiet", "--out", str(out), world.any(DEMO_OPTIONS), odd_text(world)]
    if world.rng.random() < 0.3:
        project = world.folder / "small.tessella"
        spoil_json(world, project / "project.json")
        return ["studio", str(project), "--no-browser"]
    given, more = world.any((world.puzzle, world.strips, world.picture, world.scan)), []
    if world.rng.random() < 0.5:
        broken = world.piece() if given.is_dir() else given
        broken.write_bytes(odd_bytes(world, broken.read_bytes()))
    else:
        more = [world.any(STUDIO_OPTIONS), odd_text(world)]
    what = str(given) if world.rng.random() < 0.9 else odd_text(world)
    return ["studio", what, "--no-browser", *more]


KINDS: tuple[Callable[[World], list[str]], ...] = (
    *(pictures, manifests, judged, arguments, links, names),
    *(wishes, exported, collected, benched, trained, shown),
)


@pytest.fixture(scope="module")
def good(tmp_path_factory) -> Path:
    """Return a good world's files; not to be changed."""
    return make_good(tmp_path_factory.mktemp("fuzz") / "good")


def make_good(folder: Path) -> Path:
    """Make a puzzle of 3 x 3 pieces of 8 px, strips, and an answer."""
    folder.mkdir()
    picture = np.random.default_rng(5).integers(0, 256, (24, 24, 3), dtype=np.uint8)
    write_image(folder / "picture.png", picture)
    puzzle, truth = cut(picture, 8, turned=True, seed=1)
    known = write_puzzle(folder / "puzzle", puzzle)
    write_json(folder / "truth.json", truth.to_json(known))
    write_json(folder / "arrangement.json", truth.arrangement.to_json(known))
    strips, _ = cut_strips([picture[:, :, 0].copy()], 4, seed=1)
    write_puzzle(folder / "strips", strips)
    scan = np.full((90, 90, 3), (200, 120, 30), np.uint8)
    scan[10:40, 10:40], scan[50:80, 45:75] = 250, 240
    write_image(folder / "scan.png", scan)
    (folder / "suites" / "few").mkdir(parents=True)
    write_image(folder / "suites" / "few" / "a.png", np.tile(picture, (2, 2, 1)))
    for name, text in RECIPES.items():
        (folder / f"{name}.toml").write_text(text)
    order = intake.Order(str(folder / "puzzle"), str(folder / "small.tessella"), "small", "pieces")
    intake.run(order)
    write_json(folder / "wishes.json", wished(known))
    cells = (known[0], "North", "1", "1", "0", "yes", ""), (known[1], "", "", "", "1", "", "")
    rows = "file,panel,row,col,turns,locked,note", *map(",".join, cells)
    (folder / "wishes.csv").write_text("\n".join(rows))
    return folder


def wished(known) -> dict:
    """Return a wish of every kind."""
    cell = {"sheet": 0, "row": 0, "col": 0}
    return {
        "version": 1,
        "fixed": [{"piece": known[0], **cell, "turns": 1}],
        "joined": [[[known[1], "right"], [known[2], "left"]]],
        "forbidden": [[[known[3], "top"], [known[4], "bottom"]]],
        "barred": [{"piece": 5, **cell}],
        "together": [[known[0], known[1]]],
        "upright": [{"piece": known[6], "turns": 2}],
        "codes": [{"piece": known[7], "row": 1, "panel": "North"}],
    }


def tree(folder: Path) -> set[str]:
    """Return all that lies in a folder, what torch keeps for itself excepted."""
    every = {str(path.relative_to(folder)) for path in folder.rglob("*")}
    return {name for name in every if "torchinductor" not in name}


def run(arguments: list[str]) -> tuple[int, str, str]:
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = main(arguments)
    return code, out.getvalue(), err.getvalue()


def complaint(code: int, err: str, left: set[str]) -> str | None:
    """Return what is wrong with how a command ended."""
    if code not in (0, 2):
        return f"ended with {code}: {err[:300]}"
    if code == 0:
        return None if "Traceback" not in err else err
    err = "".join(line for line in err.splitlines(True) if not line.startswith("Making "))
    if len(err.splitlines()) != 1 or not err.rstrip().endswith("."):
        return f"said {err[:300]!r}"
    if len(err) > 1200 or not err.rstrip("\n").isprintable():
        return f"said too much: {err[:300]!r}"
    return f"left {sorted(left)[:5]}" if left else None


def served(desk, listening, say, *, browser):
    """Take the place of a studio that would stay."""
    listening.close()
    desk.close()


@pytest.mark.parametrize("batch", range(BATCHES))
def test_malformed_input_ends_in_one_sentence_or_an_answer(batch, good, tmp_path, monkeypatch):
    # What is written well is tested elsewhere; a report takes longer than all else here.
    monkeypatch.setattr(output, "write_report", lambda *_, **__: None, raising=True)
    if find_spec("torch"):
        monkeypatch.setattr("tessella.learning.train.calibrated", lambda *_: None)
    monkeypatch.setattr("tessella.pictures.demo_picture", lambda: np.zeros((56, 84, 3), np.uint8))
    if STUDIO:
        monkeypatch.setattr("tessella.studio.server.bind", lambda port: socket.socket())
        monkeypatch.setattr("tessella.studio.server.serve", served)
    monkeypatch.chdir(tmp_path)
    aside = tmp_path / "tmp"
    aside.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(aside))
    wrong = []
    for number in range(batch * PER_BATCH, (batch + 1) * PER_BATCH):
        rng = np.random.default_rng([16, number])
        folder = tmp_path / "world"
        world = World(good, folder, rng)
        kind = KINDS[number % len(KINDS)]
        given = kind(world)
        before = tree(tmp_path)
        code, _, err = run(given)
        left = tree(tmp_path) - before
        told = complaint(code, err, left if code == 2 else tree(aside))
        if told:
            wrong.append(f"{number} {kind.__name__} {[a[-60:] for a in given]}: {told}")
        shutil.rmtree(folder)
        for path in tmp_path.iterdir():  # an answer written beside it, as for `demo -`
            if path != aside:
                shutil.rmtree(path) if path.is_dir() else path.unlink()
    assert not wrong, "\n".join(wrong)
