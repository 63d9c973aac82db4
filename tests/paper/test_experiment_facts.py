"""The facts of the group exp, checked by the claims of the experiments on data."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import cache
from itertools import permutations
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from facts import Checkers
from needed_data import FOLDER, REASON

import indicatrix as ix
from paper.claim import agree
from paper.data import Data, MissingData
from paper.record import Record
from paper.select import experiments

checks = Checkers("exp")


@pytest.fixture(scope="module", autouse=True)
def data():
    """Train into a folder of this module's own, so that nothing kept elsewhere answers."""
    with TemporaryDirectory() as kept:
        RUN["data"] = Data(FOLDER, cache=Path(kept), fetch=False)
        yield
    RUN.clear()
    record.cache_clear()


RUN: dict[str, Data] = {}


QUICK = "exp.tau"  # most others train classifiers
CASES = [pytest.param(fact, id=name, marks=() if name == QUICK else pytest.mark.slow) for name, fact in checks.facts.items()]


@pytest.mark.parametrize("fact", CASES)
def test_fact(fact):
    checks.run(fact)


@cache
def record(label):
    """Return what an experiment writes down."""
    [experiment] = experiments([label])
    found = Record(label, RUN["data"])
    try:
        experiment.run(found)
    except MissingData:
        if FOLDER is not None:
            raise
        pytest.skip(REASON)
    return found


def claim(label, what):
    """Return the claim of an experiment about something."""
    [found] = [claim for claim in record(label).claims if claim.what == what]
    return found


def stated(fact, *claims):
    """Check that claims agree with the paper exactly if the fact does; return our values."""
    assert all(claim.agrees for claim in claims) is fact["agrees"]
    return [claim.ours for claim in claims]


def ends(text):
    """Return the two ends of an interval as the paper prints it."""
    low, high = map(float, re.findall(r"[\d.]+", text))
    return low, high


# sec:exp_multiclass and tab:exp_ovr.


@checks(r"exp\.acc\.(?P<name>\w+)")
def accuracy(fact, name):
    right, n = fact["inputs"]["C"], fact["inputs"]["n"]
    assert Fraction(right, n) == Fraction(fact["computed"])
    assert stated(fact, claim("sec:exp_multiclass", f"{name}: accuracy")) == [right / n]


@checks(r"exp\.jac\.(?P<name>\w+)")
def micro_jaccard(fact, name):
    right, n = fact["inputs"]["C"], fact["inputs"]["n"]
    assert Fraction(right, 2 * n - right) == Fraction(fact["computed"].split()[0])
    assert stated(fact, claim("sec:exp_multiclass", f"{name}: micro Jaccard")) == [right / (2 * n - right)]


@checks(r"exp\.ham\.digits")
def hamming_loss(fact):
    found = stated(fact, *(claim("sec:exp_multiclass", f"digits: {x}") for x in ("Hamming loss", "label accuracy")))
    assert found == pytest.approx([float(Fraction(x)) for x in fact["computed"]], rel=1e-14)


DRIFTS = ("accuracy", "uniform-error deviation", *(f"drift of macro {x}" for x in ("recall", "specificity", "balanced accuracy")))


@checks(r"exp\.ovr\.(?P<model>LR|DT depth 3)")
def drift(fact, model):
    name = {"LR": "logistic regression", "DT depth 3": "decision tree"}[model]
    found = stated(fact, *(claim("tab:exp_ovr", f"{name}: {what}") for what in DRIFTS))
    assert [round(float(x), 4) for x in found] == fact["computed"]


@checks(r"exp\.ovr\.(?P<what>half|ratio)")
def drifts_compared(fact, what):
    deviation, specificity, balanced = (
        [claim("tab:exp_ovr", f"{name}: {x}").ours for name in ("logistic regression", "decision tree")]
        for x in (DRIFTS[1], DRIFTS[3], DRIFTS[4])
    )
    if what == "half":
        assert [2 * x for x in balanced] == pytest.approx(specificity, rel=1e-10)
    else:
        assert [round(strong_and_weak[1] / strong_and_weak[0], 2) for strong_and_weak in (deviation, specificity)] == [5.86, 8.3]
        assert fact["computed"] == pytest.approx([5.86, 8.3], abs=0.03)  # of the rounded values


# tab:exp_threshold.

BREAST = {
    "accuracy": ("accuracy", "raw"),
    "recall": ("recall", "raw"),
    "spec": ("specificity", "raw"),
    "others": ("cost 5:1", "raw"),
    "platt acc": ("accuracy", "Platt"),
    "platt recall": ("recall", "Platt"),
    "platt spec": ("specificity", "Platt"),
    "platt others": ("cost 10:1", "Platt"),
}
ROWS = {  # the facts' names of the rows with plateaus of their own
    "Accuracy": "accuracy",
    "Recall": "recall",
    "Specificity": "specificity",
    "Weighted": "weighted accuracy",
    "NB": "net benefit",
    "5:1": "cost 5:1",
    "10:1": "cost 10:1",
}
COLUMNS = tuple(f"{name}, {kind}" for name in ("breast cancer", "mammography") for kind in ("raw", "Platt"))


