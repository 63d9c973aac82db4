"""The cost of predictions: a cost matrix as a bilinear form on the indicators (sec:cost, thm:ordinal_cost)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..algebra.average import ALIASES, Score, Undefined, UndefinedError, check_undefined, combine, listing
from ..algebra.containers import read
from ..algebra.counts import Counts
from ..algebra.forms import Labels
from ..algebra.indicator import Indicator
from ..algebra.measure import evaluated
from ..algebra.pairs import Pair, encode
from ..algebra.tnorms import tnorm as find_tnorm
from ..algebra.weights import check_by, check_mask, check_weights
from ..tally.parts import CrossTable, as_numbers, class_counts
from ..tally.tally import MANY_GROUPED, sort_names
from .combinations import refuse
from .cost_matrices import ORDERED, Array, named_classes, per_class, read_matrix

ONE = 1e-5  # memberships of an example may miss the sum 1 by so much, as float32 softmax does
SOFT = ("classes", "tnorm", "decide", "sample_weight", "mask", "missing", "by", "signed_weights", "positive")


@dataclass(frozen=True)
class Cost:
    """What the score of a cost is a score of: smaller is better, and there is no formula of four counts behind it."""

    name: str = "cost"
    better: str = "lower"

    def __repr__(self) -> str:
        return self.name


@dataclass(frozen=True, eq=False)
class Pairs:
    """How often each pair of true and predicted class occurred, for each group; the last row and column mean no class."""

    classes: tuple[Any, ...]
    tables: Mapping[Any, Array]  # group name -> (m + 1) x (m + 1) table; one group () where no axis was asked for


@dataclass(frozen=True)
class Asked:
    """What is asked about costs: which average, grouped by which class, under which convention, at which cost of abstaining."""

    average: str
    by: str
    undefined: Undefined
    abstain_cost: Any

    def __post_init__(self) -> None:
        check_undefined(self.undefined)
        if not isinstance(self.average, str):
            raise TypeError(f"average={self.average!r} must be a name: 'micro', 'macro', 'exemplar', 'total' or an axis of by=.")
        object.__setattr__(self, "average", ALIASES.get(self.average, self.average))
        if self.by not in ("true", "predicted"):
            raise ValueError(f"by={self.by!r}: macro cost groups examples by='true' class or by='predicted' class.")

    def axis(self, axes: tuple[str, ...]) -> str | None:
        """Return the axis whose groups are averaged, None if it is the classes or nothing."""
        known = ("micro", "macro", "exemplar", "total")
        if self.average not in (*known, *axes):
            raise ValueError(
                f"average={self.average!r} is unknown for a cost. Choose from {', '.join((*known, *axes))}, "
                f"or give by={{{self.average!r}: ids}}."
            )
        return None if self.average in known else self.average


def cost(
    y_true: Any,
    y_pred: Any,
    C: Any,  # noqa: N803
    *,
    average: str = "micro",
    by: str | Mapping[str, Any] = "true",
    undefined: Undefined = "exclude",
    abstain_cost: Any = None,
    **options: Any,
) -> Score:
    """Return the cost of predictions under a cost matrix C, rows true (sec:cost, eq:total_cost).

    Derived. C is an m x m matrix, a pandas data frame that names its rows and columns, a taxonomy (its distances), or
    "zero_one", "absolute" (MAE) or "squared" (MSE, thm:ordinal_cost); the last two need classes= or an ordered categorical.
    ``average``: "micro" is the cost per example, and so is "exemplar"; "total" the sum; "macro" the mean over classes of the
    cost per example of that class, the true one or, with by="predicted", the predicted one (errata A5); the name of an axis
    in by={"fold": ids} the mean over its groups. Predictions without a class need abstain_cost=, one number or one per true
    class. It is limited to one class per example on each side; memberships are taken with tnorm="product" if every row sums
    to 1, and give the cost expected if truth and prediction are drawn independently: more than 0 even where both are equal
    (errata A4).

    >>> cost(["ill", "well", "well"], ["well", "ill", "well"], [[0, 5], [1, 0]])
    2.0
    >>> cost([1, 2, 3, 3], [1, 3, 3, 1], "absolute", classes=[1, 2, 3], average="macro")
    0.6666666666666666
    """
    groups, side = ({"by": by}, "true") if isinstance(by, Mapping) else ({}, by)
    asked = Asked(average, side, undefined, abstain_cost)
    if "cost" in options:
        raise TypeError("cost= weights the cells of measures: ev = evaluate(…, cost=…). ix.cost has its matrix, C, already.")
    options |= groups  # an axis for each grouping, as in evaluate
    refuse("cost", options)
    if options.get("classes") is None and (named := named_classes(C)) is not None:
        options["classes"] = named  # a class that a named matrix prices may be absent from the data
    ordered = not isinstance(C, str) or C not in ORDERED or options.get("classes") is not None or _ordered(y_true, y_pred)
    if options.get("tnorm") is not None:
        pairs = _soft_pairs(y_true, y_pred, asked, options)
    else:
        if not isinstance(C, str) and hasattr(C, "__len__") and len(C) > MANY_GROUPED:
            options.setdefault("confusion", True)  # whoever can hold C can hold the table
        pairs = _pairs_of(evaluated(y_true, y_pred, **options), asked)
    return _scored(pairs, C, asked, ordered=ordered)


def cost_of(
    source: Any,
    C: Any,  # noqa: N803
    *,
    average: str = "micro",
    by: str = "true",
    undefined: Undefined = "exclude",
    abstain_cost: Any = None,
) -> Score:
    """Return the cost of an evaluation that keeps its pairs of classes: ``cost`` without going back to the data (sec:cost).

    >>> import indicatrix as ix
    >>> ev = ix.from_confusion([[8, 2], [1, 9]], classes=["ill", "well"])
    >>> cost_of(ev, [[0, 5], [1, 0]]), cost_of(ev, [[0, 5], [1, 0]], average="total")
    (0.55, 11.0)
    """
    asked = Asked(average, by, undefined, abstain_cost)
    ordered = getattr(source, "ordered", not source.tally.open)
    return _scored(_pairs_of(source, asked), C, asked, ordered=ordered)


def _ordered(*labels: Any) -> bool:
    """Return whether labels declare the order of their classes, as an ordered categorical does."""
    forms = [read(y, f"y_{side}") for y, side in zip(labels, ("true", "pred"), strict=True) if not isinstance(y, Indicator)]
    declared = [form for form in forms if isinstance(form, Labels) and form.declared]
    return bool(declared) and all(form.ordered for form in declared)


def _pairs_of(source: Any, asked: Asked) -> Pairs:
    """Return the pairs of an evaluation, pooled or for each group of the axis that is asked for."""
    tally = source.tally
    axis = asked.axis(tally.by)
    if not isinstance(tally.pooled, CrossTable):
        raise ValueError(_why_no_pairs(source))
    if axis is None:
        return Pairs(tally.classes, {(): tally.pooled.table})
    at, parts = tally.by.index(axis), dict[Any, CrossTable]()
    for key, part in tally.parts.items():
        parts[key[at]] = parts[key[at]] + part if key[at] in parts else part
    return Pairs(tally.classes, {name: parts[name].table for name in sort_names(set(parts))})


def _why_no_pairs(source: Any) -> str:
    for name in (name for name, _ in source.made if name in ("cost", "ordinal", "hierarchy", "targets")):
        return f"Rows made with {name}= keep no pairs of classes. A cost matrix prices the labels themselves: leave {name}= out."
    if source.kind == "multilabel":
        return (
            "A cost matrix speaks of one true and one predicted class per example; of several labels, even a perfect "
            "prediction would cost C[j, k] + C[k, j] (errata A4). Give costs per label instead: "
            "evaluate(…, cost=ix.label_costs(fp=…, fn=…)). A one-hot 0/1 matrix can be given with tnorm='product'."
        )
    if source.kind == "soft":
        return (
            "An evaluation of memberships keeps no pairs of classes. ix.cost(y_true, y_pred, C, tnorm='product') gives the "
            "expected cost, if the memberships of every example sum to 1."
        )
    if source.kind == "counts":
        return "Only counts per class are known, not which class was taken for which. Evaluate the labels to have a cost."
    if len(source.classes) > MANY_GROUPED:
        return f"Of {len(source.classes)} classes, pairs are kept only on request: evaluate with confusion=True."
    return "The pairs of classes are unknown here: with a mask of entries, for one. Mask whole examples, one value for each."


def _soft_pairs(y_true: Any, y_pred: Any, asked: Asked, options: Mapping[str, Any]) -> Pairs:
    """Return how much each pair of classes is expected to occur if truth and prediction are drawn independently (errata A4)."""
    odd = [k for k in options if k not in SOFT or (k == "missing" and options[k] not in ("error", "mask"))]
    if odd:
        raise ValueError(f"{odd[0]}= does not combine with memberships in ix.cost; these do: {', '.join(SOFT)}.")
    norm = find_tnorm(options["tnorm"])
    if repr(norm) != "product":
        raise ValueError(f"tnorm={norm!r}: an expected cost multiplies memberships, as probabilities. Use tnorm='product'.")
    given = {"missing": "error", **{k: options[k] for k in ("classes", "missing", "positive") if k in options}}
    pair = encode(y_true, y_pred, rule=options.get("decide"), soft=True, **given)
    n, classes = pair.y.n if pair.rows is None else len(pair.rows), pair.y.classes
    by = check_by(options.get("by"), n)
    axis = asked.axis(tuple(by))
    mask = check_mask(options.get("mask"), n, len(classes))
    if pair.cells is not None or (mask is not None and mask.shape[1] > 1):
        raise ValueError("An entry that was not observed leaves the cost of its example unknown. Mask whole examples.")
    weights = check_weights(options.get("sample_weight"), n, signed=bool(options.get("signed_weights")))
    kept = np.ones(n, bool) if pair.rows is None else pair.rows
    seen = (kept if mask is None else kept & mask[:, 0])[kept]
    names, group = ([()], np.zeros(n, int)) if axis is None else by[axis]
    group, amount = group[kept], seen.astype(np.float64) if weights is None else weights[kept] * seen
    tables = {name: np.zeros((len(classes) + 1,) * 2) for name in names}
    for rows, y, yhat in _blocks(pair, seen):
        codes, amounts = group[rows], amount[rows]
        for g in np.unique(codes).tolist():
            mine = codes == g
            tables[names[g]][:-1, :-1] += y[mine].T @ (yhat[mine] * amounts[mine][:, None])
    return Pairs(classes, tables)


def _blocks(pair: Pair, seen: Array) -> Iterator[tuple[slice, Array, Array]]:
    """Yield blocks of rows of both indicators as floats, after a look at their sums."""
    step = max(1, (1 << 17) // max(len(pair.y.classes), 1))  # so many entries stay in cache
    for start in range(0, pair.y.n, step):
        rows = slice(start, min(start + step, pair.y.n))
        block = [np.asarray(x.rows(rows), np.float64) for x in (pair.y, pair.yhat)]
        for x, argument in zip(block, ("y_true", "y_pred"), strict=True):
            off = (abs(x.sum(axis=1) - 1) > ONE) & seen[rows]
            if off.any():
                at = int(off.argmax())
                place = start + at if pair.rows is None else int(np.flatnonzero(pair.rows)[start + at])
                raise ValueError(
                    f"The memberships in {argument}[{place}] sum to {x[at].sum():.6g}. A cost is expected of memberships that "
                    "are probabilities of one class: every row sums to 1 (errata A4). For several labels use ix.label_costs."
                )
        yield rows, block[0], block[1]


def _scored(pairs: Pairs, C: Any, asked: Asked, *, ordered: bool) -> Score:  # noqa: N803
    prices = _over_one_denominator(_prices(pairs, read_matrix(C, pairs.classes, ordered=ordered), asked))
    macro, groups = asked.average == "macro", list(pairs.tables)
    per, names = (("class",), (pairs.classes,)) if macro else ((), ()) if groups == [()] else ((asked.average,), (tuple(groups),))
    tables = list(pairs.tables.values())  # one, unless groups are averaged
    values = np.array([v for table in tables for v in _amounts(table, prices, asked)], np.float64)
    cells = [class_counts(table) if macro else class_counts(table).sum(axis=1, keepdims=True) for table in tables]
    four = [as_numbers(x) for x in np.concatenate(cells, axis=1)] if cells else [np.zeros(0, np.int64)] * 4
    counts = Counts(*(x if per else x.item() for x in four), per=per, names=names)
    measure = Cost(f"{C} cost" if isinstance(C, str) else "cost")
    value = combine(values, None, asked.undefined)
    score = Score(value, measure, asked.average, asked.undefined, values if per else values.item(), counts, None)
    if asked.undefined == "raise" and score.lost_units().any():
        raise UndefinedError(
            f"{asked.average} {measure}: undefined for {listing(score.lost)}, without examples. "
            "Choose undefined='exclude', a number such as 0, or 'nan' to get a value."
        )
    return score


def _prices(pairs: Pairs, matrix: Array, asked: Asked) -> Array:
    """Return what each pair costs, with a last column for abstentions and a row of zeros; refuse pairs without a price."""
    tables = list(pairs.tables.values())
    if any(table[-1].any() for table in tables):
        raise ValueError("Some examples have no true class, and no row of C speaks of them. Drop or mask them.")
    m, abstain = len(pairs.classes), np.zeros(len(pairs.classes), np.int64)
    if asked.abstain_cost is not None:
        abstain = per_class(asked.abstain_cost, pairs.classes, "abstain_cost")
    if any(table[:, -1].any() for table in tables):
        if asked.abstain_cost is None:
            raise ValueError(
                "Some predictions name no class, and C does not say what that costs. "
                "Pass abstain_cost=, one number or one per true class; 0 makes abstaining free."
            )
        if asked.average == "macro" and asked.by == "predicted":
            raise ValueError("by='predicted': an abstention is predicted as no class and has no group. Use by='true'.")
    wide = np.concatenate([matrix, abstain[:, None]], axis=1)
    return np.concatenate([wide, np.zeros((1, m + 1), wide.dtype)])


def _amounts(table: Array, prices: tuple[Array, int], asked: Asked) -> list[float]:
    """Return the cost of the examples of a table: in total, per example, or per example of each class; nan where none is."""
    (often, unit), (paid, scale) = _over_one_denominator(table), prices
    spent = often * paid
    if asked.average != "macro":
        return [_quotient(spent.sum(), scale * (unit if asked.average == "total" else often.sum()))]
    axis = 1 if asked.by == "true" else 0
    return [_quotient(a, b * scale) for a, b in zip(spent.sum(axis)[:-1], often.sum(axis)[:-1], strict=True)]


def _over_one_denominator(x: Array) -> tuple[Array, int]:
    """Return numbers, exactly as they are, as integers of any size over one denominator."""
    if x.dtype.kind in "iu":
        return x.astype(object), 1
    ratios = [v.as_integer_ratio() for v in x.ravel().tolist()]
    whole = math.lcm(*{below for _, below in ratios})
    exact = np.empty(len(ratios), object)
    exact[:] = [above * (whole // below) for above, below in ratios]
    return exact.reshape(x.shape), whole


def _quotient(a: int, b: int) -> float:
    """Return a/b, correctly rounded; nan where nothing is divided by nothing."""
    if not b:
        return math.nan
    try:
        return a / b
    except OverflowError:
        return math.copysign(math.inf, a) * (1 if b > 0 else -1)
