"""The table of settings: the level of each claim, and its basis as a small computed example (tab:settings)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

import indicatrix as ix

from ..record import Record, experiment

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
    """Check: two costs give c_fn fn + c_fp fp, unit costs the number of errors, which is half of all FP and FN."""
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
    record.holds("mean IoU is macro-Jaccard", np.isclose(ev.score("jaccard", "macro"), np.mean(iou)))
    record.holds("the Dice coefficient is F1", np.allclose(ev.values("f1"), dice))
    record.holds("pixel accuracy is Σ1(TP)/n", np.isclose(ev.score("exact_match"), (truth == guess).mean()))


def abstention(record: Record) -> None:
    """Check: an abstained example is an all-zero row, with the counts that the paper gives."""
    row = ix.evaluate(["a"], [None], classes=NAMES, missing="abstain").aggregate()
    record.claim("an abstention: tp, fp, fn, tn", paper=(0, 0, 1, len(NAMES) - 1), ours=tuple(int(x) for x in row))


def open_set(record: Record) -> None:
    """Check: with a column for the unknown, it is a problem of m + 1 classes, collapse included."""
    known = ["ant", "cat"]
    ev = ix.evaluate(["ant", "cat", "elk", "cat"], ["ant", "ant", "unknown", "cat"], known=known)
    record.claim("m known classes make m + 1 columns", paper=len(known) + 1, ours=len(ev.classes))
    micro = {float(ev.score(name, "micro")) for name in ("precision", "recall", "f1")}
    record.holds("the micro collapse holds for m + 1 classes", micro == {float(ev.score("exact_match"))})


def single_class(record: Record) -> None:
    """Check: where only inliers are labelled, one of recall and precision is left."""
    ev = ix.one_class(["in", "in", None, "in"], [1, -1, 1, 1])
    record.holds(
        "only inliers labelled: precision is computable and recall undefined",
        np.isfinite(ev.score("precision")) and np.isnan(ev.score("recall")),
        differs="reversed: recall needs the labelled inliers only, precision needs the labels of whatever was accepted",
        errata="A12",
    )


def one_vs_all(record: Record) -> None:
    """Check: columns are judged before argmax, the decision after it."""
    scores = [[0.6, 0.5, 0.1], [0.2, 0.4, 0.3], [0.1, 0.2, 0.9]]
    both = ix.one_vs_all(["a", "b", "c"], scores, classes=NAMES)
    pooled = both.final.aggregate()
    record.holds("after argmax, Σ1(TP)/n is multiclass accuracy", pooled.tp / 3 == both.final.score("exact_match"))
    record.holds(
        "before argmax the columns may score otherwise",
        both.classifiers.score("recall", "macro") != both.final.score("recall", "macro"),
    )


def hierarchy(record: Record) -> None:
    """Check: tree distances are a cost matrix; hierarchical precision and recall are not to be had from it."""
    animals = ix.taxonomy({"pet": None, "cat": "pet", "dog": "pet", "elk": None})
    coarse, fine = (["cat"], ["pet"]), (["pet"], ["cat"])
    prices = [float(ix.cost(*pair, animals, classes=animals.classes)) for pair in (coarse, fine)]
    record.holds("tree-distance costs: one edge off costs 1", prices == [1.0, 1.0])
    known = [ix.evaluate(*pair, hierarchy=animals).score("precision", "micro") for pair in (coarse, fine)]
    record.holds(
        "hierarchical precision follows from tree-distance costs",
        known[0] == known[1],
        differs="two predictions of the same cost have hierarchical precision 1 and 1/2: it needs labels closed under ancestors",
        errata="A9",
    )


def targets(record: Record) -> None:
    """Check: blocks side by side: target-wise is the mean over blocks, micro the mean weighted by their denominators."""
    truth = {"size": ["S", "M", "L", "L"], "colour": ["red", "blue", "red", "blue"]}
    guess = {"size": ["S", "L", "L", "M"], "colour": ["red", "red", "red", "blue"]}
    ev = ix.evaluate(truth, guess, targets=True)
    each, weights = ev.values("accuracy", per="target"), ev.aggregate("target").n
    record.holds("target-wise accuracy is the mean over targets", np.isclose(ev.score("accuracy", "target"), each.mean()))
    record.holds(
        "micro is the mean weighted by denominators", np.isclose(ev.score("accuracy", "micro"), np.average(each, weights=weights))
    )
    record.holds(
        "micro is dominated by targets with more classes, for precision too",
        not np.isclose(ev.score("precision", "micro"), ev.score("precision", "target")),
        differs="every block has n predictions, so micro and target-wise precision, recall and F1 are equal",
        errata="C14",
    )


def one_vs_one(record: Record) -> None:
    """Check: a pair is judged on the examples of its two classes."""
    pairs = {("a", "b"): ["a", "a", "a"], ("a", "c"): ["c", "a", "c"], ("b", "c"): ["b", "b", "c"]}
    both = ix.one_vs_one(["a", "b", "c"], pairs, final=["a", "a", "c"])
    record.holds("each pair counts the examples of its two classes only", (both.pairs.aggregate("class").n == 2).all())
    record.holds(
        "the final vote is an ordinary one-hot problem", both.final == ix.evaluate(NAMES, ["a", "a", "c"], classes=NAMES)
    )


def positive_unlabelled(record: Record) -> None:
    """Check: labelling half of the positives halves tp and fn, so recall stays; precision does not."""
    y, yhat = np.array([1, 1, 1, 1, 0, 0, 0, 0]), np.array([1, 1, 0, 0, 1, 0, 0, 0])
    labelled = np.array([1, 0, 1, 0, 0, 0, 0, 0])  # c = 1/2 of the found and of the missed positives
    pu, complete = ix.positive_unlabelled(labelled, yhat), ix.evaluate(y, yhat)
    record.holds("recall of the labelled positives is recall", pu.score("recall") == complete.score("recall"))
    observed = ix.evaluate(labelled, yhat).binary()
    record.holds("fp_obs = fp + (1-c) tp", observed.fp == complete.binary().fp + complete.binary().tp / 2)
    record.holds(
        "nominal precision is biased; knowing c corrects it",
        ix.precision(observed) != complete.score("precision") == pu.at(propensity=0.5).score("precision"),
    )


def multi_instance(record: Record) -> None:
    """Check: bags are plain examples."""
    both = ix.multi_instance({"x": 1, "y": 0, "z": 1}, [0.2, 0.9, 0.7, 0.4], ["x", "x", "y", "z"])
    record.holds("bags are plain examples", both.bags.binary() == ix.evaluate([1, 0, 1], [1, 1, 0]).binary())


def label_ranking(record: Record) -> None:
    """Check: a ranking cut at k is a label set."""
    truth, rankings = [{"a"}, {"a", "b"}], [["a", "c", "b"], ["c", "b", "a"]]
    cut = ix.evaluate(truth, ix.ranked(rankings, k=2), classes=NAMES)
    record.holds(
        "a ranking cut at k is a label set",
        cut.aggregate() == ix.evaluate(truth, [{"a", "c"}, {"c", "b"}], classes=NAMES).aggregate(),
    )


def proper_scores(record: Record) -> None:
    """Check: the same decisions, hence the same counts, with two Brier scores."""
    y, sure, unsure = [0, 1, 1], [0.1, 0.9, 0.8], [0.4, 0.6, 0.6]
    counts = [ix.evaluate(y, p, decide=0.5).binary() for p in (sure, unsure)]
    record.holds(
        "the Brier score is no function of the counts", counts[0] == counts[1] and ix.brier(y, sure) != ix.brier(y, unsure)
    )


def structured(record: Record) -> None:
    """Check: two predictions with the same token counts, of which only one has a wholly right sequence."""
    truth = [["B-PER", "O"], ["O", "B-PER"]]
    together, apart = [["O", "B-PER"], ["O", "B-PER"]], [["B-PER", "B-PER"], ["O", "O"]]
    one, other = (ix.sequences(truth, guess) for guess in (together, apart))
    record.holds("tokens are counted as usual", one.tokens.score("exact_match") == 1 / 2)
    record.holds(
        "the exact match of sequences is no function of token counts",
        one.tokens.aggregate("class") == other.tokens.aggregate("class") and one.exact_match != other.exact_match,
    )


def folds(record: Record) -> None:
    """Check: pooled is averaged weighted by the folds' denominators; stratified folds do not make them equal."""
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


