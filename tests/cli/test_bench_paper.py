"""``tessella bench paper`` from the outside."""

import pytest
import typer
from typer.testing import CliRunner

from tessella.bench.paper import session
from tessella.cli.bench import bench
from tessella.errors import InputError


def _call(*arguments):
    app = typer.Typer()
    app.command()(bench)
    return CliRunner().invoke(app, list(arguments), catch_exceptions=False)


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (("paper", "--measure", "l1"), "chooses --measure itself"),
        (("paper", "--set", "a=1"), "chooses --set itself"),
        (("paper", "--per-picture"), "chooses --per-picture itself"),
        (("few", "--quick"), "--quick belongs to bench paper, --only to bench paper and odds"),
        (("paper", "--jobs", "0"), "--jobs must be at least 1"),
        (("paper", "--device", "abacus"), "auto, cpu or cuda"),
    ],
)
def test_flags_that_do_not_belong_are_refused(data, tmp_path, flags, message):
    with pytest.raises(InputError, match=message):
        _call(*flags, "--data", str(data), "--out", str(tmp_path / "out"))
    assert not (tmp_path / "out").exists()


def test_the_command_hands_its_flags_on(data, tmp_path, monkeypatch):
    asked = []
    monkeypatch.setattr(session, "serve", lambda wish, _executor: asked.append(wish))
    flags = ("--quick", "--jobs", "2", "--threads", "3", "--device", "cpu")
    assert _call("paper", "--data", str(data), "--out", str(tmp_path), *flags).exit_code == 0
    assert asked == [session.Paper(data, tmp_path, True, "cpu", 3, 2)]
