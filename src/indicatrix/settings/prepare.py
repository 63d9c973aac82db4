"""From a caller's labels and settings to one problem: two indicators, what of them was observed, and what their cells count."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..algebra.coding import listing
from ..algebra.indicator import Coded, Indicator
from ..algebra.pairs import Pair, encode
from ..algebra.scale import Scale
from ..algebra.tnorms import TNorm


@dataclass(frozen=True, eq=False)
class Problem:
    """What is counted: a pair of indicators, the soft AND of memberships, what cells count, and how it came about."""

    pair: Pair
    norm: TNorm | None = None
    scale: Scale | None = None
    kind: str = "multiclass"
    made: tuple[tuple[str, str], ...] = ()

    @property
    def n(self) -> int:
        """The number of examples, those left out included."""
        return self.pair.y.n if self.pair.rows is None else len(self.pair.rows)


def prepare(
    y_true: Any,
    y_pred: Any,
    *,
    classes: Any = None,
    positive: Any = None,
    decide: Any = None,
    norm: TNorm | None = None,
    missing: str = "error",
    abstain: Any = None,
    known: Any = None,
    unknown: Any = None,
    hierarchy: Any = None,
    ordinal: Any = None,
    cost: Any = None,
) -> Problem:
    """Return the problem that labels and settings describe: relabel, encode, look up rows, scale cells, in this order."""
    made: dict[str, str] = {"decide": _spelled(decide)} if decide is not None else {}
    rule, abstained = decide, None
    if known is not None:
        from .relabel import open_set

        if classes is not None:
            raise ValueError("Give known= or classes=, not both: the classes are the known ones and the unknown one.")
        told = open_set(y_true, y_pred, known, unknown, rule=decide, abstain=abstain, missing=missing)
        y_true, y_pred, classes, rule = told.y_true, told.y_pred, told.classes, None
        made |= {"known": listing(told.classes[:-1] if told.classes else ()), "unknown": repr((told.classes or (None,))[-1])}
    elif abstain is not None or missing == "abstain":
        from .relabel import abstaining

        told = abstaining(y_true, y_pred, abstain, missing)
        y_true, y_pred, abstained = told.y_true, told.y_pred, told.abstained
        made["abstain"] = repr(abstain) if abstain is not None else "missing predictions"
    if hierarchy is not None:
        from .taxonomy import taxonomy

        hierarchy = taxonomy(hierarchy)
        if classes is None and not isinstance(y_true, Indicator) and not isinstance(y_pred, Indicator):
            classes = hierarchy.classes
    pair = encode(
        y_true,
        y_pred,
        classes=classes,
        rule=rule,
        soft=norm is not None,
        missing="error" if missing == "abstain" else missing,
        positive=positive,
        abstained=abstained,
    )
    if hierarchy is not None:
        from .hierarchical import encode as close

        pair = close(pair, hierarchy)
        made["hierarchy"] = repr(hierarchy)
    if ordinal is not None:
        pair, made["ordinal"] = _ordinal(pair, ordinal, norm)
    scale = None
    if cost is not None:
        scale, made["cost"] = _cost(pair, cost)
    kind = _kind(pair, norm)
    if kind == "soft":
        made["tnorm"] = repr(norm)
    return Problem(pair, norm, scale, kind, tuple(made.items()))


def _ordinal(pair: Pair, given: Any, norm: TNorm | None) -> tuple[Pair, str]:
    from .ordinal import encode as by_rank
    from .ordinal import read_ordinal

    encoding = read_ordinal(given)
    if not all(isinstance(x.data, Coded) for x in (pair.y, pair.yhat)):
        raise ValueError("ordinal= needs one class per example on both sides; for scores add decide='argmax'.")
    if not pair.ordered:
        raise ValueError("In which order are the classes? Pass classes= from lowest to highest, or an ordered Categorical.")
    if encoding.needs_tnorm and norm is None:
        raise ValueError(
            f"ordinal={encoding!r} makes memberships; say how they combine: tnorm='product', 'godel' or 'lukasiewicz'."
        )
    said = repr(encoding)
    if encoding.function is not None:  # another function may have the same name: its values tell them apart
        said += f", memberships {encoding.memberships(len(pair.y.classes)).tolist()}"
    return by_rank(pair, encoding), said


def _cost(pair: Pair, given: Any) -> tuple[Scale, str]:
    from .cost_matrices import read_cost

    costs = read_cost(given, pair.y.classes, pair.ordered)
    scale = costs.scale()
    costs.check(pair)
    return scale, repr(costs)


def _kind(pair: Pair, norm: TNorm | None) -> str:
    if isinstance(pair.y.data, Coded) and isinstance(pair.yhat.data, Coded):
        return "multiclass"
    # With a t-norm a batch is soft even if all its memberships are 0 or 1: the next batch's need not be.
    return "multilabel" if norm is None else "soft"


def _spelled(rule: Any) -> str:
    if isinstance(rule, str):
        return rule
    return repr(rule) if not np.ndim(rule) else str(np.asarray(rule).tolist())
