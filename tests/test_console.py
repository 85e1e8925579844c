"""Progress: plain lines where nothing can be redrawn, bars on a terminal, nothing when quiet."""

import io

import pytest
from rich.console import Console
from rich.progress import Progress

from tessella import console
from tessella.console import Bars, Lines, note, on_terminal, progress
from tessella.watch import SILENT, Generation


class Terminal(io.StringIO):
    def isatty(self):
        return True


def work(watch):
    watch.stage("measuring", 4)
    for _ in range(4):
        watch.advance()
    watch.stage("solving", 0)
    watch.generation(Generation(1, 7, 12.345, 3))


def test_plain_lines_tell_the_stages(capsys):
    with progress() as watch:
        assert isinstance(watch, Lines)
        work(watch)
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.splitlines() == ["measuring (4 steps)", "solving"]


def test_plain_lines_tell_more_when_time_has_passed(monkeypatch):
    monkeypatch.setattr(console, "EVERY", 0.0)
    stream = io.StringIO()
    work(Lines(stream, runs=2))
    assert stream.getvalue().splitlines() == [
        "measuring (4 steps)",
        "measuring: 25 %, about 0 s left",
        "measuring: 50 %, about 0 s left",
        "measuring: 75 %, about 0 s left",
        "measuring: 100 %",
        "solving",
        "run 2 of 2, generation 7: fitness 12.35, unchanged for 3",
    ]


def test_quiet_says_nothing(capsys):
    with progress(quiet=True) as watch:
        assert watch is SILENT
        work(watch)
    assert capsys.readouterr() == ("", "")


def test_a_terminal_gets_bars(monkeypatch):
    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    with progress(runs=2) as watch:
        assert isinstance(watch, Bars)
        work(watch)
        watch.bars.refresh()
    assert "generation 7" in terminal.getvalue()


def test_of_runs_side_by_side_bars_tell_the_newest():
    bars = Progress(console=Console(file=io.StringIO()))
    watch = Bars(bars, runs=2)
    for run, number in ((0, 4), (1, 2), (0, 5)):
        watch.generation(Generation(run, number, 1.0, 0))
    assert [task.description for task in bars.tasks] == ["run 2 of 2, generation 2: fitness 1.00"]


@pytest.mark.parametrize(("term", "expected"), [("xterm", True), ("dumb", False)])
def test_a_dumb_terminal_gets_lines(monkeypatch, term, expected):
    monkeypatch.setenv("TERM", term)
    assert on_terminal(Terminal()) is expected
    assert not on_terminal(io.StringIO())


def test_notes_go_to_standard_error(capsys):
    note("Stopping.")
    assert capsys.readouterr() == ("", "Stopping.\n")
