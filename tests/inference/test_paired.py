"""Classifiers on the same examples: joint counts, tests of differences against peers and literal resampling, and laws."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from loops import for_each

import indicatrix as ix
from indicatrix.algebra.average import averages_over
from indicatrix.compare.differences import make_contrast
from indicatrix.compare.row import Row
from indicatrix.inference.paired.joint_labels import JointCells
from indicatrix.inference.paired.tests import TESTS, Question, mcnemar, run_test
from indicatrix.report.table_forms import escape_markdown

NAMES = ["ant", "bee", "cat"]


def predictions(rng: Any, y: Any, shares: Any, m: int) -> Any:
    """Return labels that are right with these chances per class, wrong at random otherwise."""
    wrong = (y + rng.integers(1, m, len(y))) % m
    return np.where(rng.random(len(y)) < np.broadcast_to(shares, m)[y], y, wrong)


def three(n: int = 300, seed: int = 0) -> tuple[Any, dict[str, Any]]:
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, n)
    return y, {name: predictions(rng, y, share, 3) for name, share in {"lr": 0.7, "rf": 0.8, "nb": 0.75}.items()}


def label_matrices(n: int = 120, m: int = 4, seed: int = 1) -> tuple[Any, dict[str, Any]]:
    rng = np.random.default_rng(seed)
    y = rng.random((n, m)) < 0.4
    y[:, 0] = True  # so that every example has a label
    return y, {name: y ^ (rng.random(y.shape) < share) for name, share in {"lr": 0.15, "rf": 0.1}.items()}


Y, GUESSES = three()
TWO = {name: GUESSES[name] for name in ("lr", "rf")}
SETS = {name: [{k for k in range(4) if row[k]} for row in x] for name, x in label_matrices()[1].items()}


def contrast(y: Any, guesses: dict[str, Any], measure: str, average: str | None, **options: Any) -> tuple[Any, float]:
    """Return the contrast of two classifiers and their difference."""
    made = ix.compare(y, guesses, measure, average, **options)
    assert made.joint is not None
    values = made.rows[0].values
    return make_contrast(made.joint, made.rows[0], 0, 1), float(values[0]) - float(values[1])


# The joint state.

KINDS: dict[str, tuple[Any, dict[str, Any], dict[str, Any]]] = {
    "integers": (Y, TWO, {}),
    "strings": (np.array(NAMES)[Y], {k: np.array(NAMES)[v] for k, v in TWO.items()}, {}),
    "classes": (Y, TWO, {"classes": [2, 0, 1, 7]}),
    "binary": (Y > 0, {k: v > 0 for k, v in TWO.items()}, {"positive": True}),
    "rows masked": (Y, TWO, {"mask": np.arange(len(Y)) % 5 > 0}),
    "weights": (Y, TWO, {"sample_weight": np.random.default_rng(3).random(len(Y))}),
    "groups": (Y, TWO, {"by": {"site": np.arange(len(Y)) % 3}}),
    "abstentions": (Y, {"lr": np.where(Y == 1, 9, TWO["lr"]), "rf": TWO["rf"]}, {"abstain": 9}),
    "label matrices": (*label_matrices(), {}),
    "label sets": ([{k for k in range(4) if row[k]} for row in label_matrices()[0]], SETS, {}),
    "entries masked": (*label_matrices(), {"mask": np.random.default_rng(4).random((120, 4)) < 0.8}),
    "memberships": (label_matrices()[0] * 0.7, {k: v * 0.5 for k, v in label_matrices()[1].items()}, {"tnorm": "godel"}),
}


def cut(x: Any, rows: slice) -> Any:
    return {k: cut(v, rows) for k, v in x.items()} if isinstance(x, dict) else x[rows]


@for_each("kind", KINDS)
def test_the_evaluation_of_each_is_that_of_evaluate(kind: str) -> None:
    y, guesses, options = KINDS[kind]
    joint = ix.inference.paired_counts(y, guesses, **options)
    for name, guess in guesses.items():
        assert joint[name] == ix.evaluate(y, guess, **options)


@pytest.mark.parametrize("kind", KINDS)
def test_joints_add_and_load(kind: str, tmp_path: Any) -> None:
    y, guesses, options = KINDS[kind]
    whole = ix.inference.paired_counts(y, guesses, **options)
    rowwise = {k: v for k, v in options.items() if k in ("mask", "sample_weight", "by")}
    parts = []
    for rows in (slice(0, 7), slice(7, 60), slice(60, None)):
        own = {**options, **{k: cut(v, rows) for k, v in rowwise.items()}}
        parts.append(ix.inference.paired_counts(cut(y, rows), cut(guesses, rows), **own))
    if kind == "memberships":  # floats: the order of additions changes the last digits
        np.testing.assert_allclose(sum(parts).counts.squares, whole.counts.squares)  # type: ignore[attr-defined]
    else:
        assert sum(parts) == parts[2] + parts[0] + parts[1] == whole
    whole.save(tmp_path / "both.json")
    assert ix.load(tmp_path / "both.json") == whole
    some = ["f1", "recall"], ["macro", "micro"]
    assert str(ix.compare(sum(parts), *some)) == str(ix.compare(whole, *some))
    assert str(ix.compare(ix.load(tmp_path / "both.json"), *some)) == str(ix.compare(whole, *some))


def test_new_classes_are_added() -> None:
    y, guesses = label_matrices()
    sets = {k: [{int(i) for i in np.flatnonzero(row)} for row in v] for k, v in {"y": y, **guesses}.items()}
    first = [row for row in range(120) if not any(3 in s[row] for s in sets.values())][:10]
    rest = [row for row in range(120) if row not in first]
    whole = ix.inference.paired_counts(
        [sets["y"][r] for r in first + rest], {k: [sets[k][r] for r in first + rest] for k in guesses}
    )
    parts = [
        ix.inference.paired_counts([sets["y"][r] for r in rows], {k: [sets[k][r] for r in rows] for k in guesses})
        for rows in (first, rest)
    ]
    assert len(parts[0].evaluations[0].classes) < 4
    assert parts[0] + parts[1] == whole == parts[1] + parts[0]
    assert isinstance(whole.counts, JointCells)


def test_options_that_areas_do_not_take_are_refused() -> None:
    y, guesses = scores()
    with pytest.raises(TypeError, match="compare takes no tnorm=; with scores labels are 0 or 1"):
        ix.compare(y, guesses, "auc", tnorm="product")
    with pytest.raises(TypeError, match="paired_counts takes no cost="):
        ix.inference.paired_counts(y, guesses, labels=False, scores=True, cost=[[0, 1], [1, 0]])


def test_joints_of_scores_are_equal_if_the_scores_are() -> None:
    y, one, other = [0, 1, 1, 0], [0.2, 0.7, 0.4, 0.5], [0.1, 0.9, 0.3, 0.6]
    scores = ix.inference.paired_counts(y, {"a": one, "b": other}, labels=False, scores=True)
    assert scores == ix.inference.paired_counts(y, {"a": one, "b": other}, labels=False, scores=True)
    assert scores != ix.inference.paired_counts(y, {"a": one, "b": one}, labels=False, scores=True)


def test_a_clear_difference_reads_the_same_from_both_sides() -> None:
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, 400)
    guesses = {"a": np.where(rng.random(400) < 0.9, y, 0), "b": np.where(rng.random(400) < 0.6, y, 1)}
    (down,), (up,) = (ix.compare(y, guesses, "f1", "macro", baseline=name).differences for name in ("a", "b"))
    assert str(down) == "b has a lower macro f1 than a by 0.229 [0.179, 0.279] (paired delta, p < 0.0001)."
    assert str(up) == "a has a higher macro f1 than b by 0.229 [0.179, 0.279] (paired delta, p < 0.0001)."


def test_what_cannot_be_joint_is_refused() -> None:
    with pytest.raises(ValueError, match="two classifiers or more; there is only 'lr'"):
        ix.compare(Y, {"lr": TWO["lr"]})
    with pytest.raises(ValueError, match="Example 3 was observed for 'lr' or for 'rf', but not for both"):
        ix.compare(list(Y), {"lr": [*TWO["lr"]], "rf": [*TWO["rf"][:3], None, *TWO["rf"][4:]]}, missing="mask")
    with pytest.raises(ValueError, match="baseline='svm' is not compared here; there are lr, rf"):
        ix.compare(Y, TWO, baseline="svm")
    with pytest.raises(ValueError, match=r"method='mcnemer' is unknown\. Did you mean mcnemar"):
        ix.compare(Y, TWO, method="mcnemer")
    with pytest.raises(ValueError, match="margin='x' must be a difference above 0"):
        ix.compare(Y, TWO, margin="x")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="The examples have weights, and method='bootstrap' draws single examples"):
        ix.compare(Y, TWO, "f1", "macro", method="bootstrap", sample_weight=np.ones(len(Y)))
    with pytest.raises(TypeError, match=r"Or compare labels: ix\.compare\(y_true, {'a': a, 'b': b}\)"):
        ix.compare(Y, [*TWO.values()])
    with pytest.raises(ValueError, match=r"predictions\['rf'\]"):
        ix.compare(Y, {"lr": TWO["lr"], "rf": TWO["rf"][:-1]})
    with pytest.raises(ValueError, match="One of these has sample weights"):
        ix.inference.paired_counts(Y, TWO) + ix.inference.paired_counts(Y, TWO, sample_weight=np.ones(len(Y)))
    with pytest.raises(ValueError, match="McNemar's test is for the share of examples that are right"):
        ix.compare(Y, TWO, "f1", "macro", method="mcnemar")
    some = ix.compare(Y, TWO, "f1", ["micro", "macro"], method="mcnemar").differences
    assert [d.method for d in some] == ["mcnemar", ""]
    with pytest.raises(ValueError, match="There is no grouping 'town'"):
        ix.compare(Y, TWO, by={"site": Y}, clusters="town")
    with pytest.raises(TypeError, match="mask= is about labels"):
        ix.compare(ix.inference.paired_counts(Y, TWO), mask=Y > 0)


# McNemar: statsmodels and mlxtend.


@pytest.mark.slow  # importing statsmodels takes more than a second
@pytest.mark.parametrize(
    ("first", "second"), [(0, 0), (0, 3), (1, 5), (12, 12), (10, 31), (30, 970), (200, 260), (3000, 3200), (15000, 15500)]
)
def test_mcnemar_is_that_of_statsmodels(first: int, second: int) -> None:
    tables = pytest.importorskip("statsmodels.stats.contingency_tables")
    stats = pytest.importorskip("scipy.stats")
    assert mcnemar(first, second) == pytest.approx(tables.mcnemar([[5, first], [second, 5]], exact=True).pvalue, rel=1e-9)
    tied = stats.binom.pmf(min(first, second), first + second, 0.5)
    mid = 2 * (stats.binom.cdf(min(first, second), first + second, 0.5) - tied / 2)
    assert mcnemar(first, second, mid=True) == pytest.approx(1.0 if first == second else mid, rel=1e-9)


@pytest.mark.slow  # importing mlxtend takes more than a second
@pytest.mark.parametrize(
    ("measure", "average"), [("exact_match", None), ("f1", "micro"), ("accuracy", "micro"), ("multiclass_accuracy", None)]
)
def test_disagreements_are_those_of_mlxtend(measure: str, average: str | None) -> None:
    evaluate = pytest.importorskip("mlxtend.evaluate")
    table = evaluate.mcnemar_table(y_target=Y, y_model1=TWO["lr"], y_model2=TWO["rf"])
    found, value = contrast(Y, TWO, measure, average)
    assert found.discordant() == (table[0, 1], table[1, 0], len(Y))
    (made,) = ix.compare(Y, TWO, measure, average, method="mcnemar", correction=None).differences
    assert made.p == pytest.approx(evaluate.mcnemar(table, exact=True)[1])
    assert ix.compare(Y, TWO, measure, average).differences[0].method == "mcnemar_mid_p"
    assert made.value == pytest.approx(abs(value))


def test_recall_is_tested_on_the_positive_examples() -> None:
    y, guesses = Y > 0, {k: v > 0 for k, v in TWO.items()}
    found, _ = contrast(y, guesses, "recall", None, positive=True)
    a, b = (guesses[k][y] for k in TWO)
    assert found.discordant() == ((a & ~b).sum(), (b & ~a).sum(), y.sum())
    assert contrast(y, guesses, "precision", None, positive=True)[0].discordant() is None  # other examples are predicted


# Variances: by hand, and by what each row adds.


def test_the_interval_of_accuracy_is_that_of_agresti_and_min() -> None:
    """Wald's interval of a paired difference, with half an example added to each of the two kinds of disagreement."""
    found, value = contrast(Y, TWO, "exact_match", None)
    first, second, n = found.discordant()
    spread = ((first + second + 1) - (first - second) ** 2 / (n + 1)) / (n + 1) ** 2
    assert found.spread == pytest.approx(spread, rel=1e-6)
    answer = run_test(found, Question(value), "delta")[0]
    low, high = answer.ends(0.95)
    assert (high - low) / 2 == pytest.approx(1.959964 * math.sqrt(spread), rel=1e-6)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(("measure", "average"), [("f1", "macro"), ("mcc", "macro"), ("f1", "weighted"), ("jaccard", "micro")])
