"""A check that the truth and the predictions write their labels in the same way.

cat and Cat are two labels in a text file, but probably one label was meant.
"""

from __future__ import annotations

from typing import Any

from ...engines.files.text_classes import decimal
from ...evaluation import Evaluation


def check_spelling(ev: Evaluation, name: str) -> None:
    """Refuse labels that never agree only because the two sides spell a number or a word differently.

    All scores would be those of a classifier that is always wrong. If at least one true label is also a predicted label, nothing
    is refused, because there two spellings may be two classes.
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
                f"{name}: true and predicted labels never agree, because they are written differently, as {other!r} and "
                f"{label!r}. Write them in the same way in both columns."
            )


def _meaning(label: Any) -> Any:
    return decimal(label.casefold()) if isinstance(label, str) else label
