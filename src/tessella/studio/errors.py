"""What can go wrong in a project, beside what tessella knows already.

::

    InputError
    ├── Refused      an act that the project as it stands does not allow
    │   └── Conflict     what the act touches was changed by somebody else meanwhile
    └── Unreadable   a project folder that is none, or whose events cannot be read
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from tessella.errors import InputError


class Refused(InputError):
    """An act that the project as it stands does not allow."""


class Conflict(Refused):
    """What the act touches was changed after the version that the act was based on."""


class Unreadable(InputError):
    """A folder that is no project, or whose events cannot be read."""


SETTINGS = {
    "shape": "rows and columns",
    "panels": "the number of panels",
    "pages": "the number of pages",
    "wishes": "what was said",
    "from": "what lies there",
    "kind": "what these are",
    "threads": "the number of threads",
}
"""What the page calls what is an option of the command line."""


def worded(sentence: str) -> str:
    """Return a refusal that calls settings as the page does.

    >>> worded("Leave a wish out, or give a larger --shape.")
    'Leave a wish out, or give larger rows and columns.'
    """
    plain = re.sub(r"\ba (\w+) --shape\b", r"\1 rows and columns", sentence)
    return re.sub(r"--([a-z][a-z-]*)", lambda match: SETTINGS.get(match[1], match[1]), plain)


def named(sentence: str, names: Sequence[str]) -> str:
    """Return a refusal that calls pieces by the names of their files and not by their numbers.

    >>> named("Pieces 0 and 1 cannot lie in one cell.", ["a.png", "b.png"])
    'Pieces a.png and b.png cannot lie in one cell.'
    """

    def called(match: re.Match[str]) -> str:
        numbers = [int(each) for each in match["numbers"].split(" and ")]
        if max(numbers) >= len(names):
            return match[0]
        return f"{match['what']} {' and '.join(names[each] for each in numbers)}"

    pattern = r"\b(?P<what>[Pp]ieces?) (?P<numbers>\d{1,9}(?: and \d{1,9})?)\b(?! to \d)"
    return re.sub(pattern, called, sentence)
