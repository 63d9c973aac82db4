"""The formulas on the pages of measures beyond four counts have the values of their measures."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from itertools import product
from typing import Any

import numpy as np
import pytest
from definitions import OF_MATRIX
from loops import for_each
from score_definitions import GROUPS, OF_CLASSES, OF_LABELS, OF_OBJECTS, OF_OUTLINES, OF_SCORES
from signs import SHOWN

import indicatrix as ix

PLAIN: dict[str, Any] = {"log": math.log, "sqrt": math.sqrt, "binom": math.comb}


def value_of(found: Any, names: dict[str, Any]) -> float:
    """Return the value of a definition; what its short names stand for may use later ones."""
    known = PLAIN | names
    for name, text in reversed(found.where.items()):
        if name.endswith("[i]"):
            known[name[:-3]] = [eval(text, {**known, "i": i}) for i in known["K"]]
        else:
            known[name] = eval(text, known)
    return float(eval(found.formula, known))


def integral(low: float, high: float, function: Callable[[float], float]) -> float:
    """Return an integral by the middles of small steps; functions here bend, and jump at few places."""
    width = (high - low) / STEPS
    return sum(function(low + (i + 0.5) * width) for i in range(STEPS)) * width


STEPS = 2000
NEAR = 1e-3  # of integrals

TABLE = np.array([[14, 3, 2, 1], [2, 9, 4, 5], [1, 6, 21, 3], [3, 2, 5, 8]])


@for_each("name", OF_MATRIX)
def test_a_definition_of_the_matrix_has_the_value_of_its_measure(name: str) -> None:
    k, n, right = len(TABLE), int(TABLE.sum()), int(TABLE.trace())
    r, q = TABLE.sum(axis=1), TABLE.sum(axis=0)
    known = {"C": TABLE, "r": r.tolist(), "q": q.tolist(), "n": n, "k": k, "K": range(k), "H": range(right, n + 1)}
    assert value_of(OF_MATRIX[name], known) == pytest.approx(float(ix.from_confusion(TABLE).score(name)), rel=1e-12)


Y, SCORES = [1, 0, 0, 1, 1, 0, 1, 0], [0.9, 0.2, 0.6, 0.6, 0.4, 0.1, 0.8, 0.7]
POSITIVES, NEGATIVES = ([i for i, y in enumerate(Y) if y == side] for side in (1, 0))
THRESHOLDS = sorted({*SCORES, math.inf}, reverse=True)


def share(of: list[int], threshold: float) -> float:
    """Return which share of some examples has a score from a threshold on."""
    return sum(SCORES[i] >= threshold for i in of) / len(of)


ROC = np.array([(share(NEGATIVES, t), share(POSITIVES, t)) for t in THRESHOLDS])


def hull(x: float) -> float:
    """Return the highest point at x between any two points of the ROC curve."""
    pairs = [(a, b) for a, b in product(ROC.tolist(), repeat=2) if a[0] <= x <= b[0] and a[0] < b[0]]
    return max(a[1] + (b[1] - a[1]) * (x - a[0]) / (b[0] - a[0]) for a, b in pairs)


def precision_at(recall: float) -> float:
    """Return precision where false positives grow in proportion to true ones between two thresholds."""
    fp = float(np.interp(recall, ROC[:, 1], ROC[:, 0])) * len(NEGATIVES)  # each recall of the example has one false positive rate
    tp = recall * len(POSITIVES)
    return tp / (tp + fp)


BANDWIDTH = float(ix.measures.smooth_ece(Y, SCORES))


def kernel(at: float, centre: float) -> float:
    """Return a normal density, reflected at 0 and 1."""
    places = [2 * k + sign * centre for k in range(-3, 4) for sign in (1, -1)]
    return sum(math.exp(-(((at - x) / BANDWIDTH) ** 2) / 2) for x in places) / (BANDWIDTH * math.sqrt(2 * math.pi))


def known_of_scores() -> dict[str, Any]:
    n, places = len(Y), range(len(Y))
    share_of_positives = len(POSITIVES) / n
    a, b = 1 + share_of_positives, 2 - share_of_positives
    beta = math.gamma(a) * math.gamma(b) / math.gamma(a + b)
    bins = [[i for i in places if min(int(SCORES[i] * 10), 9) == at] for at in range(10)]
    return {
        "y": Y,
        "p": SCORES,
        "s": SCORES,
        "n": n,
        "N": places,
        "P": POSITIVES,
        "M": NEGATIVES,
        "T": THRESHOLDS,
        "integral": integral,
        "pi": share_of_positives,
        "H": hull,
        "precision": precision_at,
        "W": kernel,
        "TPR": lambda x: float(np.interp(x, *steep())),
        "FPR": lambda t: share(NEGATIVES, t),
        "FNR": lambda t: 1 - share(POSITIVES, t),
        "V": lambda t: f1_at(min(s for s in SCORES if s >= t)),
        "w": lambda c: c ** (a - 1) * (1 - c) ** (b - 1) / beta,
        "B": bins,
    }


@cache
def f1_at(threshold: float) -> float:
    """Return F1 of the decisions at a threshold."""
    return float(ix.f1(Y, [int(s >= threshold) for s in SCORES]))


def steep() -> tuple[Any, Any]:
    """Return the ROC curve for interpolation, which takes the last of points above each other."""
    return ROC[:, 0] + 1e-12 * np.arange(len(ROC)), ROC[:, 1]


OPTIONS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {  # of the call, and what they are called in the formula
    "partial_auc": ({"max_fpr": 0.3}, {"f": 0.3}),
    "log_auc": ({"fpr_range": (0.1, 0.9)}, {"a": 0.1, "b": 0.9}),
    "threshold_average": ({"measure": "f1", "between": (0.2, 0.7)}, {"a": 0.2, "b": 0.7}),
    "ece": ({"bins": 10}, {}),
}


@for_each("name", OF_SCORES)
def test_a_definition_of_scores_has_the_value_of_its_measure(name: str) -> None:
    options, called = OPTIONS.get(name, ({}, {}))
    found = value_of(OF_SCORES[name], known_of_scores() | called)
    near = NEAR if "integral" in OF_SCORES[name].formula + str(OF_SCORES[name].where) else 1e-12
    assert found == pytest.approx(float(getattr(ix.measures, name)(Y, SCORES, **options)), rel=near)


CLASSES, MANY = [0, 0, 1, 1, 2, 2, 0], 3
PROBABILITIES = np.array(
    [[0.6, 0.3, 0.1], [0.2, 0.5, 0.3], [0.2, 0.7, 0.1], [0.35, 0.6, 0.05], [0.15, 0.25, 0.6], [0.1, 0.5, 0.4], [0.3, 0.2, 0.5]]
)


def known_of_classes() -> dict[str, Any]:
    n, places = len(CLASSES), range(len(CLASSES))

    def one_of_two(a: int, b: int) -> float:
        return auc({i: PROBABILITIES[i, a] for i in places if CLASSES[i] in (a, b)}, lambda i: CLASSES[i] == a)

    def above(k: int) -> float:
        return auc({i: PROBABILITIES[i, k:].sum() for i in places}, lambda i: CLASSES[i] >= k)

    return {
        "y": CLASSES,
        "p": PROBABILITIES,
        "n": n,
        "N": places,
        "m": MANY,
        "K": range(MANY),
        "B": range(1, MANY),
        "r": [CLASSES.count(k) for k in range(MANY)],
        "T": [set(np.argsort(-row)[:2].tolist()) for row in PROBABILITIES],
        "A": lambda *k: one_of_two(*k) if len(k) == 2 else above(*k),
    }


def auc(scores: dict[int, float], positive: Callable[[int], bool]) -> float:
    """Return the share of pairs in the right order; a tie is one half."""
    pairs = [(scores[i], scores[j]) for i in scores for j in scores if positive(i) and not positive(j)]
    return sum((x > y) + (x == y) / 2 for x, y in pairs) / len(pairs)


@for_each("name", OF_CLASSES)
def test_a_definition_of_classes_has_the_value_of_its_measure(name: str) -> None:
    options = {"top_k_accuracy": {"k": 2}, "ordinal_auc": {"classes": range(MANY)}}.get(name, {})
    wanted = float(getattr(ix.measures, name)(CLASSES, PROBABILITIES, **options))
    assert value_of(OF_CLASSES[name], known_of_classes()) == pytest.approx(wanted, rel=1e-12)


SETS = np.array([[1, 0, 0, 1], [0, 1, 0, 0], [1, 1, 0, 1]])
PREFERENCES = np.array([[0.9, 0.5, 0.6, 0.2], [0.8, 0.4, 0.4, 0.1], [0.3, 0.7, 0.9, 0.6]])
CUT = 3


def known_of_labels(ties: Any) -> dict[str, Any]:
    """Return the signs, where labels with equal scores stand in the order of another number."""
    order = np.lexsort((np.broadcast_to(ties, PREFERENCES.shape), -PREFERENCES), axis=1).tolist()
    best = -np.sort(-SETS, axis=1)
    return {
        "s": PREFERENCES,
        "n": len(SETS),
        "N": range(len(SETS)),
        "L": range(SETS.shape[1]),
        "k": CUT,
        "R": range(1, CUT + 1),
        "Y": [set(np.flatnonzero(row).tolist()) for row in SETS],
        "Z": [set(np.flatnonzero(row == 0).tolist()) for row in SETS],
        "T": [set(row[:CUT]) for row in order],
        "rank": lambda i, j: order[i].index(j) + 1,
        "g": lambda i, r: int(SETS[i, order[i][r - 1]]),
        "h": lambda i, r: int(best[i, r - 1]),
    }


@for_each("name", OF_LABELS)
def test_a_definition_of_label_rankings_has_the_value_of_its_measure(name: str) -> None:
    options = {"k": CUT} if name in ("dcg", "ndcg", "precision_at_k", "recall_at_k") else {}
    wanted = float(getattr(ix.measures, name)(SETS, PREFERENCES, average="exemplar", **options))
    both = [value_of(OF_LABELS[name], known_of_labels(ties)) for ties in ([0, 1, 2, 3], [3, 2, 1, 0])]  # two labels are tied
    assert sum(both) / 2 == pytest.approx(wanted, rel=1e-12)


BOXES, FOUND = (
    [[0, 0, 10, 10], [20, 20, 30, 30], [40, 40, 60, 60]],
    [[0, 0, 10, 9], [70, 70, 80, 80], [40, 40, 60, 58], [21, 20, 30, 30]],
)
TRUE_MAP, FOUND_MAP = np.array([[1, 1, 2, 2], [1, 1, 2, 2], [3, 3, 4, 4]]), np.array([[1, 1, 2, 2], [1, 5, 2, 2], [3, 3, 3, 3]])


@for_each("name", OF_OBJECTS)
def test_a_definition_of_objects_and_segments_has_the_value_of_its_measure(name: str) -> None:
    if name in ("ap", "ar"):
        result = ix.detection(
            [{"boxes": BOXES, "labels": [0] * 3}], [{"boxes": FOUND, "labels": [0] * 4, "scores": [0.9, 0.8, 0.7, 0.6]}]
        )
        right = [True, False, True, True]  # of the found ones, from the highest score on: the second is far from all
        found_so_far = np.cumsum(right)
        recall, precision = (found_so_far / 3).tolist(), (found_so_far / np.arange(1, 5)).tolist()
        known = {"TP": [0, 2, 3], "FP": [1], "FN": [], "X": recall, "R": [i / 100 for i in range(101)]}
        known["precision"] = lambda x: max(p for p, r in zip(precision, recall, strict=True) if r == x)
        wanted = result.score(f"{name}(iou=0.5)", "macro")
    else:
        ones = np.ones_like(TRUE_MAP)
        result = ix.panoptic([(ones, TRUE_MAP)], [(ones, FOUND_MAP)])
        sides = {name: [side == k for k in np.unique(side)] for name, side in (("true", TRUE_MAP), ("found", FOUND_MAP))}
        overlap = {(g, h): overlap_of(sides["true"][g], sides["found"][h]) for g in range(4) for h in range(4)}
        pairs = [pair for pair, worth in overlap.items() if worth > 0.5]
        left = 4 - len(pairs)
        known = {"TP": pairs, "FP": range(left), "FN": range(left), "IoU": lambda g, h: overlap[g, h]}
        wanted = result.score(name, "macro")
    assert value_of(OF_OBJECTS[name], known) == pytest.approx(float(wanted), rel=1e-12)


def overlap_of(one: Any, other: Any) -> float:
    """Return intersection over union."""
    return float((one & other).sum() / (one | other).sum())


SHAPES = np.zeros((2, 12, 12), int)
SHAPES[0, 2:9, 2:7] = SHAPES[1, 3:10, 3:9] = SHAPES[1, 1, 1] = 1


def outline(shape: Any) -> list[tuple[int, int]]:
    """Return the pixels of a shape that have a neighbor outside of it."""
    inside = np.pad(shape, 1)
    near = [np.roll(inside, step, axis)[1:-1, 1:-1] for axis in (0, 1) for step in (1, -1)]
    return [(int(i), int(j)) for i, j in np.argwhere((shape == 1) & (np.min(near, axis=0) == 0))]


@for_each("name", OF_OUTLINES)
def test_a_definition_of_outlines_has_the_value_of_its_measure(name: str) -> None:
    one, other = map(outline, SHAPES)
    known = {
        "A": one,
        "B": other,
        "tau": 1,
        "d": lambda point, side: min(math.dist(point, there) for there in side),
        "percentile": lambda values: float(np.percentile(list(values), 95)),
    }
    result = ix.vision.surface_distances([SHAPES[0]], [SHAPES[1]], classes=[1], elements="pixels")
    wanted = result.score("surface_dice(tolerance=1)" if name == "surface_dice" else name, "macro")
    assert value_of(OF_OUTLINES[name], known) == pytest.approx(float(wanted), rel=1e-12)


def test_formulas_that_are_only_shown_are_few() -> None:
    assert set(SHOWN) == {"eer", "chi_squared_p_value", "aickin_alpha"}  # an equation, a table of quantiles, an estimate
    evaluated = [name for found in (OF_MATRIX, *GROUPS.values()) for name in found]
    rest = {measure.name for measure in ix.catalogue() if not measure.reads.formula} - {*evaluated}
    assert rest == {*SHOWN}
    assert len(evaluated) == len({*evaluated})
