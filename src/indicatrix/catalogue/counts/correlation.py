"""Group 5 of the paper's catalogue: correlation and chance-corrected agreement."""

from __future__ import annotations

from typing import Any

from ...algebra.measure_definition import listed
from ...algebra.numbers.functions import constant, ratio, sin, sqrt

GROUP = "correlation"


@listed(
    range=(-1, 1),
    aliases=("phi", "matthews_correlation", "kendall_tau_b"),
    group=GROUP,
    source="matthews1975",
    known_as={"micro": "Micro-MCC"},
)
def mcc(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Pearson correlation of the two binary label vectors."""
    return ratio(tp * tn - fp * fn, sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)))


@listed(
    range=(-1, 1),
    aliases=("kappa", "heidke_skill_score"),
    group=GROUP,
    source="cohen1960",
    known_as={"micro": "Micro-kappa"},
)
def cohen_kappa(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Agreement beyond chance, where chance keeps both marginals."""
    return ratio(2 * (tp * tn - fp * fn), (tp + fp) * (fp + tn) + (tp + fn) * (fn + tn))


@listed(range=(-1, 1), aliases=("ac1",), group=GROUP, source="gwet2008")
def gwet_ac1(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Agreement beyond chance, where chance guesses only on a share of the entries."""
    n, wrong = tp + fp + fn + tn, fp + fn
    chance = (2 * tp + wrong) * (2 * tn + wrong)  # 2 n**2 p_e
    return ratio(2 * n * (tp + tn) - chance, 2 * n * n - chance)


@listed(range=(-1, 1), aliases=("koppen_1",), group=GROUP, source="scott1955")
def scott_pi(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Agreement beyond chance, where chance keeps the mean of the two marginals."""
    wrong = fp + fn
    return ratio(4 * tp * tn - wrong * wrong, (2 * tp + wrong) * (2 * tn + wrong))


@listed(range=(-1, 1), aliases=("pearson_heron_2",), group=GROUP, source="pearson1900")
def tetrachoric(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    """Cosine approximation (Pearson) of the correlation of normal variables behind thresholded labels."""
    # cos(pi x/(x + y)) = sin(pi/2 (y - x)/(y + x)), with x**2 = fp fn and y**2 = tp tn; the last quotient is Yule's Y.
    right, wrong = tp * tn, fp * fn
    return sin(constant("pi", tp) / 2 * ratio(right - wrong, right + wrong + 2 * sqrt(right * wrong)))
