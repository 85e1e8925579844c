"""The commands of the README and of pages for readers are run, in order, on small pictures."""

import re
import shlex
from pathlib import Path

import numpy as np
import pytest

from tessella.cli import COMMANDS, main
from tessella.imaging.cut import cut
from tessella.imaging.folder import write_puzzle
from tessella.imaging.read import SUFFIXES, write_image
from tessella.imaging.render import scrambled

ROOT = Path(__file__).parent.parent
PAGES = (
    "README.md",
    "docs/conservators.md",
    "docs/examiners.md",
    "docs/players.md",
    "docs/researchers.md",
    "docs/settings.md",
)
"""Every page whose commands a reader may follow from the first to the last."""

ELSEWHERE = {"apt", "cd", "git", "open", "pip", "python", "python3", "sudo", "xdg-open"}
"""What pages may call besides; not tried here."""


def commands(text: str) -> list[list[str]]:
    """Return every line of the shell blocks, split as a shell would."""
    blocks = re.findall(r"^```(?:sh|bash|console)\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    lines = "".join(blocks).replace("\\\n", " ").splitlines()
    return [words for line in lines if (words := shlex.split(line.removeprefix("$ "), True))]


def provide(arguments: list[str], picture) -> None:
    """Make what a command reads, where it does not exist yet."""
    command, *rest = arguments
    if command == "collect":
        photograph(Path(rest[0]), Path(rest[1]), picture)
        return
    source = Path(next((word for word in rest if not word.startswith("-")), "nothing"))
    if command == "bench":
        source = Path(rest[rest.index("--data") + 1]) / source / "1.png"
    assert not source.is_absolute()
    if command not in ("cut", "solve", "bench") or source.exists():
        return
    source.parent.mkdir(parents=True, exist_ok=True)
    if source.suffix.lower() not in SUFFIXES:
        write_puzzle(source, cut(picture, 56, turned=True)[0])
        (source / "puzzle.json").unlink()
    else:
        write_image(source, picture if command != "solve" else scrambled(cut(picture, 56)[0]))


def photograph(one: Path, two: Path, picture) -> None:
    """Lay a picture's pieces on two grey tables, apart from each other."""
    pieces = cut(picture, 56, turned=True)[0].pieces
    for path, part in ((one, pieces[::2]), (two, pieces[1::2])):
        table = np.full((400, 560, 3), (150, 146, 140), np.uint8)
        for number, piece in enumerate(part):
            top, left = 40 + number // 5 * 110, 40 + number % 5 * 100
            table[top : top + 56, left : left + 56] = piece
        write_image(path, table)


@pytest.fixture(scope="module")
def readme() -> str:
    return (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("page", PAGES)
def test_every_command_of_a_page_works(page, picture, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    tried = []
    for program, *arguments in commands((ROOT / page).read_text(encoding="utf-8")):
        if program == "make":
            makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
            assert all(re.search(rf"^{target}:", makefile, re.MULTILINE) for target in arguments)
        elif program in ("tessella", ".venv/bin/tessella"):
            provide(arguments, picture)
            code = main(arguments)
            assert code == 0, f"{shlex.join(arguments)}: {capsys.readouterr().err}"
            tried.append(arguments[0])
        else:
            assert program in ELSEWHERE, f"{program} is not known to every reader"
    assert "solve" in tried


def test_the_readme_names_both_commands_to_begin_with(readme):
    assert ["make", "demo"] in commands(readme)
    assert ["make", "test"] in commands(readme)


def test_every_command_is_described_somewhere(readme):
    pages = [readme, *(p.read_text(encoding="utf-8") for p in (ROOT / "docs").glob("*.md"))]
    for command in COMMANDS:
        assert any(f"tessella {command}" in page for page in pages), command
