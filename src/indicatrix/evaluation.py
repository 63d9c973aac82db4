"""evaluate() and Evaluation: one pass over the data, then every measure, every average and every convention."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from .algebra.average import ALIASES, Undefined
from .algebra.counts import Counts
from .algebra.measure import Measure, bind
from .algebra.names import find
from .algebra.values import Values
from .catalogue.matrix import MATRIX_MEASURES, MatrixMeasure
from .tally.integers import count_integers
from .tally.parts import CrossTable
from .tally.tally import MANY, MANY_GROUPED, Tally

if TYPE_CHECKING:
    from .report.table import ScoreTable

PLAIN = {np.dtype(c) for c in "?bBhHiIlLqQ"}  # bools and integers in the machine's byte order

# What a score of plain labels does not need is imported where it is used, so that importing the library stays fast.


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class Evaluation:
    """A tally with the methods users want: counts, scores, tables, the report; it adds, compares, saves and loads.

    >>> import indicatrix as ix
    >>> ev = ix.evaluate(["cat", "ant", "cat", "cat"], ["cat", "ant", "ant", "cat"])
    >>> ev.score("f1", "macro"), ev.confusion.tolist()
    (0.7333333333333334, [[1, 0], [1, 2]])
    """

    tally: Tally
    kind: str  # "multiclass", "multilabel", "soft" or "counts"
    named_positive: Any = None
    made: tuple[tuple[str, str], ...] = ()  # how it was made: (("decide", "0.5"), ("tnorm", "product"))

    @property
    def classes(self) -> tuple[Any, ...]:
        """The classes, in order."""
        return self.tally.classes

    @property
    def n(self) -> int:
        """The number of examples."""
        return self.tally.n

    @property
    def confusion(self) -> np.ndarray[Any, Any]:
        """The m x m confusion matrix, rows true (tab:confusion_matrix)."""
        if not isinstance(self.tally.pooled, CrossTable):
            m, reason = len(self.classes), "a mask of entries leaves the pairs of classes unknown"
            if self.kind != "multiclass":
                reason = "examples may have several labels" if self.kind != "counts" else "only counts per class were given"
            elif m > (MANY_GROUPED if self.tally.by else MANY):
                reason = f"with {m} classes it is kept only on request; evaluate with confusion=True"
            raise ValueError(f"There is no confusion matrix: {reason}.")
        return self.tally.confusion

    @property
    def axes(self) -> tuple[str, ...]:
        """The axes that ``per=`` can keep and ``average=`` can run along."""
        return self.tally.axes

    @property
    def positive(self) -> Any:
        """The positive class: the one named, or 1 of labels 0/1, or the only column; None where there is no such class."""
        if self.named_positive is not None:
            return self.named_positive
        if self.kind == "multiclass":
            numbers = all(isinstance(c, int | float) and c in (0, 1) for c in self.classes)
            return (True if self.classes and all(isinstance(c, bool) for c in self.classes) else 1) if numbers else None
        return self.classes[0] if len(self.classes) == 1 else None

    def binary(self) -> Counts:
        """Return the counts of the positive class; all true negatives if it neither occurs nor is predicted."""
        if self.positive in self.classes:
            return self.tally.aggregate("class").at(**{"class": self.positive})
        rows = self.tally.aggregate("example")
        observed = (rows.n > 0) * (1 if rows.times is None else rows.times)
        return Counts(0, 0, 0, observed.sum().item() if observed.size else 0)

    def aggregate(self, per: str | tuple[str, ...] = ()) -> Counts:
        """Return the counts, keeping the axes in ``per``: (), "class", "example", "target", any ``by`` axis, or several."""
        return self.tally.aggregate(per)

    def score(
        self, measure: str | Measure | MatrixMeasure, average: str | None = None, *, undefined: Undefined = "exclude"
    ) -> Any:
        """Return the measure under an average: a float that knows its convention and what was undefined."""
        found = resolve(measure)
        if isinstance(found, MatrixMeasure):
            if average is not None:
                raise ValueError(f"{found} reads the whole confusion matrix and has no averages; leave average out.")
            return found(self, undefined=undefined)
        return found.score(self, average, undefined)

    def values(self, measure: str | Measure, per: str | tuple[str, ...] = "class") -> Values:
        """Return the value of each unit of an axis, as an array with ``.names``.

        >>> import indicatrix as ix
        >>> v = ix.evaluate(["cat", "ant", "cat"], ["cat", "ant", "ant"]).values("recall")
        >>> dict(zip(v.names, v.tolist()))
        {'ant': 1.0, 'cat': 0.5}
        """
        counts = self.aggregate(per)
        return Values.of(_of_counts(measure).values(counts), counts.names)

    def table(
        self, measures: Iterable[str | Measure], averages: Iterable[str | None], *, undefined: Undefined = "exclude"
    ) -> ScoreTable:
        """Return the scores of several measures (rows) under several averages (columns)."""
        from .report.table import ScoreTable

        rows, columns = tuple(_of_counts(m) for m in measures), tuple(ALIASES.get(a, a) if a else None for a in averages)
        return ScoreTable(rows, columns, {(m, a): m.score(self, a, undefined) for m in rows for a in columns}, undefined)

    def __add__(self, other: Evaluation) -> Evaluation:
        if not isinstance(other, Evaluation):
            return NotImplemented
        whole = self.tally + other.tally
        mine, theirs = bool(self.tally.parts), bool(other.tally.parts)
        if not mine or not theirs:  # how nothing was made does not matter
            return replace(other if whole is other.tally or (theirs and not mine) else self, tally=whole)
        for what in ("kind", "named_positive", "made"):
            a, b = getattr(self, what), getattr(other, what)
            if a != b:
                raise ValueError(
                    f"These evaluations were made differently, {what.replace('_', ' ')} {a!r} and {b!r}, and do not add."
                )
        return replace(self, tally=whole)

    def __radd__(self, other: object) -> Evaluation:
        return self if isinstance(other, int) and other == 0 else NotImplemented  # so that sum() works

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Evaluation):
            return NotImplemented
        same = (self.kind, self.named_positive, self.made) == (other.kind, other.named_positive, other.made)
        return same and self.tally == other.tally

    __hash__ = None  # type: ignore[assignment]

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the evaluation to a small JSON file; it holds counts and class names, no raw rows."""
        from .tally import store

        positive = None if self.named_positive is None else [store.name_out(self.named_positive)]
        store.save(path, {"kind": self.kind, "positive": positive, "made": self.made}, self.tally)

    @staticmethod
    def load(path: str | os.PathLike[str]) -> Evaluation:
        """Return the evaluation that a file holds."""
        return load(path)

    def __str__(self) -> str:
        from .report.text import render
        from .summary import summarise

        return render(summarise(self))

    def __repr__(self) -> str:
        classes = f"{len(self.classes)} {'class' if len(self.classes) == 1 else 'classes'}"
        return f"<Evaluation: {self.n} examples, {classes}, {self.kind}>"


