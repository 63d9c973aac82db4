"""The derived settings of the paper, each a small computed example (tab:settings)."""

from __future__ import annotations

import numpy as np

import indicatrix as ix

from .record import Record

NAMES = ["a", "b", "c"]
TRUTH = ["a", "a", "b", "c", "c", "c", "b"]
GUESS = ["a", "b", "b", "c", "a", "c", "c"]
LABELS = np.array([[1, 0, 1], [0, 1, 0], [1, 1, 0], [0, 0, 1]])
FOUND = np.array([[1, 0, 0], [0, 1, 1], [1, 0, 0], [0, 1, 1]])


def soft_outputs(record: Record) -> None:
    """Check: the argmax of scores gives the crisp problem back, and so does a threshold."""
    scores = np.array([[0.6 if name == guess else 0.2 for name in NAMES] for guess in GUESS])
    crisp = ix.evaluate(TRUTH, GUESS)
    record.holds(
        "argmax reduces scores to crisp labels",
        ix.evaluate(TRUTH, scores, decide="argmax", classes=NAMES).confusion.tolist() == crisp.confusion.tolist(),
    )
    decided = ix.evaluate(LABELS, FOUND * 0.4 + 0.1, decide=0.5)
    record.holds(
        "a threshold reduces scores to crisp label sets",
        decided.aggregate("class") == ix.evaluate(LABELS, FOUND).aggregate("class"),
    )


def soft_truth(record: Record) -> None:
    """Check: under the product the cells of memberships keep the marginals, and sum to one."""
    truth, guess = np.array([[0.75, 0.25], [0.5, 0.5]]), np.array([[0.5, 0.5], [1.0, 0.25]])
    cells = ix.cells(truth, guess, tnorm="product")
    record.holds(
        "product: TP + FN = Y and TP + FP = Yhat",
        np.array_equal(cells.tp + cells.fn, truth) and np.array_equal(cells.tp + cells.fp, guess),
    )
    record.holds("product: the four cells sum to one", (cells.tp + cells.fp + cells.fn + cells.tn == 1).all())


def cost(record: Record) -> None:
    """Check: two costs give c_fn fn + c_fp fp, and unit costs half of all FP and FN."""
    y, yhat, c_fn, c_fp = [1, 1, 0, 0, 0, 1], [1, 0, 1, 0, 1, 0], 5, 2
    counts = ix.evaluate(y, yhat).binary()
    total = ix.cost(y, yhat, [[0, c_fn], [c_fp, 0]], classes=[1, 0], average="total")
    record.holds("two classes: the total cost is c_fn fn + c_fp fp", total == c_fn * counts.fn + c_fp * counts.fp)
    pooled = ix.evaluate(TRUTH, GUESS).aggregate()
    errors = ix.cost(TRUTH, GUESS, "zero_one", average="total")
    record.holds("unit costs: the number of errors, half of all FP and FN", errors == (pooled.fp + pooled.fn) / 2)


def ordinal(record: Record) -> None:
    """Check: costs |j - k| and (j - k)² are MAE and MSE of the class indices."""
    y, yhat = np.array([0, 1, 2, 3, 3, 0]), np.array([0, 2, 2, 1, 3, 3])
    off = abs(y - yhat)
    mae, mse = (ix.cost(y, yhat, name, classes=range(4)) for name in ("absolute", "squared"))
    record.holds("costs |j-k| and (j-k)² are MAE and MSE", mae == off.mean() and mse == (off**2).mean())


def masks(record: Record) -> None:
    """Check: masked sums count observed entries only, and denominators are the numbers of those."""
    mask = np.array([[1, 1, 0], [1, 1, 1], [0, 1, 1], [1, 0, 1]], bool)
    ev = ix.evaluate(LABELS, FOUND, mask=mask)
    right = ((LABELS == FOUND) & mask).sum() / mask.sum()
    record.holds("masked accuracy counts observed entries, over their number", ev.score("accuracy", "micro") == right)


def segmentation(record: Record) -> None:
    """Check: mean IoU is macro Jaccard, the Dice coefficient F1."""
    truth, guess = np.array([[0, 0, 1], [1, 2, 2]]), np.array([[0, 1, 1], [1, 2, 0]])
    ev = ix.segmentation([truth], [guess])
    iou = [((truth == c) & (guess == c)).sum() / ((truth == c) | (guess == c)).sum() for c in range(3)]
    dice = [2 * ((truth == c) & (guess == c)).sum() / ((truth == c).sum() + (guess == c).sum()) for c in range(3)]
    record.holds("mean IoU is macro Jaccard", np.isclose(ev.score("jaccard", "macro"), np.mean(iou)))
    record.holds("the Dice coefficient is F1", np.allclose(ev.values("f1"), dice))
    record.holds("pixel accuracy is Σ1(TP)/n", np.isclose(ev.score("exact_match"), (truth == guess).mean()))


def folds(record: Record) -> None:
    """Check: pooled is averaged with denominators as weights; stratified folds do not equal them."""
    y, yhat, fold = [1, 0, 1, 0, 0, 1, 0, 0], [1, 1, 1, 0, 0, 1, 0, 0], [1, 1, 1, 1, 2, 2, 2, 2]
    both = ix.evaluate(y, yhat, by={"fold": fold}).folds("precision", "binary")
    record.holds(
        "pooled is averaged with the denominators as weights",
        np.isclose(both.pooled, np.average(both.values, weights=both.weights)),
    )
    y, yhat = [1, 1, 0, 0, 1, 1, 0, 0], [1, 0, 0, 0, 1, 0, 1, 1]
    both = ix.evaluate(y, yhat, by={"fold": fold}).folds("precision", "binary")
    record.holds(
        "folds of one size and one class distribution: pooled and averaged coincide",
        both.pooled == both.averaged,
        differs="stratified folds do not fix the number of predicted positives, so precision differs",
        errata="A13",
    )
