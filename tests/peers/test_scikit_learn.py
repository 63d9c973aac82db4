"""scikit-learn computes the same numbers, once the conventions are named.

| scikit-learn                                       | indicatrix                                                           |
|----------------------------------------------------|----------------------------------------------------------------------|
| average="micro", "macro", "weighted", "samples"    | the same names; "samples" is an alias of "exemplar"                  |
| average=None                                       | ev.values(measure, per="class")                                      |
| average="binary", pos_label=c                      | positive=c, average left out                                         |
| labels=L, with all labels of the data              | classes=L                                                            |
| labels=L, without some: their columns are dropped  | an error: a label outside classes= is never dropped silently         |
| no labels=, a class in neither vector              | not a class; named in classes= it is one, and undefined              |
| zero_division=0, 1                                 | undefined=0, 1                                                       |
| zero_division=nan (jaccard_score has none)         | undefined="exclude", the default                                     |
| zero_division="warn", the default                  | undefined=0; the score names what was undefined, nothing warns       |
| a weighted mean of total weight zero: plain mean   | nan: a mean over nothing                                             |
| accuracy_score                                     | exact_match; for label vectors also multiclass_accuracy              |
| hamming_loss of matrices                           | hamming_loss (error_rate), micro                                     |
| hamming_loss of label vectors                      | 1 - exact_match; hamming_loss, micro, is 2/m of it                   |
| balanced_accuracy_score                            | recall, macro (errata C17)                                           |
| matthews_corrcoef (0 where undefined)              | multiclass_mcc, undefined=0; for two classes also mcc                |
| cohen_kappa_score, weights=                        | multiclass_kappa, weights=; unweighted for two classes also kappa    |
| class_likelihood_ratios (infinite becomes nan)     | positive_likelihood_ratio, negative_likelihood_ratio                 |
| confusion_matrix                                   | ev.confusion                                                         |
| multilabel_confusion_matrix: [[tn, fp], [fn, tp]]  | aggregate(source, per="class")                                       |
| … samplewise=True, each row times its weight       | aggregate(source, per="example"), whose ``times`` are the weights    |
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np
import pytest
from loops import for_each
from sklearn import metrics as sk

import indicatrix as ix

close = partial(np.testing.assert_allclose, rtol=1e-12, atol=1e-12, equal_nan=True)

PAIRS = {  # ours, scikit-learn's
    "precision": (ix.precision, sk.precision_score),
    "recall": (ix.recall, sk.recall_score),
    "f1": (ix.f1, sk.f1_score),
    "f_beta(beta=2)": (ix.f_beta.at(beta=2), partial(sk.fbeta_score, beta=2)),
    "f_beta(beta=0.5)": (ix.f_beta.at(beta=0.5), partial(sk.fbeta_score, beta=0.5)),
    "jaccard": (ix.jaccard, sk.jaccard_score),
}
CONVENTIONS = {0: 0, 1: 1, math.nan: "exclude"}  # zero_division -> undefined
every_pair = for_each(("ours", "theirs"), PAIRS.values(), ids=PAIRS)


# Undefined values are the subject here, so scikit-learn need not warn of them.
pytestmark = [
    pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning"),
    pytest.mark.filterwarnings("ignore:y_pred contains classes not in y_true"),
    pytest.mark.filterwarnings("ignore:invalid value encountered:RuntimeWarning"),
]


@dataclass(frozen=True)
class Data:
    """Labels for both libraries, the classes in order (None: those found), and weights (None: one each)."""

    y_true: np.ndarray
    y_pred: np.ndarray
    classes: np.ndarray | None = None
    weight: np.ndarray | None = None

    @property
    def labels(self):
        """The classes as scikit-learn is given them."""
        return {} if self.y_true.ndim == 2 else {"labels": self.found if self.classes is None else self.classes}

    @property
    def found(self):
        return np.unique(np.concatenate([self.y_true, self.y_pred]))

    @cached_property
    def options(self):
        return {"classes": self.classes, "sample_weight": self.weight}

    @cached_property
    def evaluation(self):
        return ix.evaluate(self.y_true, self.y_pred, **self.options)

    def theirs(self, function, **options):
        return function(self.y_true, self.y_pred, sample_weight=self.weight, **options)


def random_weights(rng, n):
    """Return no weights, whole ones with zeros among them, or fractional ones; the first example always counts."""
    some = np.array([None, rng.integers(0, 4, n), rng.random(n) + 0.01], dtype=object)[rng.integers(3)]
    if some is not None:
        some[0] = 1
    return some


def multiclass(seed, m=None):
    """Return label vectors, integers or text; some classes never occur, some are never predicted."""
    rng = np.random.default_rng(seed)
    n, m = int(rng.integers(1, 80)), m or int(rng.integers(2, 8))
    names = [np.array([f"class {c}" for c in "dacbfeg"]), rng.permutation(np.arange(-2, 5))][seed % 2][:m]
    y = rng.choice(names[: rng.integers(1, m + 1)], n)
    yhat = np.where(rng.random(n) < 0.5, y, rng.choice(names[rng.integers(m) :], n))
    return Data(y, yhat, names if rng.random() < 0.6 else None, random_weights(rng, n))


def multilabel(seed):
    """Return indicator matrices with empty rows and columns, at least one label being true."""
    rng = np.random.default_rng(seed)
    n, m = int(rng.integers(1, 60)), int(rng.integers(2, 7))
    Y, Yhat = (rng.random((2, n, m)) < rng.random((2, 1, m)) * (rng.random((2, n, 1)) < 0.8)).astype(int)
    Y[0, 0] = 1
    return Data(Y, Yhat, None, random_weights(rng, n))


SEEDS = range(18)  # kinds of labels, weights and conventions come in turns of 2 and 3
MULTICLASS = [multiclass(seed) for seed in SEEDS]
BINARY = [multiclass(seed, m=2) for seed in SEEDS]
MULTILABEL = [multilabel(seed) for seed in SEEDS]


def conventions(theirs):
    """Return the pairs (zero_division, undefined) that scikit-learn's function knows."""
    return [pair for pair in CONVENTIONS.items() if theirs is not sk.jaccard_score or pair[1] != "exclude"]


