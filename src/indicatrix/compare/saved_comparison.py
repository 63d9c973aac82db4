"""A comparison as JSON: its scores, intervals and differences, and the counts that they were made of.

Scores keep the values of their units, so a saved score prints, ranks and changes with the convention for undefined values as the
score itself does. Losses of single examples are raw data: of these only their mean is kept, and how many are undefined.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import fields as fields_of
from dataclasses import replace
from typing import Any

import numpy as np

from ..algebra.convention import Convention
from ..algebra.counts import CELLS, Counts
from ..algebra.measure import Measure
from ..algebra.measure_names import resolve
from ..algebra.score import Score, mean_of_values
from ..algebra.sums import sums
from ..inference.intervals.interval import Interval
from ..inference.paired.difference import Difference
from ..saved_evaluation import VERSION as EVALUATIONS
from ..saved_evaluation import from_data as evaluation_in
from ..saved_evaluation import to_data as evaluation_out
from ..storage.json_values import fields, list_in, name_in, name_out, number_in, number_out, record_in, text_in
from ..words.wording import short
from .comparison import Comparison
from .row import Row
from .saved_paired_counts import from_data as joint_in
from .saved_paired_counts import to_data as joint_out

KINDS = ("score", "grouped", "boundary")  # of parts; where an infinite value is a value
SPECIAL = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}
NAMES = ("names", "rows", "groups", "undefined", "doubts", "left_out", "differences", "joint", "tallies", "evaluations")


def plain_out(x: Any) -> Any:
    """Return a number, a text, None, or a tuple of them as JSON that loses nothing."""
    if isinstance(x, float) and not math.isfinite(x):
        return {"number": str(float(x))}
    if isinstance(x, float):
        return {"number": float(x).hex()}
    return name_out(x.item() if isinstance(x, np.generic) else x)


def plain_in(data: Any) -> Any:
    """Return the number, the text, None or the tuple that this JSON describes."""
    if isinstance(data, dict) and data.keys() == {"number"}:
        text = text_in(data["number"], "a number")
        return SPECIAL[text] if text in SPECIAL else number_in(text, "a number")
    return name_in(data)


def undefined_out(undefined: Any) -> Any:
    """Return a convention for undefined values as JSON."""
    if isinstance(undefined, Convention):
        return {"otherwise": plain_out(undefined.otherwise), "absent": undefined.absent}
    if not isinstance(undefined, str | int | float):
        raise TypeError(
            f"undefined={undefined!r} cannot be saved. Compare with 'exclude', 'nan', a number or ix.types.Convention(…)."
        )
    return plain_out(undefined)


def undefined_in(data: Any) -> Any:
    """Return the convention that this JSON describes."""
    if isinstance(data, dict) and "absent" in data:
        otherwise, absent = fields(data, ("otherwise", "absent"), "the convention")
        return Convention(plain_in(otherwise), text_in(absent, "which classes are absent"))
    return plain_in(data)


def measure_out(measure: Any) -> dict[str, Any]:
    """Return what was measured as JSON: its name or formula, and which values are better."""
    known = isinstance(measure, Measure) and measure.reads.named
    return {"kind": "measure" if known else "other", "name": str(measure), "better": measure.better}


def measure_in(data: Any) -> Any:
    """Return what was measured; a measure of one's own must be defined before it is loaded."""
    kind, name, better = (text_in(x, "a measure") for x in fields(data, ("kind", "name", "better"), "a measure"))
    if kind == "other":
        return sums(name, better)
    try:
        return resolve(name)
    except (ValueError, TypeError) as error:
        raise ValueError(f"the comparison is by {name!r}, which is not known here; define it first ({error})") from None


def average_in(measure: Any, data: Any) -> Any:
    """Return the average of a measure; earlier versions named one, "matrix", for measures that have none."""
    reads = getattr(measure, "reads", None)
    return name_in(data) if reads is None or reads.averaged else None


def score_out(score: Any) -> Any:
    """Return the value of a row as JSON: a score, a plain number, or None."""
    if not isinstance(score, Score):
        return plain_out(score)
    if score.measure.reads.infinite and "example" in score.counts.per:
        score = _without_examples(score)
    kind = KINDS[1] if score.parts else KINDS[2] if score.measure.reads.infinite else KINDS[0]
    more = {"parts": [score_out(part) for part in score.parts]} if score.parts else {}
    return {
        "score": kind,
        "value": plain_out(float(score)),
        "measure": measure_out(score.measure),
        "average": name_out(score.average),
        "undefined": undefined_out(score.undefined),
        "values": _array_out(score.values),
        "weights": None if score.weights is None else _array_out(score.weights),
        "inside": score.inside,
        "counts": {
            "per": [*score.counts.per],
            "names": [[name_out(name) for name in axis] for axis in score.counts.names],
            "times": None if score.counts.times is None else _array_out(score.counts.times),
            **{cell: _array_out(getattr(score.counts, cell)) for cell in CELLS},
        },
        **more,
    }


