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
from indicatrix.catalogue.matrices import MATRIX_MEASURES
from indicatrix.public_names import ADAPTERS, HOMES, NAMES, ROOMS

ROOT = Path(__file__).parents[1]


def test_dir_lists_what_all_lists_once() -> None:
    assert sorted(ix.__all__) == dir(ix)
    assert len(set(ix.__all__)) == len(ix.__all__)
    mine = ix.measure("tp / (tp + fp)", name="share_of_hits", aliases=("hits_share",))
    assert ix.share_of_hits is ix.hits_share is mine


def test_a_name_is_written_once_and_the_module_that_it_stands_with_defines_it() -> None:
    assert sum(map(len, NAMES.values())) == len(HOMES)
    for name, module in HOMES.items():
        thing = getattr(ix, name)
        if inspect.isfunction(thing) or inspect.isclass(thing):
            assert thing.__module__ == f"indicatrix.{module}", name


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_lists_the_public_names_of_its_modules_and_nothing_else(room: str) -> None:
    package = getattr(ix, room)
    more = {"groups", *(m.name for m in ix.algebra.MEASURES.values())} if room == "catalogue" else set()
    assert set(dir(package)) == {name for name, module in HOMES.items() if module.startswith(f"{room}.")} | more
    assert set(package.__all__) == set(dir(package))
    assert all(getattr(package, name) is getattr(ix, name) for name in dir(package) if name != "groups")
    with pytest.raises(AttributeError, match=f"indicatrix.{room} has no attribute 'nothing'"):
        _ = package.nothing


@pytest.mark.slow
def test_a_room_shows_the_public_function_and_not_the_module_of_the_same_name() -> None:
    clashing = [name for name, module in HOMES.items() if module in [f"{room}.{name}" for room in ROOMS]]
    assert {"sweep", "kendall"} <= {*clashing}
    code = """
import importlib, sys, indicatrix as ix
for name in sys.argv[1:]:
    room, _, module = name.partition(".")
    loaded = importlib.import_module(f"indicatrix.{name}")  # before the room was asked for it
    assert getattr(getattr(ix, room), module) is getattr(ix, module) is getattr(loaded, module), name
import indicatrix.scores.areas
assert ix.scores.areas is sys.modules["indicatrix.scores.areas"]  # other modules are attributes of their packages, as ever
"""
    subprocess.run([sys.executable, "-c", code, *(HOMES[name] for name in clashing)], check=True)


def test_an_adapter_is_asked_for_a_name_once() -> None:
    assert ix.integrations.card_results is vars(ix.integrations)["card_results"]


def test_rooms_are_loaded_at_first_use() -> None:
    code = "import sys, indicatrix as ix; before = set(sys.modules); ix.theory; ix.settings; ix.scores; dir(ix.theory)\n"
    code += "print(*sorted(set(sys.modules) - before))"
    loaded = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.split()
    assert loaded == ["indicatrix.scores", "indicatrix.settings", "indicatrix.theory"]


def test_the_catalogue_is_a_room_and_is_called() -> None:
    assert ix.catalogue(group="likelihood", better="lower") == (ix.measures.negative_likelihood_ratio,)
    assert ix.catalogue.tpr is ix.recall
    assert set(ix.catalogue.groups()) == {m.group for m in ix.catalogue(search="")} - {""}
    mine = ix.measure("tp / (tp + fp)", name="share_of_hits")
    assert ix.catalogue.share_of_hits is mine
    assert "share_of_hits" in dir(ix.catalogue)


@pytest.mark.one_fast_case
@pytest.mark.parametrize(
    ("room", "described"), [("settings", "one_class(y_true"), ("catalogue", "f1 = <Measure f1"), ("theory", "floor(")]
)
def test_help_on_a_room_tells_what_it_is_and_what_is_in_it(room: str, described: str) -> None:
    text = pydoc.plain(pydoc.render_doc(getattr(ix, room)))
    assert text.startswith(f"Python Library Documentation: package indicatrix.{room}")
    assert (getattr(ix, room).__doc__ or "").partition("\n")[0] in text
    assert described in text
    assert "ModuleType" not in text


def test_the_stubs_are_what_their_script_writes() -> None:
    for path, text in runpy.run_path(str(ROOT / "docs" / "write_stubs.py"))["stubs"]().items():
        assert path.read_text(encoding="utf-8") == text, f"{path}: run `make docs`"


@pytest.mark.slow
def test_a_type_checker_sees_every_name_with_its_type(tmp_path: Path) -> None:
    aliases = [alias for m in (*ix.algebra.MEASURES.values(), *MATRIX_MEASURES.values()) for alias in m.aliases]
    names = [f"ix.{name}" for name in (*dir(ix), *aliases)]
    names += [f"ix.{room}.{name}" for room in ROOMS for name in dir(getattr(ix, room))]
    wanted = {name: _type_of(name) for name in names}
    wanted |= {"ix.catalogue(group='rules')": r"indicatrix\.catalogue\.listing\.Catalogue", "ix.recal": "Any"}
    snippet = tmp_path / "snippet.py"
    snippet.write_text("\n".join(["import indicatrix as ix", *(f"reveal_type({text})" for text in wanted)]))
    command = [sys.executable, "-m", "mypy", "--strict", "--no-pretty", str(snippet)]
    said = subprocess.run(command, cwd=ROOT, capture_output=True, text=True).stdout
    revealed = re.findall(r'note: Revealed type is "(.*)"', said)
    assert not [(text, told) for (text, like), told in zip(wanted.items(), revealed, strict=True) if not re.match(like, told)]
    assert re.findall(r"error: (.*)", said)[0].startswith('Module has no attribute "recal"')


def _type_of(name: str) -> str:
    """Return a pattern of the type that a checker should see; of a function it has the parameters."""
    thing = eval(name, {"ix": ix})
    if inspect.ismodule(thing):
        return r"types\.ModuleType$" if thing is not ix.catalogue else "indicatrix._Catalogue$"
    if inspect.isclass(thing):
        return rf".*-> .*{re.escape(f'{thing.__module__}.{thing.__name__}')}"
    if inspect.isfunction(thing):
        every = ".*".join(rf"\b{parameter}: " for parameter in inspect.signature(thing).parameters)
        return rf"Overload\(def|def \(.*{every}"
    return rf"({re.escape(type(thing).__module__)}\.)?{type(thing).__name__}\b"


@for_each("name", ["", *ROOMS, *ADAPTERS])
def test_dir_shows_public_names_and_no_submodules(name: str) -> None:
    """Whatever was imported before, completion shows what users name; ``ix`` itself also shows its namespaces."""
    package = importlib.import_module(f"indicatrix.{name}".rstrip("."))
    if name not in ("", "torch", "integrations"):  # these load large libraries
        for found in pkgutil.iter_modules(package.__path__):
            importlib.import_module(f"{package.__name__}.{found.name}")
    shown = dir(package)
    assert sorted(shown) == sorted(package.__all__)
    namespaces = (*ROOMS, *ADAPTERS) if not name else ()
    modules = [one for one in shown if isinstance(getattr(package, one), ModuleType)]
    assert sorted(modules) == sorted(namespaces)