@pytest.mark.one_fast_case
@for_each(
    ("problems", "averages"),
    [(MULTICLASS, ("micro", "macro", "weighted")), (MULTILABEL, ("micro", "macro", "weighted", "samples"))],
)
@every_pair
def test_averages(ours, theirs, problems, averages):
    known = conventions(theirs)
    for seed, data in enumerate(problems):
        zero_division, undefined = known[seed % len(known)]
        for average in averages:
            score = data.evaluation.score(ours, average, undefined=undefined)
            if average == "weighted" and math.isnan(score):
                score = data.evaluation.score(ours, "macro", undefined=undefined)  # no weight is left: theirs is the plain mean
            expected = data.theirs(theirs, average=average, zero_division=zero_division, **data.labels)
            close(score, expected, err_msg=f"{average}, undefined={undefined!r}, seed {seed}")


@pytest.mark.slow
@every_pair
def test_values_per_class(ours, theirs):
    for data in (*MULTICLASS, *MULTILABEL):
        values = data.evaluation.values(ours, per="class")
        expected = data.theirs(theirs, average=None, zero_division=0, **data.labels)
        close(np.nan_to_num(values), expected)
        if data.y_true.ndim == 1:
            assert list(values.names) == list(data.labels["labels"])


@pytest.mark.one_fast_case
@every_pair
def test_binary(ours, theirs):
    for seed, data in enumerate(BINARY):
        positive = data.found[seed % len(data.found)]
        score = ours(data.y_true, data.y_pred, positive=positive, undefined=0, **data.options)
        close(score, data.theirs(theirs, pos_label=positive, average="binary", zero_division=0))


def test_zero_one_labels_have_a_positive_class():
    rng = np.random.default_rng(0)
    y, yhat = rng.integers(2, size=(2, 50))
    close(ix.f1(y, yhat), sk.f1_score(y, yhat))


# Functions with a name of their own.


@pytest.mark.slow
def test_accuracy_score():
    for data in (*MULTICLASS, *MULTILABEL):
        close(data.evaluation.score("exact_match"), data.theirs(sk.accuracy_score))
    for data in MULTICLASS:
        close(data.evaluation.score("multiclass_accuracy"), data.theirs(sk.accuracy_score))
        close(data.evaluation.score("recall", "micro"), data.theirs(sk.accuracy_score))


@pytest.mark.slow
def test_hamming_loss():
    for data in MULTILABEL:
        close(data.evaluation.score("hamming_loss", "micro"), data.theirs(sk.hamming_loss))
    for data in MULTICLASS:
        m = len(data.evaluation.classes)
        close(1 - data.evaluation.score("exact_match"), data.theirs(sk.hamming_loss))
        close(data.evaluation.score("hamming_loss", "micro"), 2 / m * data.theirs(sk.hamming_loss))


