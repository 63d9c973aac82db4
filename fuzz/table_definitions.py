"""The definitions of functions of the confusion matrix in the literature, by examples and shares.

No function of the library is used. Shares are exact fractions; roots and logarithms have as many digits as mpmath works with.
Where a definition divides by zero it has no value.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import combinations
from typing import Any

from mpmath import mp, mpf

Definition = Callable[..., Any]  # of a Joint and the parameters of the measure


class Joint:
    """How often each true class (rows) was predicted as each class (columns), with shares and margins."""

    def __init__(self, table: Any) -> None:
        self.counts = [[int(x) for x in row] for row in table]
        self.m, self.n = len(self.counts), sum(map(sum, self.counts))
        self.true, self.pred = [sum(row) for row in self.counts], [sum(column) for column in zip(*self.counts, strict=True)]
        self.right = sum(self.counts[k][k] for k in range(self.m))
        self.cells = [(i, j) for i in range(self.m) for j in range(self.m)]

    def turned(self) -> Joint:
        """Truth and prediction exchanged."""
        return Joint([*zip(*self.counts, strict=True)])

    def p(self, i: int, j: int) -> Any:
        """The share of examples of class i predicted as j."""
        return over(self.counts[i][j], self.n)

    def a(self, i: int) -> Any:
        """The share of class i in the truth."""
        return over(self.true[i], self.n)

    def b(self, j: int) -> Any:
        """The share of class j in the predictions."""
        return over(self.pred[j], self.n)

    def here(self) -> tuple[list[int], list[int]]:
        """The classes that occur in the truth, and in the predictions."""
        return [i for i in range(self.m) if self.true[i]], [j for j in range(self.m) if self.pred[j]]

    def pairs(self, kind: Callable[[tuple[int, int], tuple[int, int]], Any]) -> Any:
        """The sum over all pairs of examples of what a pair of a kind counts, by their two cells."""
        between = sum(
            self.counts[i][j] * self.counts[k][h] * kind((i, j), (k, h)) for (i, j), (k, h) in combinations(self.cells, 2)
        )
        return between + sum(math.comb(self.counts[i][j], 2) * kind((i, j), (i, j)) for i, j in self.cells)


def over(a: Any, b: Any) -> Any:
    """a/b, nan for 0/0 and infinite for x/0."""
    if b == 0:
        return math.nan if a == 0 or a != a else math.inf
    exact = isinstance(a, int | Fraction) and isinstance(b, int | Fraction)
    return Fraction(a) / b if exact else digits_of(a) / digits_of(b)


def digits_of(x: Any) -> Any:
    """A fraction with many digits."""
    return mpf(x.numerator) / x.denominator if isinstance(x, int | Fraction) else x


def root(x: Any) -> Any:
    return mp.sqrt(digits_of(x)) if x == x else x


def bits(shares: Iterable[Any]) -> Any:
    """The entropy of some shares."""
    return -sum((digits_of(x) * mp.log(digits_of(x), 2) for x in shares if x), mpf(0))


# How far two classes are apart, by their ranks or by the labels between them.
RANKS: dict[Any, Callable[[int, int], Any]] = {
    None: lambda i, j: int(i != j),
    "linear": lambda i, j: abs(i - j),
    "quadratic": lambda i, j: (i - j) ** 2,
    "ordinal": lambda i, j: math.comb(abs(i - j) + 1, 2),
}


def against(t: Joint, weights: Any, chance: Callable[[int, int], Any]) -> Any:
    """One minus the disagreement observed over that by chance."""
    cost = RANKS[weights] if weights is None or isinstance(weights, str) else lambda i, j: weights[i][j]
    observed, expected = (sum(cost(i, j) * share(i, j) for i, j in t.cells) for share in (t.p, chance))
    return 1 - over(observed, expected)


def gwet(t: Joint, weights: Any) -> Any:
    """Agreement 1 - cost/most, where chance agrees in the share sum(p (1 - p))/(m (m - 1)) of all."""
    most = max((RANKS[weights](i, j) for i, j in t.cells), default=0)
    agree = {(i, j): 1 - over(RANKS[weights](i, j), most) for i, j in t.cells}
    both = [(t.a(k) + t.b(k)) / 2 for k in range(t.m)]
    chance = over(sum(agree.values()) * sum(x * (1 - x) for x in both), t.m * (t.m - 1))
    return over(sum(agree[cell] * t.p(*cell) for cell in t.cells) - chance, 1 - chance)


def krippendorff(t: Joint, level: str, values: Any) -> Any:
    """One minus the distances of the labels of a unit over those of any two labels, not drawn twice."""
    both = [t.true[k] + t.pred[k] for k in range(t.m)]
    at = [Fraction(x) for x in (range(t.m) if values is None else values)]

    def apart(i: int, j: int) -> Any:
        low, high = min(i, j), max(i, j)
        if i == j:
            return 0
        if level == "ordinal":
            return (Fraction(both[low] + both[high], 2) + sum(both[low + 1 : high])) ** 2
        return {"nominal": 1, "interval": (at[i] - at[j]) ** 2, "ratio": ((at[i] - at[j]) / ((at[i] + at[j]) or 1)) ** 2}[level]

    inside = 2 * sum(t.counts[i][j] * apart(i, j) for i, j in t.cells)
    return 1 - over(inside * (sum(both) - 1), sum(both[i] * both[j] * apart(i, j) for i, j in t.cells))


def aickin(t: Joint) -> Any:
    """The share alpha of examples that agree for cause, the rest by chance, by Aickin's iteration."""
    if t.n == 0 or sum(t.a(k) * t.b(k) for k in range(t.m)) >= over(t.right, t.n):
        return over(0, t.n * t.n - sum(x * y for x, y in zip(t.true, t.pred, strict=True)))
    if sum(abs(x - y) for x, y in zip(t.true, t.pred, strict=True)) == 2 * (t.n - t.right):
        return over(t.right, t.n)  # all errors go one way
    a, b, right = [digits_of(t.a(k)) for k in range(t.m)], [digits_of(t.b(k)) for k in range(t.m)], digits_of(over(t.right, t.n))
    rows, columns = a, b
    for _ in range(20_000):
        chance = sum(x * y for x, y in zip(rows, columns, strict=True))
        alpha = (right - chance) / (1 - chance)
        before = rows, columns
        rows, columns = (
            [x / ((1 - alpha) + alpha * y / chance) for x, y in zip(side, other, strict=True)]
            for side, other in ((a, columns), (b, rows))
        )
        if (
            max(abs(x - y) for old, new in zip(before, (rows, columns), strict=True) for x, y in zip(old, new, strict=True))
            < 1e-18
        ):
            break
    return alpha


