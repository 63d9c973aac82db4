"""How often default tests find a difference, and what others find: ``python -m benchmarks.power``.

Each case is drawn twice: without a difference, which shows the size of a test at 5%, and with one, which shows its power.
Effects shrink with the root of n, so that powers at 100 and 1,000 examples are alike. An alternative counts if its size is at
most 6.5%; of these the one with the most power is shown. The default should come within .03 of it. All tests read the same
samples: with 1,000 of them a power is known to about ±.03, and a difference of powers to about ±.015.
"""

from __future__ import annotations

import argparse
import math
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import stats

import indicatrix as ix
from benchmarks.fold_sizes import linear

Rng = np.random.Generator
Tests = dict[str, Callable[[Any, Rng], float]]  # from a sample to a p-value; the first is the default
DRAWS = 400
VALID = 0.065
CLASSES = 3


def labels(rng: Rng, n: int, effect: float) -> Any:
    """Return classes and the predictions of two classifiers; some examples are hard for both."""
    y, hard = rng.choice(CLASSES, n, p=(0.5, 0.3, 0.2)), rng.random(n)

    def guess(right: float) -> Any:
        luck = np.where(rng.random(n) < 0.5, hard, rng.random(n))
        return np.where(luck < right, y, (y + rng.integers(1, CLASSES, n)) % CLASSES)

    return y, guess(0.75 + effect), guess(0.75)


def scores(rng: Rng, n: int, effect: float) -> Any:
    """Return binary labels and two probabilities that share a part of their noise."""
    y, common = (rng.random(n) < 0.4).astype(int), rng.normal(size=n)
    logits = [shift * y + 0.7 * common + 0.7 * rng.normal(size=n) - 0.7 for shift in (1.2 + effect, 1.2)]
    return y, *(1 / (1 + np.exp(-x)) for x in logits)


def groups(rng: Rng, n: int, effect: float) -> Any:
    """Return classes, predictions and two groups, in one of which more predictions are right."""
    group, y = np.arange(n) % 2, rng.integers(0, CLASSES, n)
    right = rng.random(n) < 0.75 + effect * group
    return y, np.where(right, y, (y + rng.integers(1, CLASSES, n)) % CLASSES), group


def features(rng: Rng, n: int, effect: float) -> Any:
    """Return classes and the features of two learners, of which the first has better ones."""
    y = rng.integers(0, 2, n)
    noise = rng.normal(size=(2, n, 4))
    return y, noise[0] + (0.4 + effect) * y[:, None], noise[1] + 0.4 * y[:, None]


def compared(measure: str, average: Any = (), method: str | None = None) -> Callable[[Any, Rng], float]:
    """Return the p-value of a test of the library."""

    def test(sample: Any, rng: Rng) -> float:
        y, first, second = sample
        made = ix.compare(y, {"a": first, "b": second}, measure, average, method=method, correction=None)
        return made.differences[0].p

    return test


def discordant(sample: Any) -> tuple[int, int]:
    """Return how often only the first, and only the second classifier is right."""
    y, first, second = sample
    return int(((first == y) & (second != y)).sum()), int(((first != y) & (second == y)).sum())


def asymptotic_mcnemar(sample: Any, rng: Rng) -> float:
    """Return the p-value of McNemar's chi-squared test."""
    b, c = discordant(sample)
    return float(stats.chi2.sf((b - c) ** 2 / max(b + c, 1), 1))


def exact_mcnemar(sample: Any, rng: Rng) -> float:
    """Return the p-value of McNemar's exact test."""
    b, c = discordant(sample)
    return float(stats.binomtest(b, b + c).pvalue) if b + c else 1.0


def macro_f1(tables: Any) -> Any:
    """Return the macro F1 of each of many tables."""
    right = np.diagonal(tables, axis1=-2, axis2=-1)
    return (2 * right / np.maximum(tables.sum(axis=-1) + tables.sum(axis=-2), 1)).mean(axis=-1)


