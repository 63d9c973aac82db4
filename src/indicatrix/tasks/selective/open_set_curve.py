"""Open-set curves: how a score accepts known classes and rejects unknown ones (sec:openset).

The rates are computed at every threshold.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...algebra.counts import Counts
from ...algebra.measure import Measure
from ...algebra.measure_names import find_for_counts
from ...algebra.numbers.functions import ratio
from ...algebra.values import Values
from ...encode.containers import read
from ...encode.factorize import factorize
from ...encode.matrices import one_family
from ...encode.plain_forms import Labels
from ...encode.vocabulary import coder, distinct, family, missing_rows, place
from ...encode.weights import check_mask
from ...ranking.threshold_steps import check_point, check_scores, place_of, steps, weights_of
from ...settings.open_set import check_known
from ...settings.paper_settings import refuse
from ...words.call_mistakes import answers_mistakes
from ...words.names_elsewhere import refuse_unknown
from ...words.wording import listing, short


@dataclass(frozen=True)
class OpenSetPoint:
    """One point of an open-set curve: the examples with score >= threshold are accepted as known."""

    threshold: float
    ccr: float
    fpr: float


@answers_mistakes
@dataclass(frozen=True, eq=False, repr=False)
class OpenSetCurve:
    """Correct classification rate of known examples against false positive rate of unknown ones.

    Attributes
    ----------
    thresholds : array
        From +inf, which accepts nothing, down.
    known : tuple
        The known classes.
    """

    thresholds: Array  # descending; the first is +inf and accepts nothing
    known: tuple[Any, ...]
    _accepted: Array = field(repr=False)  # examples with score >= threshold: known and right, known, unknown; a 3 x t array
    _rejected: Array = field(repr=False)  # the same of the others: weights are summed, because differences lose digits

    @property
    def ccr(self) -> Array:
        """The share of the known examples that are accepted and classified right."""
        return _share(self._accepted[0], self._accepted[1, -1])

    @property
    def fpr(self) -> Array:
        """The share of the unknown examples that are accepted as known."""
        return _share(self._accepted[2], self._accepted[2, -1])

    @property
    def counts(self) -> Counts:
        """The counts of known against unknown, with an axis of thresholds.

        An accepted known example is a tp.
        """
        return Counts(*self._accepted[1:], *self._rejected[1:], per=("threshold",), names=(tuple(self.thresholds.tolist()),))

    def values(self, measure: str | Measure) -> Values:
        """Return a measure of detection, known against unknown, at each threshold.

        Parameters
        ----------
        measure : str or Measure
            A measure, its name, or a formula.

        Returns
        -------
        Values
            One value for each threshold.

        Examples
        --------
        >>> import indicatrix as ix
        >>> curve = ix.tasks.open_set_curve(["cat", "dog", "owl"], ["cat", "cat", "dog"], [0.9, 0.8, 0.3], known=["cat", "dog"])
        >>> curve.values("recall").tolist()
        [0.0, 0.5, 1.0, 1.0]
        """
        counts, found = self.counts, find_for_counts(measure, "an open-set curve pools the counts")
        return Values.of(found.values(counts), counts.names)

    @property
    def area(self) -> float:
        """The area under the ccr as a function of the fpr (OSCR), by trapezoids; tied scores are one step."""
        return _area(self._accepted[2], self._accepted[0], self._accepted[1, -1])

    @property
    def auroc(self) -> float:
        """The probability that a known example scores above an unknown one; a tie counts one half."""
        return _area(self._accepted[2], self._accepted[1], self._accepted[1, -1])

    def at(self, *, fpr: float | None = None, threshold: float | None = None) -> OpenSetPoint:
        """Return the point of a threshold, or the one with the highest fpr not above this one.

        The fpr is compared up to rounding (4 ulp).

        Parameters
        ----------
        fpr : float, optional
            The false positive rate that must not be passed.
        threshold : float, optional
            A threshold of the score. Give one of the two.

        Returns
        -------
        OpenSetPoint
            ``.threshold``, ``.ccr`` and ``.fpr``.

        Examples
        --------
        >>> import indicatrix as ix
        >>> curve = ix.tasks.open_set_curve(["cat", "dog", "owl"], ["cat", "cat", "dog"], [0.9, 0.8, 0.3], known=["cat", "dog"])
        >>> curve.at(fpr=0.1)
        OpenSetPoint(threshold=0.8, ccr=0.5, fpr=0.0)
        """
        check_point("fpr", "unknown examples", fpr, threshold)
        k = place_of(self.thresholds, self.fpr, fpr, threshold)
        return OpenSetPoint(float(self.thresholds[k]), float(self.ccr[k]), float(self.fpr[k]))

    def __repr__(self) -> str:
        return f"<OpenSetCurve: {len(self.thresholds) - 1} thresholds, area {self.area:.6g}, auroc {self.auroc:.6g}>"


@answers_mistakes
def open_set_curve(y_true: Any, y_pred: Any, score: Any, *, known: Iterable[Any], **options: Any) -> OpenSetCurve:
    """Return the correct classification rate and the false positive rate at every threshold of a score.

    Examples whose score reaches the threshold are accepted as known. The curve shows the share of known examples that are
    accepted and classified right against the share of unknown examples that are accepted. It needs one label per example, so
    ``options`` are only sample_weight and mask (of rows). To evaluate at one threshold t, pass ``known=`` to ``evaluate``, and
    predictions that are missing where the score is below t.

    Parameters
    ----------
    y_true : array-like
        One label per example; those outside ``known`` are unknown.
    y_pred : array-like
        The best known class of each example.
    score : array-like
        One number per example, high where it looks known.
    known : iterable
        The known classes.
    **options
        sample_weight and mask (one flag for each example), as ``evaluate`` takes them.

    Returns
    -------
    OpenSetCurve
        ``.ccr`` and ``.fpr`` at every threshold, ``.area`` and ``.auroc``.

    Examples
    --------
    >>> import indicatrix as ix
    >>> curve = ix.tasks.open_set_curve(["cat", "dog", "owl"], ["cat", "cat", "dog"], [0.9, 0.8, 0.3], known=["cat", "dog"])
    >>> curve.ccr.tolist(), curve.fpr.tolist(), curve.area, curve.auroc
    ([0.0, 0.5, 0.5, 0.5], [0.0, 0.0, 0.0, 1.0], 0.5, 1.0)
    """
    given = [name for name in options if not (name == "by" and options[name] is None)]
    refuse_unknown("open_set_curve", given, ("sample_weight", "mask"), {"by": "make one curve from the rows of each group"})
    refuse("open_set", options)
    names = check_known(known)
    true, pred = _labels(y_true, "y_true"), _labels(y_pred, "y_pred")
    if len(true) != len(pred):
        raise ValueError(f"y_true has {len(true)} examples and y_pred {len(pred)}; they must describe the same examples.")
    n = len(true)
    for form, argument in ((true, "y_true"), (pred, "y_pred")):
        one_family({argument: family(form, argument), "known": family(Labels(np.arange(len(names)), names), "known")})
    t, p = _codes(true, names, "y_true"), _codes(pred, names, "y_pred")
    if (p >= len(names)).any():
        raise _not_known(pred, names, int(np.argmax(p >= len(names))))
    scores, weights = check_scores(score, n, "score"), weights_of(options.get("sample_weight"), n)
    is_known = t < len(names)
    amounts = np.stack([t == p, is_known, ~is_known]).astype(np.int64)
    if weights is not None:
        amounts = amounts * weights
    seen = _seen_examples(options.get("mask"), n)
    thresholds, sums = steps(scores[seen], amounts[:, seen])
    rest = steps(-scores[seen], amounts[:, seen])[1][:, ::-1]
    return OpenSetCurve(thresholds, names, sums, rest)


def _labels(y: Any, argument: str) -> Labels:
    form = read(y, argument)
    if not isinstance(form, Labels):
        raise TypeError(f"{argument} must hold one label per example; label sets and scores have no open-set curve.")
    form = factorize(form, argument)
    absent = missing_rows(form)
    if absent is not None:
        raise ValueError(
            f"{argument}[{int(absent.argmax())}] is missing: {int(absent.sum())} of {len(form)} labels are. Drop these rows. A "
            "rejected example also has a best known class, with a low score."
        )
    return form


def _codes(form: Labels, names: tuple[Any, ...], argument: str) -> Array:
    """Return the code of each label; an unknown label has a code above those of the known ones."""
    others = tuple(distinct(form) - set(names))
    return np.asarray(coder(form, (*names, *others), argument)(slice(None))).astype(np.intp)


def _not_known(form: Labels, names: tuple[Any, ...], row: int) -> ValueError:
    value = form.values[row]
    label = value.item() if form.categories is None else form.categories[value]
    return ValueError(
        f"y_pred[{place(form, row)}] = {short(label)} is not in known=({listing(names)}). Give the best known class of every "
        "example; a low score rejects it."
    )


def _seen_examples(mask: Any, n: int) -> Array:
    """Return the indices of the examples that a mask of rows shows."""
    rows = check_mask(mask, n, 1)
    return np.arange(n) if rows is None else np.flatnonzero(rows[:, 0])


def _share(part: Array, whole: Any) -> Array:
    return np.asarray(ratio(part, np.float64(whole)), np.float64)


def _area(x: Array, y: Array, height: Any) -> float:
    """Return the area under steps y over steps x, both scaled to 1; nan if one is empty.

    ``height`` is the total height of y.
    """
    if x.dtype.kind == "i":  # one division of integers at the end: exact up to its rounding
        x, y = x.astype(object), y.astype(object)
    twice = (np.diff(x) * (y[1:] + y[:-1])).sum()
    return float(ratio(twice, 2 * x[-1] * height))
