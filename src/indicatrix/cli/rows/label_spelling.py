"""Whether the truth and the predictions write their labels alike: 1 and 1.0 are two labels, and hardly meant as two."""

from __future__ import annotations

from typing import Any

from ...evaluation import Evaluation
from .request import decimal


def check_spelling(ev: Evaluation, name: str) -> None:
    """Refuse labels of which none is equal on both sides, although some are one number or one word in two spellings.

    All scores would be those of a classifier that is always wrong. Labels of which some are equal are left as they are: there
    two spellings may be two classes.
    """
    counts = ev.aggregate("class")
    true = [label for label, n in zip(ev.classes, counts.tpos.tolist(), strict=True) if n]
    predicted = [label for label, n in zip(ev.classes, counts.ppos.tolist(), strict=True) if n]
    if {*true} & {*predicted}:
        return
    spelled = {_meaning(label): label for label in true}
    for label in predicted:
        if (other := spelled.get(_meaning(label))) is not None:
            raise ValueError(
                f"{name}: no true label is a predicted one, because they are written differently, as {other!r} and {label!r}. "
                "Write them alike in both columns."
            )


def _meaning(label: Any) -> Any:
    return decimal(label.casefold()) if isinstance(label, str) else label
