"""What the appendix says of scores, costs, soft labels, proper scores and images (sec:catalogue)."""

from __future__ import annotations

from typing import Any

import numpy as np

import indicatrix as ix

from .appendix import ALL, ENTRIES
from .record import Record
from .wording import words

SEED = 5


def _compare(record: Record, pairs: dict[str, tuple[Any, Any]], tolerance: float = 1e-12) -> None:
    """Write down for each statement whether our value equals the paper's formula, written out."""
    for statement, (ours, literal) in pairs.items():
        record.holds(statement, np.allclose(ours, literal, rtol=0, atol=tolerance))


def scores(record: Record) -> None:
    """Write out the areas of Group 7, see which are skew-invariant, and name the exemplar ones."""
    rng = np.random.default_rng(SEED)
    y, p = rng.random(40) < 0.4, rng.random(40)
    ranked = y[np.argsort(-p)]
    tp, fp = np.cumsum(ranked), np.cumsum(~ranked)
    fine = np.linspace(0, len(y), 100_001)[1:]  # between thresholds, both counts grow in proportion
    tps, fps = (np.interp(fine, range(len(y) + 1), [0, *x]) for x in (tp, fp))
    areas = {
        "AUC": (ix.auc, (p[y][:, None] > p[~y]).mean(), True),
        "Average Precision": (ix.average_precision, (ranked * tp / (tp + fp)).sum() / tp[-1], False),
        "R-Precision": (ix.measures.r_precision, ranked[: y.sum()].mean(), False),
        "AUPRC": (ix.measures.auprc, np.trapezoid(tps / (tps + fps), tps / tps[-1]), False),
    }
    for title, (area, literal, invariant) in areas.items():
        tolerance = 1e-4 if title == "AUPRC" else 1e-12  # the integral is a sum of many small steps
        value, skewed = area(y, p), area(y, p, sample_weight=1 + y)
        _compare(record, {f"Group 7, {title} has the value of its formula": (value, literal)}, tolerance)
        record.claim(f"{title}: skew-invariant", paper=invariant, ours=bool(np.isclose(value, skewed)))
    truth, graded = (rng.random((30, 6)) < 0.4).astype(int), rng.random((30, 6))
    for title, area, known, reason in (
        ("AP", ix.average_precision, ix.measures.label_ranking_ap(truth, graded), "it is label-ranking average precision"),
        ("AUC", ix.auc, 1 - ix.measures.ranking_loss(truth, graded), "it is one minus the ranking loss"),
    ):
        unknown = not np.isclose(area(truth, graded, average="exemplar"), known)
        record.holds(f"Exemplar-{title} has no established name", unknown, differs=reason, errata="C17")


def costs(record: Record) -> None:
    """Write out the costs of Group 8."""
    y, yhat = np.array([0, 0, 1, 2, 2, 2]), np.array([0, 1, 1, 0, 2, 1])
    off = abs(y - yhat)
    weighted = ix.f_beta.at(beta=2)(y, yhat, average="macro", cost=1 - np.eye(3))
    animals = ix.taxonomy({"pet": None, "cat": "pet", "dog": "pet", "elk": None})
    far = ix.cost(["cat", "dog"], ["dog", "elk"], animals, classes=animals.classes)
    pairs = {
        "MAE: the cost |j-k|": (ix.cost(y, yhat, "absolute"), off.mean()),
        "MSE: the cost (j-k)²": (ix.cost(y, yhat, "squared"), (off**2).mean()),
        "Hierarchical loss: 2 edges from cat to dog, 3 from dog to elk": (far, (2 + 3) / 2),
    }
    _compare(record, pairs)
    plain = ix.f_beta.at(beta=2)(y, yhat, average="macro")
    record.finds("Weighted F-beta with unit costs is F-beta", np.isclose(weighted, plain))
    hamming = np.isclose(ix.cost(y, yhat, "zero_one"), ix.measures.hamming_loss(y, yhat, average="micro"))
    reason = "it is one minus accuracy; the Hamming loss is 2/m of that"
    record.holds("0/1 loss: its micro value is the Hamming loss", hamming, differs=reason, errata="A6")
    by_class = np.mean([off[y == k].mean() for k in range(3)])
    unknown = not np.isclose(ix.cost(y, yhat, "absolute", average="macro"), by_class)
    reason = "over true classes it is the macro MAE of the literature; the column operator groups by predicted ones"
    record.holds("Macro-MAE has no established name", unknown, differs=reason, errata="A5")


