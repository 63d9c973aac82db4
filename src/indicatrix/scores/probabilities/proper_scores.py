"""Proper scores of probabilities: Brier and log loss (sec:calibration, errata A10).

They are outside the algebra. They compare labels with the probabilities themselves, before any decision, so no four counts are
behind them. Yet they are sums of losses, one for each entry of the indicator matrix or one for each example, and sums
aggregate: globally, per class, per example, per group, under sample weights and masks. The two scores differ only in
the loss, and in what it is averaged over. They reward calibration and refinement together; ``brier_decomposition`` takes them
apart.

Log loss that counts every class alike, as balanced accuracy does (sec:calibration).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Protocol

import numpy as np

from ...algebra.arrays import Array
from ...algebra.average import Average
from ...algebra.measure import Measure
from ...algebra.numbers.functions import ratio
from ...algebra.score import Score, Undefined, mean_of_values
from ...algebra.sums import sums
from ...encode.device_arrays import namespace_of
from ...words.call_mistakes import answers_mistakes
from ..contributions import (
    UNOBSERVED,
    AddedToUnit,
    Blocks,
    Entries,
    LossesOnDevice,
    Meaning,
    ScoredUnits,
    average_contributions,
    averaged,
)
from ..score_input import as_public, with_interval
from .forecasts import read_forecast
from .predictions import Forecast, log_losses, share_of_column, squared_losses

BRIER = Meaning(sums("brier", "lower", (0, 2), "brier1950"), lacking=UNOBSERVED)
LOG_LOSS = Meaning(sums("log_loss", "lower", source="good1952"), lacking=UNOBSERVED)
LOSSES: dict[str, Measure] = {}  # the losses without parameters of their own
PARAMETERS = """Parameters
----------
y_true : array-like
    Labels as ``evaluate`` takes them: lists, arrays, columns of data frames.
y_proba : array-like
    Probabilities: one per example for the positive class, or a row per example with one for each class.
average : str, default 'micro'
    "micro" is the mean over all, "exemplar" over examples, "macro" and "weighted" over classes, the name of a by= axis
    over its groups.
undefined : str or number, default 'exclude'
    What an undefined value does: 'exclude' leaves it out of the average, a number replaces it, 'nan' keeps it, 'raise'
    is an error.
**options
    classes, positive, sample_weight, mask, by and missing, as ``evaluate`` takes them; renormalize=True divides rows of
    probabilities by their sums, and sums="any" takes rows that do not sum to 1 as they are.
    With interval=0.95 the result is an interval; clusters= then has the groups that were sampled as a whole.

Returns
-------
Score
    A float that also holds the values it was averaged from, and how undefined ones were handled.

