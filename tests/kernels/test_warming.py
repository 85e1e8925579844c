"""What is compiled ahead is what a solve calls, and whoever waits is told."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tessella import console
from tessella.kernels import compiling, machine, warming
from tessella.kernels.arguments import described
from tessella.kernels.jit import compiled
from tessella.watch import Silent


class Told(Silent):
    def __init__(self):
        self.stages, self.steps = [], 0

    def stage(self, name, total):
        self.stages.append((name, total))

    def advance(self, steps=1):
        self.steps += steps


SOLVE = """
import numpy as np, sys, tessella
from tessella import continuity
from tessella.kernels import warming
from tessella.kernels.arguments import described
from tessella.kernels.jit import Kernel
picture = np.random.default_rng(0).integers(0, 256, (48, 64, 3), dtype=np.uint8)
for turned in (False, True):
    puzzle, _ = tessella.cut(picture, 16, turned=turned, seed=1)
    continuity.share(puzzle, threads=1)
    tessella.solve(puzzle, seed=1, threads=1)
ahead = {
    (kernel.py_func, described(given)[0])
    for share in warming.SHARES
    for kernel, given in warming.calls(share)
}
for module in [m for name, m in sys.modules.items() if name.startswith("tessella.kernels.")]:
    for kernel in vars(module).values():
        if isinstance(kernel, Kernel):
            for kinds in kernel.entries:
                if (kernel.py_func, kinds) not in ahead:
                    print(kernel.__name__, kinds)
"""


def test_a_solve_calls_kernels_only_with_types_that_are_compiled_ahead():
    done = subprocess.run([sys.executable, "-c", SOLVE], capture_output=True, text=True, check=True)
    assert done.stdout == ""


def test_a_warm_cache_is_left_alone():
    warming.warm(Told(), 2)
    watch = Told()
    warming.warm(watch, 2)
    assert watch.stages == []


def test_a_folder_without_the_kernels_is_cold(tmp_path, monkeypatch):
    monkeypatch.setattr(machine, "folder", lambda: tmp_path)
    assert warming.is_cold()


CHANGED = """
from numba.core.codegen import CPUCodeLibrary
from tessella.kernels import hurry
del CPUCodeLibrary._optimize_functions
print(hurry.hurry())
"""


def test_where_numba_has_changed_nobody_hurries():
    done = subprocess.run(
        [sys.executable, "-c", CHANGED], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "False"


BOTH = """
import sys, numpy as np
from tessella.kernels import hurry, ranking
from tessella.kernels.arguments import described
from tessella.kernels.building import build_ahead
if sys.argv[1] == "hurried":
    assert hurry.hurry()
table, ints, floats = (np.zeros(shape, kind) for shape, kind in (
    ((1, 1), np.float32), (1, np.int32), (1, np.float32)))
given = table, ints, ints, 1, floats, floats, np.zeros((1, 1), np.int32), table
build_ahead(ranking.keep_better, described(given)[0], given)
assert ("hurried" == sys.argv[1]) == bool(hurry._hurried)
"""


def test_what_is_compiled_in_a_hurry_gives_the_same(tmp_path):
    rng = np.random.default_rng(1)
    values = rng.random((50, 60)).astype(np.float32)
    found = []
    for way in ("hurried", "usual"):
        environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / way)}
        subprocess.run([sys.executable, "-c", BOTH, way], env=environment, check=True)
        ((path,),) = [list((tmp_path / way).rglob("*.code"))]
        entry = machine.load(path)
        ints = np.arange(50, dtype=np.int32), np.arange(60, dtype=np.int32)
        out = [np.zeros(50, np.float32), np.zeros(50, np.float32)]
        out += [np.full((50, 5), -1, np.int32), np.zeros((50, 5), np.float32)]
        given = values, *ints, 0, *out
        entry(given, described(given)[1])
        found.append(out)
    for a, b in zip(*found, strict=True):
        np.testing.assert_array_equal(a, b)
    assert found[0][3].any()


@pytest.mark.parametrize("processes", [1, 2, 9])
def test_every_share_is_compiled_once_whatever_the_number_of_processes(monkeypatch, processes):
    started = []

    def pretend(shares):
        started.append(shares)
        lines = sum(len(warming.calls(share)) for share in shares)
        code = f"print('\\n' * {lines}, end='')"
        return subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE)

    monkeypatch.setattr(warming, "is_cold", lambda: True)
    monkeypatch.setattr(warming, "_started", pretend)
    watch = Told()
    warming.warm(watch, processes)
    ((name, total),) = watch.stages
    assert "only this once" in name
    assert len(started) == min(processes, len(warming.SHARES))
    assert sorted(sum(started, ())) == sorted(warming.SHARES)
    assert watch.steps == total == sum(len(warming.calls(share)) for share in warming.SHARES)


def test_other_processes_fill_a_cold_folder(monkeypatch, tmp_path):
    monkeypatch.setattr(warming, "SHARES", ("tables",))
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    place = machine.cache_folder(Path(machine.__file__).parent)
    monkeypatch.setattr(machine, "folder", lambda: place)
    assert warming.is_cold()
    warming.warm(Told(), 2)
    assert not warming.is_cold()


def test_what_is_compiled_later_is_told_of_once(capsys):
    with console.progress():
        compiling.begins("one")
        compiling.begins("two")
    assert capsys.readouterr().err == "compiling one and what it needs, only this once\n"


def test_a_kernel_is_compiled_once_for_all_whole_numbers_of_other_kernels(monkeypatch, tmp_path):
    monkeypatch.setattr(machine, "folder", lambda: tmp_path)  # nothing is kept of an earlier run

    @compiled
    def double(x):
        return 2 * x

    @compiled
    def outer(numbers):
        return double(3) + double(numbers[0]) + double(len(numbers))

    assert outer(np.array([5], np.int32)) == 6 + 10 + 2
    (signature,) = double.closed.nopython_signatures
    assert [str(kind) for kind in signature.args] == ["int64"]


def test_a_process_that_cannot_compile_is_not_missed(monkeypatch):
    monkeypatch.setattr(warming, "is_cold", lambda: True)
    monkeypatch.setattr(warming, "calls", lambda share: [(share, ())])
    monkeypatch.setattr(sys, "executable", "/bin/false")
    warming.warm(Told(), 2)