def phi_squared(t: Joint) -> Any:
    rows, columns = t.here()
    if not t.n:
        return math.nan
    return sum((t.p(i, j) - t.a(i) * t.b(j)) ** 2 / (t.a(i) * t.b(j)) for i in rows for j in columns)


def degrees(t: Joint) -> int:
    rows, columns = t.here()
    return (len(rows) - 1) * (len(columns) - 1) if rows else 0


def fewest(t: Joint) -> int:
    return min(map(len, t.here()))


def guessed(t: Joint) -> tuple[int, int]:
    """How many true classes are guessed right with the prediction known, and without it."""
    return sum(max((row[j] for row in t.counts), default=0) for j in range(t.m)), max(t.true, default=0)


def tau_predicted(t: Joint) -> Any:
    known = sum((t.p(i, j) ** 2 / t.a(i) for i, j in t.cells if t.true[i]), Fraction(0)) if t.n else math.nan
    alone = sum(t.b(j) ** 2 for j in range(t.m)) if t.n else math.nan
    return over(known - alone, 1 - alone)


def direction(one: tuple[int, int], other: tuple[int, int]) -> int:
    """1 for a concordant pair of examples, -1 for a discordant one, 0 where a side ties them."""
    product_of = (one[0] - other[0]) * (one[1] - other[1])
    return (product_of > 0) - (product_of < 0)


def excess(t: Joint) -> Any:
    return t.pairs(direction)


def untied(t: Joint, side: int) -> Any:
    """The pairs of examples that one side does not tie."""
    return t.pairs(lambda one, other: int(one[side] != other[side]))


def together(t: Joint) -> tuple[Any, Any, Any, Any]:
    """The pairs of examples that both sides put together, only the prediction, only the truth, neither."""

    def alike(a: bool, b: bool) -> Any:
        return t.pairs(lambda one, other: int((one[0] == other[0]) is a and (one[1] == other[1]) is b))

    return alike(True, True), alike(False, True), alike(True, False), alike(False, False)


def mutual(t: Joint) -> Any:
    return bits(map(t.a, range(t.m))) + bits(map(t.b, range(t.m))) - bits(t.p(*cell) for cell in t.cells) if t.n else math.nan


