"""The definitions of all measures as the literature has them, in exact arithmetic.

No formula of the library is used. Rates are written as in the paper; the catalogue writes formulas so that nothing cancels.
Values are exact fractions, roots have 120 digits, and logarithms as many as mpmath works with.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache, cached_property
from typing import Any

from mpmath import mp, mpf
from scipy import special

Definition = Callable[..., Any]  # of a Table and the parameters of the measure

# A definition sees a confusion table with its rates; a rate that is 0/0 is nan and poisons what is computed from it.


class Exact:
    """A quotient of integers that is never reduced: several times as fast as a Fraction, and as exact."""

    __slots__ = ("bottom", "top")

    def __init__(self, top: Any, bottom: Any = 1) -> None:
        self.top, self.bottom = (top, bottom) if bottom > 0 else (-top, -bottom)

    def __add__(self, other: Any) -> Any:
        if type(other) is Exact:
            return Exact(self.top * other.bottom + other.top * self.bottom, self.bottom * other.bottom)
        return Exact(self.top + other * self.bottom, self.bottom) if type(other) is int else digits_of(self) + other

    def __mul__(self, other: Any) -> Any:
        if type(other) is Exact:
            return Exact(self.top * other.top, self.bottom * other.bottom)
        return Exact(self.top * other, self.bottom) if type(other) is int else digits_of(self) * other

    def __truediv__(self, other: Any) -> Any:
        if type(other) is Exact:
            return Exact(self.top * other.bottom, self.bottom * other.top)
        return Exact(self.top, self.bottom * other) if type(other) is int else digits_of(self) / other

    def __rtruediv__(self, other: Any) -> Any:
        return Exact(other * self.bottom, self.top) if type(other) is int else other / digits_of(self)

    def __pow__(self, exponent: Any) -> Any:
        if type(exponent) is int:
            return Exact(self.top**exponent, self.bottom**exponent)
        return root(self ** (2 * exponent).whole())  # halves and quarters are all that is asked for

    def whole(self) -> Any:
        """Return the integer that it is, otherwise itself."""
        return self.top // self.bottom if self.top % self.bottom == 0 else self

    def __sub__(self, other: Any) -> Any:
        return self + -other

    def __rsub__(self, other: Any) -> Any:
        return -self + other

    __radd__, __rmul__ = __add__, __mul__

    def __neg__(self) -> Any:
        return Exact(-self.top, self.bottom)

    def __abs__(self) -> Any:
        return Exact(abs(self.top), self.bottom)

    def __eq__(self, other: Any) -> Any:
        return (self - other).top == 0 if isinstance(other, int | Exact) else digits_of(self) == other

    def __lt__(self, other: Any) -> Any:
        return (self - other).top < 0 if isinstance(other, int | Exact) else digits_of(self) < other

    def __ge__(self, other: Any) -> bool:
        return not self < other

    def __gt__(self, other: Any) -> Any:
        return other < self if isinstance(other, Exact) else (self - other).top > 0

    def __le__(self, other: Any) -> bool:
        return not self > other

    __hash__ = None  # type: ignore[assignment]

    def __float__(self) -> float:
        return float(self.top / self.bottom)  # the quotient of two integers is rounded once


def digits_of(x: Any) -> Any:
    """A number with 80 digits; nan and the infinities stay what they are."""
    return mpf(x) if type(x) is int else mpf(x.top) / x.bottom if type(x) is Exact else x


def over(a: Any, b: Any) -> Any:
    """a/b, nan for 0/0 and infinite for x/0."""
    if b == 0:
        return math.nan if a == 0 or a != a else math.inf if a > 0 else -math.inf
    return Exact(a, b) if type(a) is type(b) is int else a / b


class Table:
    """A count vector with the marginals and rates that the definitions speak of."""

    def __init__(self, tp: Any, fp: Any, fn: Any, tn: Any) -> None:
        self.tp, self.fp, self.fn, self.tn = tp, fp, fn, tn
        self.tpos, self.tneg, self.ppos, self.pneg = tp + fn, fp + tn, tp + fp, fn + tn
        self.n = tp + fp + fn + tn

    acc = cached_property(lambda t: over(t.tp + t.tn, t.n))
    rec = cached_property(lambda t: over(t.tp, t.tpos))
    spec = cached_property(lambda t: over(t.tn, t.tneg))
    prec = cached_property(lambda t: over(t.tp, t.ppos))
    npv = cached_property(lambda t: over(t.tn, t.pneg))
    prev = cached_property(lambda t: over(t.tpos, t.n))
    cov = cached_property(lambda t: over(t.ppos, t.n))
    marginals = cached_property(lambda t: t.ppos * t.pneg * t.tpos * t.tneg)
    expected = cached_property(lambda t: over(t.ppos * t.tpos, t.n))  # true positives under independence


def f_score(hits: Any, false_alarms: Any, misses: Any, beta: Any) -> Any:
    return over((1 + beta**2) * hits, (1 + beta**2) * hits + beta**2 * misses + false_alarms)


def beyond_chance(observed: Any, chance: Any) -> Any:
    return over(observed - chance, 1 - chance)


def yule(x: Any, y: Any) -> Any:
    return over(x - y, x + y)


def guesses(t: Any) -> Any:
    known = max(t.tp, t.fp) + max(t.fn, t.tn) + max(t.tp, t.fn) + max(t.fp, t.tn)
    return known, max(t.ppos, t.pneg) + max(t.tpos, t.tneg)


def cole_by_cases(t: Any) -> Any:
    """Cole's C7 in its three cases; with a marginal at zero nothing is left to compare with."""
    if t.marginals == 0:
        return math.nan
    determinant = t.tp * t.tn - t.fp * t.fn
    if determinant >= 0:
        return over(determinant, min(t.ppos * t.tneg, t.tpos * t.pneg))
    return over(determinant, t.ppos * t.tpos if t.tp <= t.tn else t.pneg * t.tneg)


