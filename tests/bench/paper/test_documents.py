"""Pages that are shredded for the paper's last table."""

import json

import numpy as np
import pytest

from tessella.bench.paper import documents
from tessella.errors import FormatError
from tessella.imaging.read import write_image
from tessella.provenance import UNKNOWN, provenance


@pytest.fixture
def page(tmp_path, monkeypatch):
    """A page that is cut into six strips."""
    monkeypatch.setattr(documents, "STRIPS_A_PAGE", 6)
    rng = np.random.default_rng(3)
    ink = np.kron(rng.integers(0, 2, (12, 18)), np.ones((10, 10))) * 255
    file = tmp_path / "page.png"
    write_image(file, np.repeat(ink.astype(np.uint8)[..., None], 3, axis=2))
    return file


def test_pages_are_shredded_alone_and_together_and_never_twice(page, tmp_path):
    ledger = documents.Ledger(tmp_path)
    told = []
    documents.shred([page], ledger, threads=1, tell=told.append)
    assert [key[2:] for key in ledger.held] == [
        *((1, 1, False), (0, 1, False), (1, 1, True), (0, 1, True)),
    ]
    assert all(answer.strips == 6 and 0 <= answer.content <= 1 for answer in ledger.held.values())
    ledger.path.write_text(ledger.path.read_text()[:-9])
    again = documents.Ledger(tmp_path)
    assert len(again.held) == 3
    documents.shred([page], again, threads=1, tell=told.append)
    assert len(told) == 5
    rows = documents.table(again).rows
    assert [row[2] for row in rows[:2]] == ["99.5", "97.1"]
    assert len([row for row in rows if row[0].startswith("ink, page.png")]) == 4
    documents.shred([page], again, measure="ssd", limit=1, threads=1)
    assert len(again.held) == 8


def test_a_ledger_of_something_else_is_refused(tmp_path):
    (tmp_path / "documents.jsonl").write_text('{"a": 1}\n')
    with pytest.raises(FormatError, match="not of this command"):
        documents.Ledger(tmp_path)
    (tmp_path / "documents.jsonl").unlink()
    assert documents.table(documents.Ledger(tmp_path)).rows[-1][1] == "not run"


def test_answers_say_what_made_them_and_those_of_earlier_versions_can_be_read(page, tmp_path):
    ledger = documents.Ledger(tmp_path)
    documents.shred([page], ledger, limit=1, threads=1)
    lines = [json.loads(line) for line in ledger.path.read_text().splitlines()]
    made = provenance()
    assert all((each["commit"], each["machine"]) == (made.commit, made.machine) for each in lines)
    assert documents.Ledger(tmp_path).held == ledger.held
    for each in lines:
        del each["versions"], each["commit"], each["machine"]
    ledger.path.write_text("".join(json.dumps(each) + "\n" for each in lines))
    again = documents.Ledger(tmp_path).held
    assert list(again) == list(ledger.held)
    assert {each.made_with for each in again.values()} == {UNKNOWN}
