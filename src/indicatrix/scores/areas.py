"""Areas: functions from ranked scores to a number (prop:roc, Group 7).

Averages and conventions are derived from them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from ..algebra.average import Name
from ..algebra.kind import Kind
from ..algebra.measure import Measure
from ..algebra.registry import OF_OTHERS
from ..ranking.ranked import Ranked, rank_scores
from .curves import equal_error, log_area, precision_areas, roc_areas
from .curves.h_measure import check_prior
from .curves.h_measure import h_measure as area_of_h
from .curves.missed_positives import check_missed
from .curves.ranked_rows import Steps
from .curves.ranked_units import area_of_ranking
from .curves.threshold_grid import check_thresholds
from .score_options import OF_SWEEPS, SWEEP_HINTS, check_options
from .scored import scores_of
from .thresholds.sweep import Sweep, sweep


def exact_area(area: Measure, ranking: Ranked | Steps) -> Any:
    """Return the area of one ranking in fractions, where it is rational (errata A15).

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
    help=("scores.area_help", "help_on_area"),
    examples=lambda: (rank_scores(np.array([0.9, 0.4, 0.6, 0.2, 0.5]), np.array([True, True, False, False, True])),),
)


def _area(
    name: str,
    function: Callable[..., Any],
    checks: Mapping[str, Callable[[Any], None]] | None = None,
    better: str = "higher",
    range: tuple[float, float] = (0, 1),
    source: str = "",
) -> Measure:
    """Return the measure of a function of steps; ``checks`` refuse bad values of its parameters."""
    params = getattr(function, "__kwdefaults__", None) or {}
    facts: dict[str, Any] = {"group": "ranking", "source": source, "params": params, "domain": checks or {}, "reads": RANKING}
    return Measure(name, function, better, range, **facts)


AREAS: dict[str, Measure] = {
    area.name: area
    for area in (
        _area("auc", roc_areas.auc, {"thresholds": check_thresholds}, source="hanley1982"),
        _area(
            "partial_auc",
            roc_areas.partial_auc,
            {"max_fpr": roc_areas.check_max_fpr, "standardized": roc_areas.check_standardized},
            source="mcclish1989",
        ),
        _area(
            "log_auc",
            log_area.log_auc,
            {
                "fpr_range": log_area.check_fpr_range,
                "interpolation": log_area.check_interpolation,
                "thresholds": check_thresholds,
            },
            source="mysinger2010",
        ),
        _area("auc_of_hull", roc_areas.auc_of_hull, range=(0.5, 1), source="provost2001"),
        _area(
            "eer",
            equal_error.eer,
            {"method": equal_error.check_method, "thresholds": check_thresholds},
            better="lower",
            source="vanleeuwen2007",
        ),
        _area("h_measure", area_of_h, {"prior": check_prior}, source="hand2009"),
        _area(
            "average_precision",
            precision_areas.average_precision,
            {"interpolation": precision_areas.check_interpolation, "thresholds": check_thresholds, "missed": check_missed},
            source="buckley2000",
        ),
        _area("auprc", precision_areas.auprc, source="davis2006"),
        _area("r_precision", precision_areas.r_precision, source="buckley2000"),
        _area("area_under_cost_curve", roc_areas.area_under_cost_curve, better="lower", range=(0, 0.25), source="drummond2006"),
        _area(
            "threshold_average",
            roc_areas.threshold_average,
            {"measure": roc_areas.check_measure, "between": roc_areas.check_between},
            better="neither",
            range=(-np.inf, np.inf),
            source="hernandez2012",
        ),
    )
}
OF_OTHERS.update(AREAS)
OF_OTHERS.reserve(AREAS)


def __getattr__(name: str) -> Measure:
    """Return an area by its name, as ``from …scores.areas import auc`` asks for it."""
    if name in AREAS:
        return AREAS[name]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
