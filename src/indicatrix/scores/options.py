"""Options and order of arguments: what a function takes beside labels and scores, and that labels come first.

Anything else is refused with what is meant by it here; no message points to an option that such a function lacks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np

from ..algebra.forms import Labels
from ..algebra.measure import ELSEWHERE
from ..algebra.weights import check_weights
from ..tally.kernels import Array

ONLY_LABELS = {  # options of evaluate that scores have no use for
    "decide": "it reads the scores themselves, and nothing is decided; a measure such as ix.f1 takes decide=",
    "tnorm": "labels are 0 or 1 beside scores; memberships are compared by measures, such as ix.f1",
    "signed_weights": "weights are not negative here",
}


def check_options(
    caller: str, options: Iterable[str], taken: tuple[str, ...], *, elsewhere: Mapping[str, str] = ELSEWHERE
) -> None:
    """Refuse options that a function does not take; ``elsewhere`` says what those of other libraries are called here."""
    hints = {**ONLY_LABELS, **elsewhere}
    for name in options:
        if name not in taken:
            hint = f"; {hints[name]}." if name in hints else f". It takes {', '.join(taken)}."
            raise TypeError(f"{caller} takes no {name}={hint}")


def plain_weights(sample_weight: Any, n: int) -> Array | None:
    """Return sample weights, one per example; a negative one is refused without pointing to signed_weights=."""
    weights = check_weights(sample_weight, n, signed=True)
    if weights is not None and (weights < 0).any():
        at = int((weights < 0).argmax())
        raise ValueError(f"sample_weight[{at}] = {weights[at]}: a weight is not negative. Mend it, or drop this example.")
    return weights


def check_order(true: Any, second: str, classes: Any) -> None:
    """Refuse a vector of labels that looks like scores: probably the two arguments were swapped."""
    if not isinstance(true, Labels) or true.categories is not None or classes is not None or not len(true):
        return
    if not isinstance(true.values, np.ndarray) and not isinstance(true.values[0], float):
        return
    values = np.asarray(true.values)
    if values.dtype.kind == "f":
        broken = np.isfinite(values) & (values != np.floor(values))
        if broken.any():
            at = int(broken.argmax())
            raise ValueError(
                f"y_true[{at}] = {values[at].item()!r} looks like a score. Labels come first, then {second}; if these are "
                "labels, name them with classes=."
            )


@contextmanager
def one_column(argument: str, here: bool) -> Iterator[None]:
    """Add to an error about labels, where there is one column beside them, that a vector may be meant."""
    try:
        yield
    except ValueError as error:
        if not here:
            raise
        raise ValueError(f"{error} If there is one number per example, it has one dimension: {argument}.ravel().") from None
