"""Formulas as JavaScript: the one translator of the report page.

A formula is recorded with symbolic counts and printed. Integers get the suffix ``n`` of big integers; without it the same text
computes with floats. The page takes whole counts as big integers where floats would round their products, so its values are
those of Python, where such counts are exact integers, too.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from fractions import Fraction
from functools import lru_cache
from typing import Any

from ...algebra.average import AVERAGES, Average
from ...algebra.counts import CELLS
from ...algebra.measure import Measure
from ...algebra.numbers.recorded_counts import NotRecordableError, Recorded, as_recorded, record, recorded_counts

SIGNS = ("+", "-", "*", "<", "<=", ">", ">=", "==")
OF_ANY_NUMBER = ("min", "max", "abs", "ratio", "log_table_chance")  # functions of the page that read big integers, too
CODED = "\\u003c"  # the sign < inside a text of JavaScript
BIG = re.compile(r"\b(\d+)n\b")


@lru_cache(maxsize=1024)
def measure_as_javascript(measure: Measure) -> str | None:
    """Return a measure as functions of floats and of big integers; None if it is not plain arithmetic.

    >>> import indicatrix as ix
    >>> print(measure_as_javascript(ix.f1))
    [(tp,fp,fn,tn)=>ratio(2*tp,((2*tp)+fp)+fn),(tp,fp,fn,tn)=>ratio(2n*tp,((2n*tp)+fp)+fn)]
    """
    if not measure.reads.formula:
        return None
    try:
        return functions_of(record(measure.function, measure.params))
    except NotRecordableError:
        return None


def weights_as_javascript(average: Average, measure: Any) -> str | None:
    """Return the weights of an average as a pair of functions; None if the measure has no such weights.

    >>> from indicatrix.algebra.average import AVERAGES
    >>> print(weights_as_javascript(AVERAGES["weighted"], None))
    [(tp,fp,fn,tn)=>tp+fn,(tp,fp,fn,tn)=>tp+fn]
    """
    if average.weight is None:
        return None
    try:
        return functions_of(as_recorded(average.amounts(measure, recorded_counts())))
    except ValueError:  # a measure without denominators
        return None


def denominator_as_javascript(measure: Measure) -> str | None:
    """Return <b, v> of a measure that is a ratio of linear forms as two functions; otherwise None."""
    return weights_as_javascript(AVERAGES["denominator"], measure)


def functions_of(value: Recorded) -> str:
    """Return a pair of functions for one recorded value: of floats, and of big integers."""
    exact, head = _body(value), f"({','.join(CELLS)})=>"
    floats = BIG.sub(r"\1", exact)
    return f"[{head}{floats},{head}{exact}]"


def _body(value: Recorded) -> str:
    """Return an expression, or a block that names what is used more than once."""
    names: dict[int, str] = {}
    lines = []
    for part in _used_twice(value):
        text = _text(part, names)
        names[id(part)] = f"t{len(names)}"
        lines.append(f"const {names[id(part)]}={text};")
    result = _text(value, names)
    return f"{{{''.join(lines)}return {result}}}" if lines else result


def _used_twice(value: Recorded) -> list[Recorded]:
    """Return the operations that occur several times, those first that others need."""
    times: Counter[int] = Counter()
    order: list[Recorded] = []

    def visit(part: Any) -> None:
        if not isinstance(part, Recorded) or not part.operands or part.operation in ("cell", "constant"):
            return
        times[id(part)] += 1
        if times[id(part)] == 1:
            for operand in part.operands:
                visit(operand)
            order.append(part)

    visit(value)
    return [part for part in order if times[id(part)] > 1]


def _text(part: Recorded, names: dict[int, str]) -> str:
    """Return an operation as text, without parentheses around it."""

    def argument(x: Recorded, as_float: bool) -> str:
        """Return an operand of a function; as a float, if asked, also where the counts are big integers."""
        if x.whole and as_float:
            return str(x.operands[0]) if x.operation == "constant" else f"Number({_text(x, names)})"
        return _text(x, names)

    def operand(x: Recorded, as_float: bool) -> str:
        """Return an operand of a sign, in parentheses where it needs them."""
        called = (x.whole and as_float) or (x.operation == "pow" and not x.whole)  # Number(…), pow(…)
        bare = called or id(x) in names or x.operation not in (*SIGNS, "neg", "select", "pow")
        return argument(x, as_float) if bare else f"({argument(x, as_float)})"

    if id(part) in names:
        return names[id(part)]
    operands = part.operands
    mixed = not all(isinstance(x, Recorded) and x.whole for x in operands)
    match part.operation:
        case "cell":
            return str(operands[0])
        case "constant":
            return _number(operands[0])
        case "pi":
            return "Math.PI"
        case "neg":
            return f"-{operand(operands[0], False)}"
        case sign if sign in SIGNS:
            return f"{operand(operands[0], mixed)}{sign}{operand(operands[1], mixed)}"
        case "pow" if part.whole:
            return f"{operand(operands[0], False)}**{operand(operands[1], False)}"
        case "select":
            condition, yes, no = operands
            return f"{operand(condition, False)}?{operand(yes, not part.whole)}:{operand(no, not part.whole)}"
        case name:
            as_float = name not in OF_ANY_NUMBER or (mixed and name != "ratio")
            return f"{name}({','.join(argument(x, as_float) for x in operands)})"


def _number(x: Any) -> str:
    """Return a constant; a whole number as a big integer."""
    if isinstance(x, int):
        return f"{x}n" if x >= 0 else f"(-{-x}n)"
    if isinstance(x, Fraction):
        return f"({x.numerator}/{x.denominator})"
    return repr(float(x)) if math.isfinite(x) else {math.inf: "Infinity", -math.inf: "-Infinity"}.get(x, "NaN")


def object_of(texts: dict[str, str]) -> str:
    r"""Return a JavaScript object of names and texts of code; no name can end the script element.

    >>> print(object_of({"</script>": "1"}))
    {"\u003c/script>":1}
    """
    return "{" + ",".join(f"{json.dumps(name).replace('<', CODED)}:{text}" for name, text in texts.items()) + "}"