def best(row, column):
    return claim("tab:exp_threshold", f"{row}: best on {column}")


@checks(r"exp\.breast")
def plateaus_of_breast_cancer(fact):
    for name, (row, kind) in BREAST.items():
        [hull] = stated(fact, best(row, f"breast cancer, {kind}"))
        assert hull == pytest.approx(fact["computed"][name], abs=1e-12)
        assert ends(best(row, f"breast cancer, {kind}").paper) == pytest.approx(fact["paper"][name], abs=1e-12)


@checks(r"exp\.breast\.positive")
def benign_is_positive(fact):
    as_positive = "best thresholds of accuracy, raw, {} as positive"
    minority, majority = (claim("C20", as_positive.format(x)) for x in ("malignant, the minority,", "benign"))
    assert (minority.agrees, majority.agrees) == (fact["agrees"], True)
    assert "positive = benign, prevalence 0.627" in fact["computed"]


@checks(r"exp\.(?P<name>breast|mamm)\.prev")
def prevalence(fact, name):
    whole = {"breast": "breast cancer", "mamm": "mammography"}[name]
    share, size = stated(
        fact, *(claim("tab:exp_threshold", f"{whole}: {x}") for x in ("prevalence of the minority", "test examples"))
    )
    if name == "breast":
        assert share == pytest.approx(float(Fraction(fact["computed"])), rel=1e-14)
    else:
        assert [round(float(share), 4), size] == fact["computed"]


@checks(r"exp\.breast\.ntest")
def size_of_the_test_set(fact):
    assert stated(fact, claim("tab:exp_threshold", "breast cancer: test examples")) == [fact["computed"]]


@checks(r"exp\.grid")
def grid(fact):
    points, step = stated(fact, *(claim("tab:exp_threshold", f"{x} of the grid") for x in ("points", "step")))
    assert (points, round(step, 6)) == (fact["computed"], 0.0005)


@checks(r"exp\.platt")
def distances_from_the_best_threshold(fact):
    [(_, distances)] = fact["inputs"].items()
    for name, expected in distances.items():
        threshold = float(claim("tab:exp_threshold", f"{ROWS[name]}: t*").paper)
        printed = [ends(best(ROWS[name], column).paper) for column in COLUMNS]
        found = [max(low - threshold, threshold - high, 0) for low, high in printed]
        assert found == pytest.approx(expected, abs=1e-9), name
    assert not claim("tab:exp_threshold", "Platt scaling brings the plateaus of asymmetric objectives nearer to t*").agrees
    assert claim("tab:exp_threshold", "Platt scaling brings the plateau of accuracy nearer to t*, on both data sets").agrees


@checks(r"exp\.width")
def widths(fact):
    rows = {"accuracy": "raw", "accuracy+Platt": "Platt", "weighted accuracy": "raw", "specificity": "raw"}
    for name, kind in rows.items():
        low, high = ends(best(name.partition("+")[0], f"mammography, {kind}").paper)
        assert high - low == pytest.approx(fact["computed"][name], abs=1e-9)
    assert claim("tab:exp_threshold", "the plateaus of mammography are at most 0.015 wide").agrees is fact["agrees"]


# The other sections.


@checks(r"exp\.macroF1")
def one_operator_two_orders(fact):
    stated(fact, claim("fig:tau_yeast", "the inversion stems from the aggregation operator: no two macro measures are inverted"))
    assert claim("fig:tau_yeast", "tau of macro F1 and macro precision").ours == -1


@checks(r"exp\.tau")
def attainable_taus(fact):
    found = {round(float(ix.scores.kendall(range(5), order)), 9) for order in permutations(range(5))}
    assert found == {k / 5 for k in range(-5, 6)}
    assert all(agree(text, value) for text, value in (("-1.000", -1.0), ("-0.600", -0.6), ("+0.200", 0.2), ("+0.800", 0.8)))
    assert {-1.0, -0.6, 0.2, 0.8} <= found


@checks(r"exp\.fig2")
def covariance_needs_its_divisor(fact):
    for name in ("recall", "F1"):
        assert claim("fig:cov", f"{name}: gap = Cov(w, M), as the text says is plotted").agrees is fact["agrees"]
        assert claim("fig:cov", f"{name}: gap = Cov(w, M)/mean(w) to 1e-12 in all points").agrees


@checks(r"exp\.floors")
def floors(fact):
    measures = ("label_accuracy", "specificity", "balanced_accuracy", "mcc")
    assert [ix.theory.floor(m, 10) for m in measures] == [Fraction(x) for x in fact["computed"]]
    names = ("label accuracy", "specificity", "balanced accuracy", "MCC")
    found = stated(fact, *(claim("fig:floors", f"micro {name}, m = 10") for name in names))
    assert [round(float(x), 3) for x in found] == fact["paper"]


@checks(r"exp\.notrep")
def what_is_not_stated_is_chosen_and_said(fact):
    assert fact["agrees"] is None
    for label, chosen in (("fig:skew", "rates"), ("fig:cov", "Dirichlet"), ("fig:tnorm", "Dirichlet"), ("D", "Not stated")):
        assert any(chosen in note for note in record(label).notes), label
