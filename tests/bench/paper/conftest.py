"""A small plan on a small suite."""

import pytest

from tessella.bench.configuration import Setup
from tessella.bench.paper import session
from tessella.bench.paper.plan import Column, Entry, Method
from tessella.imaging.read import read_image, write_image


@pytest.fixture
def home(tmp_path, data):
    """A data folder with nothing but two small pictures in a suite `few`."""
    folder = tmp_path / "home" / "bench" / "few"
    folder.mkdir(parents=True)
    for name in ("1.png", "2.png"):
        write_image(folder / name, read_image(data / "tiny" / name)[:84, :112])
    return tmp_path / "home"


@pytest.fixture
def small(monkeypatch):
    """The plan is three quick methods on the suite `few`."""
    column = Column("few", Setup(), "Few", "bench", "photo-28")
    methods = (Method("l1", "none", "", 0), Method("l1", "paikin_tal"), Method("mgc", "gallagher"))
    entries = tuple(
        Entry("a table", m.label, column, m.configuration(column), m.runs, None) for m in methods
    )
    monkeypatch.setattr(session, "plan", lambda **_: entries)
    return entries
