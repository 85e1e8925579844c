"""Outlining: pieces found in photographs and scans, for a person to look at before they are used.

`find` collects in a process of its own (``python -m tessella.studio.outlining ORDER.json``) into a
folder; `amended` makes of it the pieces of a project, with what the person said about outlines.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from tessella.collect.piece import Piece
from tessella.collect.recut import corners_of, recut, strip_size
from tessella.errors import InputError
from tessella.files import read_json, write_json
from tessella.imaging import manifest
from tessella.studio import fence

SHOWN = 1600
"""Pixels along the longer side of a picture as the page shows it."""

PICTURES = "pictures.json"
LIST = "collect.json"


@dataclass(frozen=True)
class Search:
    """Where to look for pieces.

    Attributes
    ----------
    source : a folder of pictures, a picture or a zip, as uploaded
    folder : takes what was found; new
    kind : "tiles" or "strips"
    memory : bytes that looking may take
    """

    source: str
    folder: str
    kind: str
    memory: int = fence.MEMORY

    def __post_init__(self) -> None:
        if self.kind not in ("tiles", "strips"):
            raise InputError("Outlines are looked for in photographs of tiles or scans of strips.")


def find(search: Search, tell: Callable[[dict[str, Any]], None] | None = None) -> dict[str, Any]:
    """Look for pieces; return what the page shows of them."""
    fence.run("tessella.studio.outlining", asdict(search), tell)
    return listing(Path(search.folder))


def listing(folder: Path) -> dict[str, Any]:
    """Return the pictures, and of every piece its picture, its corners and its doubts."""
    pictures, listed = read_json(folder / PICTURES)["pictures"], read_json(folder / LIST)
    number = {each["name"]: k for k, each in enumerate(pictures)}
    return {
        "pictures": [{key: each[key] for key in ("name", "width", "height")} for each in pictures],
        "pieces": [
            {
                "name": each["file"],
                "picture": number[each["source"]],
                "corners": [list(corner) for corner in corners_of(each["outline"])],
                "doubts": each["doubts"],
            }
            for each in listed["pieces"]
        ],
        "notes": listed["notes"],
    }


def _find(order: dict[str, Any]) -> None:
    """Collect, and draw every picture small enough for a page."""
    from tessella.collect.collection import collect
    from tessella.collect.settings import Settings
    from tessella.collect.source import read_source
    from tessella.collect.writing import write_collection
    from tessella.studio.intake import opened, pictures_of

    search, watch = Search(**order), fence.Teller()
    folder = Path(search.folder)
    folder.mkdir()
    pictures = pictures_of(opened(Path(search.source), folder))
    write_collection(folder, collect(pictures, Settings(search.kind), watch))
    watch.stage("drawing", len(pictures))
    listed = []
    for number, path in enumerate(pictures):
        source = read_source(path)
        height, width = (round(side / source.scale) for side in source.image.shape[:2])
        image = Image.fromarray(source.image)
        image.thumbnail((SHOWN, SHOWN))
        image.save(folder / f"shown-{number}.jpg", quality=85)
        listed.append({"name": path.name, "path": str(path), "width": width, "height": height})
        watch.advance()
    write_json(folder / PICTURES, {"pictures": listed})


def amended(folder: Path, said: Sequence[Mapping[str, Any]]) -> None:
    """Change what `find` wrote as a person said; runs behind the fence.

    Parameters
    ----------
    said : of every outline that was looked at ``piece``, its number, or ``picture`` for a new one;
        ``corners``, if they were set; ``keep``: false leaves it out. One with nothing else is right
    """
    listed = read_json(folder / LIST)
    pictures = [Path(each["path"]) for each in read_json(folder / PICTURES)["pictures"]]
    knife = _Knife(listed, pictures)
    pieces: dict[int, dict[str, Any]] = dict(enumerate(listed["pieces"]))
    next_ = count = len(pieces)
    for each in said:
        at = each.get("piece")
        if at is None:
            at, next_ = next_, next_ + 1
        elif not 0 <= at < count:
            raise InputError(f"There is no outline {at}; {count} were found.")
        if each.get("corners") is not None and each.get("keep", True):
            cut = knife.cut(each["corners"], pieces.get(at), each.get("picture"))
            name = pieces[at]["file"] if at in pieces else knife.name(at)
            Image.fromarray(cut.image).save(folder / "puzzle" / name)
            pieces[at] = cut.to_json(name)
        elif not each.get("keep", True):
            pieces.pop(at, None)
        elif at < count:
            pieces[at] = {**listed["pieces"][at], "doubts": []}
    _keep(folder, listed, list(pieces.values()))


class _Knife:
    """Cuts pieces out of the pictures that others were found in, at the size of those."""

    def __init__(self, listed: dict[str, Any], pictures: Sequence[Path]) -> None:
        from tessella.collect.source import read_source

        pieces = listed["pieces"]
        self.kind = listed["kind"]
        self.scale = float(np.median([each["scale"] for each in pieces]))
        self.side = pieces[0]["height"], pieces[0]["width"]
        self.number = {path.name: k for k, path in enumerate(pictures)}
        self.read = lru_cache(maxsize=1)(lambda number: read_source(pictures[number]))

    def name(self, number: int) -> str:
        """Return the name of the file of a new piece."""
        return f"{self.kind[:-1]}_{number + 1:04d}.png"

    def cut(
        self, corners: Sequence[Any], held: Mapping[str, Any] | None, picture: int | None
    ) -> Piece:
        """Cut out what lies between corners of the picture that `held` is from, or of `picture`."""
        where = picture if held is None else self.number[held["source"]]
        if where is None or not 0 <= where < len(self.number):
            raise InputError(f"A new outline lies in one of the {len(self.number)} pictures.")
        points = [(float(x), float(y)) for x, y in corners]
        size = strip_size(points, self.scale) if self.kind == "strips" else self.side
        return recut(self.read(where), points, size)


def _keep(folder: Path, listed: dict[str, Any], pieces: list[dict[str, Any]]) -> None:
    """Write both lists anew, of the pieces that stay."""
    if len(pieces) < 2:
        raise InputError("A project needs two pieces or more; keep some outlines.")
    known = read_json(folder / "puzzle" / manifest.NAME)
    for name in set(known["pieces"]) - {piece["file"] for piece in pieces}:
        (folder / "puzzle" / name).unlink()
    (folder / "contact.png").unlink(missing_ok=True)
    write_json(folder / LIST, {**listed, "pieces": pieces})
    names = [piece["file"] for piece in pieces]
    write_json(folder / "puzzle" / manifest.NAME, {**known, "pieces": names})


if __name__ == "__main__":
    sys.exit(fence.inside(_find))