@pytest.mark.slow
def test_balanced_accuracy_score():
    for data in (*MULTICLASS, *BINARY):
        close(data.evaluation.score("recall", "macro"), data.theirs(sk.balanced_accuracy_score))


@pytest.mark.slow
def test_matthews_corrcoef():
    for data in (*MULTICLASS, *BINARY):
        close(data.evaluation.score("multiclass_mcc", undefined=0), data.theirs(sk.matthews_corrcoef))
    for data in BINARY:
        score = ix.mcc(data.y_true, data.y_pred, positive=data.found[0], undefined=0, **data.options)
        close(score, data.theirs(sk.matthews_corrcoef))


@pytest.mark.slow
@pytest.mark.parametrize("weights", [None, "linear", "quadratic"])
def test_cohen_kappa_score(weights):
    for data in (*MULTICLASS, *BINARY):
        expected = data.theirs(sk.cohen_kappa_score, weights=weights, **data.labels)
        ordered = ix.from_confusion(data.evaluation.confusion, classes=data.evaluation.classes)  # in this order, as theirs
        close(ix.multiclass_kappa(ordered, weights=weights), expected)
    for data in BINARY:  # two classes leave nothing to weigh
        score = ix.measures.kappa(data.y_true, data.y_pred, positive=data.found[0], **data.options)
        close(score, data.theirs(sk.cohen_kappa_score, weights=weights, **data.labels))


@pytest.mark.slow
def test_class_likelihood_ratios():
    for data in (d for d in BINARY if len(d.found) == 2):
        negative, positive = data.found
        ours = [
            m(data.y_true, data.y_pred, positive=positive, **data.options) for m in (ix.measures.lr_plus, ix.measures.lr_minus)
        ]
        close(ours, data.theirs(sk.class_likelihood_ratios, labels=[negative, positive]))


# Counts.


def test_confusion_matrix():
    for data in MULTICLASS:
        close(data.evaluation.confusion, data.theirs(sk.confusion_matrix, **data.labels))


def two_by_two(counts):
    """Return counts in scikit-learn's layout, one 2 x 2 matrix per unit; a unit counts as often as it occurred."""
    times = 1 if counts.times is None else np.asarray(counts.times)
    cells = [np.asarray(x) * times for x in (counts.tn, counts.fp, counts.fn, counts.tp)]
    return np.stack(cells, axis=-1).reshape(-1, 2, 2).astype(float)


@pytest.mark.slow
def test_multilabel_confusion_matrix_per_class():
    for data in (*MULTICLASS, *MULTILABEL):
        expected = data.theirs(sk.multilabel_confusion_matrix, **data.labels)
        for source in (data.evaluation, ix.cells(data.y_true, data.y_pred, **data.options)):
            close(two_by_two(ix.aggregate(source, per="class")), expected)


def test_multilabel_confusion_matrix_per_example():
    for data in MULTILABEL:
        expected = data.theirs(sk.multilabel_confusion_matrix, samplewise=True)
        cells = ix.cells(data.y_true, data.y_pred, **data.options)
        close(two_by_two(ix.aggregate(cells, per="example")), expected)
        rows = two_by_two(ix.aggregate(data.evaluation, per="example"))  # equal rows are kept once, with their multiplicity
        close(rows.sum(axis=0), expected.sum(axis=0))


# Where the conventions part, on purpose.


def test_labels_are_never_dropped():
    y, yhat = [0, 1, 2], [0, 1, 1]
    assert sk.recall_score(y, yhat, labels=[0, 1], average="micro") == 1
    with pytest.raises(ValueError, match="classes"):
        ix.recall(y, yhat, classes=[0, 1], average="micro")


def test_a_mean_over_nothing_is_undefined():
    """The only class with a precision has no weight: scikit-learn leaves the weights out, we say that there is no mean."""
    y, yhat = ["a"], ["b"]
    assert sk.precision_score(y, yhat, average="weighted", zero_division=math.nan) == 0
    assert math.isnan(ix.precision(y, yhat, average="weighted"))
    assert ix.precision(y, yhat, average="weighted", undefined=0) == 0


def test_the_default_convention():
    y, yhat = ["a", "a", "b"], ["a", "c", "b"]
    assert sk.recall_score(y, yhat, average="macro") == ix.recall(y, yhat, average="macro", undefined=0) == 1 / 2
    assert sk.recall_score(y, yhat, average="macro", zero_division=math.nan) == ix.recall(y, yhat, average="macro") == 3 / 4