def left(t: Joint) -> Any:
    """The uncertainty of the prediction that is left if the true class is known."""
    return bits(t.p(*cell) for cell in t.cells) - bits(map(t.a, range(t.m))) if t.n else math.nan


def code_length(t: Joint) -> Any:
    if not t.n:
        return math.nan
    rows, columns = t.here()
    if not {*rows} <= {*columns}:
        return math.inf
    return -sum(digits_of(t.a(k)) * mp.log(digits_of(t.b(k)), 2) for k in rows)


def entropy(t: Joint) -> Any:
    return bits(map(t.a, range(t.m))) if t.n else math.nan


MEANS: dict[str, Callable[[Any, Any], Any]] = {
    "arithmetic": lambda x, y: (x + y) / 2,
    "geometric": lambda x, y: root(x * y),
    "min": min,
    "max": max,
}


def normalized(t: Joint, mean: str) -> Any:
    one, other = entropy(t), entropy(t.turned())
    return over(mutual(t), MEANS[mean](one, other)) if t.n else math.nan


def spread(t: Joint, *, modified: bool) -> Any:
    """Wei's confusion entropy, and Delgado's, where right answers of a class count once in its size."""
    if t.m < 2 or not t.n:
        return math.nan
    size = [t.true[k] + t.pred[k] - (t.counts[k][k] if modified else 0) for k in range(t.m)]
    whole = 2 * t.n - (t.right if modified and t.m > 2 else 0)
    found, base = mpf(0), 2 * (t.m - 1)
    for i, j in t.cells:
        if i != j and t.counts[i][j]:
            for k in (i, j):  # the error in the row of its true class, and in the column of its predicted class
                share = Fraction(t.counts[i][j], size[k])
                found -= digits_of(Fraction(size[k], whole)) * digits_of(share) * mp.log(digits_of(share), base)
    return found


def informedness(t: Joint) -> Any:
    rows, _ = t.here()
    if len(rows) < 2:
        return math.nan  # guessing is right
    recalls = sum((Fraction(t.counts[k][k], t.true[k]) for k in rows), Fraction(0))
    return over(recalls / len(rows) - Fraction(1, len(rows)), 1 - Fraction(1, len(rows)))


def at_least(t: Joint) -> Any:
    """The chance of at least as many right answers as there are, each right with the no-information rate."""
    if not t.n:
        return math.nan
    rate = Fraction(max(t.true), t.n)
    return sum(math.comb(t.n, k) * rate**k * (1 - rate) ** (t.n - k) for k in range(t.right, t.n + 1))


