"""What is said beside the tables."""

from dataclasses import replace

from tessella.bench.paper.answers import Answers
from tessella.bench.paper.plan import TYPE_1, Method, plan
from tessella.bench.paper.results import Call, _missing, calls, note_call
from tessella.bench.records import Means
from tessella.provenance import provenance

MEANS = Means.here(1, 1, "auto")
MIT = TYPE_1.columns[0]
GALLAGHER = Method("mgc", "gallagher", "Gallagher").configuration(MIT)
GENETIC = Method("dlcm", "genetic").configuration(MIT)


def test_a_call_that_did_nothing_is_not_noted(tmp_path):
    note_call(tmp_path, Call.of(MEANS, quick=False, cells=0))
    assert calls(tmp_path) == []
    note_call(tmp_path, Call.of(MEANS, quick=True, cells=3))
    (call,) = calls(tmp_path)
    assert "3 cells" in call.sentence()
    assert "the quick subset" in call.sentence()
    assert call.commit == (provenance().commit or "")


def test_a_call_of_an_earlier_version_tells_its_cores_too(tmp_path):
    earlier = replace(Call.of(MEANS, quick=False, cells=3), machine="Linux x86_64", cores=7)
    note_call(tmp_path, earlier)
    (call,) = calls(tmp_path)
    assert "on Linux x86_64, 7 cores, with" in call.sentence()
    later = replace(earlier, machine="Linux x86_64, A processor, 2 cores, 8 GiB")
    assert "on Linux x86_64, A processor, 2 cores, 8 GiB, with" in later.sentence()


def test_what_was_not_run_is_told_once_for_rows_that_miss_the_same(recorded):
    made = [recorded(by=GALLAGHER), recorded(seed=1, by=GENETIC)]
    lines = _missing(Answers(made), plan(), {})
    found = [line for line in lines if line.startswith("2.")]
    assert any("mgc, linear / mgc, loops / mgc, genetic: MIT 432: 0/20" in line for line in found)
    assert any("mgc, gallagher: MIT 432: 1/20; McGill 540: 0/20" in line for line in found)
    assert any("dlcm, genetic: MIT 432: 1/20 (all 5 runs: 0)" in line for line in found)