def test_the_variance_is_that_of_leaving_out_one_row(measure: str, average: str, weighted: bool) -> None:
    y, guesses = Y[:150], cut(TWO, slice(0, 150))
    weights = np.random.default_rng(5).random(150) + 0.5 if weighted else np.ones(150)
    options = {"sample_weight": weights} if weighted else {}

    def difference(keep: Any) -> float:
        own = {"sample_weight": weights[keep]} if weighted else {}
        a, b = (ix.evaluate(y[keep], guesses[k][keep], **own).score(measure, average) for k in guesses)
        return a - b

    left_out = np.array([difference(np.arange(150) != i) for i in range(150)])
    literal = 149 / 150 * ((left_out - left_out.mean()) ** 2).sum()
    found, _ = contrast(y, guesses, measure, average, **options)
    assert found.spread == pytest.approx(literal, rel=0.06)  # the pseudo-example and second order


@pytest.mark.parametrize(
    ("measure", "average"),
    [("f1", "macro"), *(pytest.param(*x, marks=pytest.mark.slow) for x in (("f1", "micro"), ("jaccard", "weighted")))],
)
def test_sums_of_products_give_the_variance_of_what_rows_add(measure: str, average: str) -> None:
    y, guesses = label_matrices(100)

    def difference(keep: Any) -> float:
        a, b = (ix.evaluate(y[keep], x[keep]).score(measure, average) for x in guesses.values())
        return float(a - b)

    left_out = np.array([difference(np.arange(100) != i) for i in range(100)])
    literal = 99 / 100 * ((left_out - left_out.mean()) ** 2).sum()
    found, _ = contrast(y, guesses, measure, average)
    assert found.spread == pytest.approx(literal, rel=0.06)