def score_in(data: Any) -> Any:
    """Return the score, the number or None that this JSON describes."""
    if not isinstance(data, dict) or "score" not in data:
        return plain_in(data)
    names = ("score", "value", "measure", "average", "undefined", "values", "weights", "inside", "counts")
    kind, value, measure, average, undefined, values, weights, inside, counts = fields(data, names, "a score")
    if kind not in KINDS:
        raise ValueError(f"a score is of the kind {kind!r}, not {', '.join(KINDS)}")
    number, measured = plain_in(value), measure_in(measure)
    if not isinstance(number, float):
        raise ValueError(f"a score is {short(number)}, not a number")
    facts = (
        number,
        measured,
        average_in(measured, average),
        undefined_in(undefined),
        _array_in(values),
        _counts_in(counts),
        None if weights is None else _array_in(weights),
        text_in(inside, "how units were scored"),
    )
    parts = map(score_in, list_in(data.get("parts"), "the parts of a score")) if kind == KINDS[1] else ()
    return Score(*facts, parts=tuple(parts))


def interval_out(interval: Interval | None) -> Any:
    """Return an interval as JSON; None for none."""
    if interval is None:
        return None
    how = {"measure": lambda m: None if m is None else measure_out(m), "undefined": undefined_out}
    return {f.name: how.get(f.name, plain_out)(getattr(interval, f.name)) for f in fields_of(Interval)}


def interval_in(data: Any) -> Interval | None:
    """Return the interval that this JSON describes."""
    if data is None:
        return None
    names = tuple(f.name for f in fields_of(Interval))
    how = {"measure": lambda m: None if m is None else measure_in(m), "undefined": undefined_in}
    given = zip(names, fields(data, names, "an interval"), strict=True)
    return record_in(Interval, {name: how.get(name, plain_in)(x) for name, x in given}, "an interval")


def _counts_in(data: Any) -> Counts:
    per, names, times, *cells = fields(data, ("per", "names", "times", *CELLS), "the counts of a score")
    axes = tuple(tuple(name_in(name) for name in list_in(axis, "names")) for axis in list_in(names, "names"))
    known = None if times is None else _array_in(times)
    kept = tuple(text_in(axis, "an axis") for axis in list_in(per, "the axes"))
    return Counts(*map(_array_in, cells), per=kept, names=axes, times=known, signed=True)


def _array_out(x: Any) -> dict[str, Any]:
    array = np.asarray(x)
    numbers = [plain_out(v) if isinstance(v, float) else number_out(v) for v in array.ravel().tolist()]
    return {"shape": [*array.shape], "numbers": numbers}


def _array_in(data: Any) -> Any:
    shape, numbers = fields(data, ("shape", "numbers"), "an array")
    found = [plain_in(x) if isinstance(x, dict) else number_in(x, "an array") for x in list_in(numbers, "an array")]
    sizes = [x for x in list_in(shape, "the shape of an array") if type(x) is int and x >= 0]
    if len(sizes) != len(shape) or math.prod(sizes) != len(found):
        raise ValueError(f"an array of shape {shape} has {len(found)} numbers")
    whole = np.array(found, None if all(isinstance(x, int | float) for x in found) else object).reshape(sizes)
    return whole if found else whole.astype(np.float64)


def _without_examples(score: Score) -> Score:
    """Return the same score as the mean of all examples that have a value, and how many have none."""
    lost = score.undefined_mask()
    weights = np.ones(len(lost)) if score.weights is None else np.asarray(score.weights, np.float64)
    values = np.asarray(score.values, np.float64)
    some = mean_of_values(score.measure, values[~lost], weights[~lost], "exclude") if (~lost).any() else math.nan
    often = np.ones(len(lost)) if score.counts.times is None else np.asarray(score.counts.times, np.float64)
    sums, times = ([x[~lost].sum(), x[lost].sum()] for x in (weights, often))
    kept = [k for k in range(2) if times[k]]
    nothing = np.full(len(kept), math.nan)
    counts = Counts(*[nothing] * 4, per=score.counts.per, names=((*kept,),), times=np.array(times)[kept], signed=True)
    both = np.array([some, math.nan])[kept]
    return Score(float(score), score.measure, score.average, score.undefined, both, counts, np.array(sums)[kept], score.inside)