def _of_counts(measure: str | Measure) -> Measure:
    """Return a measure of counts; a function of the confusion matrix has one value, not one per unit or average."""
    found = resolve(measure)
    if isinstance(found, MatrixMeasure):
        raise TypeError(f"{found} reads the whole confusion matrix and has one value: ev.score({found.name!r}).")
    return found


def resolve(measure: str | Measure | MatrixMeasure) -> Measure | MatrixMeasure:
    """Return the measure, or function of the confusion matrix, that a name stands for."""
    if isinstance(measure, MatrixMeasure):
        return measure
    if isinstance(measure, str) and measure in MATRIX_MEASURES:
        return MATRIX_MEASURES[measure]
    return find(measure)


def evaluate(
    y_true: Any,
    y_pred: Any,
    *,
    classes: Iterable[Any] | None = None,
    positive: Any = None,
    decide: Any = None,
    tnorm: Any = None,
    mask: Any = None,
    sample_weight: Any = None,
    by: Mapping[str, Any] | None = None,
    missing: str = "error",
    signed_weights: bool = False,
    confusion: bool | None = None,
) -> Evaluation:
    """Return the evaluation of predictions: one pass over the data, then any measure, average and convention.

    Labels may be lists, NumPy, pandas, Polars, Arrow or torch vectors (one label per example), 0/1 matrices, SciPy sparse
    matrices or lists of sets (several labels per example), or two-dimensional scores with ``decide=`` and memberships with
    ``tnorm=``. ``by={"fold": ids}`` makes an axis of any grouping.
    """
    if (
        type(y_true) is np.ndarray
        and type(y_pred) is np.ndarray
        and (classes is None and decide is None and tnorm is None and confusion is None)
        and (mask is None and sample_weight is None and by is None)
        and y_true.ndim == 1
        and y_true.shape == y_pred.shape
        and y_true.dtype in PLAIN
        and y_pred.dtype in PLAIN
        and missing in ("error", "mask")
    ):
        tally = count_integers(y_true, y_pred)
        if tally is not None:
            return Evaluation(tally, "multiclass", None if positive is None else _check_positive(positive, tally))
    from .algebra.indicator import Coded
    from .algebra.pairs import encode
    from .algebra.tnorms import tnorm as find_tnorm
    from .algebra.weights import check_by, check_mask, check_weights
    from .tally.counting import count

    norm = None if tnorm is None else find_tnorm(tnorm)
    pair = encode(y_true, y_pred, classes=classes, rule=decide, soft=norm is not None, missing=missing, positive=positive)
    n = pair.y.n if pair.rows is None else len(pair.rows)
    tally = count(
        pair,
        n,
        tnorm=norm,
        mask=check_mask(mask, n, len(pair.y.classes)),
        weights=check_weights(sample_weight, n, signed=signed_weights),
        by=check_by(by, n),
        confusion=confusion,
    )
    coded = isinstance(pair.y.data, Coded) and isinstance(pair.yhat.data, Coded)
    # With a t-norm a batch is soft even if all its memberships are 0 or 1: the next batch's need not be.
    kind = "multiclass" if coded else "multilabel" if norm is None else "soft"
    made = {"decide": _spelled(decide), "tnorm": None if norm is None or kind != "soft" else repr(norm)}
    return Evaluation(tally, kind, _check_positive(positive, tally), tuple((k, v) for k, v in made.items() if v is not None))