# In the table's order: the key in ix.SETTINGS, the setting and its level as printed, what its basis comes to.
ROWS: tuple[tuple[str, str, str, Callable[[Record], None]], ...] = (
    ("soft_outputs", "Soft classifier outputs", "derived", soft_outputs),
    ("soft_truth", "Soft/uncertain ground truth", "derived", soft_truth),
    ("cost", "Cost-sensitive evaluation", "derived", cost),
    ("ordinal", "Ordinal classification", "derived", ordinal),
    ("masks", "Partial and missing labels", "derived", masks),
    ("segmentation", "Segmentation metrics", "derived", segmentation),
    ("abstention", "Abstaining classifiers", "accommodated", abstention),
    ("open_set", "Open-set recognition", "accommodated", open_set),
    ("single_class", "Single-class classification", "accommodated", single_class),
    ("one_vs_all", "One-vs-all decomposition", "accommodated", one_vs_all),
    ("hierarchy", "Hierarchical classification", "accommodated", hierarchy),
    ("targets", "Multi-output classification", "accommodated", targets),
    ("one_vs_one", "One-vs-one decomposition", "partial", one_vs_one),
    ("positive_unlabelled", "Positive-unlabeled learning", "partial", positive_unlabelled),
    ("multi_instance", "Multi-instance learning", "partial", multi_instance),
    ("label_ranking", "Label ranking", "boundary", label_ranking),
    ("proper_scores", "Proper scoring rules", "boundary", proper_scores),
    ("structured", "Structured output prediction", "boundary", structured),
    ("folds", "Resampling folds", "derived", folds),
)


@experiment("tab:settings", "Nineteen settings: the level of each claim, its basis computed")
def settings(record: Record) -> None:
    """Compare the levels, compute a small example of each basis, and list how each setting is asked for."""
    table = []
    for key, title, level, basis in ROWS:
        ours, before = ix.SETTINGS[key], len(record.claims)
        record.claim(f"{title}: level", paper=level, ours=ours.level)
        basis(record)
        shown = "; ".join(f"{claim.what} ({claim.verdict})" for claim in record.claims[before + 1 :])
        table.append((ours.row, ours.level, shown, ours.asked, ours.limits))
    record.claim(
        "levels of claim, of which the text names three",
        paper=3,
        ours=len({ix.SETTINGS[key].level for key, *_ in ROWS}),
        differs="the table has a fourth, partial, and the text that follows it speaks of four",
        errata="D",
    )
    record.table("Settings, levels, and what was computed", ("Setting", "Level", "Computed", "Asked for by", "Limits"), table)