def with_cubic(t: Any, others: Any) -> Any:
    """Baulieu's dissimilarity that adds tp (tp - 4)**2 to the total."""
    return over(t.fp + t.fn, t.tp + t.fp + t.fn + others + t.tp * (t.tp - 4) ** 2)


def occurrence(hits: Any, t: Any) -> Any:
    """Kent and Foster's agreement on one class beyond chance."""
    excess = hits - over((hits + t.fp) * (hits + t.fn), hits + t.fp + t.fn)
    return over(excess, excess + t.fp + t.fn)


HALF = Exact(1, 2)

RATIONAL: dict[str, Definition] = {
    "accuracy": lambda t: t.acc,
    "error_rate": lambda t: 1 - t.acc,
    "balanced_error_rate": lambda t: 1 - (t.rec + t.spec) / 2,
    "subset_accuracy": lambda t: over(t.n, t.n) * (t.tp == t.tpos and t.tn == t.tneg),
    "zero_one_loss": lambda t: over(t.n, t.n) * (t.tp != t.tpos or t.tn != t.tneg),
    "precision": lambda t: t.prec,
    "recall": lambda t: t.rec,
    "false_negative_rate": lambda t: 1 - t.rec,
    "false_discovery_rate": lambda t: 1 - t.prec,
    "f_beta": lambda t, beta: f_score(t.tp, t.fp, t.fn, beta),
    "f1": lambda t: f_score(t.tp, t.fp, t.fn, 1),
    "jaccard": lambda t: over(t.tp, t.tp + t.fp + t.fn),
    "lift": lambda t: over(t.prec, t.prev),
    "specificity": lambda t: t.spec,
    "negative_predictive_value": lambda t: t.npv,
    "false_positive_rate": lambda t: 1 - t.spec,
    "false_omission_rate": lambda t: 1 - t.npv,
    "balanced_accuracy": lambda t: (t.rec + t.spec) / 2,
    "informedness": lambda t: t.rec + t.spec - 1,
    "markedness": lambda t: t.prec + t.npv - 1,
    "f_beta_negative": lambda t, beta: f_score(t.tn, t.fn, t.fp, beta),
    "optimized_precision": lambda t: t.acc - over(abs(t.rec - t.spec), t.rec + t.spec),
    "cohen_kappa": lambda t: beyond_chance(t.acc, over(t.tpos * t.ppos + t.tneg * t.pneg, t.n**2)),
    "gwet_ac1": lambda t: beyond_chance(t.acc, over((t.tpos + t.ppos) * (t.tneg + t.pneg), 2 * t.n**2)),
    "scott_pi": lambda t: beyond_chance(t.acc, over((t.tpos + t.ppos) ** 2 + (t.tneg + t.pneg) ** 2, 4 * t.n**2)),
    "positive_likelihood_ratio": lambda t: over(t.rec, 1 - t.spec),
    "negative_likelihood_ratio": lambda t: over(1 - t.rec, t.spec),
    "diagnostic_odds_ratio": lambda t: over(t.tp * t.tn, t.fp * t.fn),
    "relative_risk": lambda t: over(t.prec, 1 - t.npv),
    "net_benefit": lambda t, p_t: over(t.tp, t.n) - over(t.fp, t.n) * over(p_t, 1 - p_t),
    "interventions_avoided": lambda t, p_t: over(t.tn, t.n) - over(t.fn, t.n) * over(1 - p_t, p_t),
    "weighted_accuracy": lambda t, w: over(w * t.tp + (1 - w) * t.tn, w * t.tpos + (1 - w) * t.tneg),
    "linear_utility": lambda t, alpha, beta, gamma, delta: over(alpha * t.tp - beta * t.fp - gamma * t.fn + delta * t.tn, t.n),
    "coverage": lambda t: t.cov,
    "relative_accuracy": lambda t: t.prec - t.prev,
    "weighted_relative_accuracy": lambda t: over(t.tp, t.n) - t.prev * t.cov,
    "conviction": lambda t: over(1 - t.prev, 1 - t.prec),
    "chi_squared": lambda t: over(t.n * (t.tp * t.tn - t.fp * t.fn) ** 2, t.marginals),
    "piatetsky_shapiro": lambda t: t.tp - t.expected,
    "sebag_schoenauer": lambda t: over(t.tp, t.fp),
    "tversky": lambda t, alpha, beta: over(t.tp, t.tp + alpha * t.fn + beta * t.fp),
    "jaccard_3w": lambda t: over(3 * t.tp, 3 * t.tp + t.fp + t.fn),
    "rogers_tanimoto": lambda t: over(t.tp + t.tn, t.n + t.fp + t.fn),
    "russell_rao": lambda t: over(t.tp, t.n),
    "sokal_sneath_1": lambda t: over(t.tp, t.tp + 2 * t.fp + 2 * t.fn),
    "sokal_sneath_2": lambda t: over(t.tp + t.tn, t.tp + t.tn + HALF * (t.fp + t.fn)),
    "sokal_sneath_3": lambda t: over(t.tp + t.tn, t.fp + t.fn),
    "sokal_sneath_4": lambda t: (t.prec + t.rec + t.spec + t.npv) / 4,
    "kulczynski_1": lambda t: over(t.tp, t.fp + t.fn),
    "kulczynski_2": lambda t: (t.prec + t.rec) / 2,
    "johnson": lambda t: t.prec + t.rec,
    "mcconnaughey": lambda t: t.prec + t.rec - 1,
    "sorgenfrei": lambda t: t.prec * t.rec,
    "overlap": lambda t: over(t.tp, min(t.ppos, t.tpos)),
    "braun_blanquet": lambda t: over(t.tp, max(t.ppos, t.tpos)),
    "mountford": lambda t: over(t.tp, HALF * (t.tp * t.fp + t.tp * t.fn) + t.fp * t.fn),
    "fossum": lambda t: over(t.n * (t.tp - HALF) ** 2, t.ppos * t.tpos),
    "faith": lambda t: over(t.tp + HALF * t.tn, t.n),
    "hamann": lambda t: 2 * t.acc - 1,
    "hawkins_dotson": lambda t: (over(t.tp, t.n - t.tn) + over(t.tn, t.n - t.tp)) / 2,
    "harris_lahey": lambda t: (
        over(t.tp, t.n - t.tn) * over(t.tneg + t.pneg, 2 * t.n) + over(t.tn, t.n - t.tp) * over(t.tpos + t.ppos, 2 * t.n)
    ),
    "clement": lambda t: t.prec * (1 - t.cov) + t.npv * t.cov,
    "yule_q": lambda t: yule(t.tp * t.tn, t.fp * t.fn),
    "michael": lambda t: over(4 * (t.tp * t.tn - t.fp * t.fn), (t.tp + t.tn) ** 2 + (t.fp + t.fn) ** 2),
    "maxwell_pilliner": lambda t: over(2 * (t.tp - t.expected), over(t.ppos * t.pneg, t.n) + over(t.tpos * t.tneg, t.n)),
    "kuder_richardson": lambda t: 2 * (1 - over(over(t.ppos * t.pneg + t.tpos * t.tneg, t.n), variance_of_sum(t))),
    "forbes_2": lambda t: over(t.n * t.tp - t.ppos * t.tpos, t.n * min(t.ppos, t.tpos) - t.ppos * t.tpos),
    "cole": cole_by_cases,
    "tarwid": lambda t: yule(t.n * t.tp, t.ppos * t.tpos),
    "eyraud": lambda t: over(t.n**2 * (t.n * t.tp - t.ppos * t.tpos), t.marginals),
    "doolittle": lambda t: over((t.n * t.tp - t.ppos * t.tpos) ** 2, t.marginals),
    "ample": lambda t: abs(t.prec - over(t.fn, t.pneg)),
    "guttman_lambda_a": lambda t: over(max(t.tp, t.fn) + max(t.fp, t.tn) - max(t.ppos, t.pneg), t.n - max(t.ppos, t.pneg)),
    "guttman_lambda_b": lambda t: over(max(t.tp, t.fp) + max(t.fn, t.tn) - max(t.tpos, t.tneg), t.n - max(t.tpos, t.tneg)),
    "goodman_kruskal_lambda": lambda t: over(guesses(t)[0] - guesses(t)[1], 2 * t.n - guesses(t)[1]),
    "goodman_kruskal_lambda_r": lambda t: beyond_chance(t.acc, over(max(t.tpos + t.ppos, t.tneg + t.pneg), 2 * t.n)),
    "anderberg": lambda t: over(guesses(t)[0] - guesses(t)[1], 2 * t.n),
    "hamming_distance": lambda t: t.fp + t.fn,
    "variance_dissimilarity": lambda t: over(t.fp + t.fn, 4 * t.n),
    "size_difference": lambda t: (1 - t.acc) ** 2,
    "shape_difference": lambda t: over(t.fp + t.fn, t.n) - over(t.fp - t.fn, t.n) ** 2,
    "pattern_difference": lambda t: 4 * over(t.fp, t.n) * over(t.fn, t.n),
    "lance_williams": lambda t: 1 - f_score(t.tp, t.fp, t.fn, 1),
    "yule_dissimilarity": lambda t: 1 - yule(t.tp * t.tn, t.fp * t.fn),
    "batagelj_bren": lambda t: over(t.fp * t.fn, t.tp * t.tn),
    "prevalence": lambda t: t.prev,
    "frequency_bias": lambda t: over(t.ppos, t.tpos),
    "automatic_manual": lambda t: t.ppos - t.tpos,
    "marginal_bray_curtis": lambda t: over(abs(t.ppos - t.tpos), 2 * t.n),
    "random_accuracy": lambda t: t.cov * t.prev,
    "random_accuracy_unbiased": lambda t: ((t.cov + t.prev) / 2) ** 2,
    "index_of_balanced_accuracy": lambda t, alpha: (1 + alpha * (t.rec - t.spec)) * t.rec * t.spec,
    "p4": lambda t: over(4 * t.tp * t.tn, 4 * t.tp * t.tn + (t.tp + t.tn) * (t.fp + t.fn)),
    "equitable_threat_score": lambda t: over(t.tp - t.expected, t.tp + t.fp + t.fn - t.expected),
    "baulieu_1": lambda t: 1 - t.prec * t.rec,
    "baulieu_2": lambda t: t.prec * t.rec * t.spec * t.npv,
    "baulieu_3": lambda t: HALF - 2 * (over(t.tp, t.n) - t.prev * t.cov),
    "baulieu_5": lambda t: over(t.fp + t.fn + 1, t.tp + t.fp + t.fn + 1),
    "baulieu_6": lambda t: over(t.fp + t.fn, t.tp + t.fp + t.fn + 1),
    "baulieu_7": lambda t: with_cubic(t, t.tn),
    "baulieu_8": lambda t: (t.cov - t.prev) ** 2,
    "baulieu_9": lambda t: over(t.fp + 2 * t.fn, t.n + t.fn),
    "baulieu_10": lambda t: over(t.fp + t.fn + max(t.fp, t.fn), t.n + max(t.fp, t.fn)),
    "baulieu_11": lambda t: 1 - over(t.tn, t.n - t.tp),
    "baulieu_12": lambda t: over(t.fp + t.fn, t.tp + t.fp + t.fn - 1),
    "baulieu_13": lambda t: with_cubic(t, 0),
    "baulieu_14": lambda t: 1 - over(t.tp, t.tp + t.fp + 2 * t.fn),
    "baulieu_15": lambda t: 1 - over(t.tp, t.tp + t.fp + t.fn + max(t.fp, t.fn)),
    "benini_1": lambda t: over(t.tp * t.tn - t.fp * t.fn, t.tpos * t.pneg),
    "kendall_tau_a": lambda t: over(t.tp * t.tn - t.fp * t.fn, HALF * t.n * (t.n - 1)),
    "kent_foster_1": lambda t: occurrence(t.tp, t),
    "kent_foster_2": lambda t: occurrence(t.tn, t),
    "koppen_2": lambda t: t.tp + HALF * (t.fp + t.fn),
    "kuhns_1": lambda t: over(2 * (t.tp - t.expected), t.n),
    "kuhns_2": lambda t: over(t.tp - t.expected, max(t.ppos, t.tpos)),
    "kuhns_3": lambda t: over(t.tp - t.expected, (1 - over(t.tp, t.ppos + t.tpos)) * (t.ppos + t.tpos - t.expected)),
    "kuhns_4": lambda t: over(t.tp - t.expected, min(t.ppos, t.tpos)),
    "kuhns_5": lambda t: over(t.tp - t.expected, max(over(t.ppos * t.pneg, t.n), over(t.tpos * t.tneg, t.n))),
    "kuhns_6": lambda t: over(t.tp - t.expected, min(over(t.ppos * t.pneg, t.n), over(t.tpos * t.tneg, t.n))),
}


