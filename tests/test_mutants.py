"""The mutants of ``make mutants``: each fault changes what it says and nothing else, and a seed draws the same ones again."""

from __future__ import annotations

import ast
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from loops import for_each

from mutants.mutations import mutations, statements
from mutants.probes import PROBE, probed
from mutants.recording import Recorded
from mutants.repository import LIBRARY, ROOT
from mutants.sample import Mutant, equivalent, every_mutant, folder_of, modules, sample, shares
from mutants.trial import covering, rounds

pytest_plugins = ["pytester"]

FAULTS = {
    "x < 1": {"x <= 1", "x < 2", "x < 0"},
    "a <= b != c": {"a < b != c", "a <= b == c"},
    "a is b": {"a is not b"},
    "a not in b": {"a in b"},
    "a and b and c": {"a or b or c"},
    "not a": {"a"},
    "-a": {"a"},
    "a + b * c": {"a - b * c", "a + b / c"},
    "(a - b) // c": {"(a - b) * c", "(a + b) // c"},
    "a & b": {"a | b"},
    "a ** 2": {"a * 2", "a ** 3", "a ** 1"},
    "True": {"False"},
    "min(a, b)": {"max(a, b)"},
    "np.maximum(a, b)": {"np.minimum(a, b)"},
    "any(a)": {"all(a)"},
    "a[b:c]": {"a[:c]", "a[b:]"},
    "a if b else c": {"a if not b else c"},
    "[a for a in b if a]": {"[a for a in b if not a]"},
    "f(a, strict=True)": set(),
    "isinstance(a, int | str)": set(),
    "'text' + a": set(),
    "f'{a + 1}'": set(),
    "'text'": set(),
    "None": set(),
    "1.5": set(),
}


def changed(source: str) -> Counter[str]:
    """Return what the faults of a source make of it, as trees, so that brackets and spaces do not count."""
    return Counter(ast.unparse(ast.parse(fault.apply(source))) for fault in mutations(source))


@for_each("expression", FAULTS)
def test_faults_of_an_expression(expression: str) -> None:
    assert changed(f"x = {expression}") == Counter(
        f"x = {fault}" for fault in map(ast.unparse, map(ast.parse, FAULTS[expression]))
    )


STATEMENTS = {
    "if a:\n    b = c": {"if not a:\n    b = c"},
    "if not a:\n    b = c": {"if a:\n    b = c"},
    "if a == b:\n    c = d": {"if a != b:\n    c = d"},
    "f(a)": {"pass"},
    "a[b] = c": {"pass"},
    "a.b = c": {"pass"},
    "a += b": {"pass"},
    "def f(a: int = 1) -> bool:\n    return a": {
        "def f(a: int=2) -> bool:\n    return a",
        "def f(a: int=0) -> bool:\n    return a",
        "def f(a: int=1) -> bool:\n    return None",
    },
    "@dataclass(frozen=True)\nclass A:\n    a: int = field(repr=False)": set(),
    "def f(a):\n    '''Text 1.'''\n    assert a == 1\n    raise ValueError(a + 1)": set(),
    "def f(a):\n    word = 'x' if a else 'y'\n    raise ValueError(word)": set(),
    "def f(a):\n    word = b if a else c\n    if word:\n        raise ValueError(word)": {
        "def f(a):\n    word = b if not a else c\n    if word:\n        raise ValueError(word)",
        "def f(a):\n    word = b if a else c\n    if not word:\n        raise ValueError(word)",
    },
    "def __repr__(self):\n    return 1": set(),
    "if TYPE_CHECKING:\n    a = 1": set(),
    "Union = int | str": set(),
    "from a import b": set(),
}


@for_each("source", STATEMENTS)
def test_faults_of_a_statement(source: str) -> None:
    assert changed(source) == Counter(STATEMENTS[source])


def test_a_fault_stands_where_it_says_whatever_letters_stand_before() -> None:
    source = "x = 'ä→ß', a < b  # ∞\ny = (\n    c  # because\n    + d\n)"
    assert changed(source) == Counter(["x = ('ä→ß', a <= b)\ny = c + d", "x = ('ä→ß', a < b)\ny = c - d"])
    assert [(fault.line, fault.change) for fault in mutations(source)] == [(1, "a < b → (a <= b)"), (3, "c + d → (c - d)")]


@pytest.fixture(scope="module")
def library() -> list[Mutant]:
    """Return the mutants of two modules of each folder, and of those in which some are equivalent; all would take ten seconds."""
    folders: dict[str, list[str]] = {}
    for module in modules():
        folders.setdefault(folder_of(module), []).append(module)
    some = {module for own in folders.values() for module in own[-2:]} | {module for module, _, _ in equivalent()}
    return every_mutant(sorted(some))


@pytest.mark.slow
def test_faults_of_the_library_are_other_programs(library: list[Mutant]) -> None:
    for mutant in sample(library, 10, seed=0):
        source = (ROOT / LIBRARY / mutant.module).read_text("utf-8")
        assert ast.dump(ast.parse(mutant.mutation.apply(source))) != ast.dump(ast.parse(source)), mutant