def kappa(tables: Any) -> Any:
    """Return Cohen's kappa of each of many tables."""
    n = tables.sum(axis=(-2, -1))
    chance = (tables.sum(axis=-1) * tables.sum(axis=-2)).sum(axis=-1) / n**2
    return (np.trace(tables, axis1=-2, axis2=-1) / n - chance) / (1 - chance)


def both_tables(counts: Any) -> tuple[Any, Any]:
    """Return the tables of the two classifiers, from how often each triple of classes occurs."""
    cells = counts.reshape(-1, CLASSES, CLASSES, CLASSES)
    return cells.sum(axis=3), cells.sum(axis=2)


def triples(sample: Any) -> Any:
    """Return how often each triple of a class and two predictions occurs."""
    y, first, second = sample
    return np.bincount((y * CLASSES + first) * CLASSES + second, minlength=CLASSES**3)


def swapped(score: Callable[[Any], Any]) -> Callable[[Any, Rng], float]:
    """Return the test that swaps the predictions of the two at random."""

    def test(sample: Any, rng: Rng) -> float:
        counts = triples(sample)
        kept = rng.binomial(counts, 0.5, (DRAWS, len(counts))).reshape(-1, CLASSES, CLASSES, CLASSES)
        turned = (counts.reshape(CLASSES, CLASSES, CLASSES) - kept).swapaxes(2, 3)
        first, second = both_tables(kept + turned)
        own = np.subtract(*(score(x)[0] for x in both_tables(counts[None])))
        return _share(np.abs(score(first) - score(second)) >= abs(own) - 1e-12)

    return test


def resampled(score: Callable[[Any], Any]) -> Callable[[Any, Rng], float]:
    """Return the bootstrap of the difference of two scores, by percentiles."""

    def test(sample: Any, rng: Rng) -> float:
        counts = triples(sample)
        first, second = both_tables(rng.multinomial(counts.sum(), counts / counts.sum(), DRAWS))
        return _percentile(score(first) - score(second))

    return test


def _share(extreme: Any) -> float:
    return float((extreme.sum() + 1) / (len(extreme) + 1))


def _percentile(drawn: Any) -> float:
    return float(min(1.0, 2 * min((drawn <= 0).mean(), (drawn >= 0).mean())))


def auc(y: Any, ranked: Any) -> Any:
    """Return the AUC of each row of scores."""
    ranks = stats.rankdata(ranked, axis=-1)
    positives = y.sum()
    return (ranks[..., y == 1].sum(axis=-1) - positives * (positives + 1) / 2) / (positives * (len(y) - positives))


