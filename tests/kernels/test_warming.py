"""What is compiled ahead is what a solve calls, and whoever waits is told."""

import subprocess
import sys

import numba
import numpy as np
import pytest

from tessella import console
from tessella.kernels import compiling, warming
from tessella.kernels.jit import compiled, inner
from tessella.watch import Silent


class Told(Silent):
    def __init__(self):
        self.stages, self.steps = [], 0

    def stage(self, name, total):
        self.stages.append((name, total))

    def advance(self, steps=1):
        self.steps += steps


SOLVE = """
import numba, numpy as np, sys, tessella
from tessella.kernels import warming
from numba.core.dispatcher import Dispatcher
picture = np.random.default_rng(0).integers(0, 256, (48, 64, 3), dtype=np.uint8)
for turned in (False, True):
    puzzle, _ = tessella.cut(picture, 16, turned=turned, seed=1)
    tessella.solve(puzzle, seed=1, threads=1)
ahead = {
    (kernel.py_func, tuple(map(numba.typeof, given)))
    for share in warming.SHARES
    for kernel, given in warming.calls(share)
}
for module in [m for name, m in sys.modules.items() if name.startswith("tessella.kernels.")]:
    for kernel in vars(module).values():
        if isinstance(kernel, Dispatcher) and not hasattr(kernel, "inner"):
            for types in kernel.signatures:
                if (kernel.py_func, types) not in ahead:
                    print(kernel.__name__, types)
"""


def test_a_solve_calls_kernels_only_with_types_that_are_compiled_ahead():
    done = subprocess.run([sys.executable, "-c", SOLVE], capture_output=True, text=True, check=True)
    assert done.stdout == ""


def test_a_warm_cache_is_left_alone():
    warming.compile_shares(warming.SHARES, lambda: None)
    watch = Told()
    warming.warm(watch, 2)
    assert watch.stages == []


def test_a_folder_without_the_kernels_is_cold(tmp_path):
    assert warming.is_cold(tmp_path)
    (tmp_path / "breeding.sow-1.py311.nbi").touch()
    assert warming.is_cold(tmp_path)


@pytest.mark.parametrize("processes", [1, 2, 9])
def test_every_kernel_is_compiled_once_whatever_the_number_of_processes(monkeypatch, processes):
    monkeypatch.setattr(warming, "is_cold", lambda: True)
    watch = Told()
    warming.warm(watch, processes)
    ((name, total),) = watch.stages
    assert "only this once" in name
    assert watch.steps == total == sum(len(warming.calls(share)) for share in warming.SHARES)


def test_what_is_compiled_later_is_told_of_once(capsys):
    with console.progress():
        compiling.begins("one")
        compiling.begins("two")
    assert capsys.readouterr().err == "compiling one and what it needs, only this once\n"


def test_an_inner_kernel_is_compiled_once_for_all_whole_numbers():
    @inner
    def double(x):
        return 2 * x

    @compiled
    def outer(numbers):
        return double(3) + double(numbers[0]) + double(len(numbers))

    assert outer(np.array([5], np.int32)) == 6 + 10 + 2
    assert double.nopython_signatures[0].args == (numba.int64,)
    assert len(double.nopython_signatures) == 1


def test_python_can_call_an_inner_kernel_too():
    @inner
    def half(x):
        return x / 2

    @compiled
    def outer(x):
        return half(x)

    assert outer(3.0) == half(3.0) == half.py_func(3.0) == 1.5
