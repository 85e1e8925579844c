"""Records survive kills; the journal knows each cell once."""

import json

import pytest

from tessella.bench import records
from tessella.bench.records import NAME, Journal, Means, Record
from tessella.errors import FormatError, OutputError
from tessella.provenance import Provenance, provenance


def test_json_brings_the_same_record_back(recorded, ranked):
    for record in (recorded(), ranked()):
        assert Record.from_json(json.loads(json.dumps(record.to_json()))) == record


def test_a_record_is_one_flat_line_for_other_programs(tmp_path, recorded):
    Journal(tmp_path).append(recorded(neighbor=0.25, fitness=80.0))
    (line,) = (tmp_path / NAME).read_text().splitlines()
    value = json.loads(line)
    assert (value["neighbor"], value["fitness"], value["truth_fitness"]) == (0.25, 80, 100)
    assert value["seconds"]["solving"] == 2
    assert value["configuration"]["solver"]["name"] == "imagined"


def test_a_record_says_which_program_made_it_on_what_machine(recorded):
    value = recorded().to_json()
    assert value["versions"] == {"numpy": "2"}
    assert (value["commit"], value["machine"]) == ("0123456789ab", "A machine")


def test_a_record_of_an_earlier_version_can_be_read(recorded):
    value = recorded().to_json()
    del value["commit"], value["machine"]
    read = Record.from_json(value).means.made_with
    assert read == Provenance((("numpy", "2"),), None, "")


def test_means_share_the_cores_out_among_the_jobs(monkeypatch):
    monkeypatch.setattr(records, "available", lambda: 8)
    assert [Means.here(None, jobs, "cpu").threads for jobs in (1, 3, 9)] == [8, 2, 1]
    assert Means.here(5, 3, "cpu").threads == 5
    assert Means.here(1, 1, "cpu").made_with == provenance()


def test_a_new_journal_is_empty(tmp_path):
    assert Journal(tmp_path).records == ()


def test_a_journal_reads_what_another_wrote(tmp_path, recorded):
    first = Journal(tmp_path)
    first.append(recorded("1.png"))
    first.append(recorded("2.png"))
    second = Journal(tmp_path)
    assert second.records == first.records
    assert recorded("2.png").cell in second
    assert recorded("2.png", seed=2).cell not in second


@pytest.mark.parametrize("cut", [1, 40])
def test_a_half_line_is_forgotten_and_later_lines_start_anew(tmp_path, recorded, cut):
    first = Journal(tmp_path)
    first.append(recorded("1.png"))
    first.append(recorded("2.png"))
    content = first.path.read_bytes()
    first.path.write_bytes(content[:-cut])
    second = Journal(tmp_path)
    assert [record.cell.picture for record in second.records] == ["1.png"]
    second.append(recorded("2.png"))
    assert first.path.read_bytes() == content


def test_a_file_of_half_a_line_alone_is_empty(tmp_path):
    (tmp_path / NAME).write_text('{"suite": "mi')
    assert Journal(tmp_path).records == ()
    assert (tmp_path / NAME).read_text() == ""


@pytest.mark.parametrize("line", ["{", "[]", "3", '{"suite": "mit_432"}'])
def test_a_whole_line_that_is_no_record_is_refused_by_its_number(tmp_path, recorded, line):
    journal = Journal(tmp_path)
    journal.append(recorded())
    with journal.path.open("a") as file:
        file.write(line + "\n")
    with pytest.raises(FormatError, match="Line 2 of"):
        Journal(tmp_path)


def test_a_cell_written_twice_counts_once(tmp_path, recorded):
    journal = Journal(tmp_path)
    journal.append(recorded(neighbor=0.5))
    journal.append(recorded(neighbor=0.75))
    assert len(Journal(tmp_path).records) == 1


def test_a_journal_that_cannot_be_written_says_so(tmp_path, recorded):
    journal = Journal(tmp_path)
    journal.path.mkdir()
    with pytest.raises(OutputError, match="Cannot write"):
        journal.append(recorded())


def test_the_gap_is_relative_to_the_truth(recorded):
    assert recorded(fitness=95.0).outcome.gap == pytest.approx(0.05)
    assert recorded(fitness=101.0).outcome.gap == pytest.approx(-0.01)
