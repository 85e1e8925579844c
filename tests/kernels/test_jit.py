"""Kernels run as machine code that is kept on disk, and equal their plain twins."""

import resource
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from tessella.kernels import building, chance, machine, objects
from tessella.kernels.arguments import described
from tessella.kernels.jit import Kernel, compiled, inlined
from tessella.kernels.machine import cache_folder


class Pair(NamedTuple):
    first: np.ndarray
    second: float


@pytest.fixture
def own_folder(tmp_path, monkeypatch):
    monkeypatch.setattr(machine, "folder", lambda: tmp_path)
    return tmp_path


def test_a_change_in_any_kernel_changes_the_cache_folder(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x = 1\n")
    (tmp_path / "b.py").write_text("y = 1\n")
    before = cache_folder(tmp_path)
    assert cache_folder(tmp_path) == before
    (tmp_path / "b.py").write_text("y = 2\n")
    assert cache_folder(tmp_path) != before


def test_another_processor_has_another_cache_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = cache_folder(tmp_path)
    monkeypatch.setattr(machine, "_processor", lambda: "another")
    assert cache_folder(tmp_path) != before


def test_the_environment_decides_where_the_cache_lies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "elsewhere"))
    assert cache_folder(tmp_path).parent == tmp_path / "elsewhere"


def test_a_compiled_function_equals_its_plain_twin() -> None:
    state, twin = np.array([5], np.uint64), np.array([5], np.uint64)
    with np.errstate(over="ignore"):
        assert chance.draw(state) == chance.draw.py_func(twin)


def several(pair, table, flag, small, whole):
    """Take something of every kind, return something of every kind."""
    out = np.zeros((2, 3), np.float32)
    out[0, 1] = table[1, 0] * small
    out[1, 2] = pair.first[-1] if flag else pair.second
    return out, whole + 1, pair.second / 2, flag, np.arange(len(pair.first))


@pytest.mark.parametrize("again", [False, True], ids=["compiled", "from disk"])
def test_arguments_and_results_of_every_kind_go_through(own_folder, again):
    table = np.arange(6, dtype=np.float64).reshape(2, 3)
    pair = Pair(np.array([4, 5], np.int32), 0.5)
    for grid in (table, table.T, table[:, ::2]):
        for flag in (True, False):
            given = pair, grid, flag, np.float32(1.5), 2**40
            kernel = compiled(several)
            expected = several(*given)
            found = kernel(*given)
            if again:
                found = compiled(several)(*given)
            for a, b in zip(found, expected, strict=True):
                np.testing.assert_array_equal(a, b)
                assert getattr(a, "dtype", None) == getattr(b, "dtype", None)
    assert len(list(own_folder.glob("test_jit.several-*.code"))) == 3


def test_machine_code_from_disk_runs_without_numba(tmp_path):
    code = (
        "import sys, numpy as np\nfrom tessella.kernels import chance\n"
        "chance.draw(np.array([5], np.uint64))\nprint('numba' in sys.modules)"
    )
    for expected in ("True", "False"):
        done = subprocess.run(
            [sys.executable, "-c", code],
            env={"NUMBA_CACHE_DIR": str(tmp_path), "PYTHONPATH": ":".join(sys.path)},
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout.strip() == expected


def test_a_file_that_is_damaged_is_compiled_anew(own_folder):
    def add(x):
        return x + 1

    compiled(add)(1)
    (path,) = own_folder.glob("*.code")
    for damaged in (b"{", b"{}\n", path.read_bytes()[:-9], path.read_bytes()[:-9] + bytes(9)):
        path.write_bytes(damaged)
        assert machine.load(path) is None
        assert compiled(add)(1) == 2
        assert machine.load(path) is not None


def test_a_folder_that_cannot_be_written_is_let_be(tmp_path, monkeypatch):
    (tmp_path / "file").touch()
    monkeypatch.setattr(machine, "folder", lambda: tmp_path / "file")

    @compiled
    def add(x):
        return x + 1

    assert add(1) == 2


def missing(*_, **__):
    raise AttributeError("numba has changed")


@pytest.mark.parametrize("part", ["_built", "object_of", "_returns"])
def test_where_numba_has_changed_it_runs_kernels_itself(own_folder, monkeypatch, part):
    monkeypatch.setattr(building, part, missing)

    @inlined
    def half(x):
        return x / 2

    @compiled
    def outer(numbers):
        return half(numbers.sum())

    assert outer(np.array([1, 2])) == 1.5
    assert not list(own_folder.glob("*.code"))


def test_what_no_slot_holds_is_left_to_numba(own_folder):
    @compiled
    def length(text):
        return len(text)

    assert length("four") == 4
    assert not list(own_folder.glob("*.code"))


def test_a_tuple_with_names_comes_back_with_them(own_folder):
    @compiled
    def paired(numbers):
        return Pair(numbers, 0.5)

    found = paired(np.arange(3))
    assert isinstance(found, Pair)
    np.testing.assert_array_equal(found.first, np.arange(3))


def test_an_unknown_symbol_is_left_to_numba(own_folder, monkeypatch):
    monkeypatch.setattr(objects, "_IMPLIED", ("what_nobody_has",))

    @compiled
    def add(x):
        return x + 1

    assert add(1) == 2
    assert not list(own_folder.glob("*.code"))


def test_without_a_way_to_widen_kernels_are_compiled_all_the_same():
    building._widen(object())


def test_an_error_in_a_kernel_is_an_error_in_python(own_folder):
    @compiled
    def divide(a, b):
        return a // b

    assert divide(7, 2) == 3
    with pytest.raises(RuntimeError, match="divide failed"):
        divide(7, 0)


def test_named_arguments_and_great_numbers_are_taken(own_folder):
    @compiled
    def minus(a, b):
        return a - b

    assert minus(b=1, a=3) == 2
    assert minus(2**64 - 1, np.uint64(1)) == 2**64 - 2


def test_a_read_only_array_is_another_kind():
    array = np.zeros(3)
    (before,), _ = described((array,))
    array.flags.writeable = False
    (after,), _ = described((array,))
    assert before != after


def test_many_arrays_can_be_returned_without_keeping_memory(own_folder):
    @compiled
    def fresh(count):
        return np.ones(count)

    assert fresh(0).shape == (0,)
    fresh(1_000_000)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(100):
        assert fresh(1_000_000)[-1] == 1
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss < before + 100_000


BARE = """
import sys
{before}
from tessella.kernels.blas import load_without_blas
load_without_blas()
import numba
print("scipy.linalg" in sys.modules, numba.njit(lambda x: x + 1)(1))
import scipy.linalg
"""
NEEDED = """
class Needs:
    def find_spec(self, name, path=None, target=None):
        if name == "numba.np.arraymath":
            import scipy.linalg
sys.meta_path.insert(0, Needs())
"""


@pytest.mark.parametrize("before", ["", "import scipy.linalg", NEEDED], ids=["", "had", "needed"])
def test_numba_loads_without_linear_algebra_or_with_it(before):
    code = BARE.format(before=before)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == [str(before == "import scipy.linalg"), "2"]


def test_a_kernel_keeps_the_name_and_text_of_its_function():
    assert isinstance(chance.draw, Kernel)
    assert chance.draw.__name__ == "draw"
    assert chance.draw.__doc__
