"""Values with names as a notebook shows them.

The units of two axes cross; those of one axis, or of more than two, stand below each other.
"""

from __future__ import annotations

from itertools import islice, product
from typing import Any

from .cells import Label, Uncertain, labels_apart
from .notebook import fragment, paragraphs, scrolling_box
from .table_forms import Table

MOST = 30  # rows, and columns, that are shown


def values_html(values: Any) -> str:
    """Return the table of values that know the names of their units.

    >>> import indicatrix as ix
    >>> "<bdi>0.500</bdi>" in values_html(ix.evaluate(["a", "b", "b"], ["a", "a", "b"]).values("recall"))
    True
    """
    crossed = values.ndim == 2 and values.times is None
    table, left_out = _crossed(values) if crossed else _listed(values)
    level = [f"In brackets: {100 * values.intervals[0].level:.4g}% intervals."] if values.intervals else []
    return fragment([scrolling_box(table), paragraphs([left_out, *level])])


def _crossed(values: Any) -> tuple[Table, str]:
    """Return the units of the first axis in rows, those of the second in columns; and what is not shown."""
    down, across = values.names
    corner = Label(f"{values.per[0]} ↓ {values.per[1]} →" if values.per else "")
    rows = [
        (name, *(_cell(values, i * len(across) + j) for j in range(min(len(across), MOST))))
        for i, name in enumerate(labels_apart(down[:MOST]))
    ]
    shown = (f"{len(rows)} of {len(down)} rows" * (len(down) > MOST), f"{MOST} of {len(across)} columns" * (len(across) > MOST))
    said = " and ".join(filter(None, shown))
    return Table((corner, *labels_apart(across[:MOST])), rows), f"The first {said}." if said else ""


def _listed(values: Any) -> tuple[Table, str]:
    """Return a row for each unit: its names, its value, how often it occurred; and what is not shown."""
    axes = values.per or ("unit",) * values.ndim
    units = islice(product(*((values.names,) if values.ndim == 1 else values.names)), MOST)
    counted = values.times is not None
    rows = []
    for i, unit in enumerate(units):
        rows.append((*map(Label, unit), _cell(values, i), *([values.times.ravel()[i].item()] if counted else ())))
    said = f"The first {MOST} of {values.size:,} units." if values.size > MOST else ""
    return Table((*map(Label, axes), "value", *(["times"] if counted else ())), rows, len(axes)), said


def _cell(values: Any, i: int) -> Any:
    """Return a value, with its interval if there is one."""
    if values.intervals is None:
        return float(values.flat[i])
    found = values.intervals[i]
    return Uncertain(float(found.value), found.low, found.high)
