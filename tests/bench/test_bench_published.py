"""Published figures are complete and plausible."""

import pytest

from tessella.bench.published import ABLATION, AZULEJO, FIGURES, SOURCES, TOP_1, figures
from tessella.bench.suites import SUITES


@pytest.mark.parametrize("suite", SUITES)
def test_every_suite_has_a_published_figure(suite):
    assert figures(suite, turned=False)


def test_every_figure_belongs_to_a_suite_and_has_a_source():
    for figure in FIGURES:
        assert figure.suite in (*SUITES, AZULEJO)
        assert figure.source in SOURCES
        assert figure.neighbor is not None or figure.direct is not None
        assert 0 <= (figure.neighbor or 0) <= 100
        assert figure.perfect is None or 0 <= figure.perfect <= figure.pictures


def test_no_method_has_two_figures_for_one_thing():
    keys = [
        (f.suite, f.turned, f.erode, f.piece, f.shape_known, f.method, f.source) for f in FIGURES
    ]
    assert len(keys) == len(set(keys))


@pytest.mark.parametrize(
    ("suite", "upright", "turned", "perfect"),
    [
        ("mit_432", 96.1, 96, 15),
        ("mcgill_540", 97.9, 96.1, 13),
        ("pomeranz_805", 98.1, 96.3, 11),
        ("pomeranz_2360", 97.8, 96.9, 1),
        ("pomeranz_3300", 97.9, 92.7, 1),
    ],
)
def test_the_papers_own_figures_are_those_of_its_tables(suite, upright, turned, perfect):
    assert figures(suite, turned=False)[-1].neighbor == upright
    last = figures(suite, turned=True)[-1]
    assert (last.neighbor, last.perfect) == (turned, perfect)


def test_eroded_puzzles_have_figures_of_their_own():
    for erode, neighbor, perfect in ((2, 97.9, 18), (4, 92.2, 7)):
        bridger, proposed = figures("mit_432", turned=False, erode=erode, piece=64)
        assert bridger.source == "bridger2020cvpr"
        assert (proposed.neighbor, proposed.perfect) == (neighbor, perfect)
    assert figures("mit_432", turned=False, erode=3, piece=64) == ()


def test_panels_are_told_by_type_and_shape():
    proposed = {
        (f.turned, f.shape_known): f.neighbor
        for turned in (False, True)
        for f in figures(AZULEJO, turned=turned, piece=50)
        if f.source == "rika_hybrid"
    }
    assert proposed == {
        (False, True): 95.2,
        (False, False): 95.4,
        (True, True): 89.4,
        (True, False): 86.6,
    }


def test_turned_puzzles_are_harder_in_every_table():
    assert all(figure.upright > figure.turned for figure in TOP_1)
    assert all(row.upright_mean > row.turned_mean for row in ABLATION)
    assert all(row.upright_best >= row.upright_mean for row in ABLATION)
