"""Fairness between groups: differences and ratios with a name, each a line on ``ev.compare_groups``."""

from __future__ import annotations

import math
from typing import Any

from ...words.call_mistakes import answers_mistakes

SELECTED, HITS, FALSE_ALARMS, RIGHT = "predicted_positive_rate", "recall", "fpr", "precision"  # what is compared


@answers_mistakes
def demographic_parity_difference(ev: Any, axis: str) -> float:
    """Return the largest difference between groups in the share of examples predicted positive.

    ``ev.compare_groups("predicted_positive_rate", axis)`` has it with an interval and a test.

    Parameters
    ----------
    ev : Evaluation
        Evaluated with by= and a positive class.
    axis : str
        The name of a by= axis.

    Returns
    -------
    float
        0 if all groups are equal; nan if fewer than two groups have a value.

    Examples
    --------
    >>> import indicatrix as ix
    >>> ev = ix.evaluate([0, 1, 1, 0], [1, 1, 1, 0], by={"sex": ["f", "f", "m", "m"]})
    >>> ix.fairness.demographic_parity_difference(ev, "sex"), ix.fairness.demographic_parity_ratio(ev, "sex")
    (0.5, 0.5)
    """
    return float(_of_positives(ev, SELECTED, axis).difference)


@answers_mistakes
def demographic_parity_ratio(ev: Any, axis: str) -> float:
    """Return the smallest ratio between groups of the share of examples predicted positive.

    Parameters
    ----------
    ev : Evaluation
        Evaluated with by= and a positive class.
    axis : str
        The name of a by= axis.

    Returns
    -------
    float
        1 if all groups are equal; nan if the share is 0 in all groups, or fewer than two groups have a value.

    Examples
    --------
    >>> import indicatrix as ix
    >>> ev = ix.evaluate([0, 1, 1, 0], [1, 1, 1, 0], by={"sex": ["f", "f", "m", "m"]})
    >>> ix.fairness.demographic_parity_ratio(ev, "sex")
    0.5
    """
    return float(_of_positives(ev, SELECTED, axis).ratio)


@answers_mistakes
def equal_opportunity_difference(ev: Any, axis: str) -> float:
    """Return the largest difference between groups in recall, the true positive rate.

    ``ev.compare_groups("recall", axis)`` has it with an interval and a test.

    Parameters
    ----------
    ev : Evaluation
        Evaluated with by= and a positive class.
    axis : str
        The name of a by= axis.

    Returns
    -------
    float
        0 if all groups are equal; nan if fewer than two groups have a value.

    Examples
    --------
    >>> import indicatrix as ix
    >>> ev = ix.evaluate([0, 1, 1, 1], [1, 1, 1, 0], by={"sex": ["f", "f", "m", "m"]})
    >>> ix.fairness.equal_opportunity_difference(ev, "sex"), ix.fairness.equal_opportunity_ratio(ev, "sex")
    (0.5, 0.5)
    """
    return float(_of_positives(ev, HITS, axis).difference)


@answers_mistakes
def equal_opportunity_ratio(ev: Any, axis: str) -> float:
    """Return the smallest ratio between groups of recall, the true positive rate.

    Parameters
    ----------
    ev : Evaluation
        Evaluated with by= and a positive class.
    axis : str
        The name of a by= axis.

    Returns
    -------
    float
        1 if all groups are equal; nan if the share is 0 in all groups, or fewer than two groups have a value.

    Examples
    --------
    >>> import indicatrix as ix
    >>> ev = ix.evaluate([0, 1, 1, 1], [1, 1, 1, 0], by={"sex": ["f", "f", "m", "m"]})
    >>> ix.fairness.equal_opportunity_ratio(ev, "sex")
    0.5
    """
    return float(_of_positives(ev, HITS, axis).ratio)


