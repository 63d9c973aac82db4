"""Every recomputed fact of the group seg: segmentation, and macro AUC (errata A14, A16)."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations, product

import numpy as np
import pytest
from facts import Checkers, mean

import indicatrix as ix
from indicatrix import segmentation

checks = Checkers("seg")


@pytest.mark.parametrize("fact", checks.facts.values(), ids=checks.facts)
def test_fact(fact):
    checks.run(fact)


@checks(r"seg\.id")
def metrics_are_averages(fact):
    true, pred = ([np.array(fact["inputs"][side]).reshape(2, 4)] for side in ("y", "yhat"))
    ev = segmentation(true, pred)
    found = {
        "mIoU": ev.score("jaccard", "macro"),
        "meanDice": ev.score("f1", "macro"),
        "meanPixAcc": ev.score("recall", "macro"),
        "FWIoU": ev.score("jaccard", "weighted"),
    }
    assert found == pytest.approx({name: float(Fraction(text)) for name, text in fact["computed"].items()}, rel=1e-15)


@checks(r"seg\.pixacc")
def pixel_accuracy_is_not_micro_accuracy(fact):
    true, pred = [np.array([[0, 1], [2, 2]])], [np.array([[0, 1], [0, 1]])]
    ev = segmentation(true, pred)
    n, m = ev.n, len(ev.classes)
    pooled = ev.aggregate()
    pixels = Fraction(pooled.tp, n)  # Sigma_1(TP)/n
    assert ev.score("exact_match") == ev.score("recall", "micro") == pixels == Fraction(1, 2)
    assert ev.score("accuracy", "micro") == pytest.approx(float(Fraction(pooled.tp + pooled.tn, n * m))) != float(pixels)
    assert not fact["agrees"]


@checks(r"seg\.rows")
def rows_are_pixels(fact):
    true, pred = [np.array([[0, 0, 0, 1]]), np.array([[1, 1]])], [np.array([[0, 0, 1, 1]]), np.array([[0, 1]])]
    ev = segmentation(true, pred)
    pixels = [int(a == b) for t, p in zip(true, pred, strict=True) for a, b in zip(t.ravel(), p.ravel(), strict=True)]
    assert ev.score("f1", "exemplar") == pytest.approx(float(mean(list(map(Fraction, pixels)))))  # Sigma_n: one value per pixel
    images = [Fraction(3, 4), Fraction(1, 2)]  # pooled over the classes of an image, F1 is its pixel accuracy
    assert ev.values("f1", "image", average="micro").tolist() == list(map(float, images))
    assert ev.score("f1", ("image", "micro")) == float(mean(images)) != pytest.approx(ev.score("f1", "exemplar"))
    dice = [[Fraction(4, 5), Fraction(2, 3)], [Fraction(0), Fraction(2, 3)]]  # per image and class
    assert ev.values("f1", "image").tolist() == [float(foreground) for _, foreground in dice]  # of the positive class
    macro = {i: float(mean(values)) for i, values in enumerate(dice)}
    assert {i: part.score("f1", "macro") for i, part in ev.split("image").items()} == pytest.approx(macro)
    assert not fact["agrees"]


def above(scores, positives, negatives):
    """Return the share of pairs in which the positive has the higher score; ties count half."""
    wins = [Fraction(int(scores[i] > scores[j]) * 2 + int(scores[i] == scores[j]), 2) for i, j in product(positives, negatives)]
    return mean(wins)


@checks(r"seg\.handtill")
def one_vs_all_is_not_hand_and_till(fact):
    """Count pairs: the mean over classes against the rest, and over ordered pairs of classes."""
    y = [0, 0, 0, 1, 1, 2]
    scores = np.array([[6, 1, 1], [3, 4, 1], [5, 2, 1], [4, 3, 1], [1, 6, 1], [2, 5, 2]])
    of = {c: [i for i, label in enumerate(y) if label == c] for c in range(3)}
    rest = {c: [i for i, label in enumerate(y) if label != c] for c in range(3)}
    one_vs_all = mean([above(scores[:, c], of[c], rest[c]) for c in of])
    one_vs_one = mean([above(scores[:, a], of[a], of[b]) for a, b in permutations(of, 2)])  # M of Hand and Till (2001)
    assert one_vs_all == mean([Fraction(8, 9), Fraction(3, 4), Fraction(1)])
    assert one_vs_one == mean([Fraction(5, 6), Fraction(1), Fraction(5, 6), Fraction(1, 2), Fraction(1), Fraction(1)])
    assert one_vs_all != one_vs_one
    assert (fact["paper"], "one-vs-one" in fact["computed"], fact["agrees"]) == ("OVA", True, False)


def test_void_pixels_change_nothing_of_the_identities():
    fact = checks.facts["seg.id"]
    true, pred = (np.array(fact["inputs"][side]) for side in ("y", "yhat"))
    ev = segmentation([np.append(true, [255, 255])], [np.append(pred, [0, 2])], ignore=255)
    assert ev.score("jaccard", "macro") == ix.jaccard(true, pred, average="macro") == pytest.approx(4 / 9, rel=1e-15)