FACTS = ("first", "second", "value", "low", "high", "p", "method")


@pytest.mark.parametrize("multilabel", [False, True])
def test_clusters_give_the_variance_of_leaving_out_one_group(multilabel: bool) -> None:
    y, guesses = label_matrices(200) if multilabel else (Y[:200], cut(TWO, slice(0, 200)))
    site = np.arange(200) % 20
    made = ix.compare(y, guesses, "f1", ["macro", "exemplar"], by={"site": site}, clusters="site")
    left_out = []
    for group in range(20):
        keep = site != group
        a, b = (ix.evaluate(y[keep], x[keep]).score("f1", "macro") for x in guesses.values())
        left_out.append(float(a - b))
    spread = 19 / 20 * np.var(left_out) * 20
    found = made.differences[0]
    stats = pytest.importorskip("scipy.stats")
    half = (found.high - found.low) / 2
    assert half == pytest.approx(stats.t.ppf(0.975, 19) * math.sqrt(spread), rel=0.1)
    se = half / stats.t.ppf(0.975, 19)
    assert found.p == pytest.approx(2 * stats.t.sf(abs(found.value) / se, 19))
    each = [ix.evaluate(y, x, by={"site": site}).values("f1", "site", average="exemplar") for x in guesses.values()]
    over_sites = np.asarray(each[0]) - np.asarray(each[1])  # groups are of the same size, so the difference is a plain mean
    mean = made.differences[1]
    assert mean.value == pytest.approx(abs(over_sites.mean()) if mean.first == next(iter(guesses)) else -over_sites.mean())
    assert (mean.high - mean.low) / 2 == pytest.approx(stats.t.ppf(0.975, 19) * over_sites.std(ddof=1) / math.sqrt(20), rel=0.02)
    apart = {k: ix.evaluate(y, x, by={"site": site}) for k, x in guesses.items()}
    separate = ix.compare(apart, "f1", ["macro", "exemplar"], clusters="site")
    assert [getattr(separate.differences[0], x) for x in FACTS] == [getattr(found, x) for x in FACTS]  # paired by group
    assert [getattr(separate.differences[1], x) for x in FACTS] == [getattr(mean, x) for x in FACTS]
    other = {**apart, "rf": ix.evaluate(y[::-1], guesses["rf"][::-1], by={"site": site})}  # other examples in each group
    (unpaired,) = ix.compare(other, "f1", "macro", clusters="site").differences
    assert (unpaired.method, unpaired.value) == ("unpaired", found.value)
    assert unpaired.high - unpaired.low > found.high - found.low


