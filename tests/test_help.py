"""help() on every measure, area and function of the matrix teaches it, and calls may name their arguments."""

from __future__ import annotations

import ast
import builtins
import dataclasses
import doctest
import inspect
import pickle
import pydoc
import re
from typing import Any

import pytest
from loops import for_each

import indicatrix as ix
import indicatrix.sklearn as drop_ins
from indicatrix.catalogue.matrices import MATRIX_MEASURES
from indicatrix.public_names import ADAPTERS, NAMESPACES, every_public

MEASURES = list(dict.fromkeys(ix.algebra.MEASURES.values()))
FAMILIES = [m for m in MEASURES if m.params]
CALLED = [*MEASURES, *dict.fromkeys(MATRIX_MEASURES.values()), *ix.scores.AREAS.values()]
TRUE, PRED, SCORES = [0, 1, 1, 0, 1], [0, 1, 0, 0, 1], [0.2, 0.9, 0.4, 0.3, 0.7]


NEEDED = {"partial_auc": {"max_fpr": 0.5}, "threshold_average": {"measure": "f1"}}  # parameters without a default


def second_of(called: Any) -> tuple[str, list]:
    return ("scores", SCORES) if called.reads.name == "ranking" else ("y_pred", PRED)


@for_each("called", CALLED)
def test_help_says_what_it_takes_and_gives(called: Any) -> None:
    text, signature = called.__doc__, inspect.signature(called)
    assert len(text.partition("\n")[0]) < 100
    assert text in pydoc.plain(pydoc.render_doc(called)).replace("\n    ", "\n")
    names = [*signature.parameters]
    assert names[:2] == ["y_true", second_of(called)[0]]
    parameters = text.partition("Parameters\n----------")[2].partition("Returns\n-------")[0]
    own = [name for name in names if name not in inspect.signature(ix.evaluate).parameters or name in names[:2]]
    assert "Score" in text
    assert [name for name in own if name not in parameters] == []
    assert f"between {called.range[0]:.6g} and" in text
    assert "better" in text


@for_each("measure", MEASURES)
def test_help_on_a_measure_has_its_formula_names_averages_and_source(measure: ix.Measure) -> None:
    text = " ".join(measure.__doc__.split())  # lines are wrapped
    assert measure.formula in text
    assert [name for name in measure.aliases if name not in text] == []
    assert [name for name in measure.known_as.values() if not measure.averages and name not in text] == []
    assert all(repr(average) in text for average in (measure.averages or ix.algebra.AVERAGES))
    assert ix.catalogue.references()[measure.source]["title"].split()[0] in text


@for_each("called", CALLED)
def test_the_examples_of_the_help_are_true(called: Any) -> None:
    test = doctest.DocTestParser().get_doctest(called.__doc__, {}, str(called), None, None)
    assert test.examples or called.reads.name == "ranking"
    results = doctest.DocTestRunner(verbose=False, optionflags=doctest.ELLIPSIS).run(test)
    assert results.failed == 0


def test_classes_of_measures_keep_their_own_help() -> None:
    for kind in (ix.Measure,):
        assert kind.__doc__ == inspect.getdoc(kind) or ">>>" in kind.__doc__
        assert next(iter(inspect.signature(kind).parameters)) == "name"
    formula = ix.measure("tp / (tp + fp + 1)")
    assert "tp / (tp + fp + 1)" in formula.__doc__
    assert pickle.loads(pickle.dumps(formula)).__doc__ == formula.__doc__


@for_each("called", CALLED)
def test_arguments_may_be_named(called: Any) -> None:
    (name, second), needed = second_of(called), NEEDED.get(called.name, {})
    value = repr(called(TRUE, second, **needed))
    assert repr(called(y_true=TRUE, **{name: second}, **needed)) == value == repr(called(TRUE, **{name: second}, **needed))
    with pytest.raises(TypeError, match="y_true and"):
        called(y_true=TRUE, **needed)
    with pytest.raises(TypeError, match=name):
        called(TRUE, second, **{name: second}, **needed)


@pytest.mark.parametrize("family", FAMILIES, ids=str)
def test_parameters_may_be_named_in_the_call(family: ix.Measure) -> None:
    values = {name: max(0.5, family.domain.get(name, (0.0, 1.0))[0]) for name in family.params}
    other = family.at(**values)
    for average in ("micro", "macro"):
        assert repr(family(TRUE, PRED, average=average, **values)) == repr(other(TRUE, PRED, average=average))
    counts = ix.Counts(3, 1, 2, 4)
    assert repr(family(counts, **values)) == repr(other(counts))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: ix.evaluate(TRUE, PRED).score("F1"), r"There is no measure 'F1'\. Did you mean f1\?"),
        (lambda: ix.evaluate(TRUE, PRED).score("f1_score"), r"Did you mean f1\?"),
        (lambda: ix.evaluate(TRUE, PRED).score("roc_auc"), r"There is no measure 'roc_auc'\. Did you mean auc\?"),
        (lambda: ix.roc_auc, r"Did you mean ix\.auc\?"),
        (lambda: ix.xyzzy, r"has no attribute 'xyzzy'\.$"),
        (lambda: ix.f1(TRUE, PRED, clases=[0, 1]), r"^f1 takes no clases=\. Did you mean classes\?"),
        (lambda: ix.f1(TRUE, PRED, ci=0.95), r"f1 takes no ci=; a measure gives an interval with interval="),
        (lambda: ix.f_beta(TRUE, PRED, betta=2), r"takes no betta="),
        (lambda: ix.f1([0, 1, 2], [0, 1, 1]), r"\.values\('f1'\) has one value for each class\.$"),
        (
            lambda: ix.accuracy([{0}, {1, 2}], [{0}, {1}]),
            r"exact_match is the share of examples whose labels are all right\.$",
        ),
    ],
)
def test_a_name_that_does_not_exist_is_answered_with_one_that_does(call: Any, message: str) -> None:
    with pytest.raises((ValueError, TypeError, AttributeError), match=message):
        call()