Examples
--------
>>> import indicatrix as ix
"""


@with_interval
@answers_mistakes
def brier(
    y_true: Any,
    y_proba: Any,
    *,
    average: str = "micro",
    normalize: str | None = None,
    undefined: Undefined = "exclude",
    **options: Any,
) -> Score:
    """Return the Brier score, the mean squared difference of labels and probabilities.

    Lower is better. For two classes it lies between 0 and 1; one probability per example (of the positive class) and two
    columns of probabilities give the same number. For three classes or more, with one label per example, it is the sum over
    classes, averaged over examples, between 0 and 2. Both are as in scikit-learn. For several labels per example it is the mean
    over entries.

    Parameters
    ----------
    y_true : array-like
        Labels as ``evaluate`` takes them: lists, arrays, columns of data frames.
    y_proba : array-like
        Probabilities: one per example for the positive class, or a row per example with one for each class.
    average : str, default 'micro'
        "micro" is the mean over all, "exemplar" over examples, "macro" and "weighted" over classes, the name of a by= axis
        over its groups.
    normalize : str, optional
        "n" divides by the number of examples, "nm" by the number of entries, and "sum" does not divide: with sample weights it
        is a weighted sum. Default: "n" for one label per example, halved for two columns, otherwise "nm".
    undefined : str or number, default 'exclude'
        What an undefined value does: 'exclude' leaves it out of the average, a number replaces it, 'nan' keeps it, 'raise'
        is an error.
    **options
        classes, positive, sample_weight, mask, by and missing, as ``evaluate`` takes them; renormalize=True divides rows of
        probabilities by their sums, and sums="any" takes rows that do not sum to 1 as they are.
        With interval=0.95 the result is an interval; clusters= then has the groups that were sampled as a whole.

    Returns
    -------
    Score
        A float that also holds the values it was averaged from, and how undefined ones were handled.

    Notes
    -----
    ``normalize="n"`` always sums over classes and averages over examples: twice the usual number for two columns.
    ``normalize="nm"`` is always the mean over entries. A 0/1 matrix means several labels per example even if each of its rows
    has one label.

    With "macro" and "weighted", ``.values`` are the scores of the classes: under "n" of their own examples, under "nm" of their
    columns.

    Examples
    --------
    >>> import indicatrix as ix
    >>> ix.brier([0, 1, 1], [0.5, 0.5, 1.0]), ix.brier([0, 1, 1], [[0.5, 0.5], [0.5, 0.5], [0.0, 1.0]])
    (0.16666666666666666, 0.16666666666666666)
    >>> y_proba = [[0.5, 0.25, 0.25], [0, 1, 0]]
    >>> ix.brier([0, 1], y_proba), ix.brier([0, 1], y_proba, normalize="nm")
    (0.1875, 0.0625)
    >>> ix.brier([0, 0, 1, 1, 1], [0.1, 0.4, 0.6, 0.9, 0.7], interval=0.95)
    0.086 [0.0151, 0.366] (95%, score)
    """
    _check_normalize(normalize)
    forecast = read_forecast("brier", y_true, y_proba, options, on_device=True)
    losses = squared_losses(forecast, entries=normalize == "nm")
    share = 1.0 if normalize in ("n", "nm") else share_of_column(forecast)
    most = 1 if losses.ndim == 2 else 2 * share  # an entry loses 1 at most
    kind = replace(BRIER, of=replace(BRIER.of, range=(0, most)))
    return _score_losses(kind, forecast, share * losses, normalize, average, undefined)


@with_interval
@answers_mistakes
def log_loss(
    y_true: Any,
    y_proba: Any,
    *,
    average: str = "micro",
    normalize: str | None = None,
    terms: str = "both",
    clip: float | None = None,
    undefined: Undefined = "exclude",
    **options: Any,
) -> Score:
    """Return the mean negative log-likelihood of the labels, in nats.

    One label per example: the mean of -log p(true class) over examples. Several labels, or one probability per example: the mean
    binary cross-entropy over entries. With normalize="n" that is scikit-learn's log loss of a 0/1 matrix. ``terms="present"``
    omits log(1 - p) of the labels that are not there; that score is not proper.

    Probabilities are kept ``clip`` away from 0 and 1: by default the machine epsilon of their type, 2.2e-16 for float64 and
    1.2e-7 for float32. With clip=0 an impossible label makes the loss infinite: a value, which no convention leaves out.

    ``average`` and the options are those of ``brier``; per class there are the losses of the examples of that class.

    Parameters
    ----------
    y_true : array-like
        Labels as ``evaluate`` takes them: lists, arrays, columns of data frames.
    y_proba : array-like
        Probabilities: one per example for the positive class, or a row per example with one for each class.
    average : str, default 'micro'
        "micro" is the mean over all, "exemplar" over examples, "macro" and "weighted" over classes, the name of a by= axis
        over its groups.
    normalize : str, optional
        "n" divides by the number of examples, "nm" by the number of entries, and "sum" does not divide: with sample weights it
        is a weighted sum. Default: "n" for one label per example, otherwise "nm".
    terms : str, default 'both'
        "both" counts -log p of the labels that are there and -log(1 - p) of those that are not; "present" only the first. One
        label per example has only the first.
    clip : float, optional
        How far probabilities are kept away from 0 and 1. Default: the machine epsilon of their type.
    undefined : str or number, default 'exclude'
        What an undefined value does: 'exclude' leaves it out of the average, a number replaces it, 'nan' keeps it, 'raise'
        is an error.
    **options
        classes, positive, sample_weight, mask, by and missing, as ``evaluate`` takes them; renormalize=True divides rows of
        probabilities by their sums, and sums="any" takes rows that do not sum to 1 as they are.
        With interval=0.95 the result is an interval; clusters= then has the groups that were sampled as a whole.

    Returns
    -------
    Score
        A float that also holds the values it was averaged from, and how undefined ones were handled.

    Examples
    --------
    >>> import indicatrix as ix
    >>> ix.log_loss([0, 2], [[0.5, 0.5, 0], [0.25, 0.5, 0.25]])
    1.0397207708399179
    >>> ix.log_loss([[1, 0]], [[1.0, 1.0]], clip=0)
    inf
    >>> round(ix.log_loss([0, 1, 1], [0.5, 0.5, 0.5], normalize="sum"), 6)  # three times log 2
    2.079442
    """
    check_clip(clip)
    if terms not in ("both", "present"):
        raise ValueError(
            f"terms={terms!r}: 'both' counts labels that are there and labels that are not, 'present' only the first."
        )
    _check_normalize(normalize)
    forecast = read_forecast("log_loss", y_true, y_proba, options, on_device=True)
    losses = log_losses(forecast, clip, terms=terms)
    return _score_losses(LOG_LOSS, forecast, losses, normalize, average, undefined)


class Called(Protocol):
    """How a loss without parameters of its own is called."""

    def __call__(
        self, y_true: Any, y_proba: Any, *, average: str = "micro", undefined: Undefined = "exclude", **options: Any
    ) -> Score:
        """Return the score under an average."""


def loss(better: str, range: tuple[float, float], source: str = "") -> Callable[[Callable[[Forecast], Any]], Called]:
    """Return a decorator that makes a public function of what each example loses, and lists the score.

    What it decorates returns the loss of each example where it has one class, otherwise of each entry; its docstring ends with an
    example.
    """

    def make(losses: Callable[[Forecast], Any]) -> Called:
        kind = Meaning(sums(losses.__name__, better, range, source), lacking=UNOBSERVED)
        LOSSES[losses.__name__] = kind.of

        def call(y_true: Any, y_proba: Any, *, average: str = "micro", undefined: Undefined = "exclude", **options: Any) -> Score:
            forecast = read_forecast(losses.__name__, y_true, y_proba, options, on_device=True)
            return _score_losses(kind, forecast, losses(forecast), None, average, undefined)

        return as_public(call, losses, PARAMETERS)  # type: ignore[no-any-return]

    return make


@loss("higher", (0, 1), "gneiting2007")
def spherical_score(forecast: Forecast) -> Any:
    """Return the spherical score of probabilities, a bounded and strictly proper score.

    The probability of the true class is divided by the length (the root of the sum of squares) of the row of probabilities, and
    the mean over examples is taken. Higher is better, and 1 is the best; forecasting m classes with equal probabilities scores
    1/√m. It is a strictly proper score: only the true probabilities reach its highest expectation (Gneiting & Raftery 2007).
    Unlike the log loss it is bounded, so a single confident error cannot dominate it.

    With one probability per example, or with several labels, each entry has the two probabilities p and 1 - p.

    >>> ix.measures.spherical_score([0, 1], [[0.6, 0.8, 0.0], [0.0, 1.0, 0.0]], sums="any")  # (0.6 + 1) / 2
    0.8
    """
    xp = namespace_of(forecast.p)
    if forecast.codes is None:
        given = xp.where(forecast.truth, forecast.p, 1 - forecast.p)
        return given / xp.hypot(forecast.p, 1 - forecast.p)
    length = xp.sqrt(xp.einsum("ij,ij->i", forecast.p, forecast.p))
    nothing = (length == 0) & (forecast.exposure(1) > 0)
    if nothing.any():
        raise ValueError(
            f"y_proba[{int(nothing.argmax())}] is 0 for every class, so it has no direction. Give some class a probability."
        )
    return forecast.given / xp.where(length > 0, length, xp.ones_like(length))


def check_clip(clip: Any) -> None:
    """Refuse what is not a distance from 0 and 1."""
    if clip is not None and not (isinstance(clip, int | float | np.floating) and 0 <= clip < 0.5):
        raise ValueError(f"clip={clip!r}: probabilities are kept this far from 0 and 1; give a number from 0 up to 0.5, or None.")


def _check_normalize(normalize: Any) -> None:
    if normalize not in (None, "n", "nm", "sum"):
        raise ValueError(
            f"normalize={normalize!r}: divide by the number of examples, 'n', or of entries, 'nm'; 'sum' does not divide."
        )


def _score_losses(
    kind: Meaning, forecast: Forecast, losses: Any, normalize: str | None, average: str, undefined: Undefined
) -> Score:
    """Return an average of losses: one for each entry (n, m), or one for each example (n,).

    The loss of an example belongs to its true class.
    """
    m = len(forecast.classes)
    high = math.inf if normalize == "sum" else kind.of.range[1]
    if losses.ndim == 1 and normalize == "nm":
        losses, high = losses / m, high / m
    elif losses.ndim == 2 and normalize == "n":
        losses, high = m * losses, m * high
    kind = replace(kind, of=replace(kind.of, range=(0, high)), binary=forecast.kind == "binary", total=normalize == "sum")

    def entries(parts: Array) -> Entries:
        own = forecast.here
        seen = own.exposure(parts.ndim, weighted=False)
        return own.entries(np.where(seen > 0, parts, 0.0), seen)  # unobserved, nothing is lost, not even infinitely much

    stays = not isinstance(losses, np.ndarray)
    blocks: Blocks = LossesOnDevice(losses, entries) if stays else [(slice(None), entries(losses))]
    return average_contributions(kind, forecast.axes, blocks, average, undefined)


BALANCED = Meaning(
    sums("balanced_log_loss", "lower", source="good1952"),
    lacking=", without observed examples of a class",
    refused={
        "example": "one example has one class, so that nothing is balanced.",
        "": "it is not balanced; ix.log_loss is the mean over all.",
    },
    unweighted="it does not count every class alike; ix.log_loss has it.",
)


@with_interval
@answers_mistakes
def balanced_log_loss(
    y_true: Any,
    y_proba: Any,
    *,
    average: str = "macro",
    clip: float | None = None,
    undefined: Undefined = "exclude",
    **options: Any,
) -> Score:
    """Return the log loss in which every class counts alike, however many examples it has.

    One label per example: the mean over classes of the mean log loss of their examples, which is log_loss(…, average="macro").
    One probability per example: half the mean loss of the positives plus half that of the negatives. Several labels: the mean
    over labels of the same. A class without observed examples is undefined; so is a label of which only one of the two occurs.

    Parameters
    ----------
    y_true : array-like
        Labels as ``evaluate`` takes them: lists, arrays, columns of data frames.
    y_proba : array-like
        Probabilities: one per example for the positive class, or a row per example with one for each class.
    average : str, default 'macro'
        "macro" counts every class alike; the name of a by= axis is the mean over its groups, each balanced by itself. Others,
        such as "micro", would not be balanced.
    clip : float, optional
        How far probabilities are kept away from 0 and 1. Default: the machine epsilon of their type.
    undefined : str or number, default 'exclude'
        What an undefined value does: 'exclude' leaves it out of the average, a number replaces it, 'nan' keeps it, 'raise'
        is an error.
    **options
        classes, positive, sample_weight, mask, by and missing, as ``evaluate`` takes them; renormalize=True divides rows of
        probabilities by their sums, and sums="any" takes rows that do not sum to 1 as they are.
        With interval=0.95 the result is an interval; clusters= then has the groups that were sampled as a whole.

    Returns
    -------
    Score
        A float that also holds the values it was averaged from, and how undefined ones were handled.

    Examples
    --------
    >>> import indicatrix as ix
    >>> round(ix.measures.balanced_log_loss([0, 0, 0, 1], [0.5, 0.5, 0.5, 0.25], clip=0), 6)  # (log 2 + log 4) / 2
    1.039721
    """
    check_clip(clip)
    forecast = read_forecast("balanced_log_loss", y_true, y_proba, options)

    def values(axis: str) -> Any:
        if axis == "class":
            return _losses_of_classes(forecast, clip)
        each = (_losses_of_classes(part, clip) for part in forecast.split(axis).values())
        return np.array([mean_of_values(BALANCED.of, some, None, "exclude") for some in each])

    def added(name: str, rule: Average) -> tuple[AddedToUnit, ...]:
        if rule.per != ("class",):
            raise ValueError(
                f"There is no interval for the {name!r} average of balanced_log_loss: each group is balanced by itself."
            )
        return _sides(forecast, clip)

    return averaged(ScoredUnits(BALANCED, forecast.axes, values, added=added), average, undefined)


def _losses_of_classes(forecast: Forecast, clip: float | None) -> Array:
    """Return the loss of each class: of its examples, or the mean of positives and of negatives."""
    losses = log_losses(forecast, clip)
    weight = forecast.exposure(losses.ndim)
    if forecast.codes is not None:
        codes, size = np.maximum(forecast.codes, 0), len(forecast.classes)
        sums = (np.bincount(codes, x, size) for x in (np.where(weight > 0, losses, 0.0) * weight, weight))
        return np.asarray(ratio(*sums))
    truth = forecast.truth
    sides = [np.where(side, weight, 0.0) for side in (truth, ~truth)]
    means = [ratio((np.where(w > 0, losses, 0.0) * w).sum(axis=0), w.sum(axis=0)) for w in sides]
    return np.asarray((means[0] + means[1]) / 2)


def _sides(forecast: Forecast, clip: float | None) -> tuple[AddedToUnit, ...]:
    """Return what examples add to the loss of each class.

    Examples of a label add to those of its positives and of its negatives.

    The mean over these is the score, too: a label without one of the two counts nowhere.
    """
    losses = log_losses(forecast, clip)
    weight, names = forecast.exposure(losses.ndim), forecast.classes
    if forecast.codes is not None:
        return tuple(_side(name, losses, (forecast.codes == j) & (weight > 0)) for j, name in enumerate(names))
    pairs = (
        [_side(name, losses[:, j], side & (weight[:, j] > 0)) for side in (forecast.truth[:, j], ~forecast.truth[:, j])]
        for j, name in enumerate(names)
    )
    return tuple(side for pair in pairs if all(len(side.rows) for side in pair) for side in pair)


def _side(name: Any, losses: Array, own: Array) -> AddedToUnit:
    rows = np.flatnonzero(own)
    return AddedToUnit(name, rows, losses[rows], np.ones(len(rows)), np.zeros(len(rows), bool))