@answers_mistakes
def equalized_odds_difference(ev: Any, axis: str) -> float:
    """Return the larger of two differences between groups: in true and in false positive rates.

    One that is undefined, because fewer than two groups have a value, is left out. ``ev.compare_groups("recall", axis)`` and
    ``ev.compare_groups("fpr", axis)`` have the two with intervals and tests.

    Parameters
    ----------
    ev : Evaluation
        Evaluated with by= and a positive class.
    axis : str
        The name of a by= axis.

    Returns
    -------
    float
        0 if all groups are equal; nan if fewer than two groups have a value.

    Examples
    --------
    >>> import indicatrix as ix
    >>> ev = ix.evaluate([0, 1, 1, 0], [1, 1, 1, 0], by={"sex": ["f", "f", "m", "m"]})
    >>> ix.fairness.equalized_odds_difference(ev, "sex"), ix.fairness.equalized_odds_ratio(ev, "sex")
    (1.0, 0.0)
    """
    both = (_of_positives(ev, rate, axis).difference for rate in (HITS, FALSE_ALARMS))
    return max((x for x in both if not math.isnan(x)), default=math.nan)


@answers_mistakes
def equalized_odds_ratio(ev: Any, axis: str) -> float:
    """Return the smaller of two ratios between groups: of true and of false positive rates.

    One that is undefined, because the rate is 0 in all groups or has no value, is left out.

    Parameters
    ----------
    ev : Evaluation
        Evaluated with by= and a positive class.
    axis : str
        The name of a by= axis.

    Returns
    -------
    float
        1 if all groups are equal; nan if both are left out.

    Examples
    --------
    >>> import indicatrix as ix
    >>> ev = ix.evaluate([0, 1, 1, 0], [1, 1, 1, 0], by={"sex": ["f", "f", "m", "m"]})
    >>> ix.fairness.equalized_odds_ratio(ev, "sex")
    0.0
    """
    both = (_of_positives(ev, rate, axis).ratio for rate in (HITS, FALSE_ALARMS))
    return min((x for x in both if not math.isnan(x)), default=math.nan)


@answers_mistakes
def predictive_parity_difference(ev: Any, axis: str) -> float:
    """Return the largest difference between groups in precision.

    ``ev.compare_groups("precision", axis)`` has it with an interval and a test.

    Parameters
    ----------
    ev : Evaluation
        Evaluated with by= and a positive class.
    axis : str
        The name of a by= axis.

    Returns
    -------
    float
        0 if all groups are equal; nan if fewer than two groups have a value.

    Examples
    --------
    >>> import indicatrix as ix
    >>> ev = ix.evaluate([0, 1, 1, 0], [1, 1, 1, 0], by={"sex": ["f", "f", "m", "m"]})
    >>> ix.fairness.predictive_parity_difference(ev, "sex"), ix.fairness.predictive_parity_ratio(ev, "sex")
    (0.5, 0.5)
    """
    return float(_of_positives(ev, RIGHT, axis).difference)


@answers_mistakes
def predictive_parity_ratio(ev: Any, axis: str) -> float:
    """Return the smallest ratio between groups of precision.

    Parameters
    ----------
    ev : Evaluation
        Evaluated with by= and a positive class.
    axis : str
        The name of a by= axis.

    Returns
    -------
    float
        1 if all groups are equal; nan if the share is 0 in all groups, or fewer than two groups have a value.

    Examples
    --------
    >>> import indicatrix as ix
    >>> ev = ix.evaluate([0, 1, 1, 0], [1, 1, 1, 0], by={"sex": ["f", "f", "m", "m"]})
    >>> ix.fairness.predictive_parity_ratio(ev, "sex")
    0.5
    """
    return float(_of_positives(ev, RIGHT, axis).ratio)


def _of_positives(ev: Any, measure: str, axis: str) -> Any:
    """Return how a measure of the positive class differs; without such a class this has no meaning."""
    if ev.positive is None:
        raise ValueError("Fairness measures need a positive class. Name it with positive= in evaluate.")
    return ev.compare_groups(measure, axis)