def test_cross_moments_are_literal() -> None:
    y, guesses = label_matrices()
    z = []
    for x in guesses.values():
        z += [y & x, ~y & x, y & ~x, ~y & ~x]
    flat = np.concatenate(z, axis=1).astype(float)
    counts = ix.inference.paired_counts(y, guesses).counts
    assert isinstance(counts, JointCells)
    np.testing.assert_array_equal(counts.squares, flat.T @ flat)
    np.testing.assert_array_equal(counts.sums.ravel(), flat.sum(axis=0))
    assert counts.apart[0, 1] == (guesses["lr"] != guesses["rf"]).any(axis=1).sum()


# Resampling: SciPy, and literal rows.


@pytest.mark.parametrize(
    ("measure", "average"),
    [("f1", "macro"), *(pytest.param(*x, marks=pytest.mark.slow) for x in (("precision", "weighted"), ("exact_match", None)))],
)
def test_listed_swaps_are_the_permutation_test_of_scipy(measure: str, average: str | None) -> None:
    stats = pytest.importorskip("scipy.stats")
    rng = np.random.default_rng(2)
    y = np.arange(24) % 3
    a, b = y.copy(), y.copy()
    a[:3], b[[4, 5, 6, 7, 8, 9]] = (y[:3] + 1) % 3, (y[4:10] + rng.integers(1, 3, 6)) % 3

    def statistic(one: Any, other: Any) -> float:
        return float(ix.evaluate(y, one).score(measure, average) - ix.evaluate(y, other).score(measure, average))

    apart = np.flatnonzero(a != b)

    def on_apart(one: Any, other: Any, axis: int) -> Any:
        def whole(x: Any) -> Any:
            out = a.copy()
            out[apart] = x
            return out

        return np.array([statistic(whole(p), whole(q)) for p, q in zip(np.atleast_2d(one), np.atleast_2d(other), strict=True)])

    expected = stats.permutation_test(
        (a[apart], b[apart]), on_apart, permutation_type="samples", n_resamples=np.inf, vectorized=True, axis=-1
    )
    literal = (np.abs(expected.null_distribution) >= abs(statistic(a, b)) - 1e-12).mean()
    found, value = contrast(y, {"a": a, "b": b}, measure, average)
    answer, _, _ = run_test(found, Question(value), "permutation")
    assert found.is_listed()
    assert answer.p == pytest.approx(literal)


