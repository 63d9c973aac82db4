"""What is refused because of its size: the error says the size, and what is possible."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Any

import numpy as np
import pytest
from loops import for_each
from scipy.stats import chi2

import indicatrix as ix
from indicatrix.cli.arguments import read_measure
from indicatrix.compare import differences
from indicatrix.encode import vocabulary
from indicatrix.inference.groups import differences as group_differences
from indicatrix.inference.stats.quantiles import chi_square_tail
from indicatrix.settings import taxonomy_graph

# --- texts that are read as expressions

Reader = Callable[[str], Any]
READERS: dict[str, tuple[Reader, str, str]] = {  # what reads a text, what stands before a parameter, and after it
    "formula": (ix.measure, "tp * (", ")"),
    "measure": (lambda text: ix.evaluate([0, 1], [0, 1]).score(text, "micro"), "f_beta(beta=", ")"),
    "parameter of a formula": (lambda text: ix.evaluate([0, 1], [0, 1]).score(text, "micro"), "tp/(tp+b*fp); b=", ""),
    "matrix": (lambda text: ix.evaluate([0, 1], [0, 1]).score(text), "multiclass_kappa(weights=", ")"),
    "area": (ix.explain, "partial_auc(max_fpr=", ")"),
    "scorer": (ix.scorer, "partial_auc(max_fpr=", ")"),
    "t-norm": (lambda text: ix.evaluate([[0.1, 0.9]], [[0.2, 0.8]], tnorm=text), "hamacher(p=", ")"),
    "ordinal": (lambda text: ix.evaluate([0, 1], [0, 1], ordinal=text, tnorm="product"), "exponential(gamma=", ")"),
    "command line": (lambda text: read_measure(text, {}), "f_beta(beta=", ")"),
}


@for_each("reader", READERS)
@for_each("depth", [59, 70, 300, 3_000, 30_000, 300_000])
@for_each("brackets", ["-", "()", "[]", "abs()"])
def test_a_text_of_any_depth_is_read_or_refused_with_a_reason(reader: str, depth: int, brackets: str) -> None:
    read, before, after = READERS[reader]
    close = brackets[-1] if brackets.endswith((")", "]")) else ""
    text = before + brackets.removesuffix(close) * depth + "1" + close * depth + after
    said = ""
    try:
        read(text)
    except (ValueError, TypeError) as error:  # a TypeError where the parameter is a list and should be a number
        said = str(error)
    assert 0 < len(said) < 600 or (not said and depth < 200)


# --- taxonomies


@pytest.mark.parametrize(
    "edges", [[(None, 0), *((i, i + 1) for i in range(99))], [(i, j) for j in range(1, 100) for i in (j - 1, j // 2)]]
)
def test_ancestors_beyond_the_limit_are_refused_with_their_number(monkeypatch: pytest.MonkeyPatch, edges: Any) -> None:
    t = ix.taxonomy([edge for edge in edges if edge[0] != edge[1]], root=None)
    monkeypatch.setattr(taxonomy_graph, "MOST_ENTRIES", 4_000)
    assert ix.evaluate([99, 3], [99, 4], hierarchy=t).aggregate().tp == 104
    for labels in (list(range(100)), [{i} for i in range(100)]):
        with pytest.raises(
            ValueError, match=r"their ancestors have at least [45],\d{3} entries, more than 4,000, because .* in batches"
        ):
            ix.evaluate(labels, labels, hierarchy=t)
    monkeypatch.setattr(taxonomy_graph, "MOST_CLASSES", 50)
    with pytest.raises(ValueError, match=r"between 100 classes would take .* GiB. Name the classes that you need, at most 50:"):
        t.distance()
    assert t.distance([3, 4]).tolist() == [[0, 1], [1, 0]]


# --- comparisons


@pytest.mark.parametrize("counted", [False, True])
def test_more_tests_than_anybody_waits_for_are_refused_with_their_number(monkeypatch: pytest.MonkeyPatch, counted: bool) -> None:
    monkeypatch.setattr(differences, "MOST_TESTS", 12)
    y = [0, 1] * 10
    guesses = {name: [0] * k + y[k:] for k, name in enumerate("abcde")}
    made = {name: ix.evaluate(y, guess) for name, guess in guesses.items()}
    given: tuple[Any, ...] = (made,) if counted else (y, guesses)
    asked = {"level": 0.95} if counted else {}  # evaluations are tested only on request
    with pytest.raises(
        ValueError, match=r"^5 classifiers make 10 pairs, and with 2 scores 20 tests, more than 12\. Name the one .*'a' makes 8"
    ):
        ix.compare(*given, ["f1", "recall"], "macro", **asked)
    assert len(ix.compare(*given, "f1", "macro", **asked).differences) == 10
    assert len(ix.compare(*given, ["f1", "recall"], "macro", baseline="b", **asked).differences) == 8
    with pytest.raises(
        ValueError, match=r"^5 classifiers make 4 pairs, and with 4 scores 16 tests, more than 12\. Name fewer measures"
    ):
        ix.compare(*given, ["f1", "recall"], ["micro", "macro"], baseline="b", **asked)
    assert len(ix.compare(made, ["f1", "recall"], ["micro", "macro"]).rows) == 4


# --- numbers that the caller chooses

Y, SCORES = np.array([0, 1] * 20), np.linspace(0, 1, 40)
GUESS = (SCORES > 0.6).astype(int)
HUGE: dict[str, Callable[[int], Any]] = {
    "draws of an interval": lambda k: ix.evaluate(Y, GUESS).interval("f1", method="percentile", draws=k),
    "draws of the default interval": lambda k: ix.evaluate(Y, GUESS).interval("f1", draws=k),
    "draws of a probability": lambda k: ix.compare(Y, {"a": GUESS, "b": 1 - GUESS}, "f1", "binary").probability(
        "binary f1", "a", "b", draws=k
    ),
    "draws of images": lambda k: ix.panoptic([np.full((4, 4), 1001)], [np.full((4, 4), 1001)], divisor=1000).interval(
        "pq", "macro", draws=k
    ),
    "bins of ece": lambda k: ix.ece(Y, SCORES, bins=k),
    "bins of equal mass": lambda k: ix.ece(Y, SCORES, bins=k, binning="mass"),
    "bins of a diagram": lambda k: ix.scores.reliability(Y, SCORES, bins=k),
    "bins of the Brier score": lambda k: ix.scores.brier_decomposition(Y, SCORES, bins=k),
    "thresholds of auc": lambda k: ix.auc(Y, SCORES, thresholds=k),
    "thresholds of average precision": lambda k: ix.average_precision(Y, SCORES, thresholds=k),
    "thresholds of log auc": lambda k: ix.measures.log_auc(Y, SCORES, thresholds=k),
    "replicates": lambda k: ix.evaluate(Y, GUESS, replicates=k),
    "number of replicates": lambda k: ix.types.Replicates(k),
    "classifiers of relations": lambda k: ix.inference.relations(["f1", "recall"], ix.evaluate(Y, GUESS), count=k),
    "memberships": lambda k: ix.ordinal("linear").memberships(k),
    "points of a plot": lambda k: ix.evaluate(Y, GUESS).plot.prior_sensitivity("recall", points=k),
    "classes": lambda k: ix.evaluate(Y, GUESS, classes=range(k)),
    "classes of one_hot": lambda k: ix.one_hot(Y, range(k)),
}


@for_each("what", HUGE)
@for_each("number", [10**9, 10**18])
def test_a_number_far_above_what_is_of_use_is_refused_with_the_limit(what: str, number: int) -> None:
    with pytest.raises(ValueError, match=rf"{number:,}.* more than 1?\d?\d,\d{{3}}") as error:
        HUGE[what](number)
    assert len(str(error.value).split(". ")) >= 2  # and what is enough


def test_numbers_too_long_to_read_and_classes_without_an_end_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ValueError, match=r"^bins=about 2\*\*996 is more than 1,000,000\."):
        ix.ece(Y, SCORES, bins=10**300)
    monkeypatch.setattr(vocabulary, "MOST_CLASSES", 1_000)
    with pytest.raises(ValueError, match=r"^classes= names very many classes, more than 1,000\. Name those that occur\."):
        ix.evaluate(Y, GUESS, classes=count())


# --- many groups


def test_pairs_of_groups_beyond_the_limit_are_refused_with_their_number(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(group_differences, "MOST_PAIRS", 10)
    found = {k: ix.evaluate(np.tile(Y, k), np.tile(GUESS, k), by={"site": np.repeat(range(k), 40)}) for k in (5, 6)}
    assert len(found[5].compare_groups("recall", "site").differences()) == 10
    with pytest.raises(ValueError, match=r"^6 groups make 15 pairs, more than 10\. ``unusual`` names groups"):
        found[6].compare_groups("recall", "site").differences()


def test_the_text_of_many_groups_names_some_and_says_how_many_more() -> None:
    text = str(
        ix.evaluate(np.tile(Y, 300), np.tile(GUESS, 300), by={"site": np.repeat(range(300), 40)}).compare_groups("recall", "site")
    )
    assert "  … and 240 more groups; to_dict() and to_pandas() have all of them\n" in text
    assert len(text.splitlines()) < 220


@for_each("freedom", [1_001, 50_000, 92_737.4, 10**6])
@for_each("far", [0.01, 1, 5, 91, 500])
def test_tails_of_many_degrees_of_freedom_are_those_of_scipy(freedom: float, far: float) -> None:
    x = freedom + far * (2 * freedom) ** 0.5
    assert chi_square_tail(x, freedom) == pytest.approx(chi2.sf(x, freedom), rel=1e-9, abs=1e-290)