@pytest.mark.slow
def test_a_seed_draws_the_same_mutants_again_from_every_folder(library: list[Mutant]) -> None:
    drawn = sample(library, 100, seed=3)
    assert drawn == sample(library, 100, seed=3) != sample(library, 100, seed=4)
    assert len(drawn) == len({(mutant.module, mutant.mutation.statement) for mutant in drawn}) == 100
    assert {mutant.folder for mutant in drawn} == {mutant.folder for mutant in library}
    assert {folder_of(module) for module in modules()} == {mutant.folder for mutant in library}
    assert {"algebra", "tasks", "theory/result", "evaluate.py"} <= {mutant.folder for mutant in drawn}
    moved = [replace(mutant, mutation=replace(mutant.mutation, line=mutant.mutation.line + 1)) for mutant in library]
    assert [mutant.key for mutant in sample(moved, 100, seed=3)] == [mutant.key for mutant in drawn]


@pytest.mark.slow
def test_every_equivalent_mutant_exists_and_has_a_reason(library: list[Mutant]) -> None:
    keys = {mutant.key for mutant in library}
    assert [key for key in equivalent() if key not in keys] == []
    assert all(len(reason) > 20 for reason in equivalent().values())


@given(st.dictionaries(st.text("abc", min_size=1), st.integers(1, 900), min_size=1), st.integers(0, 100))
def test_shares_add_up(sizes: dict[str, int], count: int) -> None:
    found = shares(sizes, count)
    assert all(min(2, sizes[name]) <= found[name] <= sizes[name] for name in sizes)
    assert sum(found.values()) == max(min(count, sum(sizes.values())), sum(min(2, size) for size in sizes.values()))


FUNCTIONS = """
LIMIT = 3

def first(x):
    '''Text.'''
    if x < LIMIT:
        return second(x)
    return 0

def second(x):
    for k in range(x):
        x += k
    else:
        return x
"""


def test_probes_remember_the_statements_of_functions_that_ran() -> None:
    numbers = statements(ast.parse(FUNCTIONS))
    ran = bytearray(len(numbers))
    names: dict[str, Any] = {PROBE: ran}
    exec(compile(probed(ast.parse(FUNCTIONS)), "functions", "exec"), names)
    lines = {i: ast.unparse(node).splitlines()[0] for node, i in numbers.items()}
    assert not any(ran)
    assert names["first"].__doc__ == "Text."
    assert names["first"](5) == 0
    assert {lines[i] for i, hit in enumerate(ran) if hit} == {"if x < LIMIT:", "return 0"}
    assert names["first"](2) == 3
    assert {line for i, line in lines.items() if not ran[i]} == {"LIMIT = 3", "def first(x):", "'Text.'", "def second(x):"}


def mutant_of(change: str) -> Mutant:
    (fault,) = (fault for fault in mutations(FUNCTIONS) if fault.change == change)
    return Mutant("tally/states/states.py", fault, "")


def recorded(**hits: int) -> list[Recorded]:
    return [Recorded(f"tests/{name[0]}.py::{name}", 0.1, {"indicatrix.tally.states.states": ran}) for name, ran in hits.items()]


def test_the_tests_of_a_mutant_run_its_statement_or_its_module() -> None:
    inner, outer = mutant_of("x < LIMIT → (x <= LIMIT)"), mutant_of("3 → 4")
    bit = 1 << inner.mutation.statement
    tests = recorded(a1=bit, a2=bit | 1, b1=1, b2=0, c1=0)
    assert covering(inner, tests) == tests[:2]
    assert covering(outer, tests) == tests[:4]  # b2 may read what importing made
    assert covering(outer, tests[4:]) == tests[4:]  # nothing runs the module: anything may notice
    assert covering(inner, tests[2:]) == []


def test_every_test_has_its_round_and_specific_files_come_first() -> None:
    tests = [replace(test, seconds=15) for test in recorded(a1=1, a2=1, b1=1, b2=0, b3=1, c1=1)]
    chosen = [test for test in tests if test.hits["indicatrix.tally.states.states"]]
    first, second = rounds(chosen, tests)
    assert [test.name[-2:] for test in first] == ["c1", "a1"]
    assert [test.name[-2:] for test in second] == ["a2", "b1", "b3"]


def test_cases_called_after_a_function_are_chosen(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("MUTANTS_RECORD", "MUTANTS_SELECT"):  # a test of the copy is not one of the repository
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("MUTANTS_NAMED", "f1")
    file = pytester.makepyfile(
        "import pytest\n@pytest.mark.parametrize('k', ['f1', 'f1-macro', 'f11', 'recall'])\ndef test_f1(k): ..."
    )
    done = pytester.inline_run(file, "-p", "mutants.plugin")
    assert [call.item.name for call in done.getcalls("pytest_runtest_protocol")] == ["test_f1[f1]", "test_f1[f1-macro]"]
