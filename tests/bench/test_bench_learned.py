"""``tessella bench`` with a learned measure."""

import pytest

from tessella.bench.records import Journal, Record
from tessella.bench.session import Wish, serve
from tessella.errors import InputError

pytestmark = pytest.mark.usefixtures("shipped")


def asked(data, out, **more):
    given = {"measure": "dlcm", "solver": "none", "threads": 1, "limit": 1}
    serve(Wish(name="tiny", data=data, out=out, **(given | more)))
    return Journal(out).records


@pytest.mark.parametrize("model", [None, "tiny-12"], ids=["chosen", "given"])
def test_the_record_says_which_model_and_how_often_the_truth_was_scored(
    data, tmp_path, model, capsys
):
    (record,) = asked(data, tmp_path / "out", model=model)
    assert record.model == "tiny-12"
    assert 0.5 < record.ranks.recall <= 1
    assert record.ranks.k == 5
    assert Record.from_json(record.to_json()) == record
    told = capsys.readouterr()
    assert "of 5" in told.out
    assert "model tiny-12" in told.err


def test_a_classical_measure_has_neither(data, tmp_path, capsys):
    (record,) = asked(data, tmp_path / "out", measure="ssd")
    assert record.model is None
    assert record.ranks.recall is None


def test_a_model_for_a_classical_measure_is_refused(data, tmp_path):
    with pytest.raises(InputError, match="'model'"):
        asked(data, tmp_path / "out", measure="ssd", model="tiny-12")