def soft(record: Record) -> None:
    """Compute every measure of four counts under three operators and three t-norms (Group 9)."""
    truth, guess = np.random.default_rng(SEED).random((2, 25, 4))
    evaluations = [ix.evaluate(truth, guess, tnorm=name) for name in ("lukasiewicz", "product", "godel")]
    extensions = len({float(ev.score("f1", a)) for ev in evaluations for a in ALL})
    record.claim("distinct soft extensions of one measure, F1", paper="9", ours=extensions)
    distinct = {entry.measure for entry in ENTRIES}
    record.holds("the catalogue has 35 or more binary measures, each counted once", len(distinct) >= 35)
    record.claim("35 times the soft extensions of one measure", paper="315", ours=35 * extensions)
    values = [ev.score(m, a) for m in distinct for a in m.averages or ALL for ev in evaluations]
    record.holds("more than 300 soft extensions have a value", np.isfinite(values).sum() > 300)
    record.note(f"{len(distinct)} distinct measures of four counts gave {np.isfinite(values).sum()} soft scores; seed {SEED}.")


def partial(record: Record) -> None:
    """Write out the measures of Group 10; only net benefit is a function of counts."""
    rng = np.random.default_rng(SEED)
    y, scores = rng.integers(3, size=20), rng.dirichlet((1, 1, 1), 20)
    one_hot, sure, right, bins = np.eye(3)[y], scores.max(axis=1), scores.argmax(axis=1) == y, 5
    place = np.ceil(sure * bins)
    gaps = [(place == b).mean() * abs(right[place == b].mean() - sure[place == b].mean()) for b in np.unique(place)]
    relevance, ranking = rng.integers(4, size=6), rng.random(6)
    orders = relevance[np.argsort(-ranking)], np.sort(relevance)[::-1]
    gain, best = (((2.0**rel - 1) / np.log2(np.arange(6) + 2)).sum() for rel in orders)
    pairs = {
        "Brier score: Σ1((Y-P)²)/(nm)": (ix.brier(y, scores, normalize="nm"), ((one_hot - scores) ** 2).mean()),
        "nDCG: DCG/IDCG with gains 2^rel - 1": (ix.ndcg([relevance], [ranking], gain="exponential"), gain / best),
        "ECE: mean over bins of |accuracy - confidence|": (ix.ece(y, scores, bins=bins), sum(gaps)),
    }
    _compare(record, pairs)
    labels, p = (y == 0).astype(int), scores[:, 0]
    cuts = np.array([0, *np.sort(p), 1])  # between two neighbours the decisions stay the same
    errors = [ix.error_rate(labels, p, decide=cut) for cut in (cuts[1:] + cuts[:-1]) / 2]
    area = ix.measures.threshold_average(labels, p, measure="error_rate")
    _compare(record, {"AUCC: the integral of M over thresholds": (area, np.diff(cuts) @ errors)})
    benefit = ix.theory.equivalent("tp/n - fp/n*p_t/(1-p_t); p_t=0.2", "net_benefit(p_t=0.2)")
    record.holds("Net benefit is tp/n - fp/n p_t/(1-p_t)", benefit)
    mean = np.isclose(ix.log_loss(y, scores), -(one_hot * np.log(scores)).mean())
    reason = "the usual log-loss is the mean over examples, m times this"
    record.holds("Log-loss: -Σ1(Y∘log P)/(nm)", mean, differs=reason, errata="A10")