def parts_of(kind: type) -> list[tuple[str, Any]]:
    """Return the methods and properties that a public class defines."""
    return [(name, part) for name, part in inspect.getmembers_static(kind) if not name.startswith("_") and defined_here(part)]


def defined_here(part: Any) -> bool:
    function = part.fget if isinstance(part, property) else getattr(part, "__func__", part)
    if not inspect.isfunction(function) or not function.__module__.startswith("indicatrix."):
        return False
    return function.__annotations__.get("return") != "NoReturn"  # it only refuses


PUBLIC = every_public() | {name: getattr(ix, name) for name in (*NAMESPACES, *ADAPTERS)}
CLASSES = {name: kind for name, kind in PUBLIC.items() if inspect.isclass(kind)}
FUNCTIONS = {name: inspect.unwrap(thing) for name, thing in PUBLIC.items() if inspect.isfunction(inspect.unwrap(thing))}
METHODS = {f"{name}.{part}": getattr(kind, part) for name, kind in CLASSES.items() for part, it in parts_of(kind) if callable(it)}
PROPERTIES = {f"{name}.{part}": it for name, kind in CLASSES.items() for part, it in parts_of(kind) if isinstance(it, property)}
STATIC = {f"{name}.{part}" for name, kind in CLASSES.items() for part, it in parts_of(kind) if isinstance(it, staticmethod)}
DROP_INS = {f"sklearn.{name}": inspect.unwrap(getattr(drop_ins, name)) for name in drop_ins.__all__ if name.islower()}
EXPLAINED = {**FUNCTIONS, **DROP_INS, "catalogue": ix.catalogue.__call__, **METHODS}


def sections_of(text: str) -> dict[str, str]:
    """Return the sections of a docstring in NumPy's style by title; what stands above them has the title ''."""
    first, *rest = re.split(r"^(\w+)\n-+\n", inspect.cleandoc(text), flags=re.MULTILINE)
    assert all(f"{title}\n{'-' * len(title)}\n" in inspect.cleandoc(text) for title in rest[::2])
    return {"": first, **dict(zip(rest[::2], rest[1::2], strict=True))}


def entries_of(section: str) -> list[str]:
    """Return the names that a section explains, in order; each entry has a type, except ``**options``, and a text."""
    names = []
    for entry in re.split(r"\n(?=\S)", section.strip("\n")):
        title, _, text = entry.partition("\n")
        named, _, kind = title.partition(" : ")
        assert text.strip(), f"{title!r} is not explained"
        assert kind or named.startswith("*"), f"{title!r} has no type"
        names += named.split(", ")
    return names


def arguments_of(name: str, function: Any) -> list[str]:
    stars = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}
    arguments = [stars.get(p.kind, "") + p.name for p in inspect.signature(function).parameters.values()]
    return arguments[1:] if name in METHODS and not inspect.ismethod(function) and name not in STATIC else arguments


def check_examples(name: str, text: str) -> None:
    """Refuse examples that use what they do not import: a reader has nothing else. The tests of docstrings run them."""
    examples = doctest.DocTestParser().get_examples(text, name)
    assert examples
    tree = ast.parse("".join(example.source for example in examples))
    known = {*dir(builtins)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            known |= {(alias.asname or alias.name).partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.FunctionDef | ast.ClassDef | ast.ExceptHandler):
            known.add(node.name or "")
        elif isinstance(node, ast.arg):
            known.add(node.arg)
        elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            known.add(node.id)
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    assert used <= known, used - known


@for_each("name", EXPLAINED)
def test_help_on_a_function_explains_its_arguments_and_result_and_has_examples(name: str) -> None:
    function = EXPLAINED[name]
    sections = sections_of(function.__doc__)
    arguments = arguments_of(name, function)
    assert sections[""].strip()
    assert entries_of(sections["Parameters"]) == arguments if arguments else "Parameters" not in sections
    assert inspect.signature(function).return_annotation == "None" or sections["Returns"].strip()
    check_examples(name, sections["Examples"])


@for_each("name", CLASSES)
def test_help_on_a_class_explains_what_it_takes_or_what_it_holds(name: str) -> None:
    kind = CLASSES[name]
    sections = sections_of(kind.__doc__)
    assert sections[""].strip()
    fields = dataclasses.fields(kind) if dataclasses.is_dataclass(kind) else ()
    held = [field.name for field in fields] or getattr(kind, "__slots__", ())
    if "Parameters" in sections:
        assert entries_of(sections["Parameters"]) == [*inspect.signature(kind).parameters]
        check_examples(name, sections["Examples"])
    elif shown := [attribute for attribute in held if not attribute.startswith("_")]:
        assert entries_of(sections["Attributes"]) == shown


def test_every_property_is_explained() -> None:
    assert [name for name, part in PROPERTIES.items() if not (part.__doc__ or "").strip()] == []
