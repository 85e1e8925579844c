"""The house stays small: functions, their parameters, and files."""

import ast
import symtable
from collections.abc import Iterator
from pathlib import Path

import pytest

import tessella

PACKAGE = Path(tessella.__file__).parent
LINES_OF_A_FUNCTION = 80
LINES_OF_A_FILE = 400
PARAMETERS = 12
ROUTES = tuple(
    f"tessella.studio.routes.{file.stem}.add"
    for file in (PACKAGE / "studio" / "routes").glob("*.py")
)
"""What a loop over the studio's routes calls."""
MANY_PARAMETERS = ("cli", "kernels")
"""Commands have an option each; compiled code takes arrays one by one."""
VAGUE = ("told", "found")
"""Words that say how something was come by, not what it is."""
VAGUE_STILL = ("stages", "studio", "wishes")
"""Folders where such names are left."""
RECORDED = {"bench/paper/documents.py", "bench/person.py"}
"""Files with one such name each, that of a field in records."""


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


def last_name(node: ast.AST) -> str:
    """Return what a name, or an attribute, is called; "" of anything else."""
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def asks_for_strips(text: str) -> list[int]:
    """Return the lines in which code asks whether a puzzle is one of strips."""
    lines = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Call) and ast.unparse(node.func) in ("isinstance", "issubclass"):
            named = (last_name(part) for part in ast.walk(node.args[-1]))
            lines += [node.lineno] if "Strips" in named else []
        elif isinstance(node, ast.Attribute) and node.attr == "kind":
            lines += [node.lineno] if last_name(node.value) == "Strips" else []
    return lines


def test_nobody_asks_a_puzzle_whether_it_is_of_strips():
    found = [
        (str(file.relative_to(PACKAGE)), line)
        for file in files()
        if file.relative_to(PACKAGE).parts[0] != "documents"
        for line in asks_for_strips(file.read_text(encoding="utf-8"))
    ]
    assert found == []


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("isinstance(puzzle, Strips)", [1]),
        ("a\nisinstance(puzzle, (Puzzle, strips.Strips))", [2]),
        ("isinstance(a.puzzle, Puzzle | Strips)", [1]),
        ("puzzle.kind != Strips.kind", [1]),
        ("isinstance(Strips, type)", []),
        ("puzzle = Strips(pieces)\npuzzle.kind", []),
    ],
)
def test_asking_for_strips_is_seen_however_it_is_written(text, lines):
    assert asks_for_strips(text) == lines


def vague_names(text: str) -> list[str]:
    """Return the variables, parameters, functions and classes that are called so, in any order."""
    bound = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Store):
            bound.append(last_name(node))
        elif isinstance(node, ast.arg):
            bound.append(node.arg)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            bound.append(node.name)
    return [name for name in bound if name.strip("_") in VAGUE]


def test_names_say_what_they_hold():
    counts = {
        file.relative_to(PACKAGE).as_posix(): len(vague_names(file.read_text(encoding="utf-8")))
        for file in files()
        if file.relative_to(PACKAGE).parts[0] not in VAGUE_STILL
    }
    assert {file: count for file, count in counts.items() if count} == dict.fromkeys(RECORDED, 1)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("told = 1", ["told"]),
        ("def _found(told, *found): pass", ["_found", "found", "told"]),
        ("a.found, b = 1, 2", ["found"]),
        ("f = lambda found: found[0]", ["found"]),
        ("class A:\n    found: int", ["found"]),
        ("for told in every: print(told.found, 'found')", ["told"]),
        ("print(found)\nf(told=1)\nclass Found: pass", []),
    ],
)
def test_a_vague_name_is_seen_wherever_it_is_bound(text, names):
    assert sorted(vague_names(text)) == names


def module_of(file: Path) -> str:
    """Return what a file of the package is imported as."""
    parts = file.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imported(tree: ast.AST) -> dict[str, str]:
    """Return what the names that a file imports stand for."""
    names = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            names |= {a.asname or a.name: f"{node.module}.{a.name}" for a in node.names}
        elif isinstance(node, ast.Import):
            names |= {a.asname: a.name for a in node.names if a.asname}
    return names