def variance_of_sum(t: Any) -> Any:
    """Return n times the variance of label plus prediction."""
    return 4 * t.tp + t.fp + t.fn - over((t.tpos + t.ppos) ** 2, t.n)


# Definitions that need roots or logarithms see the same table.


def root(x: Any) -> Any:
    """The root of an exact number as an exact number: 400 bits of it, or all of them."""
    if type(x) not in (int, Exact) or x < 0:
        return math.inf if x == math.inf else math.nan
    x = x if type(x) is Exact else Exact(x)
    return Exact(math.isqrt(x.top * x.bottom << 800), x.bottom << 400)


natural_log = cache(mp.log)  # the same totals come again and again


def ln(x: Any) -> Any:
    if type(x) is Exact and x.top > 0:
        return natural_log(x.top) - natural_log(x.bottom)
    return natural_log(x) if 0 < x < math.inf else -math.inf if x == 0 else x if x == math.inf else math.nan


def log_odds(p: Any) -> Any:
    return ln(over(p, 1 - p))


def cosine(t: Any) -> Any:
    whole = root(t.fp * t.fn) + root(t.tp * t.tn)
    return mp.cos(mp.pi * digits_of(root(t.fp * t.fn) / whole)) if whole != 0 else math.nan


def roc_distance(t: Any) -> Any:
    return root((1 - t.rec) ** 2 + (1 - t.spec) ** 2)


