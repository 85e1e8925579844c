"""What records answer of the plan."""

from dataclasses import replace

import numpy as np
import pytest

from tessella.bench.configuration import configure
from tessella.bench.paper.answers import Answers, Top, spread
from tessella.bench.paper.plan import TYPE_1, Method
from tessella.bench.records import Cell, Ranks

MIT = TYPE_1.columns[0]
GALLAGHER = Method("mgc", "gallagher", "Gallagher").configuration(MIT)
GENETIC = Method("dlcm", "genetic").configuration(MIT)


def test_a_model_that_was_chosen_answers_for_the_model_that_is_named(recorded):
    chosen = configure("dlcm", "genetic")
    record = replace(recorded(by=chosen), model="photo-28")
    answers = Answers([record])
    assert Cell("mit_432", "1.png", GENETIC, 1) in answers
    assert Cell("mit_432", "1.png", chosen, 1) in answers
    assert Cell("mit_432", "1.png", GENETIC, 2) not in answers
    assert Cell("mit_432", "1.png", GALLAGHER, 1) not in answers
    assert len(answers.records) == 1
    other = Answers([replace(record, model="eroded-64")])
    assert Cell("mit_432", "1.png", GENETIC, 1) not in other


def test_the_spread_is_that_of_the_runs_means(recorded):
    values = {("1.png", 1): 0.5, ("2.png", 1): 0.7, ("1.png", 2): 0.9, ("2.png", 2): 0.7}
    made = [recorded(p, s, neighbor=v, by=GENETIC) for (p, s), v in values.items()]
    row = Answers(made).row("mit_432", GENETIC)
    assert spread(row) == pytest.approx(np.std([0.6, 0.8], ddof=1))
    single = Answers(made[:2]).row("mit_432", GENETIC)
    assert spread(single) is None


def test_top_1_is_the_mean_over_the_pictures(recorded):
    made = [
        replace(recorded(), outcome=None, ranks=Ranks((before,) * 4, (after,) * 4))
        for before, after in ((0.2, 0.4), (0.4, 0.8))
    ]
    found = Top.of(made)
    assert (found.before, found.after) == (pytest.approx(0.3), pytest.approx(0.6))
    assert found.pictures == 2
    assert Top.of([recorded()]) is None
