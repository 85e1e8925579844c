"""Cells are done once, whatever comes between."""

from dataclasses import replace

import pytest

from tessella import api
from tessella.bench.configuration import Setup, configure
from tessella.bench.records import Journal, Means
from tessella.bench.runner import carry_out
from tessella.bench.suites import pictures
from tessella.bench.tasks import Order
from tessella.errors import InputError

MEANS = Means(1, 1, "auto")


@pytest.fixture
def order(data):
    return Order("tiny", pictures("tiny", data), (configure("l1", "paikin_tal"),), (1, 2), MEANS)


@pytest.fixture
def out(tmp_path):
    folder = tmp_path / "out"
    folder.mkdir()
    return folder


def done(order, out):
    """Carry `order` out and return the cells that had to be done."""
    cells = []
    journal = Journal(out)
    carry_out(order.tasks(journal), journal, lambda record, *_: cells.append(record.cell))
    return cells


def timeless(journal):
    """Return the records without what differs between two runs of the same cell."""
    return {
        record.cell: (record.pieces, record.shape, record.outcome, record.ranks)
        for record in journal.records
    }


def test_every_picture_and_seed_is_a_cell(order, out):
    cells = done(order, out)
    assert [(cell.picture, cell.seed) for cell in cells] == [
        (name, seed) for name in ("1.png", "2.png", "10.png") for seed in (1, 2)
    ]
    records = Journal(out).records
    assert {record.cell for record in records} == set(cells)
    assert [record.shape for record in records[::2]] == [(4, 5), (4, 5), (4, 3)]
    assert all(record.seconds.measuring > 0 for record in records)
    assert all(record.outcome.fitness > 0 for record in records)


def test_a_second_call_does_nothing(order, out):
    done(order, out)
    assert done(order, out) == []


def test_more_runs_do_only_the_new_ones(order, out):
    done(order, out)
    assert {cell.seed for cell in done(replace(order, seeds=(1, 2, 3)), out)} == {3}


def test_a_killed_call_is_taken_up_where_it_stopped(order, out):
    done(order, out)
    whole = timeless(Journal(out))
    path = Journal(out).path
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:3]) + lines[3][: len(lines[3]) // 2])
    assert [(cell.picture, cell.seed) for cell in done(order, out)] == [
        ("2.png", 2),
        ("10.png", 1),
        ("10.png", 2),
    ]
    assert timeless(Journal(out)) == whole


def test_another_configuration_is_done_and_kept_beside_the_first(order, out):
    done(order, out)
    other = replace(order, configurations=(configure("l1", "paikin_tal", {"scale": "2"}),))
    assert len(done(other, out)) == 6
    assert len(Journal(out).records) == 12


def test_a_picture_is_measured_once_for_all_its_cells(order, out, tmp_path, monkeypatch):
    sizes = []

    def counting(puzzle, *args, **kwargs):
        sizes.append(len(puzzle))
        return measure(puzzle, *args, **kwargs)

    measure = api.measure
    both = (*order.configurations, configure("l1", "paikin_tal", {"adjust": "minmax"}))
    order = replace(order, configurations=both, top=True)
    (tmp_path / "warm").mkdir()
    done(order, tmp_path / "warm")
    monkeypatch.setattr(api, "measure", counting)
    assert len(done(order, out)) == 3 * 5
    assert sizes == [20, 20, 12]


def test_two_processes_find_what_one_finds(order, out, tmp_path):
    order = replace(order, top=True)
    done(order, out)
    (tmp_path / "both").mkdir()
    done(replace(order, means=replace(MEANS, jobs=2)), tmp_path / "both")
    assert timeless(Journal(tmp_path / "both")) == timeless(Journal(out))


def test_ranks_are_recorded_beside_the_runs_or_alone(order, out):
    done(replace(order, configurations=(configure("l1", "none"),)), out)
    ranks = [record.ranks for record in Journal(out).records]
    assert len(ranks) == 3
    for rank in ranks:
        assert 0 < rank.before[0] <= rank.before[1] <= rank.before[2] <= rank.before[3] <= 1
        assert len(rank.after) == 4
    cells = done(replace(order, top=True), out)
    assert all(cell.seed is not None for cell in cells)  # The ranks were there already.


@pytest.mark.parametrize(
    "setup",
    [
        Setup(turned=True),
        Setup(turned=True, shape_known=False),
        Setup(shape_known=False),
        Setup(erode=1, piece=14),
    ],
)
def test_every_setup_is_carried_out(order, out, setup):
    by = configure("l1", "paikin_tal", setup=setup)
    done(replace(order, pictures=order.pictures[:1], configurations=(by,), seeds=(1,)), out)
    (record,) = Journal(out).records
    assert record.pieces == 20 * (28 // setup.piece) ** 2
    assert record.outcome.score.neighbor > 0.3
    assert record.cell.configuration.setup == setup


def test_a_piece_larger_than_a_picture_is_refused(order, out):
    by = configure("l1", "paikin_tal", setup=Setup(piece=200))
    with pytest.raises(InputError, match="smaller than one piece"):
        done(replace(order, configurations=(by,)), out)
    assert Journal(out).records == ()


def test_the_shuffle_does_not_depend_on_the_run(order, out):
    done(order, out)
    records = Journal(out).records
    assert records[0].outcome.truth_fitness == records[1].outcome.truth_fitness
