"""Measures and functions of the whole confusion matrix by name.

Micro averages are something else (errata B1).
"""

from __future__ import annotations

from typing import Any

from ..algebra.measure import MEASURES, Measure
from ..algebra.measure_names import find
from ..algebra.wording import short
from . import matrices as matrices  # which registers the functions of the matrix
from .matrix_measure import MATRIX_MEASURES as MATRIX_MEASURES
from .matrix_measure import MatrixMeasure as MatrixMeasure

EXAMPLES = {"weights": "linear", "level": "ordinal", "mean": "geometric"}  # of the parameters that functions of the matrix have


def measure_of_counts(measure: str | Measure | MatrixMeasure) -> Measure:
    """Return a measure of counts; a function of the matrix has only one value and is refused."""
    found = resolve(measure)
    if isinstance(found, MatrixMeasure):
        raise TypeError(f"{found} reads the whole confusion matrix and has one value: ev.score({str(found)!r}).")
    return found


def resolve(measure: str | Measure | MatrixMeasure) -> Measure | MatrixMeasure:
    """Return the measure, or function of the confusion matrix, that a name stands for.

    >>> print(resolve("f1"), resolve("multiclass_mcc"), resolve("multiclass_kappa(weights='linear')"))
    f1 multiclass_mcc multiclass_kappa(weights='linear')
    """
    if isinstance(measure, MatrixMeasure):
        return measure
    if isinstance(measure, str):
        name, _, given = measure.strip().partition("(")
        if name in MATRIX_MEASURES and name not in MEASURES:
            return MATRIX_MEASURES[name].at(**_options(measure)) if given else MATRIX_MEASURES[name]
    return find(measure)


def _options(text: str) -> dict[str, Any]:
    """Return the parameters in parentheses after a name: texts, numbers or nested lists of them."""
    import ast

    from ..algebra.expression import syntax_of

    try:
        call: Any = syntax_of(text)
    except SyntaxError:
        call = None
    try:
        if isinstance(call, ast.Call) and not call.args and all(k.arg for k in call.keywords):
            return {str(k.arg): ast.literal_eval(k.value) for k in call.keywords}
    except (ValueError, RecursionError, MemoryError):  # not a literal
        pass
    name = text.partition("(")[0].strip()
    options = [f"{option}={EXAMPLES[option]!r}" for option in MATRIX_MEASURES[name].own_options]
    way = f"Write the parameters by name: {name}({options[0]})." if options else f"{name} has no parameters; leave them out."
    raise ValueError(f"{short(text)} cannot be read. {way}")
