"""Designs: examples of each class by chance or by choice, and how frequent classes really are."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from numbers import Real
from typing import Any

import numpy as np

from .interval import Interval

BY_CLASS = "by class"
PLACES = 9  # prevalences of a range at which the interval is looked at, the two ends among them


def check_design(source: Any, prevalence: Any, sampled: str | None) -> None:
    """Refuse what is not a design, or is for evaluations only."""
    if sampled not in (None, BY_CLASS):
        raise ValueError(
            f"sampled={sampled!r} is unknown. sampled='by class' says that the number of examples of each true class was chosen; "
            "left out, it came by chance."
        )
    if (prevalence is not None or sampled is not None) and not hasattr(source, "tally"):
        raise ValueError(
            "prevalence= and sampled= are for evaluations. Areas of scores take every example for a random one: leave both out."
        )


def with_design(ev: Any, prevalence: Any, sampled: str | None) -> Any:
    """Return an evaluation with a known prevalence, or with chosen numbers of examples.

    >>> import indicatrix as ix
    >>> with_design(ix.from_confusion([[90, 10], [5, 95]]), 0.02, None).score("precision").note
    ''
    """
    if prevalence is not None:
        return ev.with_priors(_priors(ev, prevalence))
    return ev if sampled is None else replace(ev, tally=replace(ev.tally, by_class=True))


def _priors(ev: Any, prevalence: Any) -> Any:
    """Return the shares of all classes: the others are to each other as they are."""
    if isinstance(prevalence, Mapping):
        return prevalence
    if isinstance(prevalence, bool) or not isinstance(prevalence, Real) or not 0 < float(prevalence) < 1:
        raise ValueError(
            f"prevalence={prevalence!r} must be the share of the positive class, such as 0.02, the two ends of a range, such as "
            "(0.01, 0.05), or the share of each class."
        )
    if ev.positive is None or ev.positive not in ev.classes:
        raise ValueError(
            f"prevalence={prevalence!r} is the share of the positive class, and there is none. Give the share of each class, "
            "prevalence={class: share, …}, or evaluate with positive=."
        )
    own = np.array([float(x) for x in ev.aggregate("class").tpos])
    if ev.kind != "multiclass":
        total = np.array([float(x) for x in ev.aggregate("class").n])
        return {c: prevalence if c == ev.positive else k / n for c, k, n in zip(ev.classes, own, total, strict=True)}
    at = ev.classes.index(ev.positive)
    rest = own.sum() - own[at]
    if not rest:
        raise ValueError(
            "All examples are positive, so the rates of the other classes are unknown: prevalence= cannot be changed."
        )
    shares = {c: float(k) * (1 - float(prevalence)) / rest for c, k in zip(ev.classes, own, strict=True)}
    return shares | {ev.positive: float(prevalence)}


def over_range(ends: tuple[float, float], at: Callable[[float], Interval]) -> Interval:
    """Return the interval for a prevalence that is known to lie in a range: it holds whatever it is.

    The value is the one in the middle of the range. ``at`` gives the interval at one prevalence.
    """
    low, high = sorted(map(float, ends))
    if not 0 < low < high < 1:
        raise ValueError(f"prevalence={ends!r}: a range has two different ends between 0 and 1, such as (0.01, 0.05).")
    found = [at(x) for x in np.linspace(low, high, PLACES).tolist()]
    middle = found[PLACES // 2]
    note = f"At any prevalence from {low:g} to {high:g}; the value is that at {(low + high) / 2:g}."
    unknown = any(math.isnan(i.low) for i in found)
    least, most = (math.nan, math.nan) if unknown else (min(i.low for i in found), max(i.high for i in found))
    return replace(middle, low=least, high=most, note=f"{note} {middle.note.partition('. ')[2]}".strip())


def is_range(prevalence: Any) -> bool:
    """Return whether a prevalence is given by the two ends of a range."""
    return isinstance(prevalence, tuple | list) and len(prevalence) == 2


def design_note(prevalence: Any) -> str:
    """Return what a reader should know about the prevalence."""
    if prevalence is None:
        return ""
    named = isinstance(prevalence, Mapping)
    return "At the prevalences that were given." if named else f"At a prevalence of {float(prevalence):g}."
