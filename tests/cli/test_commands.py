"""Every command of many options makes one object of them at once."""

import dataclasses
import importlib
import inspect

import pytest

from tessella.cli import COMMANDS

FEW = 4
"""A command of so few options can hand them on one by one."""

HOMES = [home.split(":") for home in COMMANDS.values()]


def test_commands_live_in_the_command_line():
    assert {module.rpartition(".")[0] for module, _ in HOMES} == {"tessella.cli"}


@pytest.mark.parametrize(("module", "function"), HOMES, ids=list(COMMANDS))
def test_options_have_the_names_of_the_commands_parameters(module, function):
    home = importlib.import_module(module)
    taken = list(inspect.signature(getattr(home, function)).parameters)
    if len(taken) <= FEW:
        return
    held = [field.name for field in dataclasses.fields(home.Options)]
    assert held == taken
    assert home.Options.__dataclass_params__.frozen
