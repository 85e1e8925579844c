"""What is usual for documents."""

from __future__ import annotations

from tessella.usual import Usual

STRIPS = Usual("ink", "path")
"""For strips with straight sides."""

SHREDS = Usual("contour", "path")
"""For shreds, which have rims of their own."""