DEFINITIONS: dict[str, Definition] = {
    "multiclass_accuracy": lambda t: over(t.right, t.n),
    "multiclass_mcc": lambda t: over(
        sum(t.p(k, k) - t.a(k) * t.b(k) for k in range(t.m)),
        root((1 - sum(t.a(k) ** 2 for k in range(t.m))) * (1 - sum(t.b(k) ** 2 for k in range(t.m)))),
    ),
    "multiclass_informedness": informedness,
    "no_information_rate": lambda t: over(max(t.true, default=0), t.n),
    "no_information_p_value": at_least,
    "examples_per_class": lambda t: over(t.n, t.m),
    "multiclass_kappa": lambda t, weights: against(t, weights, lambda i, j: t.a(i) * t.b(j)),
    "multiclass_scott_pi": lambda t, weights: against(t, weights, lambda i, j: (t.a(i) + t.b(i)) * (t.a(j) + t.b(j)) / 4),
    "multiclass_gwet_ac1": gwet,
    "bennett_s": lambda t, weights: against(t, weights, lambda i, j: over(t.n, t.n * t.m * t.m)),
    "krippendorff_alpha": krippendorff,
    "kappa_no_prevalence": lambda t: 2 * over(t.right, t.n) - 1,
    "bangdiwala_b": lambda t: over(
        sum(t.counts[k][k] ** 2 for k in range(t.m)), sum(x * y for x, y in zip(t.true, t.pred, strict=True))
    ),
    "aickin_alpha": aickin,
    "chi_squared_degrees": degrees,
    "chi_squared_p_value": lambda t: (
        mp.gammainc(mpf(degrees(t)) / 2, digits_of(phi_squared(t) * t.n) / 2, regularized=True) if degrees(t) else math.nan
    ),
    "phi_squared": phi_squared,
    "multiclass_chi_squared": lambda t: phi_squared(t) * t.n,
    "cramer_v": lambda t: root(over(phi_squared(t), fewest(t) - 1)),
    "tschuprow_t": lambda t: root(over(phi_squared(t), root(degrees(t)))),
    "multiclass_contingency_coefficient": lambda t: root(over(phi_squared(t), 1 + phi_squared(t))),
    "goodman_kruskal_lambda_true": lambda t: over(guessed(t)[0] - guessed(t)[1], t.n - guessed(t)[1]),
    "goodman_kruskal_lambda_predicted": lambda t: DEFINITIONS["goodman_kruskal_lambda_true"](t.turned()),
    "multiclass_goodman_kruskal_lambda": lambda t: over(
        sum(known - alone for known, alone in (guessed(t), guessed(t.turned()))),
        sum(t.n - alone for _, alone in (guessed(t), guessed(t.turned()))),
    ),
    "goodman_kruskal_tau_true": lambda t: tau_predicted(t.turned()),
    "goodman_kruskal_tau_predicted": tau_predicted,
    "goodman_kruskal_gamma": lambda t: over(excess(t), t.pairs(lambda one, other: abs(direction(one, other)))),
    "multiclass_kendall_tau_b": lambda t: over(excess(t), root(untied(t, 0) * untied(t, 1))),
    "stuart_tau_c": lambda t: over(2 * fewest(t) * excess(t), t.n**2 * (fewest(t) - 1)),
    "somers_d_predicted": lambda t: over(excess(t), untied(t, 0)),
    "somers_d_true": lambda t: over(excess(t), untied(t, 1)),
    "somers_d": lambda t: over(2 * excess(t), untied(t, 0) + untied(t, 1)),
    "entropy_true": entropy,
    "entropy_predicted": lambda t: entropy(t.turned()),
    "joint_entropy": lambda t: bits(t.p(*cell) for cell in t.cells) if t.n else math.nan,
    "conditional_entropy_true": lambda t: left(t.turned()),
    "conditional_entropy_predicted": left,
    "cross_entropy_of_classes": code_length,
    "kl_divergence_of_classes": lambda t: code_length(t) - entropy(t),
    "mutual_information": mutual,
    "normalized_mutual_information": normalized,
    "theil_u_true": lambda t: over(mutual(t), entropy(t)),
    "theil_u_predicted": lambda t: over(mutual(t), entropy(t.turned())),
    "variation_of_information": lambda t: left(t) + left(t.turned()),
    "confusion_entropy": lambda t: spread(t, modified=False),
    "modified_confusion_entropy": lambda t: spread(t, modified=True),
    "rand_index": lambda t: over(together(t)[0] + together(t)[3], math.comb(t.n, 2)),
    "adjusted_rand_index": lambda t: pair_kappa(*together(t)),
    "fowlkes_mallows_of_pairs": lambda t: root(
        over(together(t)[0], sum(together(t)[:2])) * over(together(t)[0], sum(together(t)[::2]))
    ),
}


# The value of a table of right examples, by how many there are of each class.
AT_PERFECTION: dict[
    str, Callable[[Any], Any]
] = {  # of those that are neither errors nor at most 1, and of two whose most depends on the classes
    "multiclass_contingency_coefficient": lambda n: math.sqrt(1 - 1 / len(n)),
    "stuart_tau_c": lambda n: (1 - sum((n / n.sum()) ** 2)) * len(n) / (len(n) - 1),
    "no_information_rate": lambda n: max(n) / n.sum(),
    "no_information_p_value": lambda n: (max(n) / n.sum()) ** n.sum(),
    "examples_per_class": lambda n: n.sum() / len(n),
    "multiclass_chi_squared": lambda n: n.sum() * (len(n) - 1),
    "chi_squared_degrees": lambda n: (len(n) - 1) ** 2,
    "phi_squared": lambda n: len(n) - 1,
    "conditional_entropy_predicted": lambda n: 0,
    **{
        name: lambda n: -sum(x * math.log2(x) for x in n / n.sum())
        for name in ("entropy_true", "entropy_predicted", "joint_entropy", "cross_entropy_of_classes", "mutual_information")
    },
}


def pair_kappa(both: Any, pred: Any, true: Any, none: Any) -> Any:
    """The Rand index less the expected one, over the most that it can be above that (Hubert and Arabie)."""
    n = both + pred + true + none
    chance = over((both + pred) * (both + true), n)
    most = Fraction(2 * both + pred + true, 2)
    return over(both - chance, most - chance)
