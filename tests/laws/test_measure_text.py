"""What ``repr`` and ``str`` of a measure show: the formula, and the name that finds it again."""

import pytest
from loops import for_each

import indicatrix as ix
from indicatrix.algebra.measure_names import find
from indicatrix.catalogue.matrices import MATRIX_MEASURES

MEASURES = [*dict.fromkeys(ix.algebra.MEASURES.values())]
OTHERS = [*dict.fromkeys(MATRIX_MEASURES.values()), *ix.scores.AREAS.values()]


@for_each("measure", MEASURES)
def test_repr_shows_a_formula_that_computes_the_measure(measure):
    start, end = f"<Measure {measure} = ", ">"
    text = repr(measure)
    assert text.startswith(start)
    assert text.endswith(end)
    assert "\n" not in text
    formula = text[len(start) : -len(end)]
    if any(word in formula for word in (" if ", "sum(", "log_table_chance(")):  # a case distinction, a sum: for readers only
        return
    counts = ix.Counts(8.0, 3.0, 2.0, 5.0)
    again = ix.measure(formula, params=dict(measure.params))
    assert again(counts) == pytest.approx(measure(counts), rel=1e-12, nan_ok=True)


@for_each("measure", MEASURES)
def test_str_is_the_name_that_finds_it(measure):
    assert f"{measure}" == str(measure)
    assert find(str(measure)) == measure
    assert str(measure).startswith(measure.name)


@for_each("other", OTHERS)
def test_areas_and_functions_of_the_matrix_say_what_they_are(other):
    assert repr(other) == f"<{type(other).__name__} {other}: {other.doc}>"
    assert len(other.doc) > 20
    text = " ".join(other.function.__doc__.split())
    assert other.doc in text or f"Return the {other.doc[0].lower()}{other.doc[1:]}" in text
    assert str(other) == other.name


def test_other_measures():
    assert repr(ix.measure("tp / (tp + fp)")) == "<Measure tp / (tp + fp)>"
    assert repr(ix.measure("tp / (tp + k*fp)", params={"k": 2})) == "<Measure tp / (tp + k * fp); k=2>"
    assert repr(ix.f_beta.at(beta=2)).startswith("<Measure f_beta(beta=2) = (1 + beta * beta) * tp / ")


def test_a_function_whose_source_is_unknown_shows_its_docstring():
    class Hits:
        """Count the hits."""

        def __call__(self, tp, fp, fn, tn):
            return tp

    assert repr(ix.Measure("hits", Hits())) == "<Measure hits: Count the hits.>"


def test_tables_and_errors_use_the_name():
    table = ix.evaluate([0, 1, 1], [0, 1, 0]).table(["f1"], ["macro"])
    assert "<" not in str(table)
    assert table["f1", "macro"] == table[ix.f1, "macro"]
    with pytest.raises(KeyError, match=r"Its measures are \(f1\)"):
        table["mcc", "macro"]
