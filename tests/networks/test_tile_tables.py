"""Descriptions of tiles go block by block, into files that all processes map."""

import pickle
from dataclasses import replace

import numpy as np
import pytest

from tessella import shortlist
from tessella.imaging.cut import cut
from tessella.measures.tiles import Tiles
from tessella.measuring import measure
from tessella.networks import tile_tables
from tessella.networks.tile_engine import Engine, light_of
from tessella.networks.tile_tables import Describing, in_files, in_memory
from tessella.watch import SILENT
from tessella.workshop import ALONE, Workshop


@pytest.fixture
def puzzle(picture):
    return cut(picture[:80, :96], 16, turned=True, seed=2)[0]  # 5 x 6


@pytest.fixture
def by(tile_model, tmp_path):
    tile_model(count=6).save(tmp_path / "own.npz")
    return Tiles(str(tmp_path / "own.npz"))


@pytest.fixture(autouse=True)
def small(monkeypatch):
    monkeypatch.setattr(tile_tables, "TILES", 7)
    monkeypatch.setattr(shortlist, "PAIRS", 200)


@pytest.fixture
def described(monkeypatch):
    """Count the edges that go through the networks."""
    counts = []
    whole = Engine.describe

    def counted(self, tiles, threads=None):
        counts.append(len(tiles))
        return whole(self, tiles, threads)

    monkeypatch.setattr(Engine, "describe", counted)
    return counts


def same(one, other) -> None:
    for name in ("partner", "score", "lo", "hi"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name))


def test_blocks_in_files_are_the_tables_in_memory_bit_for_bit(puzzle, tile_model, tmp_path):
    whole = in_memory(tile_model(), puzzle)
    job = in_files(tile_model(), puzzle, Workshop(tmp_path, "key"), 2, SILENT)
    assert job.blocks == 5
    stored = job.tables()
    assert stored.keys() == whole.keys()
    for name, table in whole.items():
        np.testing.assert_array_equal(stored[name], table)
        assert len(np.unique(table, axis=0)) > 100


def test_every_tile_goes_through_once_for_either_role_and_not_again_after_a_kill(
    puzzle, by, tmp_path, described
):
    workshop = Workshop(tmp_path / "blocks", "key")
    first = in_files(by._network(), puzzle, ALONE, 1, SILENT).tables()
    assert sum(described) == 2 * 4 * len(puzzle)
    described.clear()
    done = Describing.do

    class Killed(BaseException):
        pass

    def killed(self, number, threads):
        if number == 2:
            raise Killed
        return done(self, number, threads)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Describing, "do", killed)
        with pytest.raises(Killed):
            measure(puzzle, by, dense=False, workshop=workshop)
    assert sum(described) == 2 * 4 * 14
    resumed = in_files(by._network(), puzzle, workshop, 1, SILENT).tables()
    assert sum(described) == 2 * 4 * len(puzzle)
    for name, table in first.items():
        np.testing.assert_array_equal(resumed[name], table)


def test_a_large_puzzle_gets_the_scores_of_a_small_one(puzzle, by, tmp_path):
    by = replace(by, company=False)  # Whom else is heard, and how far, the lists decide.
    lists = measure(puzzle, by, dense=False, workshop=Workshop(tmp_path / "blocks", "key"))
    alone = measure(puzzle, by, dense=False)
    table = measure(puzzle, by, keep=None, dense=True).dense
    same(lists, alone)
    for e in range(4 * len(puzzle)):
        row = lists.partner[e][lists.partner[e] >= 0]
        np.testing.assert_allclose(lists.score[e, : len(row)], table[e, row], rtol=1e-5)


def test_a_worker_reads_the_tables_and_describes_nothing(puzzle, by, tmp_path, described):
    judge = by.scorer(puzzle).stored(Workshop(tmp_path, "key"), 1, SILENT)
    pairs = np.array([[0, 6], [1, 7], [5, 9]], np.int32)
    here = judge.score(pairs, 1, SILENT)
    described.clear()
    travelled = pickle.loads(pickle.dumps(shortlist.Judging(by, puzzle, pairs, judge).portable()))
    np.testing.assert_array_equal(travelled.do(0, 1)["score"], here)
    assert not described


def test_tables_that_nobody_keeps_go_with_who_made_them(puzzle, tile_model):
    job = in_files(tile_model(), puzzle, ALONE, 1, SILENT)
    folder = job.folder
    assert (folder / "first-parts").stat().st_size == 4 * np.prod(job.shapes()["first-parts"])
    another = pickle.loads(pickle.dumps(job))
    del another
    assert folder.is_dir()
    del job
    assert not folder.exists()


def test_light_is_that_of_all_tiles_however_many_are_seen_at_a_time():
    tiles = np.random.default_rng(1).uniform(0, 255, (10, 4, 4, 3)).astype(np.float32)
    one, many = light_of(lambda: [tiles]), light_of(lambda: [tiles[:3], tiles[3:]])
    np.testing.assert_array_equal(one.mean, many.mean)
    assert one.spread == many.spread
    np.testing.assert_allclose(one.mean, tiles.mean(axis=(0, 1, 2)), rtol=1e-6)
    np.testing.assert_allclose(one.normalised(tiles).std(), 1, rtol=0.02)


def test_another_puzzle_in_the_same_place_is_refused(puzzle, tile_model, tmp_path):
    workshop = Workshop(tmp_path, "key")
    in_files(tile_model(), puzzle, workshop, 1, SILENT)
    with pytest.raises(Exception, match="another puzzle, setting or seed"):
        in_files(tile_model(), puzzle, replace(workshop, key="other"), 1, SILENT)
