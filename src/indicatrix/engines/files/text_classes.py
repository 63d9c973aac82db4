"""Labels of text files: integers if all of them are, which is known only after the last row."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from typing import Any

from ...common_classes import on_classes
from ...evaluation import Evaluation
from ..arrow_columns import NUMBER

INTEGER = re.compile(r"0|-?[1-9][0-9]*")  # 01 and 1.0 are text: they may be codes where a zero matters
MOST_DIGITS = 4300  # of an integer: Python reads no longer ones, because this takes too long


def integers(names: Any, where: str = "A label") -> dict[str, int] | None:
    """Return the integer of each text if all texts are plain integers, otherwise None.

    An error begins with ``where``.

    >>> integers(["0", "-12"]), integers(["1", "01"])
    ({'0': 0, '-12': -12}, None)
    """
    names = list(names)
    if not all(isinstance(name, str) and INTEGER.fullmatch(name) for name in names):
        return None
    for name in names:
        if len(name) > MOST_DIGITS:
            raise ValueError(
                f"{where}: {name[:10]}… has {len(name):,} digits, and an integer has at most {MOST_DIGITS:,}. Correct it, or put "
                "a letter before every label if they are names."
            )
    return {name: int(name) for name in names}


def decimal(text: str) -> float | str:
    """Return the number in a text, or the text itself if it is not a finite number.

    >>> decimal("1.50"), decimal("inf"), decimal("a")
    (1.5, 'inf', 'a')
    """
    found = float(text) if NUMBER.fullmatch(text) else None
    return text if found is None or not math.isfinite(found) else found


def integers_for_text(ev: Evaluation, name: str = "") -> Evaluation:
    """Return the evaluation with integer classes if all are texts of plain integers; the same for groups.

    This is known only after the last row. The counts do not depend on the names of the classes. ``name`` is the file, for errors.

    >>> import indicatrix as ix
    >>> ev = ix.evaluate(["10", "2"], ["10", "10"])
    >>> ev.classes, integers_for_text(ev).classes
    (('10', '2'), (2, 10))
    """
    meaning = integers(ev.classes, f"{name}, a label")
    if meaning:
        # Given classes keep their order; classes found in the data are sorted, now as numbers.
        order = list(meaning.values()) if not ev.tally.open else sorted(meaning.values())
        ev = on_classes(ev, tuple(order), meaning)
    for axis in ev.tally.by:
        ev = group_integers(ev, axis, name)
    return ev


def group_integers(ev: Evaluation, axis: str, name: str) -> Evaluation:
    """Return the evaluation with integers for the groups of an axis, if all are texts of plain integers."""
    tally, i = ev.tally, ev.tally.by.index(axis)
    meaning = integers({key[i] for key in tally.parts}, f"{name}, column {axis!r}")
    if not meaning:
        return ev
    return replace(ev, tally=tally.with_group_names(axis, meaning))


def label_like(text: str, like: Any) -> Any:
    """Return the label that a text means, given a label of the file.

    >>> label_like("1", 0), label_like("1", "a"), label_like("true", False), label_like("1.5", 2.0)
    (1, '1', True, 1.5)
    """
    if isinstance(like, bool):
        return {"true": True, "1": True, "false": False, "0": False}.get(text.lower(), text)
    if isinstance(like, int | float):
        whole = (integers([text]) or {}).get(text, text)
        return decimal(text) if isinstance(like, float) and whole == text else whole
    return text
