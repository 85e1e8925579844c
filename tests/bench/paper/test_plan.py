"""The plan has every method on every set that it is for."""

from tessella.bench.configuration import NONE, configure
from tessella.bench.paper.plan import ABLATION, TYPE_1, Method, plan, settled
from tessella.bench.suites import SUITES

GENETIC = Method("dlcm", "genetic").configuration(TYPE_1.columns[0])


def test_the_plan_has_every_method_on_every_set_that_it_is_for():
    keys = {(e.table[:1], e.row, e.column.title) for e in plan()}
    assert ("2", "mgc, linear", "Pomeranz 3300") in keys
    assert ("3", "dlcm, genetic", "Pomeranz 3300") in keys
    assert ("5", "dlcm, genetic", "Type-2, unknown shape") in keys
    assert ("2", "prediction, pomeranz", "MIT 432") in keys
    assert not any(key[:2] == ("3", "prediction, pomeranz") for key in keys)
    assert len(keys) == len(plan())


def test_networks_of_others_have_a_model_for_every_size_and_gan_none_for_whole_pieces():
    found = {
        (entry.row, entry.column.setup.piece, dict(entry.configuration.measure.settings)["model"])
        for entry in plan()
        if entry.configuration.measure.name in ("squeezenet", "gan")
    }
    assert found == {
        ("squeezenet", 28, "squeezenet-28"),
        ("squeezenet", 64, "squeezenet-64"),
        ("squeezenet", 50, "squeezenet-50"),
        ("gan", 64, "gan-64"),
        ("gan", 50, "gan-50"),
        ("gan, paikin_tal", 64, "gan-64"),
        ("gan, paikin_tal", 50, "gan-50"),
    }


def test_solvers_that_draw_lots_have_five_runs_and_ranks_have_none():
    runs = {e.row: e.runs for e in plan() if e.table != ABLATION}
    assert runs["mgc, genetic"] == runs["ssd_lab, sholomon"] == 5
    assert runs["mgc, gallagher"] == 1
    assert runs["l1"] == 0


def test_the_quick_plan_is_a_part_of_the_full_one():
    full = {(e.table, e.row, e.column): e for e in plan()}
    for entry in plan(quick=True):
        assert entry.configuration == full[entry.table, entry.row, entry.column].configuration
        assert entry.limit is not None
        assert entry.runs == 1
        assert entry.limit <= 2
        if entry.column.suite in SUITES and SUITES[entry.column.suite].pieces > 805:
            assert entry.limit == 0


def test_ranks_have_no_solver():
    assert all(e.configuration.solver == NONE for e in plan() if e.table.startswith("1"))


def test_where_a_network_ran_does_not_count_but_settings_do():
    on_cpu = configure("dlcm", "genetic", {"model": "photo-28"}, device="cpu")
    assert on_cpu != GENETIC
    assert settled(on_cpu, None) == settled(GENETIC, None)
    changed = configure("dlcm", "genetic", {"model": "photo-28", "count": "9"})
    assert settled(changed, None) != settled(GENETIC, None)
