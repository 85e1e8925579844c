"""What can go wrong in a project, beside what tessella knows already.

::

    InputError
    ├── Refused      an act that the project as it stands does not allow
    │   └── Conflict     what the act touches was changed by somebody else meanwhile
    └── Unreadable   a project folder that is none, or whose events cannot be read
"""

from __future__ import annotations

from tessella.errors import InputError


class Refused(InputError):
    """An act that the project as it stands does not allow."""


class Conflict(Refused):
    """What the act touches was changed after the version that the act was based on."""


class Unreadable(InputError):
    """A folder that is no project, or whose events cannot be read."""
