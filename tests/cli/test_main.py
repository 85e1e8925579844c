"""The command line as a whole: help, versions, exit codes, and errors without a traceback."""

import subprocess
import sys

import pytest

import tessella
from tessella import cli
from tessella.cli import COMMANDS
from tessella.errors import RunError


def test_every_command_has_help_with_an_example(call):
    for command in COMMANDS:
        told = call(command, "--help")
        assert told.code == 0
        assert f"Example: tessella {command}" in told.out
        assert told.err == ""


def test_no_arguments_show_all_commands(call):
    told = call()
    assert told.code == 0
    assert all(f"\n  {command} " in told.out for command in COMMANDS)


def test_the_version_is_told(call):
    assert call("--version").out == f"tessella {tessella.__version__}\n"


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["nothing"], "No such command"),
        (["solve"], "Missing argument"),
        (["solve", "a", "b", "--nothing"], "--nothing"),
        (["solve", "a", "b", "--runs", "0"], "--runs"),
        (["solve", "a", "b", "--seed", "-1"], "--seed"),
        (["solve", "a", "b", "--threads", "none"], "--threads"),
    ],
)
def test_a_call_that_cannot_be_understood_is_bad_input(call, arguments, part):
    told = call(*arguments)
    assert told.code == 2
    assert part in told.err
    assert told.err.endswith("--help.\n")
    assert len(told.err.splitlines()) == 1


@pytest.mark.parametrize(
    ("problem", "code", "sentence"),
    [
        (RunError("The kiln went out."), 1, "The kiln went out."),
        (MemoryError(), 1, "There is not enough memory for this puzzle; try --shortlist 16."),
        (ValueError("odd\nthing"), 1, "please report it with ValueError: odd thing."),
    ],
)
def test_every_failure_is_one_line_and_exit_code_1(call, monkeypatch, problem, code, sentence):
    def fail():
        raise problem

    monkeypatch.setattr(cli, "make_app", lambda only: lambda **given: fail())
    told = call("list")
    assert told.code == code
    assert told.err.endswith(f"{sentence}\n")
    assert len(told.err.splitlines()) == 1


def test_an_interrupt_inside_a_command_is_no_traceback(call, monkeypatch, tmp_path, cut_folder):
    def interrupted(*given, **named):
        raise KeyboardInterrupt

    monkeypatch.setattr("tessella.imaging.folder.read_puzzle", interrupted)
    told = call("solve", cut_folder / "puzzle", tmp_path / "out")
    assert told.code == 1
    assert "Interrupted" in told.err
    assert "Traceback" not in told.err
    assert list(tmp_path.iterdir()) == []


def test_debugging_shows_where_a_problem_comes_from(call, monkeypatch, tmp_path):
    monkeypatch.setenv("TESSELLA_DEBUG", "1")
    with pytest.raises(tessella.InputError):
        call("solve", tmp_path / "nowhere", tmp_path / "out")


def test_it_runs_as_a_module(environment):
    told = subprocess.run(
        [sys.executable, "-m", "tessella", "--help"],
        env=environment,
        capture_output=True,
        text=True,
    )
    assert told.returncode == 0
    assert told.stdout.startswith("Usage: tessella ")
