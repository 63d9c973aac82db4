"""Planning: how many examples an interval of some width needs, or a test of two classifiers."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from ..algebra.average import average_name
from ..algebra.measure import Measure
from ..algebra.score import Undefined
from ..algebra.spelling import did_you_mean
from ..catalogue.matrix import MatrixMeasure, resolve
from ..scores.sweep import Sweep
from .few_examples import warn_about
from .intervals import DRAWS, estimator_of, find_ends, interval
from .joint_pairs import JointPairs, difference, joint_of_labels, joint_of_table
from .methods import Request
from .power import Power
from .proportions import PROPORTIONS
from .sample_size import examples_for, least, rejection, scaled

EQUAL = 1e-12  # scores that differ by less count as equal
FEW = 10  # disagreements below which a normal approximation does not hold
GOALS = {  # what is planned -> the options that go with it
    "the interval of an evaluation": ("width", "method"),
    "two classifiers on the same examples": ("difference", "classes", "positive"),
    "an assumed rate": ("rate", "width", "n", "method"),
    "two assumed accuracies": ("accuracy", "disagreement", "n"),
}


def power(
    source: Any = None,
    predictions: Any = None,
    measure: Any = None,
    average: Any = None,
    *,
    width: float | None = None,
    power: float = 0.8,
    level: float = 0.95,
    difference: float | None = None,
    rate: float | None = None,
    accuracy: tuple[float, float] | None = None,
    disagreement: float | None = None,
    n: int | None = None,
    method: str | None = None,
    undefined: Undefined = "exclude",
    classes: Iterable[Any] | None = None,
    positive: Any = None,
) -> Power:
    """Return how many examples an interval of some width needs, or a test that separates two classifiers.

    The width of an interval is planned from an evaluation, ``ix.power(ev, "f1", "macro", width=0.05)``: the interval of
    ``ev.interval`` is computed for tables with the same shares and more or fewer examples. Two classifiers are separated from
    their predictions on the same examples, ``ix.power(y_true, {"lr": a, "rf": b}, "f1", "macro")``: the variance of the
    difference follows from the slopes of the score and from how often the two err together, and the test is the two-sided z test
    with this variance. Both can be planned without data, from assumed rates.

    The answer holds if the shares of the sample are the true ones. A difference that was seen in few examples is uncertain
    itself; ``difference=`` plans for the smallest difference that matters instead.

    Parameters
    ----------
    source : Evaluation, array-like or None
        An evaluation, for a width; the true labels; or a joint table of counts [true, first, second]. Left out: rates are
        assumed.
    predictions : mapping, optional
        The predicted labels of two classifiers by name, after the true labels. After an evaluation or a joint table it is left
        out, and the measure follows.
    measure : str, Measure or MatrixMeasure, optional
        A measure, its name, or a formula.
    average : str, optional
        The average, as ``score`` takes it.
    width : float, optional
        How wide the interval may be.
    power : float, default 0.8
        How often the test is to find the difference.
    level : float, default 0.95
        The level of the interval; the test rejects at 1 - level.
    difference : float, optional
        The difference to find. Left out: that of the sample.
    rate : float, optional
        An assumed rate, such as an accuracy, for a width.
    accuracy : pair of float, optional
        The assumed accuracies of two classifiers, to be separated by McNemar's test.
    disagreement : float, optional
        With ``accuracy``: the share of examples of which only one of the two is right. Left out: their errors are taken as
        independent, which usually asks for more examples than are needed.
    n : int, optional
        With assumed rates: the number of examples there are.
    method : str, optional
        The method of the interval, as ``ev.interval`` takes it.
    undefined : str or number, default 'exclude'
        What an undefined value does: 'exclude' leaves it out of the average, a number replaces it, 'nan' keeps it, 'raise' is an
        error.
    classes : iterable, optional
        The classes and their order, for labels and joint tables.
    positive : label, optional
        The positive class, for labels and joint tables.

    Returns
    -------
    Power
        ``.n`` examples are needed, infinity if no number is enough; ``.present_power`` or ``.present_width`` is what the present
        examples give.

    Examples
    --------
    >>> import indicatrix as ix
    >>> ev = ix.from_confusion([[40, 10], [5, 45]])
    >>> print(ix.power(ev, "f1", "macro", width=0.05))
    macro f1 of 0.85 needs 789 examples like these for a 95% score interval at most 0.05 wide.
    The interval of the present 100 examples is 0.141 wide.
    >>> y = [0] * 50 + [1] * 50
    >>> a, b = [0] * 40 + [1] * 10 + [0] * 5 + [1] * 45, [0] * 43 + [1] * 7 + [0] * 5 + [1] * 45
    >>> ix.power(y, {"lr": a, "rf": b}, "f1").n
    260
    >>> ix.power(accuracy=(0.90, 0.92), disagreement=0.06).n
    1175
    """
    _check_share("level", level)
    _check_share("power", power, above=1 - level)
    if isinstance(predictions, str | Measure | MatrixMeasure):
        if average is not None:
            raise TypeError("After an evaluation or a joint table come the measure and the average; a third name was given.")
        predictions, measure, average = None, predictions, measure
    options = {"width": width, "method": method, "difference": difference, "classes": classes, "positive": positive}
    goal = _goal(source, predictions, {**options, "rate": rate, "accuracy": accuracy, "disagreement": disagreement, "n": n})
    _check_numbers(width, difference, n)
    if rate is not None and width is not None:
        return _of_rate(rate, width, level, n, method)
    if accuracy is not None:
        return _of_accuracies(accuracy, disagreement, power, level, n)
    if measure is None:
        raise TypeError(
            f"Name the measure of {goal}: ix.power(ev, 'f1', 'macro', width=0.05), ix.power(y, {{'a': a, 'b': b}}, 'f1')."
        )
    if width is not None:
        return _of_width(source, measure, average, width, level, method, undefined)
    joint = joint_of_labels(source, predictions, classes) if predictions is not None else joint_of_table(source, classes)
    return _of_joint(joint, resolve(measure), average, power, level, difference, undefined, positive)


def _check_share(name: str, value: Any, above: float = 0.0) -> None:
    if not isinstance(value, int | float) or isinstance(value, bool) or not above < value < 1:
        least_text = f"{above:.4g}" + (", which a test reaches without any difference," if above else "")
        raise ValueError(f"{name}={value!r} must be a share between {least_text} and 1, such as {0.8 if above else 0.95}.")


def _goal(source: Any, predictions: Any, options: Mapping[str, Any]) -> str:
    """Return what is planned; refuse what does not say it, and options that do not go with it."""
    if isinstance(source, Mapping) or (
        isinstance(predictions, Mapping) and any(hasattr(x, "tally") for x in predictions.values())
    ):
        raise TypeError(
            "Two evaluations do not tell which examples both classifiers get wrong. Give the labels: "
            "ix.power(y_true, {'lr': a, 'rf': b}, 'f1', 'macro')."
        )
    if predictions is not None and (source is None or not isinstance(predictions, Mapping)):
        raise TypeError("Give the true labels and the predictions of two classifiers by name: y_true, {'lr': a, 'rf': b}.")
    interval, pair, rate, accuracies = GOALS
    if source is None:
        if (options["rate"] is None) == (options["accuracy"] is None):
            raise TypeError("Give an evaluation, labels, or assumed rates: rate=0.9 with width=0.05, or accuracy=(0.90, 0.92).")
        goal = rate if options["rate"] is not None else accuracies
    else:
        goal = interval if hasattr(source, "tally") or isinstance(source, Sweep) else pair
    wrong = [name for name, given in options.items() if given is not None and name not in GOALS[goal]]
    if wrong:
        takes = ", ".join(f"{name}=" for name in GOALS[goal])
        raise TypeError(f"{wrong[0]}= does not go with {goal}, which takes {takes}.")
    if "width" in GOALS[goal] and options["width"] is None:
        raise TypeError(
            f"For {goal}, width= says how wide the interval may be, such as 0.05. To separate two classifiers, give "
            "y_true and {'lr': a, 'rf': b}, or accuracy=(0.90, 0.92)."
        )
    return goal


def _check_numbers(width: Any, difference: Any, n: Any) -> None:
    if width is not None and (isinstance(width, bool) or not isinstance(width, int | float) or not 0 < width < math.inf):
        raise ValueError(f"width={width!r} must be a number above 0, such as 0.05.")
    if difference is not None and not (isinstance(difference, int | float) and math.isfinite(difference) and difference):
        raise ValueError(f"difference={difference!r} must be a number other than 0, such as 0.02.")
    if n is not None and (isinstance(n, bool) or not isinstance(n, int | np.integer) or n < 1):
        raise ValueError(f"n={n!r} must be a whole number of examples.")


def _of_rate(rate: float, width: float, level: float, n: int | None, method: str | None) -> Power:
    if not 0 <= rate <= 1:
        raise ValueError(f"rate={rate!r} must be a share from 0 to 1, such as 0.9.")
    if not width < 1:
        raise ValueError(f"width={width!r}: every interval of a rate is narrower than 1. Name a smaller width, such as 0.05.")
    chosen = method or "wilson"
    if chosen not in PROPORTIONS:
        hint = did_you_mean(chosen, [*PROPORTIONS])
        raise ValueError(
            f"method={method!r} is not an interval of a rate. {hint + ' ' if hint else ''}Choose from {', '.join(PROPORTIONS)}."
        )

    def width_at(k: float) -> float:
        low, high = PROPORTIONS[chosen](rate * k, k, level)
        return high - low

    needed = least(lambda k: width_at(k) <= width, 4 * rate * (1 - rate) / width**2)
    present = None if n is None else width_at(n)
    return Power(needed, None, width, level, n, None, present, (rate,), None, None, "A rate", (), chosen)


def _of_width(source: Any, measure: Any, average: Any, width: float, level: float, method: str | None, undefined: Any) -> Power:
    now = interval(source, measure, average, level=level, method=method, undefined=undefined)
    what = f"{average_name(now.average)} {now.measure}" if now.average else str(now.measure)
    if not math.isfinite(now.width):
        raise ValueError(f"{what} is undefined here, so its interval cannot be planned. {now.note}")
    low, high = now.measure.range
    if width >= high - low:
        raise ValueError(f"width={width!r}: {what} lies between {low:g} and {high:g}, so every interval is narrower.")
    guess, request = source.n * (now.width / width) ** 2, Request(level, 0, DRAWS)
    score: Any = None if isinstance(source, Sweep) else source.score(now.measure, average, undefined=undefined)
    estimator = None if score is None else estimator_of(source, now.measure, score, None)
    if estimator is None or scaled(estimator, 1.0) is None:
        note = "The number follows from the width now, which shrinks with the square root of the number of examples."
        return Power(
            math.ceil(guess), None, width, level, source.n, None, now.width, (now.value,), None, None, what, (), now.method, note
        )

    def at(n: float) -> Any:
        return scaled(estimator, n / source.n)

    def reaches(n: int) -> bool:
        ends = find_ends(at(n), now.method, request)
        return ends[1] - ends[0] <= width

    needed = least(reaches, guess)
    note = "" if math.isinf(needed) else warn_about(source, at(needed))
    return Power(needed, None, width, level, source.n, None, now.width, (now.value,), None, None, what, (), now.method, note)


def _of_accuracies(accuracy: Any, disagreement: float | None, power: float, level: float, n: int | None) -> Power:
    """Return how many examples McNemar's test needs, which divides by the number of disagreements."""
    try:
        one, other = map(float, accuracy)
    except (TypeError, ValueError):
        one = other = math.nan
    if not (0 <= one <= 1 and 0 <= other <= 1):
        raise ValueError(f"accuracy={accuracy!r} must be two shares from 0 to 1, such as (0.90, 0.92).")
    apart, note = one - other, ""
    if disagreement is None:
        disagreement = one * (1 - other) + other * (1 - one)
        note = f"The errors are taken as independent: of {100 * disagreement:.3g}% of examples only one of the two is right."
    low, high = abs(apart), min(one + other, 2 - one - other)
    if not low - EQUAL <= disagreement <= high + EQUAL:
        raise ValueError(
            f"disagreement={disagreement!r} does not fit accuracy=({one:g}, {other:g}): the share of examples of which only one "
            f"is right lies between {low:.6g} and {high:.6g}."
        )
    null, spread = math.sqrt(disagreement), math.sqrt(max(disagreement - apart**2, 0.0))
    if abs(apart) < EQUAL:
        needed, apart = math.inf, 0.0
    else:
        needed = examples_for(power, level, apart, spread, null)
        note = " ".join(filter(None, [note, _on_few(needed * disagreement)]))
    present = None if n is None else rejection(apart, spread / math.sqrt(n), level, null / math.sqrt(n))
    names, method = ("the first", "the second"), "McNemar's test"
    return Power(needed, power, None, level, n, present, None, (one, other), apart, None, "Accuracy", names, method, note)