def ochiai(t: Any) -> Any:
    return over(t.tp, root(t.ppos * t.tpos))


def baroni(t: Any) -> Any:
    hits = root(t.tp * t.tn) + t.tp
    return over(hits, hits + t.fp + t.fn)


def adjusted_mean(t: Any) -> Any:
    g = root(t.rec * t.spec)
    return g if t.rec == 0 else over(g + t.spec * over(t.tneg, t.n), 1 + over(t.tneg, t.n))


def threshold(t: Any) -> Any:
    true, false = root(t.rec), root(1 - t.spec)
    return over(false, true + false)


def yates(t: Any) -> Any:
    return over(t.n * (abs(t.tp * t.tn - t.fp * t.fn) - HALF * t.n) ** 2, t.marginals)


def chi_per_entry(t: Any) -> Any:
    return over((t.tp * t.tn - t.fp * t.fn) ** 2, t.marginals)


@cache
def log_factorial(x: Any) -> Any:
    """The logarithm of x!, to 20 digits after the point at least: by Stirling's series where x is large."""
    if x < 200:
        return mp.log(math.factorial(x))
    series = 1 / (12 * x) - 1 / (360 * x**3) + 1 / (1260 * x**5) - 1 / (1680 * x**7)
    with mp.workdps(60):
        return ((2 * x + 1) * mp.log(x) + mp.log(2 * mp.pi)) / 2 - x + series


