"""Every command makes one object of its options at once."""

import dataclasses
import importlib
import inspect

import pytest

from tessella.cli import COMMANDS

HOMES = [home.split(":") for home in COMMANDS.values()]


def test_commands_live_in_the_command_line():
    assert {module.rpartition(".")[0] for module, _ in HOMES} == {"tessella.cli"}


@pytest.mark.parametrize(("module", "function"), HOMES, ids=list(COMMANDS))
def test_options_have_the_names_of_the_commands_parameters(module, function):
    home = importlib.import_module(module)
    taken = list(inspect.signature(getattr(home, function)).parameters)
    if not taken:
        return
    held = [field.name for field in dataclasses.fields(home.Options)]
    assert held == taken
    assert home.Options.__dataclass_params__.frozen
