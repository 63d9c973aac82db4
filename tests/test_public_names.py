"""One list of public names, from which ``__all__``, ``dir``, the rooms and the stubs are derived."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import pydoc
import re
import runpy
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest
from loops import for_each

import indicatrix as ix
from indicatrix.algebra.kind import every_measure
from indicatrix.catalogue.matrices import MATRIX_MEASURES
from indicatrix.public_names import ADAPTERS, HOMES, NAMES, NAMESPACES, SPACES, every_public, load_public, place
from indicatrix.scores.label_rankings.ranking_scores import RANKINGS
from indicatrix.scores.probabilities.proper_scores import LOSSES

ROOT = Path(__file__).parents[1]


def test_dir_lists_what_all_lists_once() -> None:
    assert sorted(ix.__all__) == dir(ix)
    assert len(set(ix.__all__)) == len(ix.__all__) <= 95
    mine = ix.measure("tp / (tp + fp)", name="share_of_hits", aliases=("hits_share",))
    assert ix.measures.share_of_hits is ix.measures.hits_share is mine
    assert "share_of_hits" in dir(ix.measures)


def test_a_name_is_written_once_and_the_module_that_it_stands_with_defines_it() -> None:
    assert sum(len(names) for modules in NAMES.values() for names in modules.values()) == len(HOMES)
    for name, module in HOMES.items():
        thing = load_public(name)
        if inspect.isfunction(thing) or inspect.isclass(thing):
            assert thing.__module__ == f"indicatrix.{module}", name
        if inspect.isclass(thing):
            assert SPACES[name] == ("types" if name != "Stream" else ""), name


def test_every_name_is_where_place_says_and_elsewhere_it_is_answered_with_this_place() -> None:
    for name, thing in every_public().items():
        written = place(name)
        assert eval(written, {"ix": ix}) is thing
        if written != f"ix.{name}":
            with pytest.raises(AttributeError, match=rf"It is {re.escape(written)}\.$"):
                getattr(ix, name)
        other = ix.theory if not written.startswith("ix.theory") else ix.vision
        if name not in dir(other) and name in HOMES:
            with pytest.raises(AttributeError, match=rf"It is {re.escape(written)}\.$"):
                getattr(other, name)


@for_each("space", NAMESPACES)
def test_a_namespace_lists_its_names_and_nothing_else(space: str) -> None:
    package = getattr(ix, space)
    more = {"groups"} if space == "catalogue" else {m.name for m in every_measure()} if space == "measures" else set()
    assert set(dir(package)) == {name for name, of in SPACES.items() if of == space} | more
    assert set(package.__all__) == set(dir(package))
    with pytest.raises(AttributeError, match=f"indicatrix.{space} has no attribute 'nothing'"):
        _ = package.nothing


@pytest.mark.slow
def test_a_namespace_shows_the_public_function_and_not_the_module_of_the_same_name() -> None:
    clashing = [name for name, module in HOMES.items() if module == f"{SPACES[name]}.{name}"]
    assert {"folds", "votes"} <= {*clashing}
    code = """
import importlib, sys, indicatrix as ix
for name in sys.argv[1:]:
    space, _, module = name.partition(".")
    loaded = importlib.import_module(f"indicatrix.{name}")  # before the namespace was asked for it
    assert getattr(getattr(ix, space), module) is getattr(loaded, module), name
