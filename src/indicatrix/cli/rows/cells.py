"""Cells into numbers and labels; errors name the file, the row and the column."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import repeat
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...algebra.wording import listing
from .columns import SHOWN, Roles
from .request import NUMBER
from .row_source import Block

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
            if None in block[column]:
                option = "--missing mask,abstain" if "abstain" in sides else f"--missing {hint}"
                option = option if "abstain" not in sides else f"{option}, which also leaves out rows without a true label"
                empty = f"{place.of(block[column].index(None), column)} is empty. Fill it, or pass {option}."
                raise ValueError(f"{empty}{_separator_hint(block[column])}")


def _separator_hint(column: Sequence[Any]) -> str:
    """Return a hint on ``--separator`` if a cell looks like several labels, otherwise ""."""
    for cell in column:
        if isinstance(cell, str) and (found := [c for c in ";|," if c in cell]):
            return f" If a cell holds several labels, as {cell!r}, pass --separator {found[0]!r}; an empty cell then has none."
    return ""


def label_sets(place: Place, name: str, column: list[Any], separator: str) -> list[frozenset[str]]:
    """Return the labels of each cell, without the spaces around them; an empty text is the empty set.

    >>> [sorted(found) for found in label_sets(Place("a.csv", 1), "pred", ["red; big", ""], ";")]
    [['big', 'red'], []]
    """
    for row, cell in enumerate(column):
        if not isinstance(cell, str):
            problem = (
                "is missing. Write an empty text for an example without labels" if cell is None else f"is {cell!r}, not text"
            )
            raise ValueError(f"{place.of(row, name)} {problem}, because --separator splits texts.")
    sets = {cell: frozenset(filter(None, map(str.strip, cell.split(separator)))) for cell in set(column)}
    return [sets[cell] for cell in column]


def check_classes(place: Place, name: str, column: Sequence[Any], classes: Sequence[Any]) -> None:
    """Refuse a label that is not one of the classes."""
    strange = set(column) - {*classes, None}
    if strange:
        row = next(i for i, x in enumerate(column) if x in strange)
        raise _strange_label(place.of(row, name), column[row], classes)


def check_classes_of_sets(place: Place, name: str, sets: Sequence[frozenset[str]], classes: Sequence[str]) -> None:
    """Refuse a set with a label that is not one of the classes."""
    for row, labels in enumerate(sets):
        for label in sorted(labels - {*classes}):
            raise _strange_label(place.of(row, name), label, classes)


def _strange_label(where: str, label: Any, classes: Sequence[Any]) -> ValueError:
    return ValueError(f"{where}: the label {label!r} is not in --classes {listing(classes, SHOWN)}. Add it, or drop such rows.")


def groups(place: Place, name: str, column: list[Any]) -> list[Any]:
    """Return the group of each row; refuse a row without a group."""
    if None in column:
        raise ValueError(f"{place.of(column.index(None), name)} is empty, but every row needs a group for --by. Fill it.")
    return column


def weights(place: Place, name: str, column: list[Any]) -> Array:
    """Return the weights of rows; refuse weights that are negative or not finite."""
    values = _floats(place, name, column, "weight")
    bad = ~(np.isfinite(values) & (values >= 0))
    if bad.any():
        row = int(bad.argmax())
        raise ValueError(f"{place.of(row, name)} is {column[row]!s}, but a weight must be finite and not negative. Correct it.")
    return values


def numbers(place: Place, block: Block, columns: tuple[str, ...]) -> Array:
    """Return columns of scores as a table."""
    return np.column_stack([_floats(place, name, block[name], "score") for name in columns])


def _floats(place: Place, name: str, column: list[Any], what: str) -> Array:
    try:
        if not all(map(_is_number, {cell for cell in column if isinstance(cell, str)})):
            raise ValueError
        values = np.array(list(map(float, column)))
    except (TypeError, ValueError):
        row = next(i for i, cell in enumerate(column) if not _is_number(cell))
        problem = "is empty" if column[row] is None else f"is {column[row]!r}, which is not a number"
        raise ValueError(f"{place.of(row, name)} {problem}: every row needs a {what}. Correct it, or drop the row.") from None
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


def _bits(place: Place, name: str, column: list[Any], missing: Any) -> Array:
    odd = set(column) - BITS.keys()
    if not odd:
        return np.fromiter(map(BITS.__getitem__, column), np.uint8, len(column))
    if odd == {None} and missing == "mask":
        return np.fromiter(map(BITS.get, column, repeat(np.nan)), np.float64, len(column))
    row = next(i for i, cell in enumerate(column) if cell in odd and (cell is not None or missing != "mask"))
    if column[row] is None:
        raise ValueError(f"{place.of(row, name)} is empty. Write 0 or 1, or pass --missing mask to leave such entries out.")
    raise ValueError(
        f"{place.of(row, name)} is {column[row]!r}: with --multilabel a cell is 0 or 1. Correct it, or name other columns."
    )
