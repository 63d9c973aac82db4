"""The settings that the paper accommodates or leaves outside, as small examples (tab:settings)."""

from __future__ import annotations

import numpy as np

import indicatrix as ix

from .record import Record

NAMES = ["a", "b", "c"]


def abstention(record: Record) -> None:
    """Check: an abstained example is an all-zero row, with the counts that the paper gives."""
    row = ix.evaluate(["a"], [None], classes=NAMES, missing="abstain").aggregate()
    record.claim(
        "counts (tp, fp, fn, tn) of an abstention, one true class of three",
        paper=(0, 0, 1, len(NAMES) - 1),
        ours=tuple(int(x) for x in row),
    )


def open_set(record: Record) -> None:
    """Check: with a column for the unknown, it is a problem of m + 1 classes, collapse included."""
    known = ["ant", "cat"]
    ev = ix.evaluate(["ant", "cat", "elk", "cat"], ["ant", "ant", "unknown", "cat"], known=known)
    record.claim("m known classes make m + 1 columns", paper=len(known) + 1, ours=len(ev.classes))
    micro = {float(ev.score(name, "micro")) for name in ("precision", "recall", "f1")}
    record.holds("the micro collapse holds for m + 1 classes", micro == {float(ev.score("exact_match"))})


def single_class(record: Record) -> None:
    """Check: if only inliers are labelled, either recall or precision is known."""
    ev = ix.tasks.one_class(["in", "in", None, "in"], [1, -1, 1, 1])
    record.holds(
        "only inliers labelled: precision is computable and recall undefined",
        np.isfinite(ev.score("precision")) and np.isnan(ev.score("recall")),
        differs="reversed: recall needs the labelled inliers only, precision needs the labels of whatever was accepted",
        errata="A12",
    )


def one_vs_all(record: Record) -> None:
    """Check: columns are judged before argmax, the decision after it."""
    scores = [[0.6, 0.5, 0.1], [0.2, 0.4, 0.3], [0.1, 0.2, 0.9]]
    both = ix.tasks.one_vs_all(["a", "b", "c"], scores, classes=NAMES)
    pooled = both.final.aggregate()
    record.holds("after argmax, Σ1(TP)/n is multiclass accuracy", pooled.tp / 3 == both.final.score("exact_match"))
    record.holds(
        "before argmax the columns may score otherwise",
        both.classifiers.score("recall", "macro") != both.final.score("recall", "macro"),
    )


def hierarchy(record: Record) -> None:
    """Check: tree distances are costs; hierarchical precision does not follow from them."""
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
    """Check: target-wise is the mean over blocks, micro the mean weighted by denominators."""
    truth = {"size": ["S", "M", "L", "L"], "colour": ["red", "blue", "red", "blue"]}
    guess = {"size": ["S", "L", "L", "M"], "colour": ["red", "red", "red", "blue"]}
    ev = ix.evaluate(truth, guess, targets=True)
    each, weights = ev.values("accuracy", per="target"), ev.aggregate("target").n
    record.holds("target-wise accuracy is the mean over targets", np.isclose(ev.score("accuracy", "target"), each.mean()))
    record.holds(
        "micro accuracy is the mean over targets weighted by their denominators",
        np.isclose(ev.score("accuracy", "micro"), np.average(each, weights=weights)),
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
    both = ix.tasks.one_vs_one(["a", "b", "c"], pairs, final=["a", "a", "c"])
    record.holds("each pair counts the examples of its two classes only", (both.pairs.aggregate("class").n == 2).all())
    record.holds(
        "the final vote is an ordinary one-hot problem", both.final == ix.evaluate(NAMES, ["a", "a", "c"], classes=NAMES)
    )


def positive_unlabeled(record: Record) -> None:
    """Check: labelling half of the found and of the missed positives leaves recall, not precision."""
    y, yhat = np.array([1, 1, 1, 1, 0, 0, 0, 0]), np.array([1, 1, 0, 0, 1, 0, 0, 0])
    labelled = np.array([1, 0, 1, 0, 0, 0, 0, 0])  # c = 1/2 of the found and of the missed positives
    pu, complete = ix.tasks.positive_unlabeled(labelled, yhat), ix.evaluate(y, yhat)
    record.holds(
        "recall of the labelled positives is recall, if half of the found and of the missed are labelled",
        pu.score("recall") == complete.score("recall"),
    )
    observed = ix.evaluate(labelled, yhat).binary()
    record.holds("fp_obs = fp + (1-c) tp", observed.fp == complete.binary().fp + complete.binary().tp / 2)
    record.holds(
        "nominal precision is biased; knowing c corrects it",
        ix.precision(observed) != complete.score("precision") == pu.at(propensity=0.5).score("precision"),
    )


def multi_instance(record: Record) -> None:
    """Check: with the decision of its highest instance, a bag is a plain example."""
    both = ix.tasks.multi_instance({"x": 1, "y": 0, "z": 1}, [0.2, 0.9, 0.7, 0.4], ["x", "x", "y", "z"])
    record.holds(
        "bags are plain examples, positive if one of their instances is",
        both.bags.binary() == ix.evaluate([1, 0, 1], [1, 1, 0]).binary(),
    )


def label_ranking(record: Record) -> None:
    """Check: a ranking cut at k is a label set; average precision depends on the order in it."""
    truth, rankings = [{"a"}, {"a", "b"}], [["a", "c", "b"], ["c", "b", "a"]]
    cut = ix.evaluate(truth, ix.tasks.top_ranked(rankings, k=2), classes=NAMES)
    sets = ix.evaluate(truth, [{"a", "c"}, {"c", "b"}], classes=NAMES)
    record.holds("a ranking cut at k is a label set", cut.aggregate() == sets.aggregate())
    relevant, first, second = [[1, 0, 0]], [[0.9, 0.8, 0.1]], [[0.8, 0.9, 0.1]]
    record.holds(
        "rankings with one and the same set of the two highest have different average precisions",
        ix.measures.label_ranking_ap(relevant, first) != ix.measures.label_ranking_ap(relevant, second),
    )


def proper_scores(record: Record) -> None:
    """Check: the same decisions, and so the same counts, with two Brier scores."""
    y, sure, unsure = [0, 1, 1], [0.1, 0.9, 0.8], [0.4, 0.6, 0.6]
    counts = [ix.evaluate(y, p, decide=0.5).binary() for p in (sure, unsure)]
    record.holds(
        "the Brier score is not a function of the counts", counts[0] == counts[1] and ix.brier(y, sure) != ix.brier(y, unsure)
    )


def structured(record: Record) -> None:
    """Check: two predictions with the same token counts; only one has a right sequence."""
    truth = [["B-PER", "O"], ["O", "B-PER"]]
    together, apart = [["O", "B-PER"], ["O", "B-PER"]], [["B-PER", "B-PER"], ["O", "O"]]
    one, other = (ix.tasks.sequences(truth, guess) for guess in (together, apart))
    record.holds("tokens are plain examples: two of four right", one.tokens.score("exact_match") == 1 / 2)
    record.holds(
        "the exact match of sequences is not a function of token counts",
        one.tokens.aggregate("class") == other.tokens.aggregate("class") and one.exact_match != other.exact_match,
    )