def to_data(comparison: Comparison) -> dict[str, Any]:
    """Return a comparison as plain data.

    Scores of single examples, which areas need, are raw data and are left out.
    """
    joint = comparison.joint
    counts = None if joint is None or joint.counts is None else joint_out(replace(joint, sweeps=()))
    return {
        "names": [*comparison.names],
        "rows": [_row_out(row) for row in comparison.rows],
        "groups": [[axis, [_row_out(row) for row in rows]] for axis, rows in comparison.groups.items()],
        "undefined": undefined_out(comparison.undefined),
        "doubts": [*comparison.doubts],
        "left_out": [*comparison.left_out],
        "differences": [{f.name: plain_out(getattr(d, f.name)) for f in fields_of(Difference)} for d in comparison.differences],
        "joint": counts,
        "tallies": EVALUATIONS,
        "evaluations": [] if counts is not None else [evaluation_out(ev) for ev in comparison.evaluations],
    }


def from_data(version: int, data: dict[str, Any]) -> Comparison:
    """Return the comparison that plain data of a version of the format describe."""
    names, rows, groups, undefined, doubts, left_out, differences, joint, tallies, evaluations = fields(data, NAMES, "the file")
    called = _texts(names, "the names")
    together = None if joint is None else joint_in(version, joint)
    made = [evaluation_in(tallies, one) for one in list_in(evaluations, "the evaluations")]
    if together is not None and together.names != called:
        raise ValueError(f"the counts are of {', '.join(together.names)}, not of {', '.join(called)}")
    return Comparison(
        names=called,
        rows=_rows_in(rows, len(called)),
        groups={text_in(axis, "an axis"): _rows_in(some, len(called)) for axis, some in list_in(groups, "the groups")},
        undefined=undefined_in(undefined),
        doubts=_texts(doubts, "the doubts"),
        left_out=_texts(left_out, "what is left out"),
        differences=tuple(map(_difference_in, list_in(differences, "the differences"))),
        joint=together,
        evaluations=tuple(made if together is None else together.aligned),
    )


def _texts(data: Any, what: str) -> tuple[str, ...]:
    return tuple(text_in(text, what) for text in list_in(data, what))


def _row_out(row: Row) -> dict[str, Any]:
    own = {
        "values": [score_out(value) for value in row.values],
        "key": None if row.key is None else [measure_out(row.key[0]), name_out(row.key[1])],
        "intervals": [interval_out(interval) for interval in row.intervals],
    }
    return {**{f.name: name_out(getattr(row, f.name)) for f in fields_of(Row) if f.name not in own}, **own}


def _rows_in(data: Any, many: int) -> tuple[Row, ...]:
    return tuple(_row_in(row, many) for row in list_in(data, "the rows"))


def _row_in(data: Any, many: int) -> Row:
    names = tuple(f.name for f in fields_of(Row))
    given = dict(zip(names, fields(data, names, "a row"), strict=True))
    values, key, intervals = (given.pop(name) for name in ("values", "key", "intervals"))
    found = tuple(map(score_in, list_in(values, "the values of a row")))
    ends = tuple(map(interval_in, list_in(intervals, "the intervals of a row")))
    if len(found) != many or len(ends) not in (0, many):
        raise ValueError(f"a row has {len(found)} values and {len(ends)} intervals of {many} classifiers")
    known: Sequence[Any] = () if key is None else list_in(key, "the key of a row")
    if key is not None and len(known) != 2:
        raise ValueError(f"the key of a row has {len(known)} entries, not a measure and an average")
    own: dict[str, Any] = {
        "values": found,
        "key": (measured := measure_in(known[0]), average_in(measured, known[1])) if known else None,
        "intervals": ends,
    }
    plain = {name: name_in(x) for name, x in given.items()}
    best = plain["best"]
    if not isinstance(best, tuple) or len(best) not in (0, many) or not set(map(type, best)) <= {bool}:
        raise ValueError(f"a row says of {short(best)} which of its values are best")
    if any(value is not None and not isinstance(value, Score) for value in found):
        raise ValueError("the values of a row are not scores")
    return record_in(Row, {**plain, **own}, "a row")


def _difference_in(data: Any) -> Difference:
    names = tuple(f.name for f in fields_of(Difference))
    values = map(plain_in, fields(data, names, "a difference"))
    return record_in(Difference, dict(zip(names, values, strict=True)), "a difference")
