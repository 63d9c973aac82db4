"""What the catalogue declares is true: directions, ranges, names and sources, in every number type, and as PyCM has it."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest

from indicatrix.algebra.counts import Counts
from indicatrix.algebra.measure import MEASURES, Measure, measure
from indicatrix.catalogue import __all__ as NAMES
from indicatrix.catalogue.listing import Catalogue, catalogue, references
from indicatrix.catalogue.matrix import MATRIX_MEASURES

EVERY = tuple(m for m in dict.fromkeys(MEASURES.values()) if m.name in NAMES)
each = pytest.mark.parametrize("m", EVERY, ids=[m.name for m in EVERY])


def values(m: Measure, vectors) -> np.ndarray:
    return m.values(Counts(*np.asarray(vectors, dtype=np.int64).T))


def random_vectors(low: int, high: int, size: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).integers(low, high, (size, 4))


SMALL = np.vstack([list(product(range(5), repeat=4)), random_vectors(0, 40, 3000)])
EXTREME = np.array(list(product((0, 1, 2, 5, 10**3, 10**9, 10**15), repeat=4)))

# Ranges

REACHED_ELSEWHERE = {"klosgen": {"omega": 0}}  # the declared range is the widest over the parameters


@each
def test_range_is_respected_and_no_wider_than_needed(m):
    seen = values(m.at(**REACHED_ELSEWHERE.get(m.name, {})), np.vstack([SMALL, EXTREME]))
    seen = np.concatenate([seen, values(m, SMALL)])
    seen = seen[np.isfinite(seen)]
    low, high = m.range
    assert low - 1e-12 <= seen.min()
    assert seen.max() <= high + 1e-12
    assert math.isinf(low) or seen.min() <= low + 1e-6
    assert math.isinf(high) or seen.max() >= high - 1e-6


# Directions

FN_TO_TP, FP_TO_TN = (1, 0, -1, 0), (0, -1, 0, 1)
# A correction can make these worse; optimised precision is the paper's only one among them (errata C4).
NOT_MONOTONE = {
    "optimised_precision",
    "baulieu_7",
    "baulieu_8",
    "baulieu_12",
    "baulieu_13",
    "clement",
    "fager_mcgowan",
    "fossum",
    "harris_lahey",
    "index_of_balanced_accuracy",
    "kent_foster_1",
    "kent_foster_2",
    "marginal_bray_curtis",
    "michael",
    "shape_difference",
}
BEST_ELSEWHERE = {"michael"}  # with few positives, some false ones raise it above its value at perfect counts


def goodness(m: Measure, vectors) -> np.ndarray:
    return values(m, vectors) * (1 if m.better == "higher" else -1)


def gets_worse(m: Measure, before, after) -> bool:
    old, new = goodness(m, before), goodness(m, after)
    both = np.isfinite(old) & np.isfinite(new)
    return bool((new[both] < old[both] - 1e-12 * np.maximum(1, np.abs(old[both]))).any())


@each
def test_correcting_a_decision_never_makes_a_directed_measure_worse(m):
    if m.better == "neither":
        return
    moves = ((SMALL[SMALL[:, 2] > 0], FN_TO_TP), (SMALL[SMALL[:, 1] > 0], FP_TO_TN))
    assert any(gets_worse(m, before, before + np.array(move)) for before, move in moves) == (m.name in NOT_MONOTONE)


@each
def test_perfect_counts_are_the_best_of_their_marginals(m):
    if m.better == "neither":
        return
    tp, fp, fn, tn = SMALL.T
    perfect = np.stack([tp + fn, 0 * tp, 0 * tp, fp + tn]).T
    some = (perfect[:, 0] > 0) & (perfect[:, 3] > 0)
    assert gets_worse(m, SMALL[some], perfect[some]) == (m.name in BEST_ELSEWHERE)


def test_direction_is_one_of_three():
    assert {m.better for m in EVERY} == {"higher", "lower", "neither"}


# Names

PAPER = {  # the rows of the appendix by group, and how many of their extensions have no established name
    "accuracy": ("accuracy error_rate balanced_error_rate subset_accuracy", 7),
    "positive class": ("precision recall false_negative_rate false_discovery_rate f_beta jaccard fowlkes_mallows lift", 12),
    "negative class": ("specificity negative_predictive_value false_positive_rate false_omission_rate", 9),
    "balance": (
        "balanced_accuracy g_mean informedness markedness f_beta_negative discriminant_power optimised_precision",
        17,
    ),
    "correlation": ("mcc cohen_kappa phi gwet_ac1 tetrachoric", 12),
    "likelihood": ("positive_likelihood_ratio negative_likelihood_ratio diagnostic_odds_ratio odds_ratio", 12),
    "rules": (
        "coverage relative_accuracy weighted_relative_accuracy novelty conviction chi_squared piatetsky_shapiro sebag_schoenauer",
        24,
    ),
}
ALSO = {
    "accuracy": "label_accuracy",
    "error_rate": "hamming_loss",
    "subset_accuracy": "exact_match",
    "precision": "ppv",
    "recall": "sensitivity tpr hit_rate",
    "false_negative_rate": "fnr miss_rate",
    "false_discovery_rate": "fdr",
    "f1": "dice",
    "jaccard": "iou critical_success_index threat_score tanimoto",
    "fowlkes_mallows": "ochiai",
    "lift": "forbes",
    "specificity": "tnr selectivity",
    "negative_predictive_value": "npv",
    "false_positive_rate": "fpr fall_out",
    "informedness": "youden_j",
    "mcc": "phi",
    "positive_likelihood_ratio": "lr_plus",
    "negative_likelihood_ratio": "lr_minus",
    "diagnostic_odds_ratio": "dor odds_ratio",
    "weighted_relative_accuracy": "novelty",
    "overlap": "simpson",
    "goodall": "austin_colwell",
}


@pytest.mark.parametrize("group", PAPER)
def test_the_extensions_without_an_established_name_are_those_of_the_appendix(group):
    rows, flat = PAPER[group]
    unnamed = 0
    for name in rows.split():
        m = MEASURES[name]
        assert m.group == group
        averages = m.averages or ("micro", "macro", "exemplar")
        unnamed += sum(average not in m.known_as for average in averages)
    assert unnamed == flat


@pytest.mark.parametrize("name", ALSO)
def test_established_aliases(name):
    assert set(ALSO[name].split()) <= set(MEASURES[name].aliases)


def test_a_name_belongs_to_one_measure():
    names = [name for m in EVERY for name in (m.name, *m.aliases)]
    assert len(names) == len(set(names))
    assert sorted(NAMES) == sorted(m.name for m in EVERY)


def test_a_parameter_has_the_same_default_in_its_formula():
    assert MEASURES["f_beta"].params == {"beta": 1}
    assert MEASURES["klosgen"].params == {"omega": 0.5}
    with pytest.raises(ValueError, match="outside"):
        MEASURES["net_benefit"].at(p_t=1.5)


SAME_AT_DEFAULTS = [{"f1", "f_beta", "tversky"}, {"accuracy", "weighted_accuracy", "linear_utility"}]


def test_one_function_is_one_measure():
    vectors = random_vectors(1, 100, 200)
    table = {m.name: values(m, vectors) for m in EVERY}
    for a, b in combinations(table, 2):
        if not any({a, b} <= family for family in SAME_AT_DEFAULTS):
            assert not np.allclose(table[a], table[b], rtol=1e-9, atol=0), f"{a} and {b} are one function: make one an alias"


@each
def test_facts_are_complete(m):
    assert m.group
    assert m.doc.endswith(".")
    assert set(m.known_as) <= {"micro", "macro", "weighted", "exemplar"}
    assert m.source in references()


def test_every_reference_is_cited_and_complete():
    cited = {m.source for m in (*EVERY, *MATRIX_MEASURES.values())}
    assert cited == set(references())
    for entry in references().values():
        assert {"authors", "title", "year", "in"} <= set(entry) <= {"authors", "title", "year", "in", "doi"}


# Number types

GENERIC = (7, 3, 2, 11)
WITH_ZEROS = [GENERIC, (5, 0, 2, 3), (0, 4, 1, 6), (4, 2, 0, 1), (3, 2, 1, 0), (0, 0, 0, 0), (4, 0, 0, 9), (0, 3, 2, 0)]


def of_library(m: Measure, asarray) -> list[float]:
    columns = np.array(WITH_ZEROS, dtype=np.float64).T
    return [float(x) for x in m.formula(*map(asarray, columns), **m.params)]


@each
def test_every_array_library_gives_the_same_values(m):
    torch = pytest.importorskip("torch")
    strict = pytest.importorskip("array_api_strict")
    want = values(m, WITH_ZEROS)
    np.testing.assert_allclose(of_library(m, torch.asarray), want, rtol=1e-14)
    np.testing.assert_allclose(of_library(m, strict.asarray), want, rtol=1e-14)


@each
def test_symbols_give_an_expression(m):
    sympy = pytest.importorskip("sympy")
    cells = sympy.symbols("tp fp fn tn", positive=True)
    expression = sympy.sympify(m.formula(*cells, **m.params))
    assert expression.free_symbols <= set(cells)
    value = float(expression.subs(dict(zip(cells, GENERIC, strict=True))))
    np.testing.assert_allclose(value, values(m, [GENERIC])[0], rtol=1e-12)


# Peers

PYCM = {
    "ACC": "accuracy",
    "AGF": "adjusted_f",
    "AGM": "adjusted_geometric_mean",
    "AM": "automatic_manual",
    "AUC": "balanced_accuracy",
    "AUPR": "kulczynski_2",
    "BB": "braun_blanquet",
    "BCD": "marginal_bray_curtis",
    "BM": "informedness",
    "DOR": "diagnostic_odds_ratio",
    "ERR": "error_rate",
    "F0.5": "f_beta(beta=1/2)",
    "F1": "f1",
    "F2": "f_beta(beta=2)",
    "FDR": "false_discovery_rate",
    "FNR": "false_negative_rate",
    "FOR": "false_omission_rate",
    "FPR": "false_positive_rate",
    "G": "fowlkes_mallows",
    "GI": "informedness",
    "GM": "g_mean",
    "HD": "hamming_distance",
    "IBA": "index_of_balanced_accuracy",
    "ICSI": "icsi",
    "IS": "information_score",
    "J": "jaccard",
    "LS": "lift",
    "MCC": "mcc",
    "MK": "markedness",
    "NLR": "negative_likelihood_ratio",
    "NPV": "negative_predictive_value",
    "OC": "overlap",
    "OOC": "ochiai",
    "OP": "optimised_precision",
    "PLR": "positive_likelihood_ratio",
    "PPV": "precision",
    "PRE": "prevalence",
    "Q": "yule_q",
    "RACC": "random_accuracy",
    "RACCU": "random_accuracy_unbiased",
    "TNR": "specificity",
    "TOPR": "coverage",
    "TPR": "recall",
    "Y": "youden_j",
    "dInd": "distance_index",
    "sInd": "similarity_index",
}
PYCM_DISTANCES = {
    "AMPLE": "ample",
    "AndresMarzoDelta": "andres_marzo",
    "BaroniUrbaniBuserI": "baroni_urbani_buser_1",
    "BaroniUrbaniBuserII": "baroni_urbani_buser_2",
    "BatageljBren": "batagelj_bren",
    "BeniniII": "forbes_2",
    "Canberra": "lance_williams",
    "Clement": "clement",
    "ConsonniTodeschiniI": "consonni_todeschini_1",
    "ConsonniTodeschiniII": "consonni_todeschini_2",
    "ConsonniTodeschiniIII": "consonni_todeschini_3",
    "ConsonniTodeschiniIV": "consonni_todeschini_4",
    "ConsonniTodeschiniV": "consonni_todeschini_5",
    "Dennis": "dennis",
    "Dispersion": "dispersion",
    "Doolittle": "doolittle",
    "FagerMcGowan": "fager_mcgowan",
    "Faith": "faith",
    "FleissLevinPaik": "f_beta_negative",
    "ForbesI": "forbes",
    "ForbesII": "forbes_2",
    "Fossum": "fossum",
    "Goodall": "goodall",
    "GoodmanKruskalLambda": "goodman_kruskal_lambda",
    "GuttmanLambdaA": "guttman_lambda_a",
    "GuttmanLambdaB": "guttman_lambda_b",
    "Hamann": "hamann",
    "HarrisLahey": "harris_lahey",
    "HawkinsDotson": "hawkins_dotson",
    "KuderRichardson": "kuder_richardson",
}


@pytest.fixture(scope="module")
def pycm_matrix():
    pycm = pytest.importorskip("pycm")
    table = np.random.default_rng(3).integers(1, 60, (6, 6)).tolist()
    return pycm.ConfusionMatrix(matrix={i: dict(enumerate(row)) for i, row in enumerate(table)})


def of_pycm(matrix, m: Measure) -> list[float]:
    cells = (matrix.TP, matrix.FP, matrix.FN, matrix.TN)
    return [m.values(Counts(*(cell[c] for cell in cells))) for c in matrix.classes]


def close(statistic, ours) -> None:
    np.testing.assert_allclose(list(statistic.values()), ours, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("name", PYCM)
def test_pycm_agrees_on_a_class_statistic(pycm_matrix, name):
    base, _, beta = PYCM[name].rstrip(")").partition("(beta=")
    m = MEASURES[base].at(beta=float(Fraction(beta))) if beta else MEASURES[base]
    close(pycm_matrix.class_stat[name], of_pycm(pycm_matrix, m))


@pytest.mark.parametrize("name", PYCM_DISTANCES)
def test_pycm_agrees_on_a_distance(pycm_matrix, name):
    from pycm import DistanceType

    close(pycm_matrix.distance(DistanceType[name]), of_pycm(pycm_matrix, MEASURES[PYCM_DISTANCES[name]]))


def test_pycm_agrees_on_families(pycm_matrix):
    close(pycm_matrix.TI(0.3, 0.9), of_pycm(pycm_matrix, MEASURES["tversky"].at(alpha=0.3, beta=0.9)))
    close(pycm_matrix.IBA_alpha(0.2), of_pycm(pycm_matrix, MEASURES["iba"].at(alpha=0.2)))
    close(pycm_matrix.F_beta(3), of_pycm(pycm_matrix, MEASURES["f_beta"].at(beta=3)))
    close(pycm_matrix.NB(0.25), of_pycm(pycm_matrix, MEASURES["net_benefit"].at(p_t=0.2)))


def test_pycm_takes_the_common_logarithm_for_discriminant_power(pycm_matrix):
    natural = np.array(of_pycm(pycm_matrix, MEASURES["discriminant_power"]))
    close(pycm_matrix.class_stat["DP"], natural / math.log(10))


# The listing


def test_catalogue_filters_by_facts():
    assert catalogue()[: len(EVERY)] == EVERY
    assert {m.name for m in catalogue(group="balance", parametric=True)} == {"f_beta_negative"}
    assert {m.name for m in catalogue(known_as="micro", group="correlation")} == {"mcc", "cohen_kappa"}
    assert [m.name for m in catalogue(search="YOUDEN")] == ["informedness"]
    assert [m.name for m in catalogue(source="gwet2008")] == ["gwet_ac1"]
    assert all(m.range == (-1, 1) and m.better == "higher" for m in catalogue(range=(-1, 1), better="higher"))
    assert catalogue(group="no such group") == ()


def test_catalogue_names_the_facts_it_knows():
    with pytest.raises(TypeError, match=r"by 'colour'\. It takes group, better, range, source, parametric, known_as, search"):
        catalogue(colour="blue")


def test_catalogue_prints_an_aligned_table():
    table = catalogue(group="likelihood")
    assert isinstance(table, Catalogue)
    lines = str(table).splitlines()
    assert len(lines) == 1 + len(table)
    start = lines[0].index("what it is")
    assert [line[start:] for line in lines[1:]] == [m.doc for m in table]
    assert "[0, inf]  lower" in lines[2]
    assert repr(catalogue(search="no such measure")) == "name  also  range  better  what it is"


def test_a_users_measure_is_listed_too():
    try:
        mine = measure("tp / (tp + fp + 1)", name="shy_precision")
        assert catalogue()[-1] is mine
    finally:
        MEASURES.pop("shy_precision", None)
    assert mine not in catalogue()