def table_chance(t: Any) -> Any:
    """Logarithm of the chance of the table when its marginals are fixed."""
    marginals, cells = (t.ppos, t.pneg, t.tpos, t.tneg), (t.tp, t.fp, t.fn, t.tn)
    return sum(map(log_factorial, marginals)) - sum(map(log_factorial, cells)) - log_factorial(t.n)


@cache
def quantile(part: Any, whole: Any) -> Any:
    """Normal quantile of part/whole to 25 digits at least: one step of Newton's from SciPy's value."""
    if part == 0 or part == whole:
        return math.nan if whole == 0 else -math.inf if part == 0 else math.inf
    if 2 * part > whole:
        return -quantile(whole - part, whole)
    with mp.workdps(30):
        start = mpf(float(special.ndtri(part / whole)))
        return start - (mp.ncdf(start) - mpf(part) / whole) / mp.npdf(start)


IRRATIONAL: dict[str, Definition] = {
    "fowlkes_mallows": lambda t: root(t.prec * t.rec),
    "g_mean": lambda t: root(t.rec * t.spec),
    "discriminant_power": lambda t: mp.sqrt(3) / mp.pi * (log_odds(t.rec) + log_odds(t.spec)),
    "mcc": lambda t: over(t.tp * t.tn - t.fp * t.fn, root(t.marginals)),
    "tetrachoric": cosine,
    "klosgen": lambda t, omega: (over(t.ppos, t.n) ** omega if t.n else math.nan) * (t.prec - t.prev),
    "sokal_sneath_5": lambda t: root(t.prec * t.rec * t.spec * t.npv),
    "fager_mcgowan": lambda t: ochiai(t) - over(1, 2 * root(max(t.ppos, t.tpos))),
    "baroni_urbani_buser_1": baroni,
    "baroni_urbani_buser_2": lambda t: 2 * baroni(t) - 1,
    "goodall": lambda t: 2 / mp.pi * mp.asin(digits_of(root(t.acc))) if t.n else math.nan,
    "andres_marzo": lambda t: over(t.tp + t.tn - 2 * root(t.fp * t.fn), t.n),
    "consonni_todeschini_1": lambda t: over(ln(1 + t.tp + t.tn), ln(1 + t.n)),
    "consonni_todeschini_2": lambda t: over(ln(1 + t.n) - ln(1 + t.fp + t.fn), ln(1 + t.n)),
    "consonni_todeschini_3": lambda t: over(ln(1 + t.tp), ln(1 + t.n)),
    "consonni_todeschini_4": lambda t: over(ln(1 + t.tp), ln(1 + t.tp + t.fp + t.fn)),
    "consonni_todeschini_5": lambda t: over(ln(1 + t.tp * t.tn) - ln(1 + t.fp * t.fn), ln(1 + over(t.n**2, 4))),
    "yule_y": lambda t: yule(root(t.tp * t.tn), root(t.fp * t.fn)),
    "gilbert_wells": lambda t: ln(over(t.prec, t.prev)),
    "dennis": lambda t: over(t.tp - t.expected, root(t.expected)),
    "contingency_coefficient": lambda t: root(over(chi_per_entry(t), 1 + chi_per_entry(t))),
    "stiles": lambda t: ln(yates(t)) / mp.log(10),
    "euclidean_distance": lambda t: root(t.fp + t.fn),
    "hellinger": lambda t: 2 * root(1 - ochiai(t)),
    "chord": lambda t: root(2 * (1 - ochiai(t))),
    "information_score": lambda t: ln(over(t.prec, t.prev)) / mp.log(2),
    "distance_index": roc_distance,
    "similarity_index": lambda t: 1 - roc_distance(t) / root(2),
    "adjusted_f": lambda t: root(f_score(t.tp, t.fp, t.fn, 2) * f_score(t.tn, t.fn, t.fp, HALF)),
    "adjusted_geometric_mean": adjusted_mean,
    "prevalence_threshold": threshold,
    "sensitivity_index": lambda t: quantile(t.tp, t.tpos) - quantile(t.fp, t.tneg),
    "baulieu_4": lambda t: over(t.fp + t.fn - mp.e * t.tn * digits_of((t.tp + HALF) * (t.tn + HALF)), t.n),
    "digby": lambda t: yule(root(t.tp * t.tn) * root(root(t.tp * t.tn)), root(t.fp * t.fn) * root(root(t.fp * t.fn))),
    "gilbert_wells_factorial": lambda t: ln(over(t.n**3, t.marginals)) - mp.log(2 * mp.pi) - 2 * table_chance(t),
    "kuhns_7": lambda t: over(t.tp - t.expected, root(t.ppos * t.tpos)),
}