def test_drawn_swaps_are_near_the_listed_ones() -> None:
    found, value = contrast(Y, TWO, "f1", "macro")
    answer = run_test(found, Question(value), "permutation")[0]
    assert not found.is_listed()
    assert answer.p == pytest.approx(run_test(found, Question(value), "delta")[0].p, abs=0.02)
    assert answer.p == run_test(found, Question(value), "permutation")[0].p
    assert answer.p != run_test(found, Question(value, seed=1), "permutation")[0].p


@pytest.mark.slow
@pytest.mark.parametrize(("measure", "average"), [("f1", "macro"), ("f1", "exemplar"), ("multiclass_mcc", None)])
def test_the_bootstrap_is_that_of_rows(measure: str, average: str | None) -> None:
    y, guesses = Y[:80], cut(TWO, slice(0, 80))
    rng = np.random.default_rng(6)
    drawn = []
    for _ in range(1000):
        rows = rng.integers(0, 80, 80)
        a, b = (ix.evaluate(y[rows], guesses[k][rows]).score(measure, average) for k in guesses)
        drawn.append(a - b)
    found, value = contrast(y, guesses, measure, average)
    answer = run_test(found, Question(value), "bootstrap")[0]
    assert answer.ends(0.95) == pytest.approx(np.quantile(drawn, (0.025, 0.975)), abs=0.02)
    again = run_test(found, Question(value), "posterior")[0]
    assert again.ends(0.95) == pytest.approx(answer.ends(0.95), abs=0.025)


# Areas.


def scores(n: int = 90, seed: int = 8) -> tuple[Any, dict[str, Any]]:
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n)
    base = y + rng.normal(size=n)
    return y, {"lr": base.round(1), "rf": (base + rng.normal(size=n)).round(1)}


# The data of DeLong, DeLong and Clarke-Pearson (1988) without missing values, as the SAS/STAT User's Guide prints them in the
# example "Comparing Receiver Operating Characteristic Curves": albumin, total protein, K-G score, and whether surgery helped.
OVARIAN = """3.0 5.8 10 0  3.2 6.3 5 1  3.9 6.8 3 1  2.8 4.8 6 0  3.2 5.8 3 1  0.9 4.0 5 0  2.5 5.7 8 0  1.6 5.6 5 1  3.8 5.7 5 1
3.7 6.7 6 1  3.2 5.4 4 1  3.8 6.6 6 1  4.1 6.6 5 1  3.6 5.7 5 1  4.3 7.0 4 1  3.6 6.7 4 0  2.3 4.4 6 1  4.2 7.6 4 0  4.0 6.6 6 0
3.5 5.8 6 1  3.8 6.8 7 1  3.0 4.7 8 0  4.5 7.4 5 1  3.7 7.4 5 1  3.1 6.6 6 1  4.1 8.2 6 1  4.3 7.0 5 1  4.3 6.5 4 1  3.2 5.1 5 1
2.6 4.7 6 1  3.3 6.8 6 0  1.7 4.0 7 0  3.7 6.1 5 1  3.3 6.3 7 1  4.2 7.7 6 1  3.5 6.2 5 1  2.9 5.7 9 0  2.1 4.8 7 1  2.8 6.2 8 0
4.0 7.0 7 1  3.3 5.7 6 1  3.7 6.9 5 1  3.6 6.6 5 1"""


def test_the_published_example_of_delong() -> None:
    albumin, protein, score, helped = np.array(OVARIAN.split(), float).reshape(-1, 4).T
    y, tests = helped.astype(int), {"K-G": -score, "albumin": albumin, "protein": protein}
    published = {"K-G": (0.7258, 0.5243, 0.9273), "albumin": (0.7366, 0.5549, 0.9182), "protein": (0.6478, 0.4518, 0.8439)}
    for name, (area, low, high) in published.items():
        found = ix.inference.interval(ix.sweep(y, tests[name]), "auc", method="delta")
        assert (found.value, found.low, found.high) == pytest.approx((area, low, high), abs=5.1e-5)
    to_albumin, to_protein = ix.compare(y, tests, "auc", baseline="K-G", correction=None, method="delong").differences
    assert (to_albumin.value, to_albumin.p) == pytest.approx((0.0108, 0.9102), abs=5.1e-5)
    assert (to_protein.value, to_protein.p) == pytest.approx((-0.0780, 0.4561), abs=5.1e-5)


