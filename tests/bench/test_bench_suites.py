"""Suites are folders of pictures, in natural order."""

from pathlib import Path

import pytest

from tessella.bench.suites import SUITES, pictures
from tessella.errors import InputError, NameUnknown


def fill(folder: Path, *names: str) -> None:
    folder.mkdir(parents=True)
    for name in names:
        (folder / name).write_bytes(b"-")


def test_pictures_come_in_natural_order_and_other_files_are_left_alone(tmp_path):
    fill(tmp_path / "mcgill_540", "10.jpg", "2.jpg", "1.JPG", "notes.txt", ".hidden.png")
    (tmp_path / "mcgill_540" / "folder.png").mkdir()
    found = pictures("mcgill_540", tmp_path)
    assert [file.name for file in found] == ["1.JPG", "2.jpg", "10.jpg"]


def test_any_folder_of_pictures_is_a_suite(tmp_path):
    fill(tmp_path / "holiday", "a.png")
    assert len(pictures("holiday", tmp_path)) == 1


def test_an_unknown_suite_is_answered_with_the_known_ones_and_the_folders_present(tmp_path):
    fill(tmp_path / "holiday", "a.png")
    with pytest.raises(NameUnknown) as refusal:
        pictures("mit_423", tmp_path)
    assert all(name in str(refusal.value) for name in [*SUITES, "holiday", "ablation"])


@pytest.mark.parametrize("name", ["..", ".", "holiday/../holiday", ""])
def test_a_path_is_no_suite(tmp_path, name):
    fill(tmp_path / "holiday", "a.png")
    with pytest.raises(NameUnknown):
        pictures(name, tmp_path)


def test_a_known_suite_that_is_absent_names_what_is_there(tmp_path):
    fill(tmp_path / "holiday", "a.png")
    with pytest.raises(InputError, match=r"must hold a folder mit_432.*holds holiday"):
        pictures("mit_432", tmp_path)


def test_the_suites_own_folder_is_refused_with_the_folder_above(tmp_path):
    fill(tmp_path / "mit_432", "01.png")
    with pytest.raises(InputError, match=f"--data {tmp_path}\\."):
        pictures("mit_432", tmp_path / "mit_432")


def test_a_missing_data_folder_is_refused(tmp_path):
    with pytest.raises(InputError, match="does not exist"):
        pictures("mit_432", tmp_path / "nowhere")


def test_a_file_in_place_of_the_data_folder_is_refused(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="is a file"):
        pictures("mit_432", tmp_path / "file")


def test_a_suite_without_pictures_is_refused(tmp_path):
    fill(tmp_path / "mit_432", "notes.txt")
    with pytest.raises(InputError, match="holds none"):
        pictures("mit_432", tmp_path)
