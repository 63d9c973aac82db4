"""scikit-learn's losses of probabilities and of decision values, by their names."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..algebra.arrays import Array
from ..scores.probabilities.brier_decomposition import reference_of
from ..scores.probabilities.hinge import hinge_losses
from ..scores.probabilities.predictions import Forecast, log_losses, squared_losses
from .call_checks import BOOLEAN, accepts, one_of, warn_undefined
from .score_inputs import (
    as_probabilities,
    binary_forecast_of,
    check_known,
    code_labels,
    forecast_of,
    mean,
    numbers,
    probabilities_given,
    weights_of_mean,
)
from .targets import as_array, check_lengths, column, length_of


def _sum_rows(losses: Array) -> Array:
    return losses if losses.ndim == 1 else losses[:, 0] if losses.shape[1] == 1 else losses.sum(axis=1)


def _log_losses(forecast: Forecast) -> Array:
    return _sum_rows(log_losses(forecast, terms="both" if forecast.kind == "binary" else "present"))


def _brier_losses(forecast: Forecast) -> Array:
    return _sum_rows(squared_losses(forecast))


def _skill(losses: Any, read: Any, y_true: Any, y_proba: Any, sample_weight: Any, *how: Any) -> float:
    """Return the share of the losses of class frequencies that is avoided; nan for a single example."""
    check_lengths(y_proba, y_true, sample_weight)
    if length_of(y_proba) < 2:
        warn_undefined("D^2 score is not well-defined with less than two samples.")
        return float("nan")
    forecast = read(y_true, y_proba, sample_weight, *how)
    one, reference = (np.float64(mean(losses(some), forecast.weights)) for some in (forecast, reference_of(forecast)))
    return float(1 - one / reference)


def _forecast(y_true: Any, y_proba: Any, sample_weight: Any, labels: Any, pos_label: Any) -> Forecast:
    p = as_probabilities(y_proba)
    if p.ndim == 1 or p.shape[1] == 1:
        return binary_forecast_of(y_true, p, sample_weight, pos_label)
    return forecast_of(y_true, p, sample_weight, labels)


@accepts()
def log_loss(
    y_true: Any,
    y_proba: Any = None,
    *,
    normalize: bool = True,
    sample_weight: Any = None,
    labels: Any = None,
    y_pred: Any = "deprecated",
) -> float:
    """Return the mean negative log-likelihood of the labels, as ``sklearn.metrics.log_loss`` does.

    Parameters
    ----------
    y_true : array-like
        One label per example, or a 0/1 matrix.
    y_proba : array-like
        Probabilities: one per example for the greater label, or a row per example with one for each label in sorted order.
    normalize : bool, default True
        False gives the sum over examples in place of the mean.
    sample_weight : array-like, optional
        One weight for each example.
    labels : array-like, optional
        All labels, where some do not occur in ``y_true``.
    y_pred : array-like
        The old name of ``y_proba``.

    Returns
    -------
    float
        The loss. ``ix.log_loss`` has averages over classes and groups, too.

    Examples
    --------
    >>> from indicatrix.sklearn import log_loss
    >>> round(log_loss(["spam", "ham", "ham", "spam"], [[0.1, 0.9], [0.9, 0.1], [0.8, 0.2], [0.35, 0.65]]), 4)
    0.2162
    """
    forecast = forecast_of(y_true, probabilities_given(y_proba, y_pred), sample_weight, labels)
    losses, weights = _log_losses(forecast), forecast.weights
    return mean(losses, weights) if normalize else float(losses.sum() if weights is None else losses @ weights)


@accepts(scale_by_half=BOOLEAN | one_of("auto"))
def brier_score_loss(
    y_true: Any,
    y_proba: Any,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    labels: Any = None,
    scale_by_half: Any = "auto",
) -> float:
    """Return the mean squared distance of labels and probabilities, as ``brier_score_loss`` does.

    Parameters
    ----------
    y_true : array-like
        One label per example, or a 0/1 matrix.
    y_proba : array-like
        Probabilities: one per example for the positive label, or a row per example with one for each label in sorted order.
    sample_weight : array-like, optional
        One weight for each example.
    pos_label : label, optional
        The positive label, where there is one probability per example. Default: 1, or the greater label.
    labels : array-like, optional
        All labels, where some do not occur in ``y_true``.
    scale_by_half : bool or 'auto', default 'auto'
        Whether the sum over classes is halved, so that the score is at most 1; 'auto' does so for two classes.

    Returns
    -------
    float
        The score. ``ix.brier`` has averages over classes and groups, too.

    Examples
    --------
    >>> from indicatrix.sklearn import brier_score_loss
    >>> brier_score_loss([0, 1, 1, 0], [0.25, 0.75, 0.75, 0.5])
    0.109375
    """
    forecast = _forecast(y_true, y_proba, sample_weight, labels, pos_label)
    value, one = mean(_brier_losses(forecast), forecast.weights), forecast.kind == "binary"  # one column is half of two
    half = scale_by_half if scale_by_half != "auto" else one or len(forecast.classes) < 3
    return value * ((1 if half else 2) if one else 0.5 if half else 1)


@accepts()
def d2_log_loss_score(
    y_true: Any, y_proba: Any = None, *, sample_weight: Any = None, labels: Any = None, y_pred: Any = "deprecated"
) -> float:
    """Return the share of the log loss of class frequencies that is avoided, D² of the log loss.

    Parameters
    ----------
    y_true : array-like
        One label per example, or a 0/1 matrix.
    y_proba : array-like
        Probabilities: one per example for the greater label, or a row per example with one for each label in sorted order.
    sample_weight : array-like, optional
        One weight for each example.
    labels : array-like, optional
        All labels, where some do not occur in ``y_true``.
    y_pred : array-like
        The old name of ``y_proba``.

    Returns
    -------
    float
        At most 1; 0 for the class frequencies. ``ix.measures.log_loss_skill`` has averages over classes and groups, too.

    Examples
    --------
    >>> from indicatrix.sklearn import d2_log_loss_score
    >>> round(d2_log_loss_score([0, 1, 1, 0], [0.25, 0.75, 0.75, 0.25]), 6)
    0.584963
    """
    p = probabilities_given(y_proba, y_pred)
    return _skill(_log_losses, forecast_of, y_true, p, sample_weight, labels)


@accepts()
def d2_brier_score(y_true: Any, y_proba: Any, *, sample_weight: Any = None, pos_label: Any = None, labels: Any = None) -> float:
    """Return the share of the Brier score of class frequencies that is avoided, D² of Brier.

    Parameters
    ----------
    y_true : array-like
        One label per example, or a 0/1 matrix.
    y_proba : array-like
        Probabilities: one per example for the positive label, or a row per example with one for each label in sorted order.
    sample_weight : array-like, optional
        One weight for each example.
    pos_label : label, optional
        The positive label, where there is one probability per example. Default: 1, or the greater label.
    labels : array-like, optional
        All labels, where some do not occur in ``y_true``.

    Returns
    -------
    float
        At most 1; 0 for the class frequencies. ``ix.measures.brier_skill`` has averages over classes and groups, too.

    Examples
    --------
    >>> from indicatrix.sklearn import d2_brier_score
    >>> d2_brier_score([0, 1, 1, 0], [0.25, 0.75, 0.75, 0.25])
    0.75
    """
    return _skill(_brier_losses, _forecast, y_true, y_proba, sample_weight, labels, pos_label)


@accepts()
def hinge_loss(y_true: Any, pred_decision: Any, *, labels: Any = None, sample_weight: Any = None) -> float:
    """Return the mean of max(0, 1 - margin), as ``sklearn.metrics.hinge_loss`` does.

    Parameters
    ----------
    y_true : array-like
        One label per example.
    pred_decision : array-like
        Decision values: one per example for the greater label, or a row per example with one for each label in sorted order.
    labels : array-like, optional
        All labels, where some do not occur in ``y_true``.
    sample_weight : array-like, optional
        One weight for each example.

    Returns
    -------
    float
        The loss. ``ix.hinge_loss`` has averages over classes and groups, too.

    Examples
    --------
    >>> from indicatrix.sklearn import hinge_loss
    >>> hinge_loss([-1, 1, 1], [-2.0, 2.5, 0.25])
    0.25
    """
    check_lengths(y_true, pred_decision, sample_weight)
    decisions, y = numbers(pred_decision, "pred_decision"), column(as_array(y_true, "y_true"))
    found, truth = code_labels(y)
    classes = found if labels is None else np.unique(labels)
    if len(classes) <= 2:
        return mean(hinge_losses(truth > 0, column(decisions)), weights_of_mean(sample_weight))
    _check_decisions(decisions, len(y), len(classes), labels)
    check_known(found, classes, "")
    return mean(hinge_losses(np.searchsorted(classes, found)[truth], decisions), weights_of_mean(sample_weight))


def _check_decisions(decisions: Array, n: int, m: int, labels: Any) -> None:
    if decisions.ndim == 1:
        raise ValueError(
            "The shape of pred_decision cannot be 1d arraywith a multiclass target. pred_decision shape must be (n_samples, "
            f"n_classes), that is ({n}, {m}). Got: {decisions.shape}"
        )
    if decisions.shape[1] == m:
        return
    if labels is None:
        raise ValueError("Please include all labels in y_true or pass labels as third argument")
    raise ValueError(
        "The shape of pred_decision is not consistent with the number of classes. With a multiclass target, pred_decision shape "
        f"must be (n_samples, n_classes), that is ({n}, {m}). Got: {decisions.shape}"
    )