def test_delongs_covariance_is_literal() -> None:
    """The covariance of placements of positives and of negatives, as DeLong, DeLong and Clarke-Pearson (1988) define it."""
    y, guesses = scores()
    wins = [(x[y == 1][:, None] > x[y == 0]) + 0.5 * (x[y == 1][:, None] == x[y == 0]) for x in guesses.values()]
    s10, s01 = np.cov([w.mean(axis=1) for w in wins]), np.cov([w.mean(axis=0) for w in wins])
    covariance = s10 / (y == 1).sum() + s01 / (y == 0).sum()
    spread = covariance[0, 0] + covariance[1, 1] - 2 * covariance[0, 1]
    found, value = contrast(y, guesses, "auc", None)
    assert found.variance() == pytest.approx(spread)
    assert value == pytest.approx(wins[0].mean() - wins[1].mean())
    assert ix.compare(y, guesses, "auc").differences[0].method == "score"
    (made,) = ix.compare(y, guesses, "auc", method="delong").differences
    stats = pytest.importorskip("scipy.stats")
    assert made.p == pytest.approx(2 * stats.norm.sf(abs(value) / math.sqrt(spread)))


@pytest.mark.slow
def test_areas_of_several_classes_and_decisions() -> None:
    rng = np.random.default_rng(9)
    y = rng.integers(0, 3, 150)
    tables = {k: np.eye(3)[y] + rng.normal(size=(150, 3)) * s for k, s in {"lr": 1.0, "rf": 0.6}.items()}
    made = ix.compare(y, tables, ["auc", "average_precision", "f1"], "macro", decide="argmax")
    assert [row.name for row in made.rows] == ["macro auc", "macro average_precision", "macro f1"]
    assert all(d.clear for d in made.differences)
    assert made.probability("macro auc", "rf", "lr") > 0.99
    for kind in ("bootstrap", "posterior"):
        (found,) = ix.compare(y, tables, "auc", "macro", method=kind).differences
        assert (found.low, found.high) == pytest.approx((made.differences[0].low, made.differences[0].high), abs=0.02)
    with pytest.raises(ValueError, match="different scales"):
        ix.compare(y, tables, "auc", "macro", method="permutation")
    assert made.joint is not None
    with pytest.raises(ValueError, match="raw data"):
        made.joint.save("never.json")


def test_equal_scores_of_areas() -> None:
    y, guesses = scores()
    (made,) = ix.compare(y, {"a": guesses["lr"], "b": guesses["lr"]}, "auc").differences
    assert (made.value, made.p) == (0, 1)
    assert made.low < 0 < made.high


# Laws.


LONG = (None, "permutation", "posterior")


@pytest.mark.parametrize(
    "method",
    [pytest.param(x, marks=pytest.mark.slow) if x in LONG else x for x in (None, *TESTS) if x not in ("delong", "score")],
)
def test_signs_flip_with_the_order_of_classifiers(method: str | None) -> None:
    measures = ["exact_match"] if method and method.startswith("mcnemar") else ["f1", "exact_match", "multiclass_mcc"]
    if method == "delta":
        measures = measures[:2]
    made = ix.compare(Y, TWO, measures, "macro", method=method, baseline="lr")
    turned = ix.compare(Y, dict(reversed(TWO.items())), measures, "macro", method=method, baseline="rf")
    for one, other in zip(made.differences, turned.differences, strict=True):
        drawn = one.method in ("bootstrap", "posterior", "permutation")
        assert (other.first, other.second) == (one.second, one.first)
        assert other.value == -one.value
        assert (other.low, other.high) == pytest.approx((-one.high, -one.low), abs=0.02 if drawn else 1e-12)
        assert other.p == pytest.approx(one.p, abs=0.03 if drawn else 1e-12, nan_ok=True)
        assert 1 - other.probability == pytest.approx(one.probability, abs=0.03, nan_ok=True)
        assert math.isnan(one.p) != math.isnan(one.probability)


def test_class_order_does_not_matter() -> None:
    one, other = (
        ix.compare(Y, TWO, ["f1", "mcc", "exact_match"], ["macro", "weighted"], classes=order).differences
        for order in ([0, 1, 2], [2, 0, 1])
    )
    for a, b in zip(one, other, strict=True):
        assert (a.value, a.low, a.high, a.p) == pytest.approx((b.value, b.low, b.high, b.p), rel=1e-6)


@pytest.mark.slow
def test_classifiers_with_the_same_predictions() -> None:
    for measure, average in (("f1", "macro"), ("accuracy", "micro"), ("multiclass_mcc", None)):
        (made,) = ix.compare(Y, {"a": TWO["lr"], "b": TWO["lr"]}, measure, average).differences
        assert (made.value, made.p) == (0, 1)
        assert made.method in ("mcnemar", "permutation")
        assert "differ in 0 examples" in made.note
        assert made.low < 0 < made.high


def test_equal_label_matrices_have_an_interval_around_zero() -> None:
    y, guesses = label_matrices()
    made = ix.compare(y, {"a": guesses["lr"], "b": guesses["lr"]}, "f1", ["macro", "exemplar"])
    over_classes, over_examples = made.differences
    assert over_classes.low < 0 < over_classes.high
    assert math.isnan(over_classes.p)
    assert "average='exemplar'" in over_classes.note
    assert (over_examples.p, over_examples.method) == (1, "permutation")
    assert over_examples.low < 0 < over_examples.high