def vision(record: Record) -> None:
    """Write out the segmentation metrics of Group 12, and see which depend on class sizes."""
    rng = np.random.default_rng(SEED)
    truth = rng.integers(3, size=(12, 10))
    guess = np.where(rng.random(truth.shape) < 0.7, truth, rng.integers(3, size=truth.shape))
    ev, masks = ix.segmentation([truth], [guess]), [(truth == c, guess == c) for c in range(3)]
    other = ev.with_priors([0.7, 0.2, 0.1])
    iou, share = np.array([(a & b).sum() / (a | b).sum() for a, b in masks]), np.array([a.mean() for a, _ in masks])
    dice = [2 * (a & b).sum() / (a.sum() + b.sum()) for a, b in masks]
    for title, name, average, literal, invariant in (
        ("Mean pixel accuracy", "recall", "macro", np.mean([b[a].mean() for a, b in masks]), True),
        ("Mean IoU", "jaccard", "macro", iou.mean(), False),
        ("Mean Dice", "f1", "macro", np.mean(dice), False),
        ("Frequency-weighted IoU", "jaccard", "weighted", share @ iou, False),
    ):
        _compare(record, {f"{title} is {average} {words(name)}": (ev.score(name, average), literal)})
        fixed = bool(np.isclose(ev.score(name, average), other.score(name, average)))
        record.claim(f"{title}: skew-invariant", paper=invariant, ours=fixed)
    _compare(record, {"Per-class IoU is Jaccard per class": (ev.values("jaccard"), iou), "Dice is F1": (ev.values("f1"), dice)})
    micro = np.isclose(ev.score("accuracy", "micro"), (truth == guess).mean())
    reason = "the share of right pixels is micro recall; micro accuracy also counts classes rightly not predicted"
    record.holds("Pixel accuracy is micro accuracy", micro, differs=reason, errata="A14")
    _matched(record, rng)


def _matched(record: Record, rng: np.random.Generator) -> None:
    """Write out what is scored after matching: boxes by average precision, segments by panoptic quality."""
    corners = rng.integers(0, 6, (12, 3, 2)) * 10
    boxes = np.concatenate([corners, corners + rng.integers(6, 10, corners.shape)], axis=2)
    moved, scores = boxes + rng.integers(0, 4, (12, 3, 1)), rng.random((12, 3))
    truth = [{"boxes": own[:k], "labels": [0] * k} for own, k in zip(boxes.tolist(), rng.integers(0, 4, 12), strict=True)]
    found = [{"boxes": b, "labels": [0] * 3, "scores": s} for b, s in zip(moved.tolist(), scores.tolist(), strict=True)]
    for threshold in (0.5, 0.75):
        result = ix.detection(truth, found, ious=[threshold])
        hits = np.concatenate(
            [_greedy(a["boxes"], b["boxes"], b["scores"], threshold) for a, b in zip(truth, found, strict=True)]
        )
        missed = sum(len(a["boxes"]) for a in truth) - int(hits.sum())
        ap = ix.average_precision(hits, scores.ravel(), interpolation="coco", missed=missed)
        _compare(record, {f"AP at IoU {threshold} is average precision after matching": (result.ap(), ap)})
    segments = np.repeat(np.arange(1, 13), 4).reshape(6, 8)
    shifted = np.roll(segments, 1, axis=1)
    one = np.zeros_like(segments)  # the only class
    matched = ix.panoptic([(one, segments)], [(one, shifted)])
    pairs = [((segments == a) & (shifted == a)).sum() / ((segments == a) | (shifted == a)).sum() for a in range(1, 13)]
    near = [x for x in pairs if x > 0.5]
    pq = (2 * len(near) / 24) * (np.mean(near) if near else 0)
    _compare(record, {"Panoptic quality is F1 of the matched segments times their mean IoU": (matched.pq(), pq)})


def _greedy(truth: list[Any], found: list[Any], scores: list[float], threshold: float) -> list[int]:
    """Return which boxes meet a true one that is still free, the highest score first."""
    free, hits = [*range(len(truth))], [0] * len(found)
    for k in np.argsort(scores)[::-1]:
        near = {j: _iou(truth[j], found[k]) for j in free}
        best = max(near, key=lambda j: near[j], default=None)
        if best is not None and near[best] >= threshold:
            free.remove(best)
            hits[k] = 1
    return hits


def _iou(one: list[float], two: list[float]) -> float:
    wide, high = (max(0, min(one[k + 2], two[k + 2]) - max(one[k], two[k])) for k in (0, 1))
    areas = sum((box[2] - box[0]) * (box[3] - box[1]) for box in (one, two))
    return wide * high / (areas - wide * high)
