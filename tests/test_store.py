"""The script that makes mixes as large as a store room."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from store import crops, drawn

SCRIPT = Path(__file__).parents[1] / "scripts" / "store.py"


def _numbered(height: int, width: int) -> np.ndarray:
    rows, cols = np.mgrid[:height, :width]
    return np.stack([rows, cols, rows * 0], axis=-1).astype(np.uint8)


def test_crops_of_one_picture_lie_a_piece_apart():
    every = crops(_numbered(72, 110), (4, 5), 8)
    assert [crop.shape for crop in every] == [(32, 40, 3)] * 4
    tops = sorted({int(crop[0, 0, 0]) for crop in every})
    lefts = sorted({int(crop[0, 0, 1]) for crop in every})
    assert tops[1] - tops[0] >= 32 + 8
    assert lefts[1] - lefts[0] >= 40 + 8


def test_crops_with_less_than_a_piece_between_them_are_not_taken():
    assert len(crops(_numbered(32, 80 + 7), (4, 5), 8)) == 1
    assert len(crops(_numbered(32, 80 + 8), (4, 5), 8)) == 2


def test_a_picture_that_stands_gives_crops_that_stand():
    assert crops(_numbered(60, 40), (4, 5), 8)[0].shape == (40, 32, 3)


def test_a_small_picture_is_enlarged():
    assert crops(_numbered(20, 30), (4, 5), 8)[0].shape == (32, 40, 3)


def test_every_picture_gives_one_crop_before_any_gives_a_second(tmp_path):
    for name in "ab":
        Image.fromarray(_numbered(32, 96)).save(tmp_path / f"{name}.png")
    names = [name.split("/", 1)[1] for name, _ in drawn([tmp_path], "*", (4, 5), 8, None)]
    assert names == ["a/0", "b/0", "a/1", "b/1"]
    assert len(list(drawn([tmp_path], "a*", (4, 5), 8, 1))) == 1


@pytest.mark.slow
def test_a_mix_is_solved_and_written_down_in_one_line(tmp_path):
    rng = np.random.default_rng(1)
    for name in "abc":
        noise = Image.fromarray(rng.integers(0, 255, (9, 12, 3), np.uint8))
        noise.resize((180, 135), Image.Resampling.BICUBIC).save(tmp_path / f"{name}.png")
    results = tmp_path / "results.jsonl"
    asked = [results, tmp_path, "--pictures", 2, "--grid", "12x9", "--piece", 14, "--foreign", 3]
    subprocess.run([sys.executable, SCRIPT, *map(str, asked)], check=True, capture_output=True)
    (line,) = [json.loads(text) for text in results.read_text().splitlines()]
    assert line["pieces"] == 2 * 108 + 3
    assert line["score"]["neighbor"] > 0.9
    assert line["sheets_true"] == [108, 108]
    assert {"measuring", "solving"} <= set(line["seconds"])
    assert line["peak_gb"] > 0