def swapped_ranks(sample: Any, rng: Rng) -> float:
    """Return the p-value of swapping the ranks of the two scores of each example at random."""
    y, *both = sample
    one, other = (stats.rankdata(x) for x in both)
    turn = rng.random((DRAWS // 2, len(y))) < 0.5
    drawn = auc(y, np.where(turn, other, one)) - auc(y, np.where(turn, one, other))
    return _share(np.abs(drawn) >= abs(auc(y, one) - auc(y, other)) - 1e-12)


def resampled_areas(sample: Any, rng: Rng) -> float:
    """Return the p-value of the bootstrap of the difference of two AUCs; each class keeps its size."""
    y, *both = sample
    drawn = np.zeros(DRAWS // 2)
    weights = [rng.multinomial(k, np.full(k, 1 / k), DRAWS // 2) for k in (int((y == 1).sum()), int((y == 0).sum()))]
    for sign, x in zip((1, -1), both, strict=True):
        below = (x[y == 1][:, None] > x[y == 0]) * 1.0
        drawn += sign * np.einsum("bi,ij,bj->b", weights[0], below, weights[1], optimize=True)
    return _percentile(drawn)


def losses(sample: Any) -> Any:
    """Return by how much the Brier loss of the first is smaller, of each example."""
    y, first, second = sample
    return (second - y) ** 2 - (first - y) ** 2


def flipped(sample: Any, rng: Rng) -> float:
    """Return the p-value of changing the signs of the differences of losses at random."""
    apart = losses(sample)
    drawn = rng.choice((-1.0, 1.0), (DRAWS, len(apart))) @ apart
    return _share(np.abs(drawn) >= abs(apart.sum()) - 1e-12)


def paired_t(sample: Any, rng: Rng) -> float:
    """Return the p-value of the paired t test of losses."""
    return float(stats.ttest_1samp(losses(sample), 0).pvalue)


def between(measure: str, average: str | None) -> Callable[[Any, Rng], float]:
    """Return the p-value of the library's test between groups."""

    def test(sample: Any, rng: Rng) -> float:
        y, z, group = sample
        ev = ix.evaluate(y, z, by={"group": group}, classes=range(CLASSES))
        return ev.compare_groups(measure, "group", average=average).test.p_value

    return test


def right_in_groups(sample: Any) -> Any:
    """Return a table: groups, and how many are right and wrong."""
    y, z, group = sample
    return np.array([[(y == z)[group == k].sum(), (y != z)[group == k].sum()] for k in (0, 1)])


def fisher(sample: Any, rng: Rng) -> float:
    """Return the p-value of Fisher's exact test."""
    return float(stats.fisher_exact(right_in_groups(sample))[1])


def chi_squared(sample: Any, rng: Rng) -> float:
    """Return the p-value of Pearson's chi-squared test."""
    table = right_in_groups(sample)
    return float(stats.chi2_contingency(table, correction=False)[1]) if table.sum(axis=0).all() else 1.0


def exchanged(score: Callable[[Any], Any]) -> Callable[[Any, Rng], float]:
    """Return the test that exchanges examples of the groups at random."""

    def test(sample: Any, rng: Rng) -> float:
        y, z, group = sample
        counts = np.bincount(y * CLASSES + z, minlength=CLASSES**2)
        drawn = rng.multivariate_hypergeometric(counts, int(group.sum()), DRAWS).reshape(-1, CLASSES, CLASSES)
        whole = counts.reshape(CLASSES, CLASSES)
        own = np.bincount((y * CLASSES + z)[group == 1], minlength=CLASSES**2).reshape(CLASSES, CLASSES)
        apart = abs(score(own) - score(whole - own))
        return _share(np.abs(score(drawn) - score(whole - drawn)) >= apart - 1e-12)

    return test


def errors(sample: Any, rng: Rng, folds: int) -> Any:
    """Return the shares that both learners have right in each fold (2, folds)."""
    y, *both = sample
    fold, found = rng.permutation(len(y)) % folds, np.zeros((2, folds))
    for k in range(folds):
        test = fold == k
        for c, own in enumerate(both):
            found[c, k] = (linear(own[~test], y[~test], own[test]) == y[test]).mean()
    return found


def corrected_t(sample: Any, rng: Rng) -> float:
    """Return the p-value of the library's comparison of ten folds."""
    found = errors(sample, rng, 10)
    return ix.inference.compare_folds({"a": found[0], "b": found[1]}).pairs[0].p


def _halves(sample: Any, rng: Rng) -> Any:
    return np.array([np.subtract(*errors(sample, rng, 2)) for _ in range(5)])


def five_by_two_t(sample: Any, rng: Rng) -> float:
    """Return the p-value of Dietterich's 5 x 2 cross-validated t test."""
    apart = _halves(sample, rng)
    spread = math.sqrt(apart.var(axis=1, ddof=1).mean())
    return float(2 * stats.t.sf(abs(apart[0, 0]) / spread, 5)) if spread > 0 else 1.0


def five_by_two_f(sample: Any, rng: Rng) -> float:
    """Return the p-value of Alpaydin's combined 5 x 2 F test."""
    apart = _halves(sample, rng)
    spread = apart.var(axis=1, ddof=1).sum()
    return float(stats.f.sf((apart**2).sum() / (2 * spread), 10, 5)) if spread > 0 else 1.0


def signed_folds(sample: Any, rng: Rng) -> float:
    """Return the p-value of Wilcoxon's test over ten folds."""
    apart = np.subtract(*errors(sample, rng, 10))
    return float(stats.wilcoxon(apart).pvalue) if apart.any() else 1.0


SWAPS = {"permutation": swapped, "bootstrap": resampled}
CASES: dict[str, tuple[Callable[..., Any], float, Tests]] = {  # how samples are drawn, the effect times √n, and tests
    "accuracy": (labels, 1.05, {"default": compared("accuracy"), "exact": exact_mcnemar, "asymptotic": asymptotic_mcnemar}),
    "macro f1": (labels, 1.05, {"default": compared("f1", "macro"), **{k: v(macro_f1) for k, v in SWAPS.items()}}),
    "kappa": (labels, 1.05, {"default": compared("multiclass_kappa"), **{k: v(kappa) for k, v in SWAPS.items()}}),
    "AUC": (
        scores,
        3.6,
        {"default": compared("auc"), "DeLong": compared("auc", method="delong"), "permutation": swapped_ranks}
        | {"bootstrap": resampled_areas},
    ),
    "brier": (
        scores,
        3.6,
        {"default": compared("brier"), "paired t": paired_t, "permutation": flipped},
    ),
    "between two groups, accuracy": (
        groups,
        1.9,
        {"default": between("exact_match", None), "Fisher": fisher, "chi-squared": chi_squared},
    ),
    "between two groups, macro f1": (
        groups,
        1.9,
        {"default": between("f1", "macro"), "permutation": exchanged(macro_f1)},
    ),
    "ten folds": (
        features,
        2.4,
        {"default": corrected_t, "5 x 2 t": five_by_two_t, "5 x 2 F": five_by_two_f, "Wilcoxon": signed_folds},
    ),
}


def rejections(case: str, n: int, samples: int, *, null: bool) -> dict[str, float]:
    """Return the share of samples in which each test rejects at 5%."""
    draw, effect, tests = CASES[case]
    rng, found = np.random.default_rng(30 + null), dict.fromkeys(tests, 0)
    for _ in range(samples):
        sample = draw(rng, n, 0.0 if null else effect / math.sqrt(n))
        for name, test in tests.items():
            p = test(sample, rng)
            found[name] += p < 0.05
    return {name: times / samples for name, times in found.items()}


def row(case: str, n: int, samples: int) -> str:
    """Return a line of the table: sizes and powers, and by how much the best alternative is ahead."""
    size, power = (rejections(case, n, samples, null=null) for null in (True, False))
    default, *others = size
    valid = [name for name in others if size[name] <= VALID]
    best = max(valid, key=power.__getitem__, default=None)
    texts = [f"{size[default]:.3f}", f"{power[default]:.3f}"]
    if best is None:
        return _line(case, n, *texts, "none is valid", "", "")
    ahead = power[best] - power[default]
    shown = f"**{ahead:+.3f}**" if ahead > 0.03 else f"{ahead:+.3f}"
    return _line(case, n, *texts, f"{best}: {size[best]:.3f}, {power[best]:.3f}", shown, _without(size, power, default, best))


def _without(size: dict[str, float], power: dict[str, float], *shown: str) -> str:
    return "; ".join(f"{name} {size[name]:.3f}, {power[name]:.3f}" for name in size if name not in shown)


def _line(*cells: Any) -> str:
    return "| " + " | ".join(str(cell).replace("0.", ".") for cell in cells) + " |"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=1000, help="samples of each case, without and with a difference (1000)")
    parser.add_argument("--case", choices=(*CASES,), action="append", help="one case; left out: all of them")
    asked = parser.parse_args()
    warnings.filterwarnings("ignore")
    print("| | n | size | power | best valid alternative: size, power | ahead by | others: size, power |")
    print("|---|---|---|---|---|---|---|")
    for case in asked.case or CASES:
        for n in (100, 1000):
            print(row(case, n, asked.samples), flush=True)


if __name__ == "__main__":
    main()
