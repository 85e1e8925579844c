"""A PNG picture of every sheet."""

from __future__ import annotations

from tessella.exports import Target
from tessella.imaging.read import write_image


def write(target: Target) -> None:
    """Write assembled.png, assembled-002.png, ..."""
    for number, image in target.drawn():
        write_image(target.named(number, "assembled", ".png"), image)
