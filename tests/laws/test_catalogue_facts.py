"""What the catalogue declares is true: directions, ranges, names and sources, in every number type, and as PyCM has it."""

from __future__ import annotations

import importlib
import math
import pkgutil
from itertools import combinations, product

import numpy as np
import pytest
from loops import for_each

import indicatrix as ix
import indicatrix.inference.calibration
import indicatrix.inference.raters
import indicatrix.scores
from indicatrix.algebra.counts import Counts
from indicatrix.algebra.kind import every_measure
from indicatrix.algebra.measure import MEASURES, Measure
from indicatrix.algebra.measure_definition import measure
from indicatrix.algebra.numbers.functions import log_gamma, probit
from indicatrix.algebra.sums import SUMS
from indicatrix.catalogue.counts.coefficients import log_table_chance
from indicatrix.catalogue.listing import Catalogue, catalogue, references
from indicatrix.catalogue.matrices.agreement import RATER_COEFFICIENTS
from indicatrix.scores.contributions import Meaning
from indicatrix.scores.label_rankings.ranking_scores import RANKINGS

NAMES = [name for name in dir(ix.measures) if name in MEASURES]
EVERY = tuple(m for m in dict.fromkeys(MEASURES.values()) if m.name in NAMES)
each = for_each("m", EVERY)


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
# A correction can make these worse; optimized precision is the paper's only one among them (errata C4).
NOT_MONOTONE = {
    "optimized_precision",
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
        "balanced_accuracy g_mean informedness markedness f_beta_negative discriminant_power optimized_precision",
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


@for_each("name", ALSO)
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


@pytest.mark.slow
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
    assert set(m.known_as) <= set(ix.algebra.AVERAGES)
    assert m.source in references()


def test_every_reference_is_cited_and_complete():
    cited = {m.source for m in every_measure()} - {""}
    cited |= {q.source for q in (*boundary_quantities(), *RATER_COEFFICIENTS.values())}
    assert cited == set(references())
    for entry in references().values():
        assert {"authors", "title", "year", "in"} <= set(entry) <= {"authors", "title", "year", "in", "doi", "unsure"}
    assert all(key[-4:].isdigit() or key[-5:-1].isdigit() for key in references())
    assert all(str(entry["year"]) in key for key, entry in references().items())


def boundary_quantities():
    """Yield the losses, calibration errors and rankings that modules name: some inside what their averages mean."""
    for package in (indicatrix.scores, indicatrix.inference.calibration, indicatrix.inference.raters):
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            for value in vars(importlib.import_module(found.name)).values():
                value = getattr(value, "kind", value)
                value = value.of if isinstance(value, Meaning) else value
                if isinstance(value, ix.Measure) and value.reads is SUMS:
                    yield value
    yield from (score.kind.of for score in RANKINGS.values())


def test_losses_and_rankings_have_ranges():
    found = {str(q): q.range for q in boundary_quantities()}
    assert len(found) > 20
    assert all(low < high for low, high in found.values())
    assert {found[name] for name in ("mrr", "ndcg", "ranking_loss", "ece", "propensity_ndcg")} == {(0, 1)}


# Number types

GENERIC = (7, 3, 2, 11)
WITH_ZEROS = [GENERIC, (5, 0, 2, 3), (0, 4, 1, 6), (4, 2, 0, 1), (3, 2, 1, 0), (0, 0, 0, 0), (4, 0, 0, 9), (0, 3, 2, 0)]


def of_library(m: Measure, asarray) -> list[float]:
    columns = np.array(WITH_ZEROS, dtype=np.float64).T
    return [float(x) for x in m.function(*map(asarray, columns), **m.params)]


@each
def test_every_array_library_gives_the_same_values(m):
    torch = pytest.importorskip("torch")
    strict = pytest.importorskip("array_api_strict")
    want = values(m, WITH_ZEROS)
    np.testing.assert_allclose(of_library(m, torch.asarray), want, rtol=1e-14)
    np.testing.assert_allclose(of_library(m, strict.asarray), want, rtol=1e-14)


def test_normal_quantiles_and_log_factorials_have_their_limits_in_every_library():
    torch = pytest.importorskip("torch")
    shares, points = [-0.5, 0, 0.25, 0.5, 1, 1.5, math.nan], [-1, 0, 0.5, 1, 5, math.inf, math.nan]
    quantiles = [math.nan, -math.inf, -0.6744897501960817, 0, math.inf, math.nan, math.nan]
    logs = [math.nan, math.inf, math.log(math.pi) / 2, 0, math.log(24), math.inf, math.nan]
    for function, xs, want in ((probit, shares, quantiles), (log_gamma, points, logs)):
        np.testing.assert_allclose([function(x) for x in xs], want, rtol=1e-15, atol=1e-15)
        for asarray in (np.array, torch.tensor, lambda x: np.array(x, dtype=object)):
            np.testing.assert_allclose(list(function(asarray(xs))), want, rtol=1e-6, atol=1e-6)


def test_normal_quantiles_of_arrays_are_those_of_numbers():
    rng = np.random.default_rng(0)
    tails = 10 ** -rng.uniform(0, 320, 2000)
    p = np.concatenate([rng.random(2000), tails, 1 - tails, np.arange(1, 40) / 40, [0.5, 5e-324]])
    p = p[(p > 0) & (p < 1)]
    assert np.array_equal(probit(p), [probit(x) for x in p.tolist()])


@pytest.mark.parametrize("p", ["1e-40", "1e-12", "0.01", "0.25", "0.26", "0.4999999", "0.5", "0.75", "0.99999999999"])
def test_normal_quantiles_have_all_digits(p):
    mpmath = pytest.importorskip("mpmath")
    few, many = mpmath.mp.clone(), mpmath.mp.clone()
    few.dps, many.dps = 50, 150
    want = many.sqrt(2) * many.erfinv(2 * many.mpf(few.mpf(p)) - 1)
    assert abs(many.mpf(probit(few.mpf(p))) - want) <= many.mpf(10) ** -48 * abs(want)


@pytest.mark.slow
@each
def test_symbols_give_an_expression(m):
    sympy = pytest.importorskip("sympy")
    cells = sympy.symbols("tp fp fn tn", positive=True)
    expression = sympy.sympify(m.function(*cells, **m.params))
    assert expression.free_symbols <= set(cells)
    value = float(expression.subs(dict(zip(cells, GENERIC, strict=True))))
    np.testing.assert_allclose(value, values(m, [GENERIC])[0], rtol=1e-12)


# Peers: everything that PyCM says of one class is here, or its absence has a reason

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
    "F1": "f1",
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
    "OP": "optimized_precision",
    "PLR": "positive_likelihood_ratio",
    "PPV": "precision",
    "PR": "prevalence",
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
    "BaulieuI": "baulieu_1",
    "BaulieuII": "baulieu_2",
    "BaulieuIII": "baulieu_3",
    "BaulieuIV": "baulieu_4",
    "BaulieuV": "baulieu_5",
    "BaulieuVI": "baulieu_6",
    "BaulieuVII": "baulieu_7",
    "BaulieuVIII": "baulieu_8",
    "BaulieuIX": "baulieu_9",
    "BaulieuX": "baulieu_10",
    "BaulieuXI": "baulieu_11",
    "BaulieuXII": "baulieu_12",
    "BaulieuXIII": "baulieu_13",
    "BaulieuXIV": "baulieu_14",
    "BaulieuXV": "baulieu_15",
    "BeniniI": "benini_1",
    "BeniniII": "benini_2",
    "Canberra": "canberra",
    "Clement": "clement",
    "ConsonniTodeschiniI": "consonni_todeschini_1",
    "ConsonniTodeschiniII": "consonni_todeschini_2",
    "ConsonniTodeschiniIII": "consonni_todeschini_3",
    "ConsonniTodeschiniIV": "consonni_todeschini_4",
    "ConsonniTodeschiniV": "consonni_todeschini_5",
    "Dennis": "dennis",
    "Digby": "digby",
    "Dispersion": "dispersion",
    "Doolittle": "doolittle",
    "FagerMcGowan": "fager_mcgowan",
    "Faith": "faith",
    "FleissLevinPaik": "fleiss_levin_paik",
    "ForbesI": "forbes",
    "ForbesII": "forbes_2",
    "Fossum": "fossum",
    "GilbertWells": "gilbert_wells_factorial",
    "Goodall": "goodall",
    "GoodmanKruskalLambda": "goodman_kruskal_lambda",
    "GuttmanLambdaA": "guttman_lambda_a",
    "GuttmanLambdaB": "guttman_lambda_b",
    "Hamann": "hamann",
    "HarrisLahey": "harris_lahey",
    "HawkinsDotson": "hawkins_dotson",
    "KentFosterI": "kent_foster_1",
    "KentFosterII": "kent_foster_2",
    "KoppenII": "koppen_2",
    "KuderRichardson": "kuder_richardson",
    "KuhnsI": "kuhns_1",
    "KuhnsII": "kuhns_2",
    "KuhnsIII": "kuhns_3",
    "KuhnsIV": "kuhns_4",
    "KuhnsV": "kuhns_5",
    "KuhnsVI": "kuhns_6",
    "KuhnsVII": "kuhns_7",
}
PYCM_SETTINGS = {"F0.5": MEASURES["f_beta"].at(beta=0.5), "F2": MEASURES["f_beta"].at(beta=2)}
PYCM_FAMILIES = {  # methods that take parameters: how they are called, and what they are here
    "F_beta": (lambda matrix: matrix.F_beta(3), MEASURES["f_beta"].at(beta=3)),
    "IBA_alpha": (lambda matrix: matrix.IBA_alpha(0.2), MEASURES["iba"].at(alpha=0.2)),
    "NB": (lambda matrix: matrix.NB(0.25), MEASURES["net_benefit"].at(p_t=0.2)),  # the weight is p_t/(1 - p_t)
    "TI": (lambda matrix: matrix.TI(0.3, 0.9), MEASURES["tversky"].at(alpha=0.3, beta=0.9)),
    "sensitivity_index": (lambda matrix: matrix.sensitivity_index(), MEASURES["d_prime"]),
}
PYCM_COUNTS = {"TP": "tp", "FP": "fp", "FN": "fn", "TN": "tn", "P": "tpos", "N": "tneg", "TOP": "ppos", "TON": "pneg", "POP": "n"}