def global_names(text: str, without: str = "") -> set[str]:
    """Return the global names that code looks up, other than in the function `without`."""
    scopes, found = [symtable.symtable(text, "text", "exec")], set()
    while scopes:
        scope = scopes.pop()
        top = scope.get_type() == "module"
        symbols = (s for s in scope.get_symbols() if s.is_referenced())
        found |= {s.get_name() for s in symbols if top or s.is_global()}
        scopes += [s for s in scope.get_children() if not (top and s.get_name() == without)]
    return found


def called_for(text: str, module: str) -> set[str]:
    """Return the full names of what a file makes use of; an import alone is none."""
    tree = ast.parse(text)
    meant = imported(tree)
    used = {meant[name] for name in global_names(text) | local_imports(tree) if name in meant}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            before, _, last = ast.unparse(node).rpartition(".")
            first, dot, rest = before.partition(".")
            used.add(f"{meant.get(first, first)}{dot}{rest}.{last}")
            if isinstance(node.value, ast.Call):  # of a module that was found by its name
                used.add(f"*.{last}")
        elif isinstance(node, ast.Constant) and module in ("tessella", "tessella.cli"):
            # What the package offers, and its commands, are offered by name.
            used.add(str(node.value).replace(":", ".") if module[-1] == "i" else f"*.{node.value}")
    own = (node.name for node in tree.body if isinstance(node, ast.FunctionDef))
    return used | {f"{module}.{name}" for name in own if name in global_names(text, name)}


def local_imports(tree: ast.AST) -> set[str]:
    """Return the names that functions look up after importing them themselves."""
    found = set()
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef):
            loads = (n for n in ast.walk(function) if isinstance(n, ast.Name))
            found |= {n.id for n in loads if isinstance(n.ctx, ast.Load)} & set(imported(function))
    return found


def lonely(texts: dict[str, str]) -> list[str]:
    """Return the functions of some modules that no code makes use of."""
    used = set().union(*(called_for(text, module) for module, text in texts.items()))
    for module, text in texts.items():  # A package hands on what it imports.
        handed = imported(ast.parse(text)).items()
        used |= {home for name, home in handed if f"{module}.{name}" in used}
    return [
        f"{module}.{node.name}"
        for module, text in texts.items()
        for node in ast.parse(text).body
        if isinstance(node, ast.FunctionDef)
        and not {f"{module}.{node.name}", f"*.{node.name}"} & used
    ]


def test_every_public_function_is_for_more_than_tests():
    root = PACKAGE.parents[1]
    besides = [p for d in ("scripts", "speed") for p in (root / d).rglob("*.py")]
    texts = {module_of(file): file.read_text(encoding="utf-8") for file in files()}
    texts |= {str(file): file.read_text(encoding="utf-8") for file in besides}
    found = [name for name in lonely(texts) if name.startswith("tessella.")]
    kept = ("__getattr__", "__dir__", *ROUTES)  # Python calls the first two
    twins = [name for name in found if name.endswith("_plain") or ".specification." in name]
    assert [n for n in found if n not in twins and not n.endswith(kept)] == []


@pytest.mark.parametrize(
    ("other", "alone"),
    [
        ("from tessella.a import work\nwork()", False),
        ("from tessella.a import work as done\nprint(done)", False),
        ("from tessella import a\na.work()", False),
        ("def f():\n    from tessella.a import work\n    return work()", False),
        ("from importlib import import_module\nimport_module('tessella.a').work()", False),
        ("from tessella.a import work", True),
        ('"It calls work() of tessella.a."', True),
        ("def f(a):\n    return a.work", True),
        ("def f(work):\n    return work()", True),
    ],
)
def test_a_function_that_is_only_spoken_of_is_lonely(other, alone):
    texts = {"tessella.a": "def work():\n    return work()", "tessella.b": other}
    assert ("tessella.a.work" in lonely(texts)) == alone


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
