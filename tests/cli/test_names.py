"""``tessella list`` names everything there is, in lines or in a table."""

import io

import pytest

from tessella import registry
from tessella.bench.suites import SUITES


def test_every_name_has_a_line_that_says_what_it_is(call):
    told = call("list")
    assert (told.code, told.err) == (0, "")
    lines = dict(line.split(": ", 1) for line in told.out.splitlines())
    for kind, label in (("measure", "measures"), ("solver", "solvers")):
        for name in registry.names(kind):
            assert len(lines[f"{label} {name}"]) > 10
    assert all(f"suites {name}" in lines for name in SUITES)


def test_a_terminal_gets_a_table(monkeypatch, call):
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    terminal = Terminal()
    monkeypatch.setattr("sys.stdout", terminal)
    monkeypatch.setenv("TERM", "xterm")
    call("list")
    assert "mgc" in terminal.getvalue()
    assert "models" in terminal.getvalue()


@pytest.mark.usefixtures("shipped")
def test_models_are_listed_with_piece_size_and_the_first_line_of_their_card(call):
    assert "models worn-16: 16 px pieces. worn-16, for tests\n" in call("list").out