def _on_few(disagreements: float) -> str:
    if disagreements >= FEW:
        return ""
    return (
        f"So many examples have about {disagreements:.2g} disagreements: with fewer than {FEW}, a normal approximation does not "
        "hold; plan for more, and use an exact test."
    )


def _of_joint(
    joint: JointPairs, measure: Any, average: Any, power: float, level: float, wanted: float | None, undefined: Any, positive: Any
) -> Power:
    if not joint.n:
        raise ValueError("There are no examples, so nothing is known about the two classifiers.")
    found = difference(joint, measure, average, undefined, positive)
    for name, score in zip(joint.names, found.scores, strict=True):
        if not math.isfinite(score):
            raise ValueError(
                f"{measure} of {name} is undefined here, so it cannot be compared. Give undefined= a number, such as 0."
            )
    apart = found.value if abs(found.value) > EQUAL else 0.0
    error, goal = math.sqrt(found.variance), apart if wanted is None else wanted
    spread = error * math.sqrt(joint.n)
    needed = examples_for(power, level, goal, spread)
    notes = [_on_few(joint.disagreements * needed / joint.n)] if math.isfinite(needed) else []
    if found.scores[0].lost != found.scores[1].lost:
        notes.append("The two means are over different classes, because other classes are undefined for each.")
    if not found.smooth:
        notes.append("The formula has corners, so the variance by slopes holds only away from them.")
    average = None if isinstance(measure, MatrixMeasure) else found.scores[0].average
    p_value = math.erfc(abs(apart) / error / math.sqrt(2)) if error else float(apart == 0)
    return Power(
        needed,
        power,
        None,
        level,
        joint.n,
        rejection(goal, error, level) if goal else 1 - level,
        None,
        (float(found.scores[0]), float(found.scores[1])),
        goal,
        p_value,
        f"{average_name(average)} {measure}" if average else str(measure),
        joint.names,
        "a paired z test",
        " ".join(filter(None, notes)),
    )
