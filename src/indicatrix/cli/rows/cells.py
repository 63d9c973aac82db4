"""Cells into numbers and labels; errors name the file, the row and the column."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...algebra.wording import listing
from .columns import SHOWN, Roles
from .request import NUMBER
from .row_source import Block, Column

BITS = {"0": 0, "1": 1, "0.0": 0, "1.0": 1, "False": 0, "True": 1, "false": 0, "true": 1, 0: 0, 1: 1}


@dataclass(frozen=True)
class Place:
    """The place of a block of rows: its file, and the number of its first row without the header."""

    name: str
    first: int

    def of(self, row: int, column: str) -> str:
        """Return the place of a cell, for a message."""
        return f"{self.name}, data row {self.first + row}, column {column!r}"


def check_missing(place: Place, parts: Roles, block: Block, missing: Any) -> None:
    """Refuse a missing label where ``missing`` does not say what it means."""
    sides = missing if isinstance(missing, tuple) else (("error", "abstain") if missing == "abstain" else (missing, missing))
    for columns, meaning, hint in (
        (parts.truth, sides[0], "mask to leave such rows out"),
        (parts.predicted, sides[1], "abstain if a missing prediction is an abstention, or mask to leave such rows out"),
    ):
        for column in columns if meaning == "error" else ():
            row = block[column].first_missing()
            if row is not None:
                option = "--missing mask,abstain" if "abstain" in sides else f"--missing {hint}"
                option = option if "abstain" not in sides else f"{option}, which also leaves out rows without a true label"
                empty = f"{place.of(row, column)} is empty. Fill it, or pass {option}."
                raise ValueError(f"{empty}{_separator_hint(block[column].cells())}")


def _separator_hint(column: Sequence[Any]) -> str:
    """Return a hint on ``--separator`` if a cell looks like several labels, otherwise ""."""
    for cell in column:
        if isinstance(cell, str) and (found := [c for c in ";|," if c in cell]):
            return f" If a cell holds several labels, as {cell!r}, pass --separator {found[0]!r}; an empty cell then has none."
    return ""


def label_sets(place: Place, name: str, column: Column, separator: str, *, empty: bool) -> list[frozenset[str]]:
    """Return the labels of each cell, without the spaces around them.

    A missing cell is the empty set if ``empty``, as in text files, and otherwise an error.

    >>> [sorted(found) for found in label_sets(Place("a.csv", 1), "pred", Column.of(["red; big", None]), ";", empty=True)]
    [['big', 'red'], []]
    """
    row = None if empty else column.first_missing()
    if row is not None:
        raise ValueError(f"{place.of(row, name)} is missing. Write an empty text for an example without labels.")
    for cell in column.values:
        if not isinstance(cell, str):
            row = column.cells().index(cell)
            raise ValueError(f"{place.of(row, name)} is {cell!r}, but --separator splits texts. Leave it out.")
    sets = [frozenset(filter(None, map(str.strip, cell.split(separator)))) for cell in column.values]
    return list(map([*sets, frozenset[str]()].__getitem__, column.codes.tolist()))


def check_classes(place: Place, name: str, column: Column, classes: Sequence[Any]) -> None:
    """Refuse a label that is not one of the classes."""
    strange = set(column.values) - {*classes}
    if strange:
        row, label = next((i, x) for i, x in enumerate(column.cells()) if x in strange)
        raise _strange_label(place.of(row, name), label, classes)


def check_classes_of_sets(place: Place, name: str, sets: Sequence[frozenset[str]], classes: Sequence[str]) -> None:
    """Refuse a set with a label that is not one of the classes."""
    for row, labels in enumerate(sets):
        for label in sorted(labels - {*classes}):
            raise _strange_label(place.of(row, name), label, classes)


def _strange_label(where: str, label: Any, classes: Sequence[Any]) -> ValueError:
    return ValueError(f"{where}: the label {label!r} is not in --classes {listing(classes, SHOWN)}. Add it, or drop such rows.")


def groups(place: Place, name: str, column: Column) -> list[Any]:
    """Return the group of each row; refuse a row without a group."""
    row = column.first_missing()
    if row is not None:
        raise ValueError(f"{place.of(row, name)} is empty, but every row needs a group for --by. Fill it.")
    return column.cells()


def weights(place: Place, name: str, column: Column) -> Array:
    """Return the weights of rows; refuse weights that are negative or not finite."""
    values = _floats(place, name, column, "weight")
    bad = ~(np.isfinite(values) & (values >= 0))
    if bad.any():
        row = int(bad.argmax())
        given = column.values[column.codes[row]]
        raise ValueError(f"{place.of(row, name)} is {given!s}, but a weight must be finite and not negative. Correct it.")
    return values


def numbers(place: Place, block: Block, columns: tuple[str, ...]) -> Array:
    """Return columns of scores as a table."""
    return np.column_stack([_floats(place, name, block[name], "score") for name in columns])


def _floats(place: Place, name: str, column: Column, what: str) -> Array:
    if column.first_missing() is not None or not all(map(_is_number, column.values)):
        row, cell = next((i, cell) for i, cell in enumerate(column.cells()) if not _is_number(cell))
        problem = "is empty" if cell is None else f"is {cell!r}, which is not a number"
        raise ValueError(f"{place.of(row, name)} {problem}: every row needs a {what}. Correct it, or drop the row.")
    values = np.array(list(map(float, column.values)))[column.codes]
    if np.isnan(values).any():
        row = int(np.isnan(values).argmax())
        raise ValueError(f"{place.of(row, name)} is NaN: every row needs a {what}. Correct it, or drop the row.")
    return values


def _is_number(cell: Any) -> bool:
    if isinstance(cell, str):
        return NUMBER.fullmatch(cell) is not None
    try:
        float(cell)
    except (TypeError, ValueError):
        return False
    return True


def matrix(place: Place, block: Block, columns: tuple[str, ...], missing: Any) -> Array:
    """Return 0/1 columns as a matrix; an empty cell is NaN if ``missing`` is "mask"."""
    made = [_bits(place, name, block[name], missing) for name in columns]
    return np.column_stack(made)


def _bits(place: Place, name: str, column: Column, missing: Any) -> Array:
    odd = set(column.values) - BITS.keys()
    empty = column.first_missing() is not None
    if not odd and (missing == "mask" or not empty):
        bits = list(map(BITS.__getitem__, column.values))
        return (np.array([*bits, np.nan]) if empty else np.array(bits, np.uint8))[column.codes]
    row, cell = next((i, x) for i, x in enumerate(column.cells()) if x in odd or (x is None and missing != "mask"))
    if cell is None:
        raise ValueError(f"{place.of(row, name)} is empty. Write 0 or 1, or pass --missing mask to leave such entries out.")
    raise ValueError(f"{place.of(row, name)} is {cell!r}: with --multilabel a cell is 0 or 1. Correct it, or name other columns.")