def eyraud_in_counts(v):
    return (v.tp - v.ppos * v.tpos) / (v.ppos * v.tpos * v.pneg * v.tneg)


def anderberg_with_one_marginal_twice(v):
    known = max(v.tp, v.fp) + max(v.fn, v.tn) + max(v.tp, v.fn) + max(v.fp, v.tn)
    return (known - max(v.ppos, v.tneg) - max(v.ppos, v.pneg)) / (2 * v.n)


def lambda_r_with_two_modal_classes(v):
    modal = (max(v.ppos, v.pneg) + max(v.tpos, v.tneg)) / 2
    return (v.tp + v.tn - modal) / (v.n - modal)


# Where PyCM's formula is not the literature's: what is here under that name, what PyCM calculates, and why it differs.
DIFFERENT = {
    "DP": (
        "discriminant_power",
        lambda v: MEASURES["discriminant_power"].values(v) / math.log(10),
        "the logarithm is the natural one, for pi/sqrt(3) is the standard deviation of logistic log-odds",
    ),
    "Anderberg": ("anderberg", anderberg_with_one_marginal_twice, "the modal classes are those of both marginals"),
    "Eyraud": ("eyraud", eyraud_in_counts, "the definition speaks of shares: n tp - ppos tpos is zero at independence"),
    "GoodmanKruskalLambdaR": (
        "goodman_kruskal_lambda_r",
        lambda_r_with_two_modal_classes,
        "the modal class is one class, the more frequent of both labels together",
    ),
    "KendallTau": (
        "kendall_tau",
        lambda v: 2 * MEASURES["hamann"].values(v) / (v.n - 1),
        "tau counts pairs of entries: tp tn of them are concordant and fp fn discordant",
    ),
    "KoppenI": (
        "koppen_1",
        lambda v: 1 - (1 - MEASURES["scott_pi"].values(v)) / v.n,
        "the definition speaks of shares; of counts, it is nearly one whatever they are",
    ),
}
NOT_OF_FOUR_COUNTS = {
    "CEN": "reads with which other classes this one is confused: the whole matrix",
    "MCEN": "reads with which other classes this one is confused: the whole matrix",
}
PYCM_WORDS = {  # the scale of words, and the measure
    "AUCI": ("auc", "balanced_accuracy"),
    "DPI": ("discriminant_power", "discriminant_power"),
    "MCCI": ("matthews", "mcc"),
    "NLRI": ("negative_likelihood_ratio", "negative_likelihood_ratio"),
    "PLRI": ("positive_likelihood_ratio", "positive_likelihood_ratio"),
    "QI": ("yule_q", "yule_q"),
}
METHODS_NOT_OF_ONE_CLASS = {
    "distance": "calculates what PYCM_DISTANCES lists",
    "CI": "an interval around a statistic",
    "average weighted_average": "averages of class statistics",
    "weighted_kappa weighted_alpha aickin_alpha dissimilarity_matrix": "of the whole matrix",
    "brier_score log_loss": "of probabilities",
    "print_matrix print_normalized_matrix print_timings stat save_stat save_html save_csv save_obj plot": "output",
    "copy relabel position to_array combine": "other forms of the matrix",
}


