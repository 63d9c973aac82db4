"""The measure of scores that an interval is asked for, its method, and what a reader should know."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ...algebra.average import BINARY
from ...algebra.count_formula import COUNTS
from ...algebra.kind import registered
from ...algebra.measure import Measure
from ...algebra.measure_names import resolve
from ...algebra.score import Score
from ...public_names import place
from ...scores.areas import AREAS
from ...scores.thresholds.sweep import Sweep
from ...words.wording import did_you_mean, type_of
from ..estimators.estimators import Estimator
from ..estimators.of_units import OfUnits, of_another_area
from ..estimators.of_weights import OfMean
from .few_examples import NOTHING_COVERS, WIDE, about_clusters, about_mean, in_classes
from .interval import Interval

OF_THE_HULL = ("auc_of_hull", "h_measure")
CHANCE = 0.5  # the AUC of a ranking by chance
BY_CHANCE = "The interval of the AUC contains 0.5: the ranking may be by chance, and the hull of a sample is above that."


def check_swept(source: Any, measure: Any) -> Measure:
    """Return the measure of scores that is named; refuse what is not a sweep, and measures of decisions."""
    if not isinstance(source, Sweep):
        if callable(getattr(source, "units", None)):
            raise ValueError(
                f"There is no interval of {measure}: {type_of(source)} does not say what was sampled: give it n, and "
                "counted(times), which is the same source with each of the n examples counted so often."
            )
        hint = _interval_with(source) if isinstance(source, Score) else "Use ix.evaluate(…)."
        raise TypeError(f"An interval is of an evaluation, a sweep, a loss or a ranking, not of {type_of(source)}. {hint}")
    if measure is None:
        raise TypeError("measure= is missing: name the area that the interval is of, such as 'auc'.")
    found = registered(str(measure).partition("(")[0].strip())
    if found is None or found.reads.counted:
        hint = did_you_mean(str(measure), [*AREAS])
        raise ValueError(f"'{measure}' is not an area of scores. {hint + ' ' if hint else ''}Choose from {', '.join(AREAS)}.")
    return resolve(measure)


def _interval_with(score: Score) -> str:
    """Return the calls that give the interval of a score, which alone does not hold the examples.

    >>> import indicatrix as ix
    >>> _interval_with(ix.auc([0, 1, 1], [0.2, 0.6, 0.9]))
    "It has one with ix.auc(y_true, scores, interval=0.95), or ix.inference.interval(ix.sweep(y_true, scores), 'auc')."
    """
    name, kind = str(score.measure), getattr(score.measure, "reads", COUNTS)
    arrays, made = ", ".join(kind.names), place(kind.like().__name__)
    inside = "" if score.average in (BINARY, None) or not isinstance(score.average, str) else score.average
    average, last = (f", average={inside!r}", f", {inside!r}") if inside else ("", "")
    call = place(name) if name.isidentifier() else f"ix.measure({name!r})"
    other = f"ix.inference.interval({made}({arrays}), {name!r}{last})"
    return f"It has one with {call}({arrays}{average}, interval=0.95), or {other}."


def reach_chance(found: Interval, estimator: Estimator) -> Interval:
    """Return the interval of an area of the hull, down to its lowest value if chance is possible.

    The hull of a ranking by chance lies above the diagonal in every sample, and by how much does not get known from the sample:
    only the AUC tells that chance is possible.
    """
    if not isinstance(estimator, OfUnits) or estimator.measure.name not in OF_THE_HULL or found.low <= estimator.span[0]:
        return found
    if of_another_area(estimator, AREAS["auc"]).center().ends((0.0, 1.0), found.level)[0] > CHANCE:
        return found
    note, warning = (f"{text} {BY_CHANCE}".strip() for text in (found.note, found.warning))
    return replace(found, low=estimator.span[0], note=note, warning=warning)


def warn_about_scores(estimator: Estimator) -> str:
    """Return what makes the interval of a score of kept examples unreliable or wide; "" if nothing does."""
    if isinstance(estimator, OfMean):
        return about_mean(estimator)
    if not isinstance(estimator, OfUnits):
        return about_clusters(estimator)
    whose = ("example", "examples") if estimator.sampled.clusters is None else ("cluster", "clusters")
    few: dict[str, list[str]] = {"rare": [], "wide": []}
    for unit in estimator.units:
        side, least = min(unit.sizes(estimator.sampled).items(), key=lambda pair: pair[1])
        if least < WIDE:
            what = f"{least} {side} {whose[least != 1]}".replace("  ", " ")
            there = f"There {'is' if least == 1 else 'are'} {what}" if estimator.one else f"{unit.name!r} has {what}"
            few["rare" if least < NOTHING_COVERS else "wide"].append(there)
    notes = (
        [f"{_named(few['rare'], estimator)}: with fewer than {NOTHING_COVERS}, no interval is reliable."] if few["rare"] else []
    )
    notes += [f"{_named(few['wide'], estimator)}: with fewer than {WIDE}, the interval is wide."] if few["wide"] else []
    return " ".join([*notes, *_about_rates(estimator)])


def _named(texts: list[str], estimator: OfUnits) -> str:
    return texts[0] if estimator.one else in_classes(texts)


def _about_rates(estimator: OfUnits) -> list[str]:
    """Return that rates are read which so many negatives cannot show."""
    lowest = estimator.measure.params.get("fpr_range", (1.0, 1.0))[0]
    least = min(int((~unit.labels).sum()) for unit in estimator.units)
    if lowest == 1 or least * lowest >= 1:
        return []
    return [
        f"{least:,} negative examples show no false positive rate below {1 / max(least, 1):.2g}, and {estimator.measure.name} "
        f"reads rates from {lowest:g}: no interval is reliable."
    ]
