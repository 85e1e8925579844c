"""The house stays small: functions, their parameters, and files."""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

import tessella

PACKAGE = Path(tessella.__file__).parent
LINES_OF_A_FUNCTION = 80
LINES_OF_A_FILE = 400
PARAMETERS = 12
MANY_PARAMETERS = ("cli", "kernels")
"""Commands have an option each; compiled code takes arrays one by one."""
TWINS = ("sum_chunks",)
"""Slow twins of fast code that tests compare it with, beside those named ``_plain``."""


def functions(text: str) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def length(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Return how many lines a function has, from ``def`` to its last."""
    assert function.end_lineno is not None
    return function.end_lineno - function.lineno + 1


def parameters(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Return how many parameters a function has; ``*args`` and ``**kwargs`` count as one each."""
    told = function.args
    rest = [each for each in (told.vararg, told.kwarg) if each is not None]
    return len([*told.posonlyargs, *told.args, *told.kwonlyargs, *rest])


def files() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def named() -> Iterator[tuple[Path, ast.FunctionDef | ast.AsyncFunctionDef]]:
    """Yield every function with its file, as the package knows it."""
    for file in files():
        for function in functions(file.read_text(encoding="utf-8")):
            yield file.relative_to(PACKAGE), function


def test_no_function_is_longer_than_a_screen_or_two():
    found = [(str(file), function.name, length(function)) for file, function in named()]
    assert [each for each in found if each[-1] > LINES_OF_A_FUNCTION] == []


def test_no_function_takes_more_parameters_than_a_person_can_hold():
    found = [
        (str(file), function.name, parameters(function))
        for file, function in named()
        if file.parts[0] not in MANY_PARAMETERS
    ]
    assert [each for each in found if each[-1] > PARAMETERS] == []


def test_no_file_is_too_long_to_read():
    found = [
        (str(file.relative_to(PACKAGE)), len(file.read_text(encoding="utf-8").splitlines()))
        for file in files()
    ]
    assert [each for each in found if each[-1] > LINES_OF_A_FILE] == []


def test_every_public_function_is_for_more_than_tests():
    root = PACKAGE.parents[1]
    places = [folder for folder in (root / "scripts", root / "speed") if folder.is_dir()]
    texts = [
        f.read_text(encoding="utf-8")
        for f in (*files(), *(p for d in places for p in d.rglob("*.py")))
    ]
    words = Counter(word for text in texts for word in re.findall(r"\w+", text))
    lonely = [
        (str(file.relative_to(PACKAGE)), node.name)
        for file in files()
        for node in ast.parse(file.read_text(encoding="utf-8")).body
        if isinstance(node, ast.FunctionDef)
        and not node.name.startswith("__")
        and words[node.name] == 1
    ]
    twins = [name for _, name in lonely if name.endswith("_plain")]
    assert [each for each in lonely if each[1] not in (*twins, *TWINS)] == []


def test_the_package_is_what_is_looked_at():
    names = {str(file.relative_to(PACKAGE)) for file in files()}
    assert {"api.py", "cli/solve.py", "bench/paper/plan.py", "kernels/jit.py"} <= names


@pytest.mark.parametrize(
    ("text", "lines", "count"),
    [
        ("def f(): pass", 1, 0),
        ("@cache\ndef f(\n    a,\n    /,\n    b,\n    *c,\n    d,\n    **e,\n):\n    pass", 9, 5),
        ("class A:\n    async def f(self):\n        '''Do.\n\n        It.\n        '''", 5, 1),
    ],
)
def test_lines_count_from_def_and_all_kinds_of_parameters_count(text, lines, count):
    (function,) = functions(text)
    assert (length(function), parameters(function)) == (lines, count)
