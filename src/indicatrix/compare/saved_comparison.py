"""A comparison as JSON: its scores, intervals and differences, and the counts that they were made of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields as fields_of
from dataclasses import replace
from typing import Any

from ..algebra.score import Score
from ..inference.paired.difference import Difference
from ..saved_evaluation import VERSION as EVALUATIONS
from ..saved_evaluation import from_data as evaluation_in
from ..saved_evaluation import to_data as evaluation_out
from ..storage.json_values import fields, list_in, name_in, name_out, record_in, text_in
from ..words.wording import short
from .comparison import Comparison
from .row import Row
from .saved_paired_counts import from_data as joint_in
from .saved_paired_counts import to_data as joint_out
from .saved_scores import (
    average_in,
    interval_in,
    interval_out,
    measure_in,
    measure_out,
    plain_in,
    plain_out,
    score_in,
    score_out,
    undefined_in,
    undefined_out,
)


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


NAMES = ("names", "rows", "groups", "undefined", "doubts", "left_out", "differences", "joint", "tallies", "evaluations")


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
