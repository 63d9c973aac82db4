"""Calibration: whether predicted probabilities match observed shares (sec:calibration).

This is outside the algebra. Predictions are put into bins, and in each bin the mean prediction is compared with the share of
positives. A bin has no four counts, and a calibration error is not a mean of losses. Yet it is a function of some predictions,
so there is one for all of them, one for each class and one for each group. One example by itself has no share.

Bins contain their upper edge, the first one also 0 (as in Guo et al. 2017 and scikit-learn). Bins of equal mass end at the
smallest predictions that 1/bins, 2/bins, … of the weight do not exceed: ties are never split, and may leave fewer bins. Isotonic
bins are those of the shares that only grow with the prediction and fit best; no number of bins is chosen (CORP).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, ClassVar, TypeVar, overload

import numpy as np

from ...algebra.arrays import Array, quiet
from ...algebra.ends import wilson_of_each
from ...algebra.numbers.functions import ratio
from ...algebra.score import Score, Undefined, combine
from ...algebra.sums import sums
from ...plots.canvas import with_class
from ...words.call_mistakes import answers_mistakes
from ...words.wording import check_at_most, check_whole
from ..contributions import Meaning, ScoredUnits, averaged
from ..curves.curve_band import Band
from ..score_input import with_interval
from .forecasts import read_forecast
from .predictions import Column, Forecast, isotonic_band, isotonic_edges

MOST_BINS = 1_000_000
OF_PREDICTED = "top_label=True is of the predicted classes, and an average over classes of every class. Leave one of them out."
NORMS = ("l1", "l2", "max")
NOT_SUMMED = (  # why there is no interval: those of resampling lie above the error of calibrated predictions
    "it is a sum of absolute differences, which chance makes too large. Test calibration with ix.inference.spiegelhalter or "
    "ix.inference.calibration_line, or show it with ix.scores.reliability(…, binning='isotonic').band()"
)
ECE = Meaning(
    sums("ece", "lower", (0, 1), "guo2017"),
    lacking=", without observed examples in a bin",
    refused={"example": "shares in bins are shares of examples, and one example by itself has no share."},
    not_summed=NOT_SUMMED,
)


@answers_mistakes
@dataclass(frozen=True, eq=False)
class Reliability:
    """The mean prediction and the observed share in each bin: a reliability curve.

    Attributes
    ----------
    edges : array
        The edges of the bins, one more than there are bins; each bin contains its upper edge.
    predicted : array
        The mean prediction in each bin, nan where it is empty.
    observed : array
        The share of positives in each bin, nan where it is empty.
    weight : array
        The weight of the examples in each bin; their number where there are no sample weights.
    effective : array
        The number of examples in each bin, or Kish's effective number (Σw)²/Σw² under sample weights.
    unit : label or None
        The class whose probabilities these are; None of the predicted class, or of all entries.
    forecasts : tuple of array or None
        Of isotonic bins: the distinct predictions, how many examples have each, and how many of these came true. None with
        sample weights.
    """

    edges: Array  # of the bins, one more than there are bins; each bin contains its upper edge
    predicted: Array  # the mean prediction in each bin, nan where it is empty
    observed: Array  # the share of positives in each bin, nan where it is empty
    weight: Array  # of the examples in each bin; their number where there are no sample weights
    effective: Array  # the number of examples in each bin, or Kish's effective number (Σw)²/Σw² under sample weights
    unit: Any = None
    forecasts: tuple[Array, Array, Array] | None = (
        None  # of isotonic bins: distinct predictions, how many, and how many came true
    )
    name: ClassVar[str] = "reliability"  # as curves have one

    def band(
        self, level: float = 0.95, *, kind: str = "consistency", simultaneous: bool = False, draws: int = 1000, seed: int = 0
    ) -> Band:
        """Return the band of a curve of isotonic bins (CORP; Dimitriadis, Gneiting and Jordan 2021).

        Parameters
        ----------
        level : float, default 0.95
            In which share of samples the curve stays in the band.
        kind : str, default 'consistency'
            "consistency": where the curve of calibrated predictions would be, around the diagonal. "confidence": where the true
            shares are expected, around the curve; at the very lowest and highest prediction it holds less often.
        simultaneous : bool, default False
            Whether the band holds for all predictions at once. That of confidence is exact: if true shares only grow with the
            prediction, it holds at least as often as the level says, and in most samples more often.
        draws : int, default 1000
            How often labels are drawn again; nothing is drawn for an exact band.
        seed : int, default 0
            Seed of the random draws.

        Returns
        -------
        Band
            ``x_low`` (the predictions), ``y_low`` and ``y_high``.

        References
        ----------
        - T. Dimitriadis, T. Gneiting, A. I. Jordan (2021). Stable reliability diagrams for probabilistic classifiers.
          Proceedings of the National Academy of Sciences 118:e2016191118. https://doi.org/10.1073/pnas.2016191118
        - T. Dimitriadis, L. Dümbgen, A. Henzi, M. Puke, J. Ziegel (2023). Honest calibration assessment for binary outcome
          predictions. Biometrika 110:663-680. https://doi.org/10.1093/biomet/asac068

        Examples
        --------
        >>> import indicatrix as ix
        >>> curve = ix.scores.reliability([0, 1] * 30 + [1] * 20, [0.4, 0.6] * 30 + [0.9] * 20, binning="isotonic")
        >>> band = curve.band()
        >>> band.x_low.tolist(), curve.observed.tolist(), band.y_low.round(2).tolist(), band.y_high.round(2).tolist()
        ([0.4, 0.6, 0.9], [0.0, 1.0], [0.23, 0.43, 0.75], [0.57, 0.77, 1.0])
        """
        if self.forecasts is None:
            raise ValueError("A band is of isotonic bins of examples without weights: reliability(…, binning='isotonic').")
        center, times, positives = self.forecasts
        how: dict[str, Any] = {"level": level, "kind": kind, "simultaneous": simultaneous, "draws": draws, "seed": seed}
        return isotonic_band(center, times, positives, **how)

    def ends(self, level: float = 0.95) -> tuple[Array, Array]:
        """Return the lower and upper ends of Wilson's intervals of the observed shares, one for each bin.

        Isotonic bins were chosen by the data: their ends are those of the band of confidence.

        Parameters
        ----------
        level : float, default 0.95
            In which share of samples an interval is to cover the true share of its bin.

        Returns
        -------
        (array, array)
            The lower and the upper ends; nan where a bin is empty.

        Examples
        --------
        >>> import indicatrix as ix
        >>> low, high = ix.scores.reliability([0, 1, 1, 1], [0.5, 0.5, 0.75, 0.75], bins=2).ends()
        >>> low.round(2).tolist(), high.round(2).tolist()
        ([0.09, 0.34], [0.91, 1.0])
        """
        if self.forecasts is None:
            return wilson_of_each(self.observed, self.effective, level)
        found = self.band(level, kind="confidence")
        low, high = (np.interp(self.predicted, found.x_low, side) for side in (found.y_low, found.y_high))
        return low, high

    @property
    def gap(self) -> Array:
        """The observed share minus the mean prediction: negative where predictions are too high."""
        return np.asarray(self.observed - self.predicted)

    def plot(self, *, interval: float | bool = True, title: str = "", ax: Any = None) -> Any:
        """Return axes with the observed share against the mean prediction of each bin, and its interval.

        ``ix.plots.curves`` draws several together.

        Parameters
        ----------
        interval : float or bool, default True
            The level of the intervals of the observed shares, or False for none.
        title : str, optional
            The title. Default: what is drawn, and the positive class.
        ax : Axes, optional
            Where to draw. Default: a new figure.

        Returns
        -------
        Axes
            The axes with the plot.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ax = ix.scores.reliability([0, 1, 1, 1], [0.5, 0.5, 0.75, 0.75], bins=2).plot()
        >>> ax.texts[-1].get_text()
        'calibration error 0.125'
        """
        from ...plots import reliability

        level = 0.95 if interval is True else interval
        ends = None if level is False else self.ends(level)
        drawn: dict[str, Any] = {"title": title or with_class("Reliability", self.unit), "error": self.error(), "ax": ax}
        if self.forecasts is not None and level is not False:
            drawn |= {"band": self.band(level)}
            ends = None
        return reliability(self.predicted, self.observed, self.weight, ends=ends, level=level or 0.95, **drawn)

    def error(self, norm: str = "l1", *, debiased: bool = False) -> float:
        """Return the mean gap over examples ("l1"), its root mean square ("l2") or the largest ("max").

        It is nan without data. ``debiased=True`` subtracts the bias of few examples. For "l2" that is the sampling variance of
        the share, o(1-o)/(n-1), from each squared gap (Kumar et al. 2019; the reliability of Bröcker 2012); a bin with one
        example has no variance and is left out. For "l1" the share is taken as normal with variance o(1-o)/n, and what the mean
        gap of such shares exceeds the gap by is subtracted, as the program of Kumar et al. does by drawing them. A negative sum
        counts as 0.

        Parameters
        ----------
        norm : str, default 'l1'
            "l1", "l2" or "max".
        debiased : bool, default False
            Whether the bias of few examples is subtracted; for "l1" and "l2".

        Returns
        -------
        float
            The calibration error.

        References
        ----------
        - A. Kumar, P. Liang, T. Ma (2019). Verified uncertainty calibration. Advances in Neural Information Processing Systems
          32. https://arxiv.org/abs/1909.10155
        - J. Bröcker (2012). Estimating reliability and resolution of probability forecasts through decomposition of the
          empirical score. Climate Dynamics 39:655-667. https://doi.org/10.1007/s00382-011-1191-1

        Examples
        --------
        >>> import indicatrix as ix
        >>> ix.scores.reliability([0, 1, 1, 1], [0.5, 0.5, 0.75, 0.75], bins=2).error("l2")
        0.1767766952966369
        """
        _check_norm(norm, debiased)
        gap, weight = abs(self.gap), self.weight.astype(np.float64)
        if norm == "max":
            return float(np.max(gap[weight > 0], initial=0.0)) if weight.any() else np.nan
        if norm == "l1":
            shown = combine(gap, weight, "exclude")
            return max(2 * shown - combine(self._expected_gaps(), weight, "exclude"), 0.0) if debiased else shown
        squares = gap**2
        if debiased:
            with quiet():  # a bin with one example has no variance: 0/0
                squares = squares - ratio(self.observed * (1 - self.observed), np.maximum(self.effective - 1, 0))
        return float(np.sqrt(np.maximum(combine(squares, weight, "exclude"), 0)))

    def _expected_gaps(self) -> Array:
        """Return the mean gap of a normal share that has the mean and the variance of the observed one."""
        gap = abs(self.gap)
        with quiet():
            spread = np.sqrt(ratio(self.observed * (1 - self.observed), self.effective))
            z = np.where(spread > 0, gap / spread, np.inf)
            inside = np.array([math.erf(x / math.sqrt(2)) if x == x else math.nan for x in z.tolist()])
        return np.asarray(spread * math.sqrt(2 / math.pi) * np.exp(-(z**2) / 2) + gap * inside)


@overload
def reliability(y_true: Any, y_proba: Any, *, per: None = None, **options: Any) -> Reliability: ...
@overload
def reliability(y_true: Any, y_proba: Any, *, per: str, **options: Any) -> dict[Any, Reliability]: ...
@answers_mistakes
def reliability(
    y_true: Any,
    y_proba: Any,
    *,
    bins: int = 15,
    binning: str = "width",
    per: str | None = None,
    unit: Any = None,
    **options: Any,
) -> Reliability | dict[Any, Reliability]:
    """Return the reliability curve: mean prediction and observed share in each bin.

    One probability per example: of the positive class. One label and a row of probabilities per example: of the predicted class
    (the largest probability; ties go to the first), against whether it is right. Several labels per example: of all entries.
    ``unit=`` names a class to take against all others; per="class", or the name of an axis of by=, gives a dict with a curve for
    each. ``binning`` is "width", equal widths on [0, 1], or "mass". Options: classes, positive, sample_weight, mask, by, missing
    as for evaluate; renormalize=True divides rows by their sums.

    Parameters
    ----------
    y_true : array-like
        Labels as ``evaluate`` takes them: lists, arrays, columns of data frames.
    y_proba : array-like
        Probabilities: one per example for the positive class, or a row per example with one for each class.
    bins : int, default 15
        The number of bins.
    binning : str, default 'width'
        "width" for bins of equal width on [0, 1], "mass" for bins with equal numbers of examples, "isotonic" for those that an
        isotonic fit makes, whatever ``bins`` is.
    per : str, optional
        "class", or the name of a by= axis: a dict with one result for each. Default: one result for all.
    unit : label, optional
        A class to take against all others. Default: the predicted class, or all entries.
    **options
        classes, positive, sample_weight, mask, by and missing, as ``evaluate`` takes them; renormalize=True divides rows of
        probabilities by their sums.

    Returns
    -------
    Reliability or dict
        The curve; with per= a dict of curves.

    References
    ----------
    - T. Dimitriadis, T. Gneiting, A. I. Jordan (2021). Stable reliability diagrams for probabilistic classifiers. Proceedings
      of the National Academy of Sciences 118:e2016191118. https://doi.org/10.1073/pnas.2016191118

    Examples
    --------
    >>> import indicatrix as ix
    >>> curve = ix.scores.reliability([0, 1, 1, 1], [0.5, 0.5, 0.75, 1.0], bins=2)
    >>> curve.predicted.tolist(), curve.observed.tolist(), curve.weight.tolist()
    ([0.5, 0.875], [0.5, 1.0], [2, 2])
    """
    check_bins(bins, binning)

    def curve(part: Forecast, unit: Any) -> Reliability:
        column = part.pool() if unit is None else part.column(unit)
        column = column if binning == "width" else column.here
        own = part.classes[0] if unit is None and part.kind == "binary" else unit
        kept = _forecasts(column) if binning == "isotonic" and column.weight.dtype.kind in "iu" else None
        return replace(_curve(column, edges_of(column, bins, binning)), unit=own, forecasts=kept)

    return apply_along(read_forecast("reliability", y_true, y_proba, options, on_device=True), per, unit, curve)


@with_interval
@answers_mistakes
def ece(
    y_true: Any,
    y_proba: Any,
    *,
    average: str = "micro",
    bins: int = 15,
    binning: str = "width",
    norm: str = "l1",
    debiased: bool = False,
    top_label: bool = False,
    undefined: Undefined = "exclude",
    **options: Any,
) -> Score:
    """Return the calibration error: how far shares in bins are from predictions.

    Smaller is better. One probability per example: of the positive class. One label and a row of probabilities per example:
    average="micro", the default, is of the predicted class. Several labels per example, which a 0/1 matrix means: of all
    entries together. "macro" and "weighted" are classwise, each class against all others; the name of an axis of by= is the
    mean over groups, each with bins of its own. ``.values`` are the errors of classes or groups; one without observed examples
    is ``undefined``.

    ``binning="width"`` makes bins of equal width, "mass" of equal weight. ``norm``: "l1" is the expected calibration error, "l2"
    its root mean square, "max" the largest gap (the maximum calibration error). With few examples in a bin the error is too large
    even for perfect forecasts; ``debiased=True`` corrects that (``Reliability.error``). Options: those of ``reliability``.

    Parameters
    ----------
    y_true : array-like
        Labels as ``evaluate`` takes them: lists, arrays, columns of data frames.
    y_proba : array-like
        Probabilities: one per example for the positive class, or a row per example with one for each class.
    average : str, default 'micro'
        "micro" is of the predicted class or of all entries, "macro" and "weighted" are over classes, the name of a by= axis
        over its groups.
    bins : int, default 15
        The number of bins.
    binning : str, default 'width'
        "width" for bins of equal width on [0, 1], "mass" for bins with equal numbers of examples, "isotonic" for those that an
        isotonic fit makes, whatever ``bins`` is.
    norm : str, default 'l1'
        "l1", "l2" or "max".
    debiased : bool, default False
        Whether the bias of few examples is subtracted; for "l1" and "l2".
    top_label : bool, default False
        Whether each predicted class has bins of its own, so that errors of two classes with the same confidence do not cancel.
        For one label per example, and average="micro" or a by= axis.
    undefined : str or number, default 'exclude'
        What an undefined value does: 'exclude' leaves it out of the average, a number replaces it, 'nan' keeps it, 'raise'
        is an error.
    **options
        classes, positive, sample_weight, mask, by and missing, as ``evaluate`` takes them; renormalize=True divides rows of
        probabilities by their sums.

    Returns
    -------
    Score
        A float that also holds the values it was averaged from, and how undefined ones were handled.

    Notes
    -----
    Names elsewhere: the default is the confidence ECE of Guo et al. (2017), average="macro" the classwise ECE,
    ``top_label=True`` the top-label ECE of Gupta & Ramdas (2022), and average="macro" with binning="mass" the adaptive
    calibration error of Nixon et al. (2019).

    References
    ----------
    - C. Guo, G. Pleiss, Y. Sun, K. Q. Weinberger (2017). On calibration of modern neural networks. International Conference on
      Machine Learning. https://arxiv.org/abs/1706.04599
    - C. Gupta, A. Ramdas (2022). Top-label calibration and multiclass-to-binary reductions. International Conference on
      Learning Representations. https://arxiv.org/abs/2107.08353
    - J. Nixon, M. Dusenberry, G. Jerfel, T. Nguyen, J. Liu, L. Zhang, D. Tran (2019). Measuring calibration in deep learning.
      CVPR Workshops. https://arxiv.org/abs/1904.01685
    - A. Kumar, P. Liang, T. Ma (2019). Verified uncertainty calibration. Advances in Neural Information Processing Systems 32.
      https://arxiv.org/abs/1909.10155

    Examples
    --------
    >>> import indicatrix as ix
    >>> ix.ece([0, 1, 1, 1], [0.5, 0.5, 0.75, 0.75], bins=2)
    0.125
    """
    check_bins(bins, binning)
    _check_norm(norm, debiased)

    def error(columns: list[Column]) -> float:
        columns = columns if binning == "width" else [c.here for c in columns]
        return _join([_curve(c, edges_of(c, bins, binning)) for c in columns]).error(norm, debiased=debiased)

    return score_columns(
        ECE, read_forecast("ece", y_true, y_proba, options, on_device=True), error, average, undefined, top_label=top_label
    )


def score_columns(
    kind: Meaning,
    forecast: Forecast,
    error: Callable[[list[Column]], float],
    average: Any,
    undefined: Undefined,
    *,
    top_label: bool = False,
) -> Score:
    """Return the average of an error of predictions: of all of them, of each class, or of each group.

    The error is a function of one column, or with ``top_label`` of one for each predicted class.
    """
    refused = {**kind.refused, "class": OF_PREDICTED} if top_label else kind.refused
    kind = replace(kind, binary=forecast.kind == "binary", refused=refused)

    def values(axis: str) -> Any:
        if axis == "class":
            columns = [[c] for c in forecast.columns()]
        else:
            columns = [part.top_of_classes() if top_label else [part.pool()] for part in parts_of(forecast, axis)]
        errors = np.array([error(some) for some in columns], np.float64)
        return errors if axis else errors[0]

    return averaged(ScoredUnits(kind, forecast.axes, values, partial(sides_of, forecast)), average, undefined)


def parts_of(forecast: Forecast, axis: str) -> tuple[Forecast, ...]:
    """Return the examples of each group along an axis; all of them if none is kept."""
    return tuple(forecast.split(axis).values()) if axis else (forecast,)


def sides_of(forecast: Forecast, axis: str) -> tuple[Any, Any]:
    """Return the weight of the actual positives and negatives of each class or group."""
    if axis == "class":
        return forecast.actual
    positives, negatives = np.array([np.sum(part.actual, axis=1) for part in parts_of(forecast, axis)]).T
    return positives, negatives


def _join(curves: list[Reliability]) -> Reliability:
    """Return the bins of several curves as those of one."""
    if len(curves) == 1:
        return curves[0]
    predicted, observed, weight, effective = (
        np.concatenate([getattr(c, name) for c in curves]) for name in ("predicted", "observed", "weight", "effective")
    )
    return Reliability(np.array([math.nan]), predicted, observed, weight, effective)


Part = TypeVar("Part")


def apply_along(forecast: Forecast, per: str | None, unit: Any, of: Callable[[Forecast, Any], Part]) -> Part | dict[Any, Part]:
    """Return the result of a function for a forecast, or a dict of its results for classes or groups."""
    if per is None:
        return of(forecast, unit)
    if per != "class" and per not in forecast.by:
        known = ", ".join(repr(axis) for axis in ("class", *forecast.by))
        raise ValueError(f"per={per!r} is not an axis here. Use {known}, or give by={{{per!r}: ids}} to have it.")
    if per != "class":
        return {name: of(part, unit) for name, part in forecast.split(per).items()}
    if unit is not None:
        raise ValueError(f"unit={unit!r} names one class, and per='class' keeps all. Leave one of them out.")
    return {name: of(forecast, name) for name in forecast.classes}


def edges_of(column: Column, bins: int, binning: str) -> Array:
    """Return the edges of bins of equal width, or of equal weight.

    Bins have equal weight as far as ties allow, and none of these is empty.
    """
    if binning == "width":
        return np.linspace(0.0, 1.0, bins + 1)
    if binning == "isotonic":
        return isotonic_edges(column.p, column.positive, column.weight)
    if not len(column.p):
        return np.array([0.0, 1.0])
    order = np.argsort(column.p)
    below = np.cumsum(column.weight[order])
    upper = column.p[order[np.searchsorted(below * bins, np.arange(1, bins) * below[-1])]]
    return np.concatenate(([0.0], np.unique(upper[upper < column.p[order[-1]]]), [1.0]))


def _forecasts(column: Column) -> tuple[Array, Array, Array]:
    """Return the distinct predictions, how many have each, and how many of these came true."""
    center, place = np.unique(column.p, return_inverse=True)
    return center, np.bincount(place, minlength=len(center)), np.bincount(place, column.positive, len(center))


def reliability_of_counts(p: Array, positives: Array, negatives: Array, bins: int = 15) -> Reliability:
    """Return the reliability curve of probabilities, each with how many positives and negatives have it.

    >>> reliability_of_counts(np.array([0.5, 0.75]), np.array([1, 2]), np.array([1, 0]), bins=2).observed.tolist()
    [0.5, 1.0]
    """
    came_true = np.repeat([True, False], len(p))
    column = Column(np.tile(p, 2), came_true, np.concatenate([positives, negatives]))
    return _curve(column, edges_of(column, bins, "width"))


def _curve(column: Column, edges: Array) -> Reliability:
    weight, hits, mass, effective = column.sums(edges)
    return Reliability(edges, ratio(mass, weight), ratio(hits, weight), weight, effective)


# Checks of the arguments.


def check_bins(bins: Any, binning: Any) -> None:
    """Refuse a number of bins, or a way to make them, that does not exist."""
    check_whole("bins", bins, 1)
    check_at_most(
        "bins", int(bins), MOST_BINS, "Calibration is usually read from 10 to 100 bins; ix.measures.smooth_ece has none."
    )
    if binning not in ("width", "mass", "isotonic"):
        raise ValueError(
            f"binning={binning!r} is unknown. Use 'width' (bins of equal width), 'mass' (of equal weight) or 'isotonic'."
        )


def _check_norm(norm: Any, debiased: bool) -> None:
    if norm not in NORMS:
        raise ValueError(
            f"norm={norm!r} is unknown. Use 'l1', the mean gap, 'l2', its root mean square, or 'max', the largest gap."
        )
    if debiased and norm == "max":
        raise ValueError("debiased=True corrects means of gaps, not the largest one. Use norm='l1' or norm='l2'.")
