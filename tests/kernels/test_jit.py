"""The cache of machine code follows the sources."""

from pathlib import Path

import numba
import numpy as np
import pytest

from tessella.kernels import chance
from tessella.kernels.jit import cache_folder, compiled


def test_a_change_in_any_kernel_changes_the_cache_folder(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x = 1\n")
    (tmp_path / "b.py").write_text("y = 1\n")
    before = cache_folder(tmp_path)
    assert cache_folder(tmp_path) == before
    (tmp_path / "b.py").write_text("y = 2\n")
    assert cache_folder(tmp_path) != before


def test_the_environment_decides_where_the_cache_lies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "elsewhere"))
    assert cache_folder(tmp_path).parent == tmp_path / "elsewhere"


def test_compiling_leaves_numbas_own_settings_alone() -> None:
    before = numba.config.CACHE_DIR
    compiled(lambda x: x)
    assert before == numba.config.CACHE_DIR


def test_a_compiled_function_equals_its_plain_twin() -> None:
    state, twin = np.array([5], np.uint64), np.array([5], np.uint64)
    with np.errstate(over="ignore"):
        assert chance.draw(state) == chance.draw.py_func(twin)
