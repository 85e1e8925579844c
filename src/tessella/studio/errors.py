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


def named(sentence: str, names: Sequence[str]) -> str:
    """Return a refusal that calls pieces by the names of their files and not by their numbers.

    >>> named("Pieces 0 and 1 cannot lie in one cell.", ["a.png", "b.png"])
    'Pieces a.png and b.png cannot lie in one cell.'
    """

    def called(found: re.Match[str]) -> str:
        numbers = [int(each) for each in found["numbers"].split(" and ")]
        if max(numbers) >= len(names):
            return found[0]
        return f"{found['what']} {' and '.join(names[each] for each in numbers)}"

    return re.sub(r"\b(?P<what>Pieces?) (?P<numbers>\d{1,9}(?: and \d{1,9})?)\b", called, sentence)
