"""Prediction sets: coverage is recall of examples with one label; their test counts how the sets were calibrated."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from loops import for_each
from scipy.stats import beta, betabinom, binom

import indicatrix as ix
from indicatrix.inference.calibration.prediction_sets import beta_binomial_p

# The examples in the docstrings of MAPIE 1.x, mapie/metrics/classification.py: classification_ssc and
# classification_mean_width_score (https://github.com/scikit-learn-contrib/MAPIE).
SSC = ([3, 3, 1, 2, 2], [[1, 1, 1, 1], [0, 1, 0, 1], [1, 1, 1, 0], [0, 0, 1, 1], [1, 1, 0, 1]])
WIDTHS = [
    [[0, 0], [0, 1], [1, 1]],
    [[0, 1], [1, 0], [1, 1]],
    [[1, 0], [1, 1], [1, 0]],
    [[0, 0], [1, 1], [1, 1]],
    [[1, 1], [0, 1], [1, 0]],
]


def test_size_stratified_coverage_and_width_are_mapies() -> None:
    y, sets = SSC[0], np.array(SSC[1], bool)
    found = ix.prediction_sets(y, sets, classes=range(4), by={"sizes": np.where(sets.sum(axis=1) < 3, "0-2", "3-4")})
    assert found.values("sizes").tolist() == pytest.approx([1, 2 / 3])
    widths = np.array(WIDTHS, bool)
    each = [ix.prediction_sets([0] * 5, widths[:, :, k], classes=range(3)).mean_size.value for k in range(2)]
    assert each == pytest.approx([2.0, 1.8])


def drawn(seed: int, n: int = 300, classes: int = 4) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    y = rng.integers(0, classes, n)
    sets = rng.random((n, classes)) < 0.3
    sets[np.arange(n), y] |= rng.random(n) < 0.8
    return y, sets


FORMS: dict[str, Any] = {
    "bools": lambda x: x,
    "integers": lambda x: x.astype(int),
    "a list of sets": lambda x: [set(np.flatnonzero(row).tolist()) for row in x],
    "sparse": lambda x: __import__("scipy.sparse").sparse.csr_array(x.astype(np.int8)),
    "a frame": lambda x: __import__("pandas").DataFrame(x),
}


@for_each("form", sorted(FORMS))
def test_coverage_is_the_share_of_sets_with_the_label_in_every_form(form: str) -> None:
    y, sets = drawn(1)
    found = ix.prediction_sets(y, FORMS[form](sets), classes=range(4), by={"odd": y % 2})
    hit = sets[np.arange(len(y)), y]
    assert found.coverage.value == pytest.approx(hit.mean())
    low, high = beta.ppf(0.025, hit.sum(), len(y) - hit.sum() + 1), beta.ppf(0.975, hit.sum() + 1, len(y) - hit.sum())
    assert [*found.coverage] == pytest.approx([low, high])  # Clopper and Pearson's
    assert found.mean_size.value == pytest.approx(sets.sum(axis=1).mean())
    assert found.sizes == {k: int(n) for k, n in enumerate(np.bincount(sets.sum(axis=1))) if n}
    for axis, of in (("class", y), ("size", sets.sum(axis=1)), ("odd", y % 2)):
        values = found.values(axis)
        assert dict(zip(values.names, values.tolist(), strict=True)) == pytest.approx(
            {g: hit[of == g].mean() for g in set(of.tolist())}
        )
    assert found.values("size")[0] == 0  # an empty set abstains
    assert [*found.to_dict()] == ["axis", "unit", "n", "coverage", "low", "high"]
    assert "they are to cover 0.9" in str(found)


def test_weights_and_clusters_are_those_of_every_evaluation() -> None:
    y, sets = drawn(2)
    rng = np.random.default_rng(3)
    weights, site = rng.integers(1, 5, len(y)), rng.integers(0, 20, len(y))
    hit = sets[np.arange(len(y)), y]
    found = ix.prediction_sets(y, sets, classes=range(4), sample_weight=weights, by={"site": site})
    assert found.coverage.value == pytest.approx(np.average(hit, weights=weights))
    assert found.mean_size.value == pytest.approx(np.average(sets.sum(axis=1), weights=weights))
    assert found.interval(clusters="site").method == "score"
    with pytest.raises(ValueError, match="have weights"):
        _ = found.p_value
    assert " p = " not in str(found)
    repeated = ix.prediction_sets(np.repeat(y, weights), np.repeat(sets, weights, axis=0), classes=range(4))
    assert repeated.coverage.value == pytest.approx(found.coverage.value)


def test_batches_add_and_files_keep_all(tmp_path: Any) -> None:
    y, sets = drawn(4)
    whole = ix.prediction_sets(y, sets, classes=range(4), calibrated_on=500)
    parts = [ix.prediction_sets(y[i::3], sets[i::3], classes=range(4), calibrated_on=500) for i in range(3)]
    assert sum(parts) == whole
    whole.save(tmp_path / "sets.json")
    again = ix.load(tmp_path / "sets.json")
    assert again == whole
    assert str(again) == str(whole)
    with pytest.raises(ValueError, match="not of one kind"):
        whole + ix.prediction_sets(y, sets, classes=range(4))


def test_a_missing_truth_counts_nowhere() -> None:
    found = ix.prediction_sets([0, None, 1], [{0}, {1}, set()], missing="mask")
    assert (found.n, found.coverage.value, found.sizes) == (2, 0.5, {0: 1, 1: 1})
    empty = ix.prediction_sets([], [])
    assert str(empty) == "Prediction sets of 0 examples."
    assert np.isnan(empty.p_value)


@for_each(("k", "n", "a", "b"), [(80, 100, 181, 20), (900, 1000, 181, 20), (0, 5, 1, 1), (100, 100, 9, 1)])
def test_tails_are_scipys(k: int, n: int, a: float, b: float) -> None:
    theirs = min(1, 2 * min(betabinom.cdf(k, n, a, b), betabinom.sf(k - 1, n, a, b)))
    assert beta_binomial_p(k, n, a, b) == pytest.approx(theirs, rel=1e-9)
    exact = min(1, 2 * min(binom.cdf(k, n, 0.9), binom.sf(k - 1, n, 0.9)))
    assert beta_binomial_p(k, n, 0.9, float("inf")) == pytest.approx(exact, rel=1e-9)


def test_the_test_of_the_level_knows_the_calibration() -> None:
    y, sets = drawn(5)
    k, n = int(sets[np.arange(len(y)), y].sum()), len(y)
    for known, shape in ((None, (0.8, float("inf"))), (200, (161, 40)), (199, (160, 40))):
        found = ix.prediction_sets(y, sets, classes=range(4), level=0.8, calibrated_on=known)
        assert found.p_value == pytest.approx(beta_binomial_p(k, n, *shape))
        assert f"{found.p_value:.2g}" in str(found)


def test_valid_sets_are_rejected_as_rarely_as_the_test_says() -> None:
    """Split conformal sets of 200 calibration and 1,000 test examples: the binomial test rejects 4 of 10, though they are valid.

    Drawn are only their numbers of covered examples, 2,000 times: the coverage of valid sets is Beta(181, 20).
    """
    rng = np.random.default_rng(0)
    hits = rng.binomial(1000, rng.beta(181, 20, 2000))
    known = {k: (beta_binomial_p(k, 1000, 181, 20), beta_binomial_p(k, 1000, 0.9, float("inf"))) for k in set(hits.tolist())}
    rejected = np.mean([[p < 0.05 for p in known[k]] for k in hits.tolist()], axis=0)
    assert rejected[0] < 0.06
    assert rejected[1] > 0.35


def test_results_of_little_or_nothing_print() -> None:
    """Of no example, of one, and of examples that weigh nothing."""
    for n, says in ((0, "of 0 examples."), (1, "of 1 example, 1 class\n"), (3, "of 3 examples, 1 class\n")):
        assert str(ix.prediction_sets([0] * n, [{0}] * n)).startswith(f"Prediction sets {says}")
        weightless = ix.prediction_sets([0] * n, [{0}] * n, sample_weight=[0] * n)
        assert str(weightless) == f"Prediction sets of {n} example{'s' * (n != 1)}{', none of which has a weight' * (n > 0)}."


REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "several levels": ({"sets": np.ones((2, 2, 3), bool)}, "sets of several levels"),
    "scores": ({"sets": np.full((2, 2), 0.5)}, "scores or memberships"),
    "several labels": ({"y_true": [{0}, {0, 1}], "sets": [{0}, {1}]}, "has 2 labels"),
    "unknown columns": ({"y_true": ["a", "b"], "sets": np.eye(2, dtype=bool)}, "Which classes are the 2 columns of sets"),
    "a small calibration": ({"calibrated_on": 5}, "takes at least 9"),
    "no calibration": ({"calibrated_on": 0}, "such as 500"),
    "True": ({"calibrated_on": True}, "such as 500"),
    "a level": ({"level": 1.5}, "level=1.5"),
    "size": ({"by": {"size": [1, 2]}}, "another name"),
    "lengths": ({"sets": [{0}]}, "must describe the same examples"),
}


@for_each("name", sorted(REFUSED))
def test_what_is_no_prediction_set_is_refused(name: str) -> None:
    given, said = REFUSED[name]
    with pytest.raises((ValueError, TypeError), match=said):
        ix.prediction_sets(**{"y_true": [0, 1], "sets": [{0}, {1}], **given})


def test_coverage_by_class_and_size_or_group() -> None:
    """The recall of a class is its coverage, also inside a group and for one size of the set."""
    truth, sets = [0, 1, 2, 1, 0, 0], [{0}, {1, 2}, {2}, set(), {1}, {0, 1}]
    found = ix.prediction_sets(truth, sets, by={"g": [0, 0, 1, 1, 0, 1]})
    each = found.values(("size", "class"), interval=None)
    covered = [
        [y in s for y, s in zip(truth, sets, strict=True) if (len(s), y) == (size, c)] for size in range(3) for c in range(3)
    ]
    np.testing.assert_array_equal(np.ravel(each), [np.mean(some) if some else np.nan for some in covered])
    assert found.values(("class", "g")).names == ((0, 1, 2), (0, 1))
    assert float(found.values((), interval=None)) == found.coverage.value
