from __future__ import annotations

import numpy as np
import pytest

from tessella.checkpoint import Checkpoint
from tessella.errors import FormatError

STATE = {"counts": np.array([1, 2, 3]), "fitness": np.array([0.25, 0.5])}


@pytest.fixture
def path(tmp_path):
    return tmp_path / "state.npz"


def test_what_is_saved_is_loaded(path):
    Checkpoint(path, "key").save(STATE)
    held = Checkpoint(path, "key").load()
    assert sorted(held) == sorted(STATE)
    for name, values in STATE.items():
        np.testing.assert_array_equal(held[name], values)
        assert held[name].dtype == values.dtype


def test_the_latest_state_is_the_one_that_is_held(path):
    kept = Checkpoint(path, "key")
    kept.save(STATE)
    kept.save({"counts": np.array([9])})
    held = kept.load()
    assert list(held) == ["counts"]
    assert held["counts"].tolist() == [9]


def test_no_file_is_no_state(path):
    assert Checkpoint(path, "key").load() is None


def test_a_state_with_another_key_is_refused(path):
    Checkpoint(path, "one").save(STATE)
    with pytest.raises(FormatError, match="another puzzle, setting or seed"):
        Checkpoint(path, "two").load()
    assert path.exists()


def cut_short(whole):
    return whole[: len(whole) // 2]


def emptied(whole):
    return b""


def overwritten(whole):
    return b"x" * len(whole)


def flipped(whole):
    """Change the numbers of an array; the archive's sums no longer hold."""
    place = whole.index(np.array([1, 2, 3]).tobytes())
    return whole[:place] + b"\x07" + whole[place + 1 :]


@pytest.mark.parametrize("damage", [cut_short, emptied, overwritten, flipped])
def test_a_damaged_file_is_refused(path, damage):
    kept = Checkpoint(path, "key")
    kept.save(STATE)
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(FormatError, match=r"cannot be read .* --force") as caught:
        kept.load()
    assert "\n" not in str(caught.value)


def test_a_file_that_is_no_checkpoint_is_refused(path):
    with path.open("wb") as file:
        np.savez(file, counts=np.array([1]))
    with pytest.raises(FormatError, match="another puzzle"):
        Checkpoint(path, "key").load()


def test_a_write_that_fails_leaves_the_state_before(path):
    class Unwritable:
        def __array__(self, dtype=None, copy=None):
            raise RuntimeError("the disk is full")

    kept = Checkpoint(path, "key")
    kept.save(STATE)
    with pytest.raises(RuntimeError):
        kept.save({"counts": Unwritable()})
    assert kept.load()["counts"].tolist() == [1, 2, 3]
    assert [p.name for p in path.parent.iterdir()] == [path.name]


def test_it_is_due_at_once_or_after_a_while(path):
    assert Checkpoint(path, "key", every=0).due()
    assert not Checkpoint(path, "key", every=1000).due()


def test_a_write_puts_the_next_one_off(path, monkeypatch):
    clock = iter([0.0, 10.0, 10.0, 12.0, 15.0])
    monkeypatch.setattr("time.monotonic", lambda: next(clock))
    kept = Checkpoint(path, "key", every=5)
    assert kept.due()
    kept.save(STATE)
    assert not kept.due()
    assert kept.due()


def test_removing_twice_is_no_error(path):
    kept = Checkpoint(path, "key")
    kept.save(STATE)
    kept.remove()
    kept.remove()
    assert kept.load() is None