def test_three_classifiers_are_compared_in_pairs() -> None:
    made = ix.compare(Y, GUESSES, ["f1", "recall"], "macro")
    assert len(made.differences) == 6
    assert {d.family for d in made.differences} == {3}  # the pairs of one score
    best = made.names[int(np.argmax([float(v) for v in made.rows[0].values]))]
    assert all(d.value >= 0 for d in made.differences)
    assert sum(str(made).count(f"{d.first} ") > 0 for d in made.differences[:3]) == 3
    assert len(made.sentences) == 3 + 1  # one for each pair, and one on the correction
    assert {d.first for d in made.differences[:2]} == {best}
    for d in made.differences[:3]:
        two = {k: GUESSES[k] for k in (d.first, d.second)}
        (alone,) = ix.compare(Y, two, "f1", "macro").differences
        assert (alone.value, alone.p) == pytest.approx((d.value, d.p))
        assert d.low < alone.low < alone.high < d.high  # simultaneous intervals are wider
    named = ix.compare(Y, GUESSES, "f1", "macro", baseline="nb")
    assert [(d.first, d.second) for d in named.differences] == [("lr", "nb"), ("rf", "nb")]


def test_scores_are_one_family_only_on_request() -> None:
    scores = ["f1", "precision", "recall"], ["micro", "macro"]
    plain = ix.compare(Y, TWO, *scores, correction=None)
    assert [(d.low, d.adjusted) for d in ix.compare(Y, TWO, *scores).differences] == [(d.low, d.p) for d in plain.differences]
    together = ix.compare(Y, TWO, *scores, across_scores=True)
    assert {d.family for d in together.differences} == {4}  # the micro averages are one score
    assert [d.adjusted for d in together.differences] == pytest.approx([1 - (1 - d.p) ** 4 for d in plain.differences])
    assert "simultaneous over 4 tests" in str(together)
    discoveries = ix.compare(Y, TWO, *scores, correction="bh", across_scores=True)
    assert "Benjamini-Hochberg over 4 tests" in str(discoveries)
    assert all(d.clear == (d.adjusted < 0.05) for d in (*together.differences, *discoveries.differences))


def test_means_over_different_units_are_not_tested() -> None:
    y = list("aaaabbbbcc") * 5
    guesses = {"good": list("aaabbbbccb") * 5, "lazy": list("aaaabbbbab") * 5}
    (made,) = ix.compare(y, guesses, "precision", "macro").differences
    assert math.isnan(made.p)
    assert math.isnan(made.low)
    assert "means are over different units" in made.note
    assert "No test of" in str(made)
    assert not math.isnan(ix.compare(y, guesses, "precision", "macro", undefined=0).differences[0].p)


def test_few_disagreements_have_exact_tests_only() -> None:
    guess = Y.copy()
    guess[:9] = (guess[:9] + 1) % 3
    for measure, method in (("accuracy", "mcnemar"), ("f1", "permutation")):
        made = ix.compare(Y, {"a": Y, "b": guess}, measure, "micro" if measure == "accuracy" else "macro")
        assert made.differences[0].method == method
        assert "The two differ in 9 examples, fewer than 10, so p is that of an exact test." in str(made)
        asked = ix.compare(Y, {"a": Y, "b": guess}, measure, "micro" if measure == "accuracy" else "macro", method="delta")
        assert math.isnan(asked.differences[0].p)
        assert "so p is shown only for an exact test. This test is not exact" in asked.differences[0].note
        assert not math.isnan(asked.differences[0].low)
    assert made.differences[0].p == pytest.approx(2 / 2**9)


def test_margins() -> None:
    (close,) = ix.compare(Y, {"a": TWO["lr"], "b": TWO["lr"].copy()}, "accuracy", "micro", margin=0.05).differences
    square = 1.959964**2
    assert (close.low, close.high) == pytest.approx((-square / (len(Y) + square), square / (len(Y) + square)))  # of Wilson
    assert close.shown_equivalent
    assert "equivalent within 0.05" in str(close)
    stats = pytest.importorskip("scipy.stats")
    found, value = contrast(Y, {"rf": TWO["rf"], "lr": TWO["lr"]}, "f1", "macro")
    se = math.sqrt(found.spread)
    (made,) = ix.compare(Y, TWO, "f1", "macro", margin=0.1).differences
    assert made.not_worse == pytest.approx(stats.norm.sf((value + 0.1) / se))
    assert made.equivalent == pytest.approx(max(stats.norm.sf((value + 0.1) / se), stats.norm.cdf((value - 0.1) / se)))
    (lower,) = ix.compare(Y, TWO, "error_rate", "micro", margin=0.1, baseline="lr").differences
    assert lower.value < 0  # the error rate of rf is lower, which is better
    assert lower.not_worse < 0.01


def test_the_probability_of_being_better() -> None:
    made = ix.compare(Y, TWO, ["f1", "error_rate"], "macro")
    rises, falls = (made.probability("macro f1", *two) for two in (("rf", "lr"), ("lr", "rf")))
    assert rises + falls == pytest.approx(1, abs=0.02)
    assert rises == pytest.approx(1 - made.differences[0].p / 2, abs=0.02)
    assert made.probability("macro error_rate", "rf", "lr") == pytest.approx(rises, abs=0.02)
    with pytest.raises(ValueError, match="There is no score 'f1' in this comparison; there are macro f1"):
        made.probability("f1", "rf", "lr")


