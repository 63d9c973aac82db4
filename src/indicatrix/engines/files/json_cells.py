"""Cells of JSON lines as columns of Arrow: what no type of Arrow holds is refused, never rounded."""

from __future__ import annotations

from typing import Any

from ...algebra.arrays import FLOATS_ARE_EXACT

NUMBER, TEXT, BOOL, LIST = "a number", "a text", "true or false", "a list"
SMALLEST, LARGEST = -(2**63), 2**64 - 1  # what integers of 64 bits hold, with a sign or without
SIGNED = 2**63
AS_TEXT = "Write such labels as texts in all rows"


def family_of_type(kind: Any) -> str | None:
    """Return what the cells of a type of Arrow are; None if all of them are missing."""
    from pyarrow import types

    if types.is_list(kind):
        return None if family_of_type(kind.value_type) is None else LIST
    if types.is_boolean(kind):
        return BOOL
    if types.is_string(kind):
        return TEXT
    return None if types.is_null(kind) else NUMBER


def _family(cell: Any) -> str | None:
    """Return what a cell is; None if it is an object, which no label, score or weight is."""
    if isinstance(cell, bool):
        return BOOL
    if isinstance(cell, int | float):
        return NUMBER
    return TEXT if isinstance(cell, str) else LIST if isinstance(cell, list) else None


def read_cells(cells: list[Any], family: str | None = None) -> tuple[Any, dict[int, str]]:
    """Return cells as an array of Arrow, and why some of them cannot be read, by their place.

    ``family`` is what the cells of earlier rows were.

    >>> array, bad = read_cells([2**63, None, "a"])
    >>> array.to_pylist(), bad
    ([9223372036854775808, None, None], {2: 'and rows before have a number there'})
    """
    import pyarrow as pa

    bad: dict[int, str] = {}
    for i, cell in enumerate(cells):
        if cell is None:
            continue
        own = _family(cell)
        family = own if family is None else family
        if own is None:
            bad[i] = "an object, and a cell is a text, a number, true or false, or a list of these"
        elif own != family:
            bad[i] = f"and rows before have {family} there"
    kept = {i: cell for i, cell in enumerate(cells) if cell is not None and i not in bad}
    kind, odd = _type_of_lists(kept) if family == LIST else _type_of(kept, family)
    bad |= odd
    return pa.array([None if i in bad else cell for i, cell in enumerate(cells)], kind), bad


def _type_of_lists(lists: dict[int, list[Any]]) -> tuple[Any, dict[int, str]]:
    """Return the type of lists, and which of them it does not hold."""
    import pyarrow as pa

    bad = {i: "and a list here holds labels, no lists" for i, own in lists.items() if any(isinstance(x, list) for x in own)}
    owner = [i for i, own in lists.items() if i not in bad for _ in own]
    members, odd = read_cells([cell for i, own in lists.items() if i not in bad for cell in own])
    return pa.list_(members.type), bad | {owner[at]: f"with a wrong label: {why}" for at, why in odd.items()}


def _type_of(cells: dict[int, Any], family: str | None) -> tuple[Any, dict[int, str]]:
    """Return the type of cells of one family, and which of them it does not hold."""
    import pyarrow as pa

    if family == NUMBER and cells:
        return _type_of_numbers(cells)
    if family == TEXT:
        return pa.string(), {i: "which holds half of a character" for i, text in cells.items() if not _is_whole(text)}
    return (pa.bool_() if family == BOOL else pa.null()), {}


def _type_of_numbers(cells: dict[int, Any]) -> tuple[Any, dict[int, str]]:
    import pyarrow as pa

    bad = {i: f"an integer of more than 64 bits. {AS_TEXT}" for i, x in cells.items() if _is_too_long(x)}
    left = {i: x for i, x in cells.items() if i not in bad}
    if any(isinstance(x, float) for x in left.values()):
        why = f"an integer above 2**53, and other rows have floats, which do not hold all of these. {AS_TEXT}"
        return pa.float64(), bad | {i: why for i, x in left.items() if isinstance(x, int) and abs(x) > FLOATS_ARE_EXACT}
    if max(left.values(), default=0) < SIGNED:
        return pa.int64(), bad
    why = f"which does not fit into 64 bits together with negative numbers. {AS_TEXT}"
    return pa.uint64(), bad | {i: why for i, x in left.items() if x < 0}


def _is_too_long(x: Any) -> bool:
    return isinstance(x, int) and not SMALLEST <= x <= LARGEST


def _is_whole(text: str) -> bool:
    """Return whether a text can be written as UTF-8: an escape may stand for half of a character."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
