"""The paper's Sections 3 to 5 by LaTeX label, as errata.md corrects them.

The oracle of this file is the paper itself: Boolean matrices, sums of ones, and exact rational arithmetic, one unit at a time.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from itertools import product

import numpy as np
import pytest
from loops import for_each

import indicatrix as ix

CATALOGUE = ix.catalogue(of="counts")
FREE = [m for m in CATALOGUE if not m.averages]  # all but subset accuracy, which exists under one average only (errata A7)
DECOMPOSABLE = [m for m in CATALOGUE if m.decomposition is not None]
COLUMNS = ("micro", "macro", "exemplar")  # of tab:extensions
# Every average that is a plain mean over an operator's units.
OPERATORS = [name for name, a in ix.algebra.AVERAGES.items() if a.weight is None and set(a.per) <= {"class", "example"}]


def exact(measure, v):
    """Return a measure of one count vector in exact arithmetic."""
    return measure(ix.Counts(*map(Fraction, v)))


def close(a, b, rel=1e-12):
    """Return whether two values agree to rounding; undefined agrees with undefined."""
    return bool(a == b or (a != a and b != b) or math.isclose(a, b, rel_tol=rel, abs_tol=1e-14))


# Problems: indicator matrices, and the labels that the library is given.


@dataclass(frozen=True, eq=False)
class Problem:
    """Two Boolean matrices, and the sums of their cells by the definitions."""

    name: str
    Y: np.ndarray
    Yhat: np.ndarray
    labels: tuple | None = None  # (y, yhat) of a multiclass problem

    def __str__(self):
        return self.name

    @property
    def m(self):
        return self.Y.shape[1]

    @cached_property
    def matrices(self):
        """TP, FP, FN and TN (def:matrices)."""
        Y, Yhat = self.Y, self.Yhat
        return Y & Yhat, ~Y & Yhat, Y & ~Yhat, ~Y & ~Yhat

    @cached_property
    def pooled(self):
        return tuple(int(x.sum()) for x in self.matrices)

    @cached_property
    def per_class(self):
        return list(zip(*(x.sum(axis=0).tolist() for x in self.matrices), strict=True))

    @cached_property
    def per_example(self):
        return list(zip(*(x.sum(axis=1).tolist() for x in self.matrices), strict=True))

    def units(self, average):
        """The count vectors that an average runs over."""
        return {(): [self.pooled], ("class",): self.per_class, ("example",): self.per_example}[ix.algebra.AVERAGES[average].per]

    @cached_property
    def cells(self):
        return ix.cells(self.Y, self.Yhat) if self.labels is None else ix.cells(*self.labels, classes=range(self.m))

    @cached_property
    def evaluation(self):
        return ix.evaluate(self.Y, self.Yhat) if self.labels is None else ix.evaluate(*self.labels, classes=range(self.m))

    @property
    def sources(self):
        return self.cells, self.evaluation


def multiclass(name, m, y, yhat):
    y, yhat = np.asarray(y), np.asarray(yhat)
    return Problem(name, y[:, None] == np.arange(m), yhat[:, None] == np.arange(m), (y, yhat))


def multilabel(name, Y, Yhat):
    return Problem(name, np.asarray(Y, bool), np.asarray(Yhat, bool))


def generate():
    rng = np.random.default_rng(20)
    for m, n in ((2, 9), (3, 40), (5, 60)):
        y = rng.integers(m, size=n)
        yield multiclass(f"multiclass-{m}", m, y, np.where(rng.random(n) < 0.6, y, rng.integers(m, size=n)))
    yield multiclass("multiclass-absent-and-never-predicted", 5, [0, 0, 1, 2, 2, 2], [0, 1, 1, 2, 0, 3])
    yield multiclass("multiclass-one-class", 3, [1, 1, 1], [1, 1, 1])
    for m, n in ((1, 12), (4, 30)):
        yield multilabel(f"multilabel-{m}", rng.random((n, m)) < 0.5, rng.random((n, m)) < 0.5)
    Y, Yhat = rng.random((2, 25, 6)) < 0.3
    Y[:, 2] = Yhat[:, 3] = Y[:4] = Yhat[2:6] = False  # a label that is absent, one never predicted, empty rows
    yield multilabel("multilabel-empty-rows-and-columns", Y, Yhat)


PROBLEMS = list(generate())
ONE_HOT = [p for p in PROBLEMS if p.labels is not None]
every_problem = pytest.mark.parametrize("problem", PROBLEMS, ids=str)
one_hot_problem = for_each("problem", ONE_HOT)


def each(measures):
    """Run a test for each measure; such a test goes through all problems itself."""
    return for_each("measure", measures)


GRID = [v for v in product((0, 1, 2, 5), repeat=4) if sum(v)]


# Section 3: the binary case.


@pytest.mark.parametrize("v", [(3, 1, 2, 4), (0, 7, 0, 2), (5, 0, 0, 0)])
def test_tab_confusion_matrix(v):
    tp, fp, fn, tn = v
    counts = ix.Counts(*v)
    assert (counts.tpos, counts.tneg, counts.ppos, counts.pneg, counts.n) == (tp + fn, fp + tn, tp + fp, fn + tn, sum(v))
    y, yhat = np.repeat([1, 0, 1, 0], v), np.repeat([1, 1, 0, 0], v)
    ev = ix.evaluate(y, yhat, classes=(1, 0))
    assert ev.confusion.tolist() == [[tp, fn], [fp, tn]]
    assert tuple(ev.binary()) == v


class Table:
    """A count vector with the marginals and rates of Table tab:measures; a rate that is 0/0 is nan."""

    def __init__(self, tp, fp, fn, tn):
        self.tp, self.fp, self.fn, self.tn = map(Fraction, (tp, fp, fn, tn))
        self.n = self.tp + self.fp + self.fn + self.tn
        self.tpos, self.tneg, self.ppos, self.pneg = self.tp + self.fn, self.fp + self.tn, self.tp + self.fp, self.fn + self.tn
        self.rec, self.spec = over(self.tp, self.tpos), over(self.tn, self.tneg)
        self.p_o = over(self.tp + self.tn, self.n)
        self.p_e = over(self.tpos * self.ppos + self.tneg * self.pneg, self.n**2)


def over(num, den):
    return math.nan if den == 0 or den != den else num / den


def root(x):
    return math.sqrt(x) if x == x else x


def f(beta):
    return lambda t: over((1 + beta**2) * t.tp, (1 + beta**2) * t.tp + beta**2 * t.fn + t.fp)


TAB_MEASURES = {  # row -> (measure, its formula as printed, the Dec. column)
    "Accuracy": (ix.accuracy, lambda t: over(t.tp + t.tn, t.n), True),
    "Error Rate": (ix.error_rate, lambda t: over(t.fp + t.fn, t.n), True),
    "Precision": (ix.precision, lambda t: over(t.tp, t.tp + t.fp), True),
    "Recall": (ix.recall, lambda t: over(t.tp, t.tp + t.fn), True),
    "Specificity": (ix.specificity, lambda t: over(t.tn, t.tn + t.fp), True),
    "F_beta": (ix.f_beta, f(1), True),
    "Jaccard index": (ix.jaccard, lambda t: over(t.tp, t.tp + t.fp + t.fn), True),
    "Balanced accuracy": (ix.balanced_accuracy, lambda t: (t.rec + t.spec) / 2, False),
    "G-mean": (ix.g_mean, lambda t: root(t.rec * t.spec), False),
    "MCC": (ix.mcc, lambda t: over(t.tp * t.tn - t.fp * t.fn, root(t.ppos * t.tpos * t.tneg * t.pneg)), False),
    "Cohen's kappa": (ix.cohen_kappa, lambda t: over(t.p_o - t.p_e, 1 - t.p_e), False),
}
F_BETAS = {beta: (ix.f_beta.at(beta=beta), f(beta), True) for beta in (Fraction(1, 2), 2, 3)}
table_row = for_each("row", [*TAB_MEASURES.values(), *F_BETAS.values()])


def test_tab_measures_has_eleven_rows():
    assert len(TAB_MEASURES) == 11


@table_row
def test_tab_measures_formulas(row):
    measure, printed, _ = row
    for v in GRID:
        found, value = exact(measure, v), printed(Table(*v))
        if isinstance(value, Fraction) or value != value:
            assert found == value or (found != found and value != value), v
        else:
            assert math.isclose(found, value, rel_tol=4e-16), v


@table_row
def test_tab_measures_decomposability(row):
    measure, _, decomposable = row
    assert (measure.decomposition is not None) is decomposable
    if decomposable:
        a, b = measure.decomposition
        for v in GRID:
            assert close(exact(measure, v), over(np.dot(a, v), np.dot(b, v)), rel=0)


def test_f1_is_f_beta_at_one():
    assert all(close(exact(ix.f1, v), exact(ix.f_beta, v), rel=0) for v in GRID)


def test_def_vectors():
    y, yhat = np.array([1, 1, 0, 0], bool), np.array([1, 0, 1, 0], bool)
    c = ix.cells(y[:, None], yhat[:, None])
    for cell, vector in ((c.tp, y & yhat), (c.fp, ~y & yhat), (c.fn, y & ~yhat), (c.tn, ~y & ~yhat)):
        assert np.array_equal(cell[:, 0], vector)


@every_problem
def test_eq_er1_to_er4(problem):
    """The error rate counts disagreements, over n entries of a vector or nm of a matrix."""
    Y, Yhat = problem.Y, problem.Yhat
    tp, fp, fn, tn = problem.pooled
    er1 = Fraction(fp + fn, tp + fp + fn + tn)
    er2 = Fraction(int((~Y & Yhat).sum()) + int((Y & ~Yhat).sum()), Y.size)
    er3 = Fraction(int(((~Y & Yhat) | (Y & ~Yhat)).sum()), Y.size)
    er4 = Fraction(int((Y ^ Yhat).sum()), Y.size)
    assert er1 == er2 == er3 == er4
    for source in problem.sources:
        assert exact(ix.error_rate, source.aggregate()) == er4
        assert ix.measures.hamming_loss(source, average="micro") == float(er4)


# Section 4: the indicator-matrix representation.


@every_problem
def test_def_matrices(problem):
    c = problem.cells
    assert np.array_equal(c.y.matrix, problem.Y)
    assert np.array_equal(c.yhat.matrix, problem.Yhat)
    for cell, matrix in zip((c.tp, c.fp, c.fn, c.tn), problem.matrices, strict=True):
        assert np.array_equal(cell, matrix)
    assert np.all(np.sum([c.tp, c.fp, c.fn, c.tn], axis=0) == 1)


@every_problem
def test_aggregation_operators(problem):
    for source in problem.sources:
        assert tuple(ix.aggregate(source)) == problem.pooled
        assert list(zip(*(x.tolist() for x in ix.aggregate(source, per="class")), strict=True)) == problem.per_class
        rows = ix.aggregate(source, per="example")
        times = [1] * len(rows.tp) if rows.times is None else rows.times.tolist()
        found = [row for row, k in zip(zip(*(x.tolist() for x in rows), strict=True), times, strict=True) for _ in range(k)]
        assert sorted(found) == sorted(problem.per_example)


# Section 5: extensions.


def plain_mean(values):
    """Return the mean over the finite values (eq:undef_convention, errata B3); over none it is nan."""
    defined = [float(v) for v in values if math.isfinite(v)]
    return math.fsum(defined) / len(defined) if defined else math.nan


@each(CATALOGUE)
def test_eq_micro_ext_class_ext_example_ext(measure):
    """The formula on the counts of each operator, then the mean over the defined values."""
    for problem in PROBLEMS:
        for average in measure.averages or OPERATORS:
            expected = plain_mean([measure(ix.Counts(*v)) for v in problem.units(average)])
            for source in problem.sources:
                assert close(measure(source, average=average), expected), (problem, average)
        per_class = [float(measure(ix.Counts(*v))) for v in problem.per_class]
        assert all(map(close, problem.evaluation.values(measure, per="class"), per_class)), problem


CONVENTIONS = {  # undefined= -> macro recall of classes (0, 1, 2, 3) with recalls (1/2, 1, undefined, undefined)
    "exclude": Fraction(3, 4),
    0: Fraction(3, 8),
    1: Fraction(7, 8),
    0.5: Fraction(5, 8),
    "nan": math.nan,
}


@pytest.mark.parametrize(("undefined", "expected"), CONVENTIONS.items())
def test_eq_undef_convention(undefined, expected):
    score = ix.recall([0, 0, 1], [0, 2, 1], classes=range(4), average="macro", undefined=undefined)
    assert close(score, expected)
    assert score.undefined_units == (2, 3)
    assert score.undefined == undefined


def test_eq_undef_convention_can_raise():
    with pytest.raises(ix.types.UndefinedError, match="2, 3"):
        ix.recall([0, 0, 1], [0, 2, 1], classes=range(4), average="macro", undefined="raise")


@each(CATALOGUE)
def test_sec_degenerate_conventions_differ_by_share_and_factor(measure):
    """With u of m units undefined, one minus zero is u/m, and exclusion is m/|J| times zero."""
    for problem, average in product(PROBLEMS, measure.averages or OPERATORS):
        zero, one, exclude = (measure(problem.evaluation, average=average, undefined=u) for u in (0, 1, "exclude"))
        lost = [not math.isfinite(measure(ix.Counts(*v))) for v in problem.units(average)]
        m, u = len(lost), sum(lost)
        assert math.isclose(one - zero, u / m, rel_tol=1e-9, abs_tol=1e-12), (problem, average)
        assert close(exclude, zero * m / (m - u) if u < m else math.nan), (problem, average)


UNDEFINED = {  # errata B3: any ratio that is 0/0 or x/0 makes the whole value undefined
    "recall undefined": ((0, 1, 0, 2), (ix.recall, ix.balanced_accuracy, ix.g_mean, ix.informedness, ix.mcc)),
    "specificity undefined": ((2, 0, 1, 0), (ix.specificity, ix.balanced_accuracy, ix.g_mean, ix.informedness, ix.mcc)),
    "precision undefined": (
        (0, 0, 1, 2),
        (ix.precision, ix.measures.markedness, ix.measures.fowlkes_mallows, ix.measures.lift, ix.mcc),
    ),
    "infinite": (
        (2, 0, 1, 2),
        (
            ix.measures.lr_plus,
            ix.measures.dor,
            ix.measures.conviction,
            ix.measures.sebag_schoenauer,
            ix.measures.discriminant_power,
        ),
    ),
    "both F terms vanish": ((0, 0, 0, 3), (ix.f1, ix.f_beta, ix.jaccard)),
}


@pytest.mark.parametrize(("v", "measures"), UNDEFINED.values(), ids=UNDEFINED)
def test_errata_b3_undefined_entries(v, measures):
    whole = ix.from_counts(*np.transpose([v, (3, 1, 2, 4)]), classes=("degenerate", "fine"))
    alone = ix.from_counts(*np.transpose([v]), classes=("degenerate",))
    for measure in measures:
        score = whole.score(measure, "macro")
        assert score.undefined_units == ("degenerate",)
        assert score == measure(ix.Counts(3, 1, 2, 4))
        assert math.isnan(alone.score(measure, "macro"))
        assert alone.score(measure, "macro", undefined=0) == 0


def test_micro_is_defined_where_classes_are_not():
    """Pooling divides by the sum of the denominators, zero only if all are (sec:degenerate)."""
    ev = ix.evaluate([0, 0, 1], [0, 2, 1], classes=range(4))
    for measure in (ix.precision, ix.recall, ix.f1, ix.jaccard):
        assert ev.score(measure, "macro").undefined_units
        assert not ev.score(measure, "micro").undefined_units


FLAT = None
TAB_EXTENSIONS = {  # row -> established name under micro, macro, exemplar; flat: none
    ix.precision: ("Micro-precision", "Macro-precision", "Exemplar-precision"),
    ix.recall: ("Micro-recall", "Macro-recall", "Exemplar-recall"),
    ix.specificity: ("Micro-specificity", "Macro-specificity", "Exemplar-specificity"),
    ix.f_beta: ("Micro-F", "Macro-F", "Exemplar-F"),
    ix.jaccard: ("Micro-Jaccard", "Mean IoU", "Example-based accuracy"),  # the last: errata C17
    ix.error_rate: ("Hamming loss", FLAT, FLAT),  # "per-class …" is a description; flat in the catalogue (errata D)
    ix.accuracy: ("Label accuracy", FLAT, FLAT),
    ix.balanced_accuracy: ("Micro-BA", "Macro-BA", FLAT),
    ix.g_mean: ("Micro-GM", "Macro-GM", FLAT),
    ix.mcc: ("Micro-MCC", FLAT, FLAT),
    ix.cohen_kappa: ("Micro-kappa", FLAT, FLAT),  # macro: flat in the catalogue, not in the table (errata D)
    ix.informedness: (FLAT, FLAT, FLAT),  # the worked example of sec:extensions
}


@for_each(("measure", "row"), TAB_EXTENSIONS.items())
def test_tab_extensions(measure, row):
    for average, name in zip(COLUMNS, row, strict=True):
        if name is FLAT:
            assert average not in measure.known_as
        else:
            assert measure.known_as[average].startswith(name)


@every_problem
def test_informedness_extends_by_formula_alone(problem):
    """J = rec + spec - 1 = 2 BA - 1 under every operator, and -1/(m-1) at worst (sec:extensions)."""
    youden = ix.measure("tp/(tp+fn) + tn/(tn+fp) - 1", range=(-1, 1))
    assert youden.decomposition is None
    for average in OPERATORS:
        score = problem.evaluation.score(youden, average)
        assert close(score, problem.evaluation.score("informedness", average))
        assert close(score, 2 * problem.evaluation.score("balanced_accuracy", average) - 1)


@pytest.mark.parametrize("m", range(3, 12))
def test_wholly_wrong_one_hot_classifier(m):
    """sec:extensions: error rate 2/m, false positive rate 1/(m-1), informedness -1/(m-1)."""
    y = np.arange(3 * m) % m
    v = ix.evaluate(y, (y + 1) % m).aggregate()
    assert exact(ix.error_rate, v) == Fraction(2, m)
    assert exact(ix.measures.fpr, v) == Fraction(1, m - 1)
    assert exact(ix.informedness, v) == Fraction(-1, m - 1)


# Section 5.1: Hamming loss, accuracy, MCC, kappa (sec:notable).


@every_problem
def test_prop_hamming_accuracy(problem):
    ev = problem.evaluation
    assert exact(ix.measures.hamming_loss, ev.aggregate()) + exact(ix.measures.label_accuracy, ev.aggregate()) == 1
    assert ev.score("hamming_loss", "micro") + ev.score("label_accuracy", "micro") == pytest.approx(1, abs=1e-15)


@every_problem
def test_errata_b2_accuracy_and_error_rate_are_the_same_under_every_average(problem):
    for measure in (ix.accuracy, ix.error_rate):
        assert close(problem.evaluation.score(measure, "micro"), problem.evaluation.score(measure, "macro"), rel=1e-15)
        assert close(problem.evaluation.score(measure, "micro"), problem.evaluation.score(measure, "exemplar"), rel=1e-15)


@one_hot_problem
def test_exemplar_accuracy_is_affine_in_accuracy(problem):
    n, m = problem.Y.shape
    acc = Fraction(problem.pooled[0], n)  # the paper's Sigma_1(TP)/n
    assert {exact(ix.accuracy, v) for v in problem.per_example} <= {1, Fraction(m - 2, m)}
    expected = Fraction(m - 2, m) + Fraction(2, m) * acc
    assert close(problem.evaluation.score("accuracy", "exemplar"), expected, rel=1e-15)
    assert problem.evaluation.score("exact_match") == problem.evaluation.score("multiclass_accuracy") == float(acc)


@cache
def random_confusions(size=60):
    rng = np.random.default_rng(3)
    return [rng.integers(0, 12, size=(m, m)) + np.eye(m, dtype=int) for m in rng.integers(2, 6, size=size)]


def test_errata_b1_kappa_is_a_function_of_the_four_counts():
    for tp, fp, fn, tn in GRID:
        factored = over(Fraction(2 * (tp * tn - fp * fn)), (tp + fp) * (fp + tn) + (tp + fn) * (fn + tn))
        assert close(exact(ix.cohen_kappa, (tp, fp, fn, tn)), factored, rel=0)


def test_errata_b1_multiclass_kappa_and_mcc_are_not_the_micro_ones():
    for W in random_confusions():
        ev, true, pred, n = ix.from_confusion(W), W.sum(axis=1), W.sum(axis=0), int(W.sum())
        p_o, p_e = Fraction(int(np.trace(W)), n), Fraction(int(true @ pred), n * n)
        assert close(ev.score("multiclass_kappa"), (p_o - p_e) / (1 - p_e))
        covariance = n * int(np.trace(W)) - int(true @ pred)
        gorodkin = covariance / math.sqrt((n * n - int(true @ true)) * (n * n - int(pred @ pred)))
        assert close(ev.score("multiclass_mcc"), gorodkin)
    asymmetric = ix.from_confusion([[9, 1, 0], [4, 2, 1], [0, 0, 3]])
    for name in ("mcc", "kappa"):
        assert abs(asymmetric.score(f"multiclass_{name}") - asymmetric.score(name, "micro")) > 0.01


@pytest.mark.parametrize("sizes", [(1, 1), (1, 2, 4), (3, 3, 3, 3, 3), (7, 11)])
def test_errata_b1_a_perfect_prediction_has_full_agreement(sizes):
    ev = ix.from_confusion(np.diag(sizes))
    assert ev.score("multiclass_mcc") == ev.score("multiclass_kappa") == ev.score("multiclass_accuracy") == 1


def test_errata_b8_binary_stays_one_column():
    """Two columns for a binary problem turn micro precision into accuracy; one column does not."""
    y, yhat = [1, 1, 1, 0, 0, 0, 0, 0], [1, 1, 0, 1, 0, 0, 0, 0]
    assert ix.precision(y, yhat) == ix.precision(np.array(y)[:, None], np.array(yhat)[:, None], average="micro") == 2 / 3
    assert ix.precision(y, yhat, average="micro") == ix.measures.exact_match(y, yhat) == 6 / 8
    assert ix.precision(y, yhat, positive=0) == 4 / 5


# Section 5.2: the averages by name (sec:sklearn).


@each(FREE)
def test_errata_a11_weighted_average_is_normalized_by_its_own_weights(measure):
    """Weights are tpos_j over their sum over the defined classes, which is n for one-hot labels only."""
    for problem in PROBLEMS:
        values = [(tp + fn, float(measure(ix.Counts(tp, fp, fn, tn)))) for tp, fp, fn, tn in problem.per_class]
        defined = [(tpos, value) for tpos, value in values if math.isfinite(value)]
        total = sum(tpos for tpos, _ in defined)
        expected = math.fsum(tpos * value for tpos, value in defined) / total if total else math.nan
        for source in problem.sources:
            assert close(measure(source, average="weighted"), expected), problem


@every_problem
def test_weighted_recall_is_micro_recall(problem):
    """Micro and weighted agree if denominators are prevalences, for labels, too (sec:sklearn)."""
    assert close(problem.evaluation.score("recall", "weighted"), problem.evaluation.score("recall", "micro"))


def test_samples_is_the_exemplar_average():
    ev = PROBLEMS[-1].evaluation
    assert ev.score("f1", "samples") == ev.score("f1", "exemplar")
    assert ev.score("f1", "samples").average == "exemplar"


# Section 7.1: decomposable measures (thm:micro_macro).


@each(DECOMPOSABLE)
def test_thm_micro_macro_exactly(measure):
    """Over J = {den > 0}, weighting by denominators gives the pooled measure, exactly."""
    _, b = measure.decomposition
    for problem, average in product(PROBLEMS, ("macro", "exemplar")):
        local = [(np.dot(b, v), exact(measure, v), v) for v in problem.units(average)]
        assert all(math.isfinite(value) is (den != 0) for den, value, _ in local)  # undefined is den = 0 (sec:degenerate)
        J = [unit for unit in local if unit[0]]
        if J:
            weighted = sum(den * value for den, value, _ in J) / sum(den for den, _, _ in J)
            assert weighted == exact(measure, np.sum([v for _, _, v in J], axis=0).tolist()), (problem, average)


def is_bounded_ratio(measure):
    """Return whether the numerator reads only cells of the denominator, so that both vanish together."""
    a, b = measure.decomposition
    return all(y for x, y in zip(a, b, strict=True) if x)


UNBOUNDED = [m for m in DECOMPOSABLE if not is_bounded_ratio(m)]


@each([m for m in DECOMPOSABLE if is_bounded_ratio(m)])
def test_thm_micro_macro(measure):
    """Micro is the denominator-weighted macro average, also where classes are undefined and excluded."""
    for problem in PROBLEMS:
        for source in problem.sources:
            assert close(measure(source, average="denominator"), measure(source, average="micro")), problem


@each(UNBOUNDED)
def test_thm_micro_macro_of_unbounded_ratios_holds_over_the_defined_classes(measure):
    """A class with denominator 0 and positive numerator is infinite: pooling keeps it, a mean does not."""
    for problem in PROBLEMS:
        _, b = measure.decomposition
        J = [v for v in problem.per_class if np.dot(b, v)]
        expected = float(exact(measure, np.sum(J, axis=0).tolist())) if J else math.nan
        assert close(problem.evaluation.score(measure, "denominator"), expected), problem


def test_unbounded_ratios_are_few():
    assert {m.name for m in UNBOUNDED} == {"sebag_schoenauer", "kulczynski_1", "sokal_sneath_3", "frequency_bias"}


@each([m for m in FREE if m not in DECOMPOSABLE])
def test_denominator_weights_need_a_decomposable_measure(measure):
    with pytest.raises(ValueError, match="not a ratio of two linear forms"):
        PROBLEMS[1].evaluation.score(measure, "denominator")


@each(DECOMPOSABLE)
def test_cor_micro_macro_balance(measure):
    """Equal denominators make micro the plain macro average; unequal ones need not."""
    _, b = measure.decomposition
    by_denominator = {}
    for v in GRID:
        by_denominator.setdefault(np.dot(b, v), []).append(v)
    by_denominator.pop(0, None)
    for vectors in by_denominator.values():
        ev = ix.from_counts(*np.transpose(vectors))
        assert close(ev.score(measure, "micro"), ev.score(measure, "macro"))
    unequal = [vectors[k] for vectors in by_denominator.values() for k in (0, -1)]
    pairs = (ix.from_counts(*np.transpose(pair)) for pair in product(unequal, repeat=2))
    assert any(not close(ev.score(measure, "micro"), ev.score(measure, "macro"), rel=1e-6) for ev in pairs)


# Section 7.2: collapse of micro averages (thm:micro_collapse).

COLLAPSE = {  # micro value of one-hot labels as a function of m and accuracy (errata B2)
    ix.precision: lambda m, acc: acc,
    ix.recall: lambda m, acc: acc,
    ix.f1: lambda m, acc: acc,
    ix.f_beta.at(beta=2): lambda m, acc: acc,
    ix.measures.fowlkes_mallows: lambda m, acc: acc,
    ix.jaccard: lambda m, acc: acc / (2 - acc),
    ix.accuracy: lambda m, acc: 1 - Fraction(2, m) * (1 - acc),
    ix.error_rate: lambda m, acc: Fraction(2, m) * (1 - acc),
    ix.specificity: lambda m, acc: 1 - (1 - acc) / (m - 1),
    ix.measures.npv: lambda m, acc: 1 - (1 - acc) / (m - 1),
    ix.mcc: lambda m, acc: (m * acc - 1) / (m - 1),
    ix.cohen_kappa: lambda m, acc: (m * acc - 1) / (m - 1),
    ix.informedness: lambda m, acc: (m * acc - 1) / (m - 1),
    ix.measures.markedness: lambda m, acc: (m * acc - 1) / (m - 1),
}


@one_hot_problem
@each(COLLAPSE)
def test_thm_micro_collapse(problem, measure):
    n, m = problem.Y.shape
    expected = COLLAPSE[measure](m, Fraction(problem.pooled[0], n))
    assert exact(measure, problem.evaluation.aggregate()) == expected
    assert close(problem.evaluation.score(measure, "micro"), expected, rel=1e-14)


@each(FREE)
def test_errata_b2_every_micro_measure_is_a_function_of_accuracy(measure):
    """Equal m, n and accuracy give equal micro values, however the errors fall."""
    alike = [ix.from_confusion(W) for W in ([[5, 3, 0], [0, 2, 2], [0, 0, 4]], [[2, 1, 1], [1, 8, 0], [2, 0, 1]])]
    assert close(*(ev.score(measure, "micro") for ev in alike), rel=0)


def test_errata_b7_abstention_ends_the_collapse():
    abstaining = ix.evaluate(np.eye(3, dtype=int), np.array([[1, 0, 0], [1, 0, 0], [0, 0, 0]]))
    assert abstaining.score("precision", "micro") == 1 / 2
    assert abstaining.score("recall", "micro") == 1 / 3


# The catalogue's facts that the errata correct.


def test_errata_a7_subset_accuracy_is_exemplar_only():
    """On this matrix pooled and class values are 0; the share of right rows is 1/2."""
    problem = multilabel("errata A7", [[1, 0], [0, 1]], [[1, 0], [1, 0]])
    assert exact(ix.subset_accuracy, problem.pooled) == 0
    assert [exact(ix.subset_accuracy, v) for v in problem.per_class] == [0, 0]
    assert problem.evaluation.score("subset_accuracy") == problem.evaluation.score("exact_match", "exemplar") == 1 / 2
    for average in ix.algebra.AVERAGES.keys() - ix.subset_accuracy.averages:
        with pytest.raises(ValueError, match="exemplar"):
            problem.evaluation.score("subset_accuracy", average)
    assert ix.subset_accuracy.decomposition is None  # errata A8: the linear system has a spurious solution


LOSSES = ("error_rate", "zero_one_loss", "balanced_error_rate", "fnr", "fdr", "fpr", "false_omission_rate", "lr_minus")
PAPER_GROUPS = ("accuracy", "positive class", "negative class", "balance", "correlation", "likelihood", "utility", "rules")


def test_errata_b15_orientation():
    """A loss has a ceiling and a gain a floor, so every measure of the paper says which end is good."""
    lower = {m for m in CATALOGUE if m.group in PAPER_GROUPS and m.better == "lower"}
    assert lower == {ix.algebra.MEASURES[name] for name in LOSSES}
    assert {m.name for m in CATALOGUE if m.group in PAPER_GROUPS and m.better == "neither"} == {"coverage", "chi_squared"}


@pytest.mark.parametrize("m", range(3, 12))
def test_errata_b15_gwet_of_a_wholly_wrong_classifier(m):
    y = np.arange(2 * m) % m
    value = exact(ix.measures.gwet_ac1, ix.evaluate(y, (y + 1) % m).aggregate())
    assert value == Fraction(m * m - 4 * m + 2, m * m - 2 * m + 2)
    assert m != 10 or value == Fraction(31, 41)


# The Inv. column with the two marks that errata C1 adds.
SKEW_INVARIANT = {
    *("balanced_error_rate", "recall", "false_negative_rate", "specificity", "false_positive_rate", "balanced_accuracy"),
    *("g_mean", "informedness", "discriminant_power", "positive_likelihood_ratio", "negative_likelihood_ratio"),
    *("diagnostic_odds_ratio", "tetrachoric", "subset_accuracy", "zero_one_loss"),
}
PAPER_ROWS = [m for m in CATALOGUE if m.group in PAPER_GROUPS]
DOMAIN = [v for v in GRID if v[0] + v[2] and v[1] + v[3]]  # where recall and specificity are defined (def:skew)


@pytest.mark.one_fast_case
@each(PAPER_ROWS)
def test_errata_c1_skew_invariance(measure):
    """Scale positives and negatives, exactly: an invariant measure never moves, any other does."""
    moved = [
        (v, factors)
        for v in DOMAIN
        for factors in ((2, 1), (Fraction(1, 3), 7))
        if not close(exact(measure, v), exact(measure, np.multiply(v, np.take(factors, (0, 1, 0, 1)))), rel=1e-13)
    ]
    assert (not moved) is (measure.name in SKEW_INVARIANT), moved[:3]


def test_prop_skew_decomp_both_invariant_and_decomposable():
    both = {m.name for m in PAPER_ROWS if m.name in SKEW_INVARIANT and m.decomposition is not None}
    assert both == {"recall", "false_negative_rate", "specificity", "false_positive_rate"}


DUPLICATES = {
    "novelty": "weighted_relative_accuracy",
    "odds_ratio": "dor",
    "phi": "mcc",
    "youden_j": "informedness",
    "dice": "f1",
}


@pytest.mark.parametrize(("alias", "name"), DUPLICATES.items())
def test_errata_c16_duplicates_are_aliases(alias, name):
    assert getattr(ix.measures, alias) is getattr(ix.measures, name) is ix.algebra.MEASURES[alias]
    assert sum(m is ix.algebra.MEASURES[alias] for m in CATALOGUE) == 1


def test_errata_c16_functions_of_one_another():
    for v in DOMAIN:
        dor, mcc = exact(ix.measures.dor, v), exact(ix.mcc, v)
        assert close(exact(ix.measures.chi_squared, v), sum(v) * mcc**2)
        assert close(exact(ix.measures.klosgen.at(omega=1), v), exact(ix.measures.novelty, v), rel=0) or v[0] + v[1] == 0
        if math.isfinite(dor) and dor > 0:
            assert close(exact(ix.measures.discriminant_power, v), math.sqrt(3) / math.pi * math.log(dor))
            assert close(exact(ix.measures.tetrachoric, v), math.cos(math.pi / (1 + math.sqrt(dor))))
