"""What is usual for documents."""

from __future__ import annotations

from tessella.usual import Usual

STRIPS = Usual("ink", "path")
"""For strips with clean sides."""

SHREDS = Usual("shreds", "path")
"""For strips whose sides are worn: what a shredder leaves."""