DEFINITIONS = RATIONAL | IRRATIONAL

SETTINGS: dict[str, tuple[dict[str, Any], ...]] = {
    "f_beta": ({}, {"beta": 2}, {"beta": 0.5}),
    "f_beta_negative": ({}, {"beta": 2}, {"beta": 0.5}),
    "net_benefit": ({}, {"p_t": 0.25}, {"p_t": 0.8}),
    "interventions_avoided": ({}, {"p_t": 0.25}, {"p_t": 0.8}),
    "weighted_accuracy": ({}, {"w": 0.75}, {"w": 0.9}),
    "linear_utility": ({}, {"alpha": 3, "beta": 1, "gamma": 2, "delta": 0}, {"beta": 5, "gamma": 10, "delta": 2}),
    "klosgen": ({}, {"omega": 1}, {"omega": 0.25}),
    "tversky": ({}, {"alpha": 1, "beta": 1}, {"alpha": 0.3, "beta": 0.7}),
    "index_of_balanced_accuracy": ({}, {"alpha": 0.5}, {"alpha": 0.1}),
}

# Some measures subtract what no exact polynomial can: they are accurate relative to what is subtracted, not to the result.
SCALES: dict[str, Definition] = {
    "net_benefit": lambda t, p_t: over(t.tp, t.n) + over(t.fp, t.n) * over(p_t, 1 - p_t),  # a float weighs the counts
    "interventions_avoided": lambda t, p_t: over(t.tn, t.n) + over(t.fn, t.n) * over(1 - p_t, p_t),
    "stiles": lambda t: 1 + abs(ln(yates(t))),  # near log(1), and chi-squared is a polynomial of degree five
    "baulieu_4": lambda t: over(t.fp + t.fn + 3 * t.tn * ((t.tp + HALF) * (t.tn + HALF)), t.n),  # a float weighs the counts
    "sensitivity_index": lambda t: 1 + abs(quantile(t.tp, t.tpos)) + abs(quantile(t.fp, t.tneg)),  # two quantiles
    "gilbert_wells_factorial": lambda t: 9 * natural_log(2 + t.n),  # nine logarithms of counts
}