@pytest.mark.slow
def test_unbounded_measures_have_draws() -> None:
    y, guesses = Y > 0, {k: v > 0 for k, v in TWO.items()}
    (odds,) = ix.compare(y, guesses, "diagnostic_odds_ratio", "binary", positive=True).differences
    assert odds.method == "posterior"
    assert ix.compare(Y, TWO, "multiclass_mcc").differences[0].method == "delta"
    (kinked,) = ix.compare(Y, TWO, "multiclass_goodman_kruskal_lambda").differences
    assert kinked.method == "posterior"
    assert "probability 0." in str(kinked)
    assert "p =" not in str(kinked)
    weighted = ix.compare(y, guesses, "diagnostic_odds_ratio", "binary", positive=True, sample_weight=np.ones(len(y)))
    assert weighted.differences[0].method == "delta"


def test_separate_evaluations_are_unpaired() -> None:
    named = {k: ix.evaluate(Y, v) for k, v in TWO.items()}
    assert ix.compare(named, "f1", "macro").differences == ()
    made = ix.compare(named, "f1", "macro", level=0.9)
    (found,) = made.differences
    spreads = [
        ((i.high - i.low) / 2 / 1.644854) ** 2
        for i in (ev.interval("f1", "macro", level=0.9, method="delta") for ev in named.values())
    ]
    assert (found.high - found.low) / 2 == pytest.approx(1.644854 * math.sqrt(sum(spreads)), rel=0.02)
    assert found.method == "unpaired"
    assert "(unpaired, p" in str(made)
    assert "unpaired" in made.doubts[-1]
    with pytest.raises(ValueError, match="needs to know which examples both got right"):
        ix.compare(named, "f1", "macro", method="bootstrap")


def test_frames_hold_intervals_and_differences() -> None:
    made = ix.compare(Y, TWO, ["f1", "recall"], ["macro"])
    columns = made.to_dict()
    assert columns["rf - lr"] == pytest.approx([d.value for d in made.differences])
    assert columns["rf - lr p"] == [d.p for d in made.differences]
    assert columns["lr low"] == [row.intervals[0].low for row in made.rows if row.intervals[0]]
    assert made.to_pandas().to_dict("list") == columns == made.to_polars().to_dict(as_series=False)
    assert all(f"- {escape_markdown(sentence)}" in made.markdown() for sentence in made.sentences)
    assert made.rows[0].ranks == (2, 1)
    assert Row("x", (0.5, 0.5, None)).ranks[:2] == (1.5, 1.5)


@pytest.mark.parametrize("step", [16, pytest.param(1, marks=pytest.mark.slow)])
def test_every_measure_and_average_has_a_difference_or_a_reason(step: int) -> None:
    every = [m for m in dict.fromkeys(ix.algebra.MEASURES.values()) if not m.averages]
    made = ix.compare(Y, TWO, every[::step], averages_over("class", "example"))
    for d in made.differences:
        assert (math.isnan(d.low) and d.note) or d.low <= d.value <= d.high, d
    y, guesses = label_matrices()
    for d in ix.compare(y, guesses, every[::step], averages_over("class", "example")).differences:
        assert (math.isnan(d.low) and d.note) or d.low <= d.value <= d.high, d


# Size.


def rejections(seed: int, shares: Any, n: int, sims: int) -> dict[str, float]:
    rng = np.random.default_rng(seed)
    found: dict[str, list[bool]] = {"accuracy": [], "f1": []}
    for _ in range(sims):
        y = rng.integers(0, 3, n)
        joint = ix.inference.paired_counts(
            y, {k: predictions(rng, y, share, 3) for k, share in shares.items()}, classes=[0, 1, 2]
        )
        for name, average in (("accuracy", "micro"), ("f1", "macro")):
            measure = ix.algebra.MEASURES[name]
            values = tuple(ev.score(measure, average) for ev in joint.evaluations)
            one = make_contrast(joint, Row(name, values, "higher", (measure, average)), 0, 1)
            found[name].append(run_test(one, Question(float(values[0]) - float(values[1])), None)[0].p < 0.05)
    return {name: float(np.mean(x)) for name, x in found.items()}


@pytest.mark.slow
@pytest.mark.parametrize(
    "shares", [{"a": 0.8, "b": 0.8}, {"a": (0.9, 0.8, 0.7), "b": (0.7, 0.8, 0.9)}], ids=["alike", "mirrored"]
)
def test_equal_classifiers_are_seldom_found_to_differ(shares: Any) -> None:
    assert all(0.02 <= share <= 0.085 for share in rejections(11, shares, 200, 400).values())
    assert all(share > 0.5 for share in rejections(11, {"a": 0.8, "b": 0.7}, 200, 40).values())
