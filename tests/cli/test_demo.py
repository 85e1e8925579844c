"""``tessella demo`` shows the whole line on the shipped picture."""

import json

from tessella.imaging.folder import read_puzzle


def test_the_demo_is_put_back_together(call, tmp_path):
    told = call("demo", "--out", tmp_path / "demo")
    assert told.code == 0
    folder = tmp_path / "demo"
    assert str(folder / "report.html") in told.out
    score = json.loads((folder / "score.json").read_text())
    assert score["neighbor"] > 0.99
    assert f"{100 * score['neighbor']:.1f} %" in told.out
    puzzle = read_puzzle(folder / "puzzle")
    assert not puzzle.upright
    judged = call("score", folder / "arrangement.json", folder / "truth.json")
    assert json.loads(judged.out) == score
    assert call("demo", "--out", folder).code == 2
