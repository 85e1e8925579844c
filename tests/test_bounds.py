"""Every number that a person gives has its limits, and the message repeats little of what came."""

import math

import numpy as np
import pytest

from tessella import bounds
from tessella.api import check_limits
from tessella.errors import SHOWN, InputError, shown
from tessella.puzzle import Puzzle
from tessella.registry import make

HUGE = 10**20


def test_the_greatest_numbers_are_accepted():
    check_limits(bounds.RUNS, bounds.SECONDS, bounds.SEED, bounds.THREADS)
    bounds.check_candidates(bounds.CANDIDATES)
    bounds.check_shape(10, 10, 1)


@pytest.mark.parametrize(
    "limits",
    [
        *((HUGE, None, 0, 1), (0, None, 0, 1), (1, None, HUGE, 1), (1, None, -1, 1)),
        *((1, None, 0, HUGE), (1, None, 0, 0), (1, 1e300, 0, 1), (1, math.nan, 0, 1)),
    ],
)
def test_what_lies_beyond_is_refused(limits):
    with pytest.raises(InputError, match="got"):
        check_limits(*limits)


def test_a_shape_is_not_made_of_empty_cells():
    pieces = np.zeros((2, 8, 8, 3), np.uint8)
    assert Puzzle(pieces, shape=(1, 200)).shape == (1, 200)
    with pytest.raises(InputError, match="100 cells for every piece"):
        Puzzle(pieces, shape=(1, 201))


@pytest.mark.parametrize("text", ["10001", "-10001", str(HUGE), "1" + "0" * 400])
def test_a_setting_that_takes_memory_has_bounds_of_its_own(text):
    with pytest.raises(InputError, match="population must lie within 10000"):
        make("solver", "genetic", {"population": text})
    assert make("solver", "genetic", {"population": "10000"}).population == 10000


def test_any_whole_setting_has_bounds():
    assert make("solver", "genetic", {"patience": "1000000000"}).patience == 10**9
    with pytest.raises(InputError, match="patience must lie within"):
        make("solver", "genetic", {"patience": "1000000001"})


def test_slack_may_leave_nobody_out():
    assert make("measure", "dlcm", {"slack": "inf"}).slack == float("inf")
    for text in ("-inf", "nan", "1e10"):
        with pytest.raises(InputError, match="slack must lie within"):
            make("measure", "dlcm", {"slack": text})


@pytest.mark.parametrize("text", ["nan", "inf", "-1e10"])
def test_a_real_setting_is_a_number_of_bearable_size(text):
    with pytest.raises(InputError, match="foresight must lie within"):
        make("solver", "paikin_tal", {"foresight": text})


def test_a_message_repeats_eighty_characters_and_nothing_that_cannot_be_printed():
    assert shown(7) == "7"
    assert shown("x" * SHOWN) == "x" * SHOWN
    assert shown("x" * (SHOWN + 1)) == "x" * (SHOWN - 3) + "..."
    assert shown("a\x1b[31m\nb") == "a?[31m?b"


@pytest.mark.parametrize(
    "option",
    [
        *(("--runs", HUGE), ("--threads", HUGE), ("--seed", HUGE), ("--shape", "999999x999999")),
        *(("--seconds", "1e300"), ("--shortlist", "999999999"), ("--resize", HUGE)),
        *(("--pages", HUGE), ("--set", f"patience={HUGE}"), ("--piece", "9" * 500)),
        *(("--workers", HUGE), ("--workers", 0), ("--executor", "x" * 4000)),
        *(("--set", f"margin={'9' * 4000}"), ("--solver", "x" * 4000), ("--device", "y" * 4000)),
    ],
)
def test_the_command_line_says_so_in_one_sentence(call, cut_folder, tmp_path, option):
    told = call("solve", cut_folder / "puzzle", tmp_path / "out", "--quiet", *option)
    assert (told.code, told.out) == (2, "")
    assert len(told.err.splitlines()) == 1
    assert max(map(len, told.err.split())) <= max(SHOWN + 3, len(str(tmp_path)) + 20)
    assert not (tmp_path / "out").exists()


def test_workers_are_looked_at_before_the_pieces_are(call, cut_folder, tmp_path):
    (cut_folder / "puzzle" / "puzzle.json").write_text("{}")
    told = call("solve", cut_folder / "puzzle", tmp_path / "out", "--workers", HUGE)
    assert (told.code, told.err) == (2, f"There may be at most 1024 workers; got {HUGE}.\n")


@pytest.mark.parametrize("kind", ["tiles", "panel"])
def test_a_seed_to_collect_with_is_bounded(call, tmp_path, kind):
    told = call("collect", tmp_path / "a.png", tmp_path / "out", "--seed", HUGE, "--kind", kind)
    assert (told.code, told.out) == (2, "")
    assert told.err.startswith("A seed must be 0 or more, and at most 10^18")


@pytest.mark.parametrize("flag", ["--threads", "--jobs"])
@pytest.mark.parametrize("count", [0, bounds.THREADS + 1, HUGE])
def test_the_benchmark_of_the_paper_is_bounded_before_it_writes(call, tmp_path, flag, count):
    told = call("bench", "paper", "--data", tmp_path, "--out", tmp_path / "out", flag, count)
    assert (told.code, told.out) == (2, "")
    assert told.err.startswith(f"{flag} must be at ")
    assert not (tmp_path / "out").exists()