@pytest.fixture(scope="module")
def pycm_matrices():
    pycm = pytest.importorskip("pycm")
    rng = np.random.default_rng(3)
    tables = [rng.integers(low, high, (m, m)) for low, high, m in [(1, 60, 6), (0, 4, 8), (0, 1000, 2), (1, 9, 3)]]
    tables.append(np.array([[10, 30], [5, 8]]))  # one class is more often true, the other more often predicted
    return [pycm.ConfusionMatrix(matrix={i: dict(enumerate(row)) for i, row in enumerate(t.tolist())}) for t in tables]


def counts_of(matrix) -> list[Counts]:
    return [Counts(matrix.TP[c], matrix.FP[c], matrix.FN[c], matrix.TN[c]) for c in matrix.classes]


def agree(matrices, statistic, ours) -> None:
    """Assert that a statistic of PyCM's is a function of the four counts; where it has no value, it says the word None."""
    pairs = [(x, ours(v)) for cm in matrices for x, v in zip(statistic(cm).values(), counts_of(cm), strict=True)]
    theirs, values = np.array([pair for pair in pairs if pair[0] != "None"], dtype=np.float64).T
    assert len(theirs) >= 9
    np.testing.assert_allclose(theirs, values, rtol=1e-9, atol=1e-12)


def pycm_value(name):
    """Return a function from PyCM's matrix to its class statistic or distance of this name."""
    from pycm import DistanceType

    if name in DistanceType.__members__:
        return lambda matrix: matrix.distance(DistanceType[name])
    return lambda matrix: matrix.class_stat[name]