def _spelled(rule: Any) -> str | None:
    if rule is None or isinstance(rule, str):
        return rule
    return repr(rule) if not np.ndim(rule) else str(np.asarray(rule).tolist())


def _check_positive(positive: Any, tally: Tally) -> Any:
    if positive is None:
        return None
    positive = positive.item() if isinstance(positive, np.generic) else positive
    binary = tally.open and all(isinstance(c, int) and 0 <= c <= 1 for c in (*tally.classes, positive))  # 1 may not occur
    if positive not in tally.classes and not binary:
        raise ValueError(f"positive={positive!r} is not a class; the classes are {tally.classes!r}.")
    return positive


def from_confusion(W: Any, classes: Iterable[Any] | None = None, *, positive: Any = None) -> Evaluation:  # noqa: N803
    """Return the evaluation of a confusion matrix, rows true, columns predicted.

    >>> import indicatrix as ix
    >>> ix.from_confusion([[5, 1], [2, 4]], classes=["ant", "cat"]).score("recall", "macro")
    0.75
    """
    from .tally.given import tally_of_confusion

    tally = tally_of_confusion(W, classes)
    return Evaluation(tally, "multiclass", _check_positive(positive, tally))


def from_counts(tp: Any, fp: Any, fn: Any, tn: Any, classes: Iterable[Any] | None = None) -> Evaluation:
    """Return the evaluation of counts: four numbers for one positive class, or four arrays with one entry per class.

    >>> import indicatrix as ix
    >>> ix.from_counts(tp=8, fp=2, fn=2, tn=88).score("f1")
    0.8
    """
    from .tally.given import tally_of_counts

    return Evaluation(tally_of_counts(tp, fp, fn, tn, classes), "counts")


def load(path: str | os.PathLike[str]) -> Evaluation:
    """Return the evaluation saved in a file."""
    from .tally import store

    facts, tally = store.load(path, ("kind", "positive", "made"))
    positive = None if facts["positive"] is None else store.name_in(facts["positive"][0])
    return Evaluation(tally, facts["kind"], positive, tuple(map(tuple, facts["made"])))


bind(evaluate, MATRIX_MEASURES)
