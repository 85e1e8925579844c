"""What several test files share: small puzzles, and the command line called in this process."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from hypothesis import settings

from tessella.cli import main
from tessella.files import write_json
from tessella.imaging.cut import cut
from tessella.imaging.folder import write_puzzle
from tessella.imaging.read import write_image
from tessella.pictures import demo_picture

SRC = Path(__file__).parent.parent / "src"

# The same examples in every run: a failure is then the change's, not chance's.
settings.register_profile("steady", derandomize=True, deadline=None)
settings.load_profile("steady")


@dataclass(frozen=True)
class Called:
    """What a command said and how it ended."""

    code: int
    out: str
    err: str


@pytest.fixture
def call(capsys):
    """Return a function that runs ``tessella ARGUMENTS`` in this process."""

    def run(*arguments: object) -> Called:
        capsys.readouterr()
        code = main([str(argument) for argument in arguments])
        told = capsys.readouterr()
        return Called(code, told.out, told.err)

    return run


@pytest.fixture(scope="session")
def picture() -> np.ndarray:
    """A part of the demo picture that every solver gets right: 5 x 6 pieces of 56 px."""
    return demo_picture()[:280, :336]


@pytest.fixture(scope="session")
def cut_folder(tmp_path_factory, picture) -> Path:
    """What ``tessella cut`` makes of a picture, turned; not to be changed by a test."""
    folder = tmp_path_factory.mktemp("cut")
    write_image(folder / "picture.png", picture)
    puzzle, truth = cut(picture, 56, turned=True, seed=3)
    write_json(folder / "truth.json", truth.to_json(write_puzzle(folder / "puzzle", puzzle)))
    return folder


@pytest.fixture(scope="session")
def environment() -> dict[str, str]:
    """Return the environment in which another Python finds this tessella."""
    return {**os.environ, "PYTHONPATH": str(SRC)}