@for_each("name", [*PYCM, *PYCM_DISTANCES])
def test_pycm_agrees_on_a_statistic_of_one_class(pycm_matrices, name):
    agree(pycm_matrices, pycm_value(name), MEASURES[(PYCM | PYCM_DISTANCES)[name]].values)


@pytest.mark.parametrize("name", PYCM_SETTINGS)
def test_pycm_agrees_on_one_of_a_family(pycm_matrices, name):
    agree(pycm_matrices, pycm_value(name), PYCM_SETTINGS[name].values)


@pytest.mark.parametrize("name", PYCM_FAMILIES)
def test_pycm_agrees_on_a_family(pycm_matrices, name):
    call, m = PYCM_FAMILIES[name]
    agree(pycm_matrices, call, m.values)


@pytest.mark.parametrize("name", PYCM_COUNTS)
def test_pycm_agrees_on_a_count(pycm_matrices, name):
    agree(pycm_matrices, pycm_value(name), lambda v: getattr(v, PYCM_COUNTS[name]))


@pytest.mark.parametrize("name", DIFFERENT)
def test_pycm_differs_where_its_formula_is_not_the_literatures(pycm_matrices, name):
    ours, theirs, reason = DIFFERENT[name]
    agree(pycm_matrices, pycm_value(name), theirs)
    assert reason
    with pytest.raises(AssertionError, match="Not equal"):
        agree(pycm_matrices, pycm_value(name), MEASURES[ours].values)


