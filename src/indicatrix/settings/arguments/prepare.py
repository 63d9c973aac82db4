"""From a caller's labels and settings to one problem: two indicators, what of them was observed, and what their cells count."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...algebra.arrays import Mask
from ...algebra.scale import Scale
from ...algebra.tnorms import TNorm
from ...encode.containers import read
from ...encode.decisions import RejectBelow
from ...encode.factorise import factorised
from ...encode.indicator import Coded, Indicator
from ...encode.pairs import Pair, check_missing, encode
from ...encode.plain_forms import Labels, Sets, Sparse, Table
from ...encode.vocabulary import check_classes
from ...encode.weights import check_mask
from ..combinations import check
from .relabel import Relabelled, abstaining, categorical, open_set


@dataclass(frozen=True, eq=False)
class Problem:
    """What is counted: a pair of indicators, the soft AND of memberships, what cells count, and how it came about."""

    pair: Pair
    norm: TNorm | None = None
    scale: Scale | None = None
    kind: str = "multiclass"
    made: tuple[tuple[str, str], ...] = ()
    mask: Mask | None = None  # n x 1 or n x m: which examples or entries the caller says were observed

    @property
    def n(self) -> int:
        """The number of examples, those left out included."""
        return self.pair.n


def prepare(
    y_true: Any,
    y_pred: Any,
    *,
    classes: Any = None,
    positive: Any = None,
    decide: Any = None,
    norm: TNorm | None = None,
    mask: Any = None,
    missing: Any = "error",
    abstain: Any = None,
    abstained: str = "count",
    known: Any = None,
    unknown: Any = None,
    hierarchy: Any = None,
    ordinal: Any = None,
    cost: Any = None,
) -> Problem:
    """Return the problem that labels and settings describe: relabel, encode, look up rows, scale cells, in this order."""
    if abstained not in ("count", "mask"):
        raise ValueError(f"abstained={abstained!r} is unknown. Use 'count' (the default), or 'mask' to leave abstentions out.")
    missing = check_missing(missing)
    told = _relabelled(y_true, y_pred, decide, missing, Special(classes, abstain, known, unknown))
    made: dict[str, str] = {"decide": _spelled(decide)} if decide is not None else {}
    made |= told.made
    classes = told.classes
    if hierarchy is not None:
        from .taxonomy import taxonomy

        hierarchy = taxonomy(hierarchy)
        classes = _node_columns(told, decide, hierarchy) if classes is None else classes
    pair = encode(
        told.y_true,
        told.y_pred,
        classes=classes,
        rule=None if known is not None else decide,
        soft=norm is not None,
        missing=missing,
        positive=positive,
        abstained=told.abstained,
    )
    answered = None if abstained == "count" else _answered(pair, told.abstained, decide)
    if answered is not None:
        made["abstained"] = "left out"
    if hierarchy is not None:
        from .hierarchy import encode as close

        pair, mask = _observed(pair, mask)
        pair, made["hierarchy"] = close(pair, hierarchy), repr(hierarchy)
    if ordinal is not None:
        pair, made["ordinal"] = _ordinal(pair, ordinal, norm)
    scale = None
    if cost is not None:
        scale, made["cost"] = _cost(pair, cost)
        pair = replace(pair, open=False)  # costs are per class, so that no batch may bring another class
    kind = _kind(pair, norm)
    if kind == "soft":
        made["tnorm"] = repr(norm)
    seen = check_mask(mask, pair.n, len(pair.y.classes), pair.y.classes)
    if answered is not None:
        seen = answered[:, None] if seen is None else seen & answered[:, None]
    return Problem(pair, norm, scale, kind, tuple(made.items()), seen)


@dataclass(frozen=True)
class Special:
    """What names classes, and labels that are none."""

    classes: Any
    abstain: Any
    known: Any
    unknown: Any


def _relabelled(y_true: Any, y_pred: Any, rule: Any, missing: tuple[str, str], special: Special) -> Relabelled:
    """Return the labels with abstentions and unknown classes resolved."""
    if special.known is not None:
        if special.classes is not None:
            raise ValueError("Give known= or classes=, not both: the classes are the known ones and the unknown one.")
        return open_set(y_true, y_pred, special.known, special.unknown, rule=rule, abstain=special.abstain, missing=missing[1])
    if special.abstain is not None or missing[1] == "abstain":
        return replace(abstaining(y_true, y_pred, special.abstain, missing[1]), classes=special.classes)
    return Relabelled(y_true, y_pred, classes=special.classes)


def _node_columns(told: Relabelled, rule: Any, taxonomy: Any) -> tuple[Any, ...] | None:
    """Return the nodes that labels are encoded on; a matrix must say which nodes its columns are."""
    sides = [("y_true", told.y_true), ("y_pred", told.y_pred)]
    given = [y for _, y in sides if isinstance(y, Indicator)]
    if any(y.soft for y in given):
        check(("soft_truth", "hierarchy"))
    forms = {argument: read(y, argument) for argument, y in sides if not isinstance(y, Indicator)}
    named = [form.columns for form in forms.values() if isinstance(form, Table) and form.columns is not None]
    for argument, form in forms.items():
        if isinstance(form, Table | Sparse) and not named and not given:
            raise ValueError(f"Which nodes are the columns of {argument}? Pass classes= with the nodes in column order.")
        if isinstance(form, Labels | Sets) and (argument == "y_true" or rule is None):
            _check_nodes(form, argument, taxonomy)
    return None if given else check_classes(named[0]) if named else tuple(taxonomy.classes)


def _check_nodes(form: Labels | Sets, argument: str, taxonomy: Any) -> None:
    """Refuse a label that is no node, with the place where it first stands."""
    known = set(taxonomy.classes)
    if isinstance(form, Sets):
        odd = next(((i, x) for i, row in enumerate(form.rows) for x in row or () if x not in known), None)
    else:
        labels = categorical(factorised(form, argument))
        names = labels.categories or ()
        strange = np.array([*(name not in known for name in names), False])[labels.values]  # code -1 meets the end
        odd = (int(strange.argmax()), names[labels.values[strange.argmax()]]) if strange.any() else None
    if odd is not None:
        try:
            taxonomy.positions((odd[1],))
        except ValueError as error:
            raise ValueError(f"{argument}[{odd[0]}]: {error}") from None


def _answered(pair: Pair, abstained: Mask | None, rule: Any) -> Mask:
    """Return which of all examples have a prediction that was not declined."""
    answered = np.ones(pair.n, bool)
    if abstained is not None:
        answered &= ~abstained
    if isinstance(rule, RejectBelow) and isinstance(pair.yhat.data, Coded):
        kept = slice(None) if pair.rows is None else pair.rows
        answered[kept] &= pair.yhat.data.block(slice(None)) >= 0
    return answered


def _observed(pair: Pair, mask: Any) -> tuple[Pair, Any]:
    """Return the pair with a mask of entries as its observed cells; a mask of whole examples is given back."""
    seen = check_mask(mask, pair.n, len(pair.y.classes), pair.y.classes)
    if seen is None or seen.shape[1] == 1:
        return pair, mask
    seen = seen if pair.rows is None else seen[pair.rows]
    return replace(pair, cells=seen if pair.cells is None else seen & pair.cells), None


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
