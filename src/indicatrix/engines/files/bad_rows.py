"""Rows that cannot be counted: which of a batch they are, and what is wrong with each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...encode.pairs import check_missing
from ...words.call_mistakes import answers_mistakes
from ...words.wording import listing, short
from ..arrow_columns import flat, is_list, is_text_column, label_vector, number_vector, one_array, text_number
from ..column_roles import SHOWN, ColumnRoles

Check = tuple[Array, str, Callable[[Any], str]]  # which rows are bad, the column, and what is said about a cell
FIRST = 10  # bad rows that are kept with their reason


@answers_mistakes
@dataclass
class BadRows:
    """How many rows could not be counted, and where the first of them stand.

    Attributes
    ----------
    count : int
        How many rows were left out.
    first : list of str
        What is wrong with the first ten of them: file, row and column.
    """

    count: int = 0
    first: list[str] = field(default_factory=list)


def add_bad_row(rows: BadRows, what: str) -> None:
    """Count one row more."""
    rows.count += 1
    if len(rows.first) < FIRST:
        rows.first.append(what)


def find_bad_rows(batch: Any, roles: ColumnRoles) -> tuple[Array, Callable[[int], str]]:
    """Return which rows of a batch cannot be counted, and a function that says what is wrong with one."""
    checks = [*_checks(batch, roles)]
    bad = np.zeros(batch.num_rows, bool)
    for rows, _, _ in checks:
        bad |= rows

    def explain(row: int) -> str:
        _, column, say = next(check for check in checks if check[0][row])
        return f", column {column!r}{say(one_array(batch.column(column))[row].as_py())}"

    return bad, explain


def _checks(batch: Any, roles: ColumnRoles) -> Iterator[Check]:
    options = roles.options
    if options.targets is not None:
        return  # each target has options of its own
    sides = check_missing(options.missing)
    answers = [column for _, columns in roles.answers for column in columns]
    for column in roles.true:
        yield from _labels(batch, roles, column, sides[0], predicted=False)
    for column in answers:
        if roles.scored:
            yield from _numbers(batch, column, "score")
        else:
            yield from _labels(batch, roles, column, sides[1], predicted=True)
    for _, column in roles.by:
        yield _missing_rows(batch.column(column)), column, lambda cell: " is empty, but every row needs a group. Fill it."
    if roles.sample_weight is not None:
        yield from _numbers(batch, roles.sample_weight, "weight")
        if not options.signed_weights:
            values = _values(batch.column(roles.sample_weight))
            with np.errstate(invalid="ignore"):
                wrong = ~(np.isfinite(values) & (values >= 0))
            yield wrong, roles.sample_weight, _say_weight
    for column in roles.mask:
        yield from _numbers(batch, column, "mask")


def _labels(batch: Any, roles: ColumnRoles, name: str, missing: str, *, predicted: bool) -> Iterator[Check]:
    """Yield what is wrong with a column of labels."""
    column = batch.column(name)
    if missing == "error":
        hint = "'abstain' if a missing prediction is an abstention, or 'mask'" if predicted else "'mask'"
        sides = check_missing(roles.options.missing)
        hint = f"missing={hint} to leave such rows out" if "abstain" not in sides else "missing=('mask', 'abstain')"
        advice = f" is empty. Fill it, or pass {hint}.{_separator_hint(column)}"
        if roles.separator is not None:
            advice = " is missing. Write an empty text for an example without labels."
        yield _missing_rows(column), name, lambda cell: advice
    if roles.wide:
        if roles.options.tnorm is None:
            values = _values(column)
            yield (
                ~((values == 0) | (values == 1) | _missing_rows(column)),
                name,
                lambda cell: f" is {cell!r}: a cell is 0 or 1 where every label has a column. Correct it, or name others.",
            )
        return
    classes = roles.options.classes
    if classes is not None and roles.options.known is None and roles.options.hierarchy is None:
        extra = () if roles.options.abstain is None else (roles.options.abstain,)
        known = listing(tuple(classes), SHOWN)

        def say(cell: Any) -> str:
            label = _first_strange(cell, tuple(classes))
            return f": the label {short(label)} is not in classes={known}. Add it, or drop such rows."

        yield _strange(column, {*classes, *extra}), name, say


def _say_weight(cell: Any) -> str:
    given = cell if isinstance(cell, str) else format(cell, "g")
    return f" is {given}, but a weight must be finite and not negative. Correct it."


def _strange(column: Any, classes: set[Any]) -> Array:
    """Return which rows have a label that is not a class."""
    form = label_vector(flat(column), "a label")
    if form.categories is None:
        found, places = np.unique(form.values, return_inverse=True)
        odd = np.array([x not in classes and x == x for x in found.tolist()], bool)[places]
    else:
        odd = np.array([*(x not in classes for x in form.categories), False], bool)[form.values]
    if not is_list(column.type):
        return odd
    from pyarrow import compute

    owner = np.asarray(compute.list_parent_indices(one_array(column)))
    return np.bincount(owner[odd], minlength=len(column)) > 0


def _first_strange(cell: Any, classes: tuple[Any, ...]) -> Any:
    """Return the label of a cell that is not a class."""
    return next(label for label in cell if label not in classes) if isinstance(cell, list) else cell


def _separator_hint(column: Any) -> str:
    """Return a hint on separator= if a cell looks like several labels, otherwise ""."""
    if not is_text_column(column.type):
        return ""
    for cell in label_vector(column, "a label").categories or ():
        if found := [c for c in ";|," if c in cell]:
            return f" If a cell holds several labels, as {cell!r}, pass separator={found[0]!r}; an empty cell then has none."
    return ""


def _numbers(batch: Any, name: str, what: str) -> Iterator[Check]:
    """Yield what is wrong with a column of numbers."""

    def say(cell: Any) -> str:
        if cell is None:
            problem = " is empty"
        elif isinstance(cell, str) and text_number(cell) is None:
            problem = f" is {cell!r}, which is not a number"
        else:
            problem = " is NaN"
        return f"{problem}: every row needs a {what}. Correct it, or drop the row."

    yield np.isnan(_values(batch.column(name))), name, say


def _values(column: Any) -> Array:
    """Return numbers as floats, NaN where a cell is missing or not a number."""
    import pyarrow as pa

    column = one_array(column)
    if pa.types.is_nested(column.type) or pa.types.is_temporal(column.type):
        return np.full(len(column), np.nan)
    return np.asarray(number_vector(column, odd=np.nan), float)


def _missing_rows(column: Any) -> Array:
    """Return which rows have no value: null, or NaN."""
    import pyarrow as pa

    column = one_array(column)
    absent = np.asarray(column.is_null(nan_is_null=pa.types.is_floating(column.type)))
    if is_list(column.type) and column.values.null_count:
        absent |= np.array([row is not None and None in row for row in column.to_pylist()])
    return absent
