"""The renderers of ``scripts/``, which are no package, as modules for tests."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

SCRIPTS = Path(__file__).parents[2] / "scripts"


def script(name: str) -> ModuleType:
    """Import ``scripts/NAME.py`` under a name of its own."""
    full = f"tessella_scripts_{name}"
    if full not in sys.modules:
        spec = importlib.util.spec_from_file_location(full, SCRIPTS / f"{name}.py")
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[full] = module
        spec.loader.exec_module(module)
    return sys.modules[full]


@pytest.fixture(scope="session")
def scans() -> ModuleType:
    return script("render_scans")


@pytest.fixture(scope="session")
def photographs() -> ModuleType:
    return script("render_photographs")
