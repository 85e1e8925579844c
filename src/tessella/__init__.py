"""tessella puts pictures back together from shuffled pieces.

Cut a picture into turned pieces, put it back together, and compare with the truth:

>>> import tessella
>>> picture = tessella.demo_picture()[:280, :336]
>>> puzzle, truth = tessella.cut(picture, 56, turned=True, seed=1)
>>> puzzle.upright, puzzle.shape, len(puzzle)
(False, (5, 6), 30)
>>> result = tessella.solve(puzzle)
>>> tessella.score(result, truth).neighbor
1.0
>>> tessella.render(puzzle, result.arrangement.sheets[0]).shape in [(280, 336, 3), (336, 280, 3)]
True

The same in parts, to change one of them:

>>> plan = tessella.make_plan(measure="ssd", solver="paikin_tal")
>>> prepared = tessella.prepare(puzzle, plan)
>>> tessella.search(prepared).settings["measure"]["name"]
'ssd'

Nothing heavy is imported until it is used.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tessella.api import Prepared, prepare, score, search, solve
    from tessella.arrangement import Arrangement, Sheet
    from tessella.compatibility import Compatibility
    from tessella.documents.cut import cut_strips
    from tessella.documents.pages import read_pages
    from tessella.documents.pagination import paginate
    from tessella.documents.strips import Strips
    from tessella.errors import InputError, RunError, TessellaError
    from tessella.imaging.cut import cut, cut_panels
    from tessella.imaging.folder import read_puzzle, write_puzzle
    from tessella.imaging.read import read_image, write_image
    from tessella.imaging.render import render, scrambled
    from tessella.output import write_result
    from tessella.panels import Panels
    from tessella.pictures import demo_picture
    from tessella.plan import Plan, make_plan
    from tessella.puzzle import Puzzle
    from tessella.questions import next_questions
    from tessella.report import write_report
    from tessella.result import Result
    from tessella.session import Session
    from tessella.truth import Truth
    from tessella.wishes import Wishes
    from tessella.wishes.files import read_wishes

__version__ = "0.1.0"

__all__ = [
    "Arrangement",
    "Compatibility",
    "InputError",
    "Panels",
    "Plan",
    "Prepared",
    "Puzzle",
    "Result",
    "RunError",
    "Session",
    "Sheet",
    "Strips",
    "TessellaError",
    "Truth",
    "Wishes",
    "__version__",
    "cut",
    "cut_panels",
    "cut_strips",
    "demo_picture",
    "make_plan",
    "next_questions",
    "paginate",
    "prepare",
    "read_image",
    "read_pages",
    "read_puzzle",
    "read_wishes",
    "render",
    "score",
    "scrambled",
    "search",
    "solve",
    "write_image",
    "write_puzzle",
    "write_report",
    "write_result",
]

_HOMES = {
    "tessella.api": ("Prepared", "prepare", "score", "search", "solve"),
    "tessella.arrangement": ("Arrangement", "Sheet"),
    "tessella.compatibility": ("Compatibility",),
    "tessella.documents.cut": ("cut_strips",),
    "tessella.documents.pages": ("read_pages",),
    "tessella.documents.pagination": ("paginate",),
    "tessella.documents.strips": ("Strips",),
    "tessella.errors": ("InputError", "RunError", "TessellaError"),
    "tessella.imaging.cut": ("cut", "cut_panels"),
    "tessella.imaging.folder": ("read_puzzle", "write_puzzle"),
    "tessella.imaging.read": ("read_image", "write_image"),
    "tessella.imaging.render": ("render", "scrambled"),
    "tessella.output": ("write_result",),
    "tessella.panels": ("Panels",),
    "tessella.pictures": ("demo_picture",),
    "tessella.plan": ("Plan", "make_plan"),
    "tessella.puzzle": ("Puzzle",),
    "tessella.questions": ("next_questions",),
    "tessella.report": ("write_report",),
    "tessella.result": ("Result",),
    "tessella.session": ("Session",),
    "tessella.truth": ("Truth",),
    "tessella.wishes": ("Wishes",),
    "tessella.wishes.files": ("read_wishes",),
}
_HOME = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