import indicatrix.tasks.spans.spans, indicatrix.compare.compare
assert (ix.tasks.spans.__name__, ix.compare.__name__) == ("spans", "compare")  # packages hide no function, either
import indicatrix.scores.areas
assert ix.scores.areas is sys.modules["indicatrix.scores.areas"]  # other modules are attributes of their packages, as ever
"""
    subprocess.run([sys.executable, "-c", code, *(HOMES[name] for name in clashing)], check=True)


def test_an_adapter_is_asked_for_a_name_once() -> None:
    assert ix.integrations.card_results is vars(ix.integrations)["card_results"]


def test_namespaces_are_loaded_at_first_use() -> None:
    code = "import sys, indicatrix as ix; before = set(sys.modules); ix.theory; ix.tasks; ix.scores; dir(ix.theory)\n"
    code += "print(*sorted(set(sys.modules) - before))"
    loaded = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.split()
    assert loaded == ["indicatrix.scores", "indicatrix.tasks", "indicatrix.theory"]


def test_the_catalogue_is_called() -> None:
    assert ix.catalogue(group="likelihood", better="lower") == (ix.measures.negative_likelihood_ratio,)
    assert ix.measures.tpr is ix.recall
    assert set(ix.catalogue.groups()) == {m.group for m in ix.catalogue(search="")} - {""}


@for_each(
    ("space", "described"),
    [("tasks", "one_class(y_true"), ("measures", "f1 = <Measure f1"), ("theory", "floor("), ("types", "Sweep")],
)
def test_help_on_a_namespace_tells_what_it_is_and_what_is_in_it(space: str, described: str) -> None:
    text = pydoc.plain(pydoc.render_doc(getattr(ix, space)))
    whole = re.sub(r"\(\s+", "(", text)  # Python 3.13 breaks long signatures
    assert re.match(
        rf"Python Library Documentation: (package|\w+) (in )?indicatrix\.{space}|Python Library Documentation: ", text
    )
    assert (getattr(ix, space).__doc__ or "").partition("\n")[0] in text
    assert described in whole
    assert "ModuleType" not in text


def test_the_stubs_are_what_their_script_writes() -> None:
    for path, text in runpy.run_path(str(ROOT / "docs" / "write_stubs.py"))["stubs"]().items():
        assert path.read_text(encoding="utf-8") == text, f"{path}: run `make docs`"


@pytest.mark.slow
def test_a_type_checker_sees_every_name_with_its_type(tmp_path: Path) -> None:
    aliases = [alias for m in (*ix.algebra.MEASURES.values(), *MATRIX_MEASURES.values()) for alias in m.aliases]
    names = [*(f"ix.{name}" for name in dir(ix)), *(f"ix.measures.{alias}" for alias in aliases)]
    names += [f"ix.{space}.{name}" for space in NAMESPACES for name in dir(getattr(ix, space))]
    wanted = dict(_shown_with_its_type(name) for name in names)
    wanted |= {"ix.catalogue(group='rules')": r"indicatrix\.catalogue\.listing\.Catalogue", "ix.recal": "Any"}
    snippet = tmp_path / "snippet.py"
    snippet.write_text("\n".join(["import indicatrix as ix", *(f"reveal_type({text})" for text in wanted)]), "utf-8")
    command = [sys.executable, "-m", "mypy", "--strict", "--no-pretty", str(snippet)]
    said = subprocess.run(command, cwd=ROOT, capture_output=True, text=True).stdout
    revealed = re.findall(r'note: Revealed type is "(.*)"', said)
    assert not [(text, told) for (text, like), told in zip(wanted.items(), revealed, strict=True) if not re.match(like, told)]
    assert re.findall(r"error: (.*)", said)[0].startswith('Module has no attribute "recal"')


def _shown_with_its_type(name: str) -> tuple[str, str]:
    """Return an expression and a pattern of the type that a checker should see; of a function it has the parameters."""
    thing = eval(name, {"ix": ix})
    if inspect.ismodule(thing):
        return name, r"types\.ModuleType$" if thing is not ix.catalogue else "indicatrix._Catalogue$"
    if inspect.isclass(thing):
        return name, rf".*-> .*{re.escape(f'{thing.__module__}.{thing.__name__}')}"
    if inspect.isfunction(thing):
        every = ".*".join(rf"\b{parameter}: " for parameter in inspect.signature(thing).parameters)
        made = thing.__name__ in {**RANKINGS, **LOSSES}  # by a decorator: a protocol says how it is called
        return f"{name}.__call__" if made else name, rf"Overload\(def|def \(.*{every}"
    return name, rf"({re.escape(type(thing).__module__)}\.)?{type(thing).__name__}\b"


@for_each("name", ["", *NAMESPACES, *ADAPTERS])
def test_dir_shows_public_names_and_no_submodules(name: str) -> None:
    """Whatever was imported before, completion shows what users name; ``ix`` itself also shows its namespaces."""
    package = importlib.import_module(f"indicatrix.{name}".rstrip("."))
    if name not in ("", "torch", "integrations"):  # these load large libraries
        for found in pkgutil.iter_modules(getattr(package, "__path__", [])):
            importlib.import_module(f"{package.__name__}.{found.name}")
    shown = dir(package)
    assert sorted(shown) == sorted(package.__all__)
    namespaces = (*NAMESPACES, *ADAPTERS) if not name else ()
    modules = [one for one in shown if isinstance(getattr(package, one), ModuleType)]
    assert sorted(modules) == sorted(namespaces)