def test_nothing_of_pycm_is_forgotten():
    pycm = pytest.importorskip("pycm")
    from pycm.params import CLASS_PARAMS

    distances = set(pycm.DistanceType.__members__)
    of_class = [PYCM, PYCM_SETTINGS, PYCM_COUNTS, PYCM_WORDS, NOT_OF_FOUR_COUNTS, DIFFERENT.keys() - distances]
    of_distance = [PYCM_DISTANCES, DIFFERENT.keys() & distances]
    methods = {name for name, value in vars(pycm.ConfusionMatrix).items() if callable(value) and name[0] != "_"}
    of_methods = [PYCM_FAMILIES, " ".join(METHODS_NOT_OF_ONE_CLASS).split()]
    for everything, tables in ((CLASS_PARAMS, of_class), (distances, of_distance), (methods, of_methods)):
        listed = [name for table in tables for name in table]
        assert sorted(listed) == sorted(everything)


# The listing


def test_catalogue_filters_by_facts():
    assert catalogue()[: len(EVERY)] == EVERY
    assert {m.name for m in catalogue(group="balance", parametric=True)} == {"f_beta_negative"}
    assert {m.name for m in catalogue(known_as="micro", group="correlation")} == {"mcc", "cohen_kappa"}
    assert [m.name for m in catalogue(search="YOUDEN")] == ["informedness"]
    assert [m.name for m in catalogue(source="gwet2008")] == ["gwet_ac1", "multiclass_gwet_ac1"]
    assert all(m.range == (-1, 1) and m.better == "higher" for m in catalogue(range=(-1, 1), better="higher"))
    assert [m.name for m in catalogue(group="confusion matrix", search="Gorodkin")] == ["multiclass_mcc"]
    assert catalogue(search="no such measure") == ()


def test_catalogue_names_the_facts_it_knows():
    with pytest.raises(TypeError, match=r"by 'color'\. It takes group, of, better, range, source, parametric, known_as, search"):
        catalogue(color="blue")


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
        assert catalogue(of="counts")[-1] is mine
    finally:
        MEASURES.pop("shy_precision", None)
    assert mine not in catalogue()


@pytest.mark.parametrize("size", [1, 40, 10**6, 2**53, 2**70])
def test_the_chance_of_a_table_keeps_its_digits_however_large_the_counts_are(size):
    mp = pytest.importorskip("mpmath").mp.clone()
    mp.dps = 120
    for tp, fp, fn, tn in (
        (size, size, size, size),
        (size, size + 1, size + 3, size),
        (size, 1, 0, size),
        (3, size, 2 * size, 7),
    ):
        marginals, n = (tp + fp, fn + tn, tp + fn, fp + tn), tp + fp + fn + tn
        log_factorials = [mp.loggamma(mp.mpf(x) + 1) for x in (*marginals, n, tp, fp, fn, tn)]
        normal = mp.log(mp.mpf(n) ** 3 / (2 * mp.pi * math.prod(marginals)))
        want = float(normal - 2 * (sum(log_factorials[:4]) - sum(log_factorials[4:])))
        assert ix.measures.gilbert_wells_factorial(ix.Counts(tp, fp, fn, tn)) == pytest.approx(want, rel=1e-12, abs=1e-12)


def test_the_chance_of_a_table_is_the_same_alone_and_in_an_array():
    rng = np.random.default_rng(4)
    whole = [rng.integers(0, 9, (4, 40)), rng.integers(0, 9000, (4, 40)), 10**6 + rng.integers(-9, 9, (4, 40))]
    parts = [rng.random((4, 40)) * 20, 10 ** rng.uniform(-3, 15, (4, 40))]
    odd = [[0, 5, -1, np.nan, np.inf, 0]] * 2 + [[0, 0, 3, 600, 600, 600]] * 2
    tables = np.concatenate([*whole, *parts, odd], axis=1)
    one_by_one = [log_table_chance(*four) for four in tables.T.tolist()]
    np.testing.assert_allclose(log_table_chance(*tables), one_by_one, rtol=1e-14)
    assert log_table_chance(*tables[:, :4].reshape(4, 2, 2)).shape == (2, 2)
