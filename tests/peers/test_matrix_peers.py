"""Functions of the whole matrix against scikit-learn, SciPy, statsmodels, krippendorff, and published values.

| peer                                                        | here                                             |
|-------------------------------------------------------------|--------------------------------------------------|
| scikit-learn: rand_score, adjusted_rand_score               | rand_index, adjusted_rand_index (one class: 1)   |
| fowlkes_mallows_score, pair_confusion_matrix                | fowlkes_mallows_of_pairs, pair_counts            |
| mutual_info_score (nats), normalized_mutual_info_score      | mutual_information (bits), normalized_…(mean=)   |
| v_measure_score                                             | normalized_mutual_information                    |
| homogeneity_score, completeness_score                       | theil_u_true, theil_u_predicted                  |
| SciPy: chi2_contingency, association                        | multiclass_chi_squared, …_degrees, …_p_value, …  |
| somersd, kendalltau (b, c), binomtest                       | somers_d_…, multiclass_kendall_tau_b, …          |
| statsmodels: cohens_kappa                                   | multiclass_kappa                                 |
| krippendorff: alpha                                         | krippendorff_alpha(level=)                       |
"""

from __future__ import annotations

import math

import numpy as np
import pytest
import scipy.stats as st
import sklearn.metrics as sk
from loops import for_each

import indicatrix as ix

RNG = np.random.default_rng(5)
TABLES = [RNG.poisson(mean, (m, m)) + np.eye(m, dtype=int) for m in (2, 3, 4, 5) for mean in (0.6, 5, 30)]
cases = for_each("table", TABLES)


