"""Areas: functions from ranked scores to a number (prop:roc, Group 7).

Averages and conventions are derived from them.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from ..algebra.average import Name
from ..algebra.kind import OF_OTHERS, Kind
from ..algebra.measure import Measure
from ..ranking.ranked import Ranked, rank_scores
from .curves import precision_areas, roc_areas
from .curves.declared_areas import DECLARED, Declared
from .curves.ranked_units import Steps, area_of_ranking
from .score_input import OF_SWEEPS, SWEEP_HINTS, check_options
from .scored import scores_of
from .thresholds.sweep import Sweep, sweep


def exact_area(area: Measure, ranking: Ranked | Steps) -> Any:
    """Return the area of one ranking in fractions, where it is rational.

    >>> import indicatrix as ix
    >>> swept = ix.sweep([0, 1, 1, 0, 1], [0.9, 0.8, 0.7, 0.6, 0.5])
    >>> exact_area(ix.average_precision.at(interpolation="trapezoid"), swept.micro)
    Fraction(83, 180)
    """
    tp, fp = (np.array([Fraction(n) for n in x.tolist()], object) for x in (ranking.tp, ranking.fp))
    return area_of_ranking(area, Steps(tp, fp, ranking.thresholds))


def _apply(area: Measure, statistic: Any) -> Any:
    """Return the area of one ranking, or of each unit of a source of rankings."""
    if isinstance(statistic, Ranked | Steps):
        return area_of_ranking(area, statistic)
    return statistic.values(area)


def _meaning(area: Measure, source: Any, average: Name | None, undefined: Any) -> tuple[Measure, Sweep, Name | None]:
    """Return the area, and the rankings of a source that it reads."""
    _check(area)
    if isinstance(average, tuple) and area.params.get("missed"):
        raise ValueError(f"{area} within groups: missed= names classes or groups, not both. Use average={average[0]!r} alone.")
    return area, scores_of(source, area), average


def _check(area: Measure) -> None:
    """Refuse parameters that are wrong: a function may have been given others than its own defaults."""
    for name, value in area.params.items():
        _refusal(area, name)(value)


def _refusal(area: Measure, name: str) -> Callable[[Any], None]:
    """Return what refuses bad values of a parameter; a function of one's own refuses them itself."""
    found: Callable[[Any], None] = area.domain.get(name, lambda value: None)
    return found


def _check_options(area: Measure, options: dict[str, Any]) -> None:
    check_options(area.name, options, (*area.params, *area.reads.of_calls, *OF_SWEEPS), elsewhere=SWEEP_HINTS)


RANKING = Kind(
    name="ranking",
    what="the counts at all thresholds of a score",
    takes="y_true and scores, a sweep, or an evaluation of scores",
    names=("y_true", "scores"),
    source="a sweep",
    is_source=lambda x: isinstance(x, Sweep) or hasattr(x, "scored"),
    make=sweep,
    like=lambda: sweep,
    check_options=_check_options,
    is_unit=lambda x: isinstance(x, Ranked | Steps),
    unit="one ranking",
    value="one number",
    apply=_apply,
    meaning=_meaning,
    left_out="for one score per example, in one dimension, or when positive= names a column",
    check_parameter=lambda area, name, value: _refusal(area, name)(value),
    help=("catalogue.listing", "help_on_area"),
    examples=lambda: (rank_scores(np.array([0.9, 0.4, 0.6, 0.2, 0.5]), np.array([True, True, False, False, True])),),
)


def _area(function: Callable[..., Any], declared: Declared) -> Measure:
    """Return the measure of a function of steps, with what refuses bad values of its parameters."""
    params = getattr(function, "__kwdefaults__", None) or {}
    beside = {name: getattr(function, "__globals__", {}).get(f"check_{name}") for name in params}
    domain = {name: check for name, check in {**beside, **declared.checks}.items() if check is not None}
    facts: dict[str, Any] = {"group": "ranking", "source": declared.source, "params": params, "domain": domain, "reads": RANKING}
    return Measure(function.__name__, function, declared.better, declared.range, **facts)


MODULES = precision_areas, roc_areas  # whose functions are areas
AREAS: dict[str, Measure] = {function.__name__: _area(function, declared) for function, declared in DECLARED.items()}
OF_OTHERS.update(AREAS)
OF_OTHERS.reserve(AREAS)

globals().update(AREAS)  # as ``from …scores.areas import auc`` asks for them
if TYPE_CHECKING:

    def __getattr__(name: str) -> Measure: ...