def labels(table) -> tuple[np.ndarray, np.ndarray]:
    m = len(table)
    return np.repeat(np.arange(m * m) // m, table.ravel()), np.repeat(np.arange(m * m) % m, table.ravel())


def close(a, b) -> None:
    assert math.isclose(float(a), float(b), rel_tol=1e-9, abs_tol=1e-10), (float(a), float(b))


@cases
def test_clusterings_of_scikit_learn(table):
    true, pred = labels(table)
    ev = ix.from_confusion(table)
    close(ev.score("rand_index"), sk.rand_score(true, pred))
    close(ev.score("adjusted_rand_index"), sk.adjusted_rand_score(true, pred))
    close(ev.score("fowlkes_mallows_of_pairs"), sk.fowlkes_mallows_score(true, pred))
    close(ev.score("mutual_information") * math.log(2), sk.mutual_info_score(true, pred))
    for mean in ("arithmetic", "geometric", "min", "max"):
        theirs = sk.normalized_mutual_info_score(true, pred, average_method=mean)
        close(ev.score(f"normalized_mutual_information(mean={mean!r})"), theirs)
    close(ev.score("normalized_mutual_information"), sk.v_measure_score(true, pred))
    close(ev.score("theil_u_true"), sk.homogeneity_score(true, pred))
    close(ev.score("theil_u_predicted"), sk.completeness_score(true, pred))
    pairs = ix.tasks.pair_counts(ev)
    ours = [[pairs.tn, pairs.fp], [pairs.fn, pairs.tp]]
    assert (2 * np.array(ours, int) == sk.cluster.pair_confusion_matrix(true, pred)).all()  # which counts both orders


@cases
def test_association_of_scipy(table):
    ev, found = ix.from_confusion(table), st.chi2_contingency(table, correction=False)
    close(ev.score("multiclass_chi_squared"), found.statistic)
    assert ev.score("chi_squared_degrees") == found.dof
    close(ev.score("chi_squared_p_value"), found.pvalue)
    for name, method in (("cramer_v", "cramer"), ("tschuprow_t", "tschuprow"), ("pearson_c", "pearson")):
        close(ev.score(name), st.contingency.association(table, method=method))


@cases
def test_ordered_classes_of_scipy(table):
    true, pred = labels(table)
    ev = ix.from_confusion(table, classes=range(len(table)))
    close(ev.score("somers_d_predicted"), st.somersd(table).statistic)
    close(ev.score("somers_d_true"), st.somersd(table.T).statistic)
    close(ev.score("multiclass_kendall_tau_b"), st.kendalltau(true, pred).statistic)
    close(ev.score("stuart_tau_c"), st.kendalltau(true, pred, variant="c").statistic)
    one, other = np.triu_indices(len(true), 1)
    signs = np.sign(true[one] - true[other]) * np.sign(pred[one] - pred[other])
    close(ev.score("goodman_kruskal_gamma"), signs.sum() / abs(signs).sum())


@cases
def test_the_p_value_of_the_no_information_rate_is_that_of_a_binomial_test(table):
    ev, most = ix.from_confusion(table), int(table.sum(axis=1).max())
    found = st.binomtest(int(np.trace(table)), int(table.sum()), most / table.sum(), alternative="greater")
    close(ev.score("no_information_p_value"), found.pvalue)


def test_p_values_keep_their_digits_far_out_and_for_many_examples():
    from indicatrix.catalogue.matrices.association import binomial_tail, chi_squared_tail

    for x, df in ((0.0, 3), (1e-3, 1), (40.0, 4), (300.0, 9), (900.0, 25), (5.0, 64)):
        assert chi_squared_tail(x, df) == pytest.approx(st.chi2.sf(x, df), rel=1e-9)
    for k, n, p in ((1, 1, 0.5), (60, 100, 0.3), (5, 10**6, 1e-6), (10**8, 3 * 10**8, 0.33334), (999, 1000, 0.9)):
        assert binomial_tail(k, n, p) == pytest.approx(st.binom.sf(k - 1, n, p), rel=1e-6)


@cases
def test_kappas_of_statsmodels(table):
    inter_rater = pytest.importorskip("statsmodels.stats.inter_rater")
    ev = ix.from_confusion(table, classes=range(len(table)))
    for ours, theirs in ((None, None), ("linear", "linear"), ("quadratic", "quadratic")):
        close(ix.multiclass_kappa(ev, weights=ours), inter_rater.cohens_kappa(table, wt=theirs, return_results=False))


@cases
@for_each("level", ["nominal", "ordinal", "interval", "ratio"])
def test_alpha_of_the_package_krippendorff(table, level):
    package = pytest.importorskip("krippendorff")
    values = np.array([1, 2, 4, 7, 11])[: len(table)]
    true, pred = (values[codes] for codes in labels(table))
    theirs = package.alpha(np.array([true, pred]), level_of_measurement=level, value_domain=values)
    close(ix.measures.krippendorff_alpha(true, pred, level=level, classes=values.tolist()), theirs)


ABSTRACTORS = [[13, 0, 0], [0, 20, 7], [0, 4, 56]]  # the example of the package irrCAC, whose values follow


def test_published_values():
    ev = ix.from_confusion(ABSTRACTORS, classes=["ectopic", "abnormal", "normal"])
    for name, value in (
        ("multiclass_kappa", 0.79641),
        ("multiclass_scott_pi", 0.79624),
        ("multiclass_gwet_ac1", 0.84933),
        ("bennett_s", 0.835),
        ("krippendorff_alpha", 0.79726),
        ("multiclass_kappa(weights='quadratic')", 0.89216),
        ("multiclass_scott_pi(weights='linear')", 0.8428),
        ("gwet_ac2(weights='linear')", 0.90002),
        ("gwet_ac2(weights='quadratic')", 0.94024),
        ("brennan_prediger(weights='linear')", 0.87625),
        ("brennan_prediger(weights='quadratic')", 0.9175),
    ):
        assert float(ev.score(name)) == pytest.approx(value, abs=6e-6), name
    # Goodman and Kruskal's table of eye and hair colors, with the uncertainty coefficients that R's DescTools prints.
    colors = np.array([[1768, 807, 189, 47], [946, 1387, 746, 53], [115, 438, 288, 16], [0, 0, 0, 0]])
    ev = ix.from_confusion(colors)
    for name, value in (("normalized_mutual_information", 0.0799), ("theil_u_true", 0.0851), ("theil_u_predicted", 0.0753)):
        assert float(ev.score(name)) == pytest.approx(value, abs=5e-5)
