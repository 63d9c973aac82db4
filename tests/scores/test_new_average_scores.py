"""A row added to AVERAGES at run time is right in every score, the report and the command line, or refused with the reason.

What each score should be is written out here: the values of the units come from one unit at a time, and the means are taken by
hand with weights that are counted from the labels.
"""

from __future__ import annotations

import json
import math
import re
import sys
from itertools import combinations

import numpy as np
import pytest

import indicatrix as ix
from indicatrix.algebra.average import Average
from indicatrix.algebra.measure import Measure
from indicatrix.catalogue.averages import LABELS, SUPPORT
from indicatrix.cli import main
from indicatrix.cli.tables import select
from indicatrix.report.summary import summarize
from indicatrix.scores.areas import AREAS
from indicatrix.scores.thresholds.tuned_rule import Tuned

NEGATIVES = Measure("negatives", lambda positives, negatives: negatives, reads=LABELS)
SQUARES = Measure("squares", lambda positives, negatives: positives**2, reads=LABELS)
NEW = {
    "predicted": Average(("class",), ix.measure("tp + fp"), "macro, weighted by predicted positives"),
    "negatives": Average(("class",), NEGATIVES, "macro, weighted by actual negatives"),
    "each": Average(("class",), meaning="macro under another name"),
    "alone": Average(("example",), meaning="exemplar under another name"),
    "crowded": Average(("example",), SUPPORT, "exemplar, weighted by the number of labels"),
    "sites": Average(("site",), NEGATIVES, "over sites, weighted by actual negatives"),
    "together": Average((), meaning="micro under another name"),
    "both": Average(("site", "class"), meaning="over classes and sites"),
}
MULTILABEL = ("negatives", "each", "alone", "crowded", "sites", "together")  # known without decisions
AREA_PARAMETERS = {"partial_auc": {"max_fpr": 0.4}, "threshold_average": {"measure": "recall"}}


@pytest.fixture(autouse=True)
def new_averages(registry):
    ix.algebra.AVERAGES.update(NEW)


def mean(values, weights=None):
    """Return the weighted mean of the values that are defined."""
    pairs = [(v, 1 if weights is None else w) for v, w in zip(values, values if weights is None else weights, strict=True)]
    kept = [(v, w) for v, w in pairs if not math.isnan(v)]
    total = sum(w for _, w in kept)
    return sum(v * w for v, w in kept) / total if total else math.nan


def labels(seed=0, n=40, m=4):
    """Return labels 0/1 and scores of several classes, of very different sizes, and the site of each example."""
    rng = np.random.default_rng(seed)
    truth = (rng.random((n, m)) < np.linspace(0.1, 0.6, m)).astype(int)
    scores = np.clip(np.round(rng.random((n, m)) * 0.7 + truth * 0.3, 2), 0.01, 0.99)
    return truth, scores, rng.integers(0, 3, n)


def one_class_each(seed=0, n=60, m=4):
    """Return one label per example, probabilities, and weights."""
    rng = np.random.default_rng(seed)
    y = np.minimum(rng.integers(0, 2 * m, n), m - 1)
    P = rng.dirichlet(np.ones(m), n) * 0.6 + 0.4 * np.eye(m)[y]
    return y, P, rng.integers(1, 5, n) / 4


def close(found, expected):
    assert float(found) == pytest.approx(expected, rel=1e-12, abs=1e-14, nan_ok=True)


def refused(call, average, *reasons):
    """See that an average is refused: by name, with the reason, and with what exists instead, new rows included."""
    with pytest.raises(ValueError, match=re.escape(f"average={average!r}")) as caught:
        call(average)
    for reason in reasons:
        assert reason in str(caught.value)


# Measures of counts.


def four(y, z, j):
    return tuple(int(x.sum()) for x in ((y == j) & (z == j), (y != j) & (z == j), (y == j) & (z != j), (y != j) & (z != j)))


def test_table_report_and_selection():
    rng = np.random.default_rng(1)
    y, z, site = rng.integers(0, 3, 50) // 2, rng.integers(0, 3, 50), rng.integers(0, 2, 50)
    ev = ix.evaluate(y, z, by={"site": site})
    cells = [four(y, z, j) for j in range(3)]
    f1 = [2 * tp / (2 * tp + fp + fn) for tp, fp, fn, _ in cells]
    expected = {
        "predicted": mean(f1, [tp + fp for tp, fp, _, _ in cells]),
        "negatives": mean(f1, [fp + tn for _, fp, _, tn in cells]),
        "each": mean(f1),
        "alone": mean([float(a == b) for a, b in zip(y, z, strict=True)]),
        "together": 2 * sum(c[0] for c in cells) / sum(2 * tp + fp + fn for tp, fp, fn, _ in cells),
        "both": mean([float(v) for g in (0, 1) for v in ix.evaluate(y[site == g], z[site == g], classes=range(3)).values("f1")]),
    }
    table = ev.table(["f1"], list(expected))
    report = {name: scores[-1] for name, scores in summarize(ev).averages}
    text = str(ev)
    for name, value in expected.items():
        close(table.scores[ix.f1, name], value)
        close(report[name], value)
        assert re.search(rf"^ *{name} .*{value:.3f}$", text, re.MULTILINE), name
    assert "denominator" not in report  # not all measures have one
    chosen = select([ev], (), ())
    assert set(expected) < set(chosen.averages)
    scores = chosen.scores(ev, "exclude")
    for name, value in expected.items():
        close(scores[ix.f1, name], value)
    assert select([ev], (ix.f1,), ("predicted",)).averages == ("predicted",)


def run(monkeypatch, capsys, *args):
    """Return the exit code and the output of a command, run in this process."""
    monkeypatch.setattr(sys, "argv", ["indicatrix", *map(str, args)])
    with pytest.raises(SystemExit) as ended:
        main()
    return ended.value.code or 0, capsys.readouterr()


def test_the_command_line_knows_new_averages(tmp_path, monkeypatch, capsys):
    y, z = ["a", "a", "b", "c", "c"], ["a", "b", "b", "b", "c"]
    file = tmp_path / "labels.csv"
    file.write_text("truth,guess\n" + "\n".join(f"{a},{b}" for a, b in zip(y, z, strict=True)), "utf-8")
    command = ("evaluate", file, "--true", "truth", "--pred", "guess")
    code, said = run(monkeypatch, capsys, *command, "--json", "-m", "precision")
    scores = {s["average"]: s["value"] for s in json.loads(said.out)["evaluations"][0]["scores"]}
    assert code == 0
    close(scores["predicted"], mean([1, 1 / 3, 1], [1, 3, 1]))
    close(scores["negatives"], mean([1, 1 / 3, 1], [3, 4, 3]))
    code, said = run(monkeypatch, capsys, *command, "-a", "predicted", "-m", "precision")
    assert (code, "predicted" in said.out, "0.600" in said.out) == (0, True, True)
    code, said = run(monkeypatch, capsys, *command, "--fail-under", "predicted precision=0.7")
    assert (code, "Check failed: predicted precision of" in said.out + said.err) == (1, True)
    code, said = run(monkeypatch, capsys, *command, "-a", "negative")
    assert (code != 0, "Did you mean negatives?" in said.err) == (True, True)


def test_a_report_leaves_out_weights_that_the_data_do_not_show():
    ev = ix.evaluate(["a", "b", "b"], ["a", "b", "a"], unobserved=("fp", "tn"))
    shown = [name for name, _ in summarize(ev).averages]
    assert {"each", "weighted"} <= set(shown)
    assert not {"predicted", "negatives"} & set(shown)


def test_a_grouping_cannot_take_the_name_of_a_new_average():
    with pytest.raises(ValueError, match="by= cannot be called 'predicted'"):
        ix.evaluate([0, 1], [0, 1], by={"predicted": [0, 1]})


# Areas.


@pytest.mark.parametrize("name", AREAS)
def test_every_area(name):
    truth, scores, site = labels()
    area = AREAS[name].at(**AREA_PARAMETERS.get(name, {}))
    ask = {a: area(truth, scores, average=a, by={"site": site}) for a in MULTILABEL}
    classes = [float(area(truth[:, j], scores[:, j])) for j in range(4)]
    examples = [float(area(truth[i], scores[i])) for i in range(len(truth))]
    groups = [float(area(truth[site == g].ravel(), scores[site == g].ravel())) for g in range(3)]
    close(ask["negatives"], mean(classes, (1 - truth).sum(axis=0)))
    close(ask["each"], mean(classes))
    close(ask["alone"], mean(examples))
    close(ask["crowded"], mean(examples, truth.sum(axis=1)))
    close(ask["sites"], mean(groups, [(1 - truth[site == g]).sum() for g in range(3)]))
    close(ask["together"], float(area(truth.ravel(), scores.ravel())))
    call = lambda average: area(truth, scores, average=average, by={"site": site})  # noqa: E731
    refused(
        call, "predicted", "weights by what is predicted, and scores are not decisions", "micro, macro, weighted, exemplar, neg"
    )
    refused(call, "denominator", f"{area} is not a ratio of counts", "Choose from micro")
    refused(call, "both", "keeps site and class together", "Choose from micro")
    refused(lambda average: area(truth, scores, average=average), "sites", "there is no axis 'site' here")


def test_weights_of_examples_meet_sample_weights():
    truth, scores, _ = labels(3)
    w = np.arange(len(truth)) % 3
    values = [float(ix.auc(truth[i], scores[i])) for i in range(len(truth))]
    close(ix.auc(truth, scores, average="crowded", sample_weight=w), mean(values, w * truth.sum(axis=1)))
    close(ix.auc(truth, scores, average="negatives", sample_weight=w), _weighted_auc(truth, scores, w))


def _weighted_auc(truth, scores, w):
    values = [float(ix.auc(truth[:, j], scores[:, j], sample_weight=w)) for j in range(truth.shape[1])]
    return mean(values, [(w * (1 - truth[:, j])).sum() for j in range(truth.shape[1])])


def test_bins():
    truth, scores, _ = labels(1)
    state = ix.scores.binned(truth, scores)
    for name in ("auc", "average_precision"):
        classes = [getattr(state.of(j), name) for j in range(4)]
        close(state.area(name, "negatives").value, mean(classes, (1 - truth).sum(axis=0)))
        close(state.area(name, "each").value, mean(classes))
        close(state.area(name, "together").value, getattr(state.micro, name))
    refused(lambda a: state.area("auc", a), "predicted", "weights by what is predicted", "negatives, each, together")
    refused(lambda a: state.area("auc", a), "alone", "it needs the scores of each example")


def test_pairs_of_classes():
    y, P, w = one_class_each()
    pairs = list(combinations(range(4), 2))
    values = []
    for a, b in pairs:
        at = (y == a) | (y == b)
        values.append(np.mean([float(ix.auc((y[at] == c).astype(int), P[at, c], sample_weight=w[at])) for c in (a, b)]))
    size = [w[y == j].sum() for j in range(4)]
    close(ix.measures.hand_till_auc(y, P, sample_weight=w, average="each"), mean(values))
    for average in ("weighted", "negatives"):  # in a pair, the positives of one class are the negatives of the other
        close(
            ix.measures.hand_till_auc(y, P, sample_weight=w, average=average), mean(values, [size[a] + size[b] for a, b in pairs])
        )
    ix.algebra.AVERAGES["squares"] = Average(("class",), SQUARES)
    close(
        ix.measures.hand_till_auc(y, P, sample_weight=w, average="squares"),
        mean(values, [size[a] ** 2 + size[b] ** 2 for a, b in pairs]),
    )
    refused(
        lambda a: ix.measures.hand_till_auc(y, P, average=a),
        "predicted",
        "weights by what is predicted",
        "macro, weighted, negatives",
    )
    refused(lambda a: ix.measures.hand_till_auc(y, P, average=a), "alone", "a mean over pairs of classes")


def test_boundaries_of_ordered_classes():
    y, P, _ = one_class_each(2)
    values = [float(ix.auc((y > j).astype(int), P[:, j + 1 :].sum(axis=1))) for j in range(3)]
    close(ix.measures.ordinal_auc(y, P, classes=range(4), average="each"), mean(values))
    close(ix.measures.ordinal_auc(y, P, classes=range(4), average="negatives"), mean(values, [(y <= j).sum() for j in range(3)]))
    refused(lambda a: ix.measures.ordinal_auc(y, P, classes=range(4), average=a), "predicted", "scores are not decisions")


# Proper scores, calibration and rankings.


@pytest.mark.parametrize("score", [ix.brier, ix.log_loss, ix.ece], ids=lambda f: f.__name__)
def test_scores_of_probabilities(score):
    truth, P, site = labels(4)
    w = np.arange(len(truth)) % 4 + 1
    ask = {a: score(truth, P, average=a, sample_weight=w, by={"site": site}) for a in MULTILABEL if a not in ("alone", "crowded")}
    classes = [float(score(truth[:, j], P[:, j], sample_weight=w)) for j in range(4)]
    groups = [float(score(truth[site == g], P[site == g], sample_weight=w[site == g])) for g in range(3)]
    close(ask["negatives"], mean(classes, w @ (1 - truth)))
    close(ask["each"], mean(classes))
    close(ask["sites"], mean(groups, [(w[site == g] @ (1 - truth[site == g])).sum() for g in range(3)]))
    close(ask["together"], float(score(truth, P, sample_weight=w)))
    call = lambda average: score(truth, P, average=average)  # noqa: E731
    refused(call, "predicted", "weights by what is predicted", "micro, macro, weighted, ")
    refused(call, "denominator", f"{score.__name__} is not a ratio of counts")
    if score is ix.ece:
        refused(call, "alone", "one example by itself has no share")
    else:
        examples = [float(score([truth[i]], [P[i]])) for i in range(len(truth))]
        close(score(truth, P, average="alone", sample_weight=w), mean(examples, w))
        close(score(truth, P, average="crowded", sample_weight=w), mean(examples, w * truth.sum(axis=1)))


@pytest.mark.parametrize("score", [ix.brier, ix.log_loss], ids=lambda f: f.__name__)
def test_losses_of_one_class_per_example(score):
    y, P, w = one_class_each(5)
    mask = np.arange(len(y)) % 5 > 0
    some = [(y == j) & mask for j in range(4)]
    classes = [float(score(y[at], P[at], classes=range(4), sample_weight=w[at])) for at in some]
    options = {"classes": range(4), "sample_weight": w, "mask": mask}
    close(score(y, P, average="each", **options), mean(classes))
    close(score(y, P, average="negatives", **options), mean(classes, [w[mask & ~at].sum() for at in some]))


RANKINGS = (ix.measures.dcg, ix.ndcg, ix.measures.label_ranking_ap, ix.measures.coverage_error, ix.measures.ranking_loss)


@pytest.mark.parametrize("score", [*RANKINGS, ix.mrr], ids=lambda f: f.__name__)
def test_rankings(score):
    truth, S, site = labels(6)
    examples = [float(score([truth[i]], [S[i]])) for i in range(len(truth))]
    close(score(truth, S, average="alone"), mean(examples))
    close(score(truth, S, average="crowded"), mean(examples, truth.sum(axis=1)))
    groups = [float(score(truth[site == g], S[site == g])) for g in range(3)]
    sizes = [(1 - truth[site == g]).sum() for g in range(3)]
    close(score(truth, S, average="sites", by={"site": site}), mean(groups, sizes))
    close(score(truth, S, average="together"), float(score(truth, S, average="micro")))
    if score is ix.mrr:
        refused(lambda a: score(truth, S, average=a), "each", "which class stands first", "micro, exemplar, alone, crowded")
    else:
        classes = score(truth, S, average="macro").values.tolist()
        close(score(truth, S, average="each"), mean(classes))
        close(score(truth, S, average="negatives"), mean(classes, (1 - truth).sum(axis=0)))
        refused(lambda a: score(truth, S, average=a), "predicted", "scores are read before any decision")


def test_orders_have_no_positives_to_weight_by():
    a, b = np.random.default_rng(0).random((2, 9, 4))
    close(ix.scores.kendall(a, b, average="alone"), float(ix.scores.kendall(a, b)))
    refused(lambda average: ix.scores.kendall(a, b, average=average), "crowded", "no positives and negatives to weight by")
    refused(lambda average: ix.scores.kendall(a, b, average=average), "each", "a pair belongs to no class")


# Thresholds.


@pytest.mark.parametrize("measure", ["f1", "recall", "mcc"])
def test_best_thresholds(measure):
    truth, scores, _ = labels(7)
    swept = ix.sweep(truth, scores)
    bests = [swept.best(measure, j).value for j in range(4)]
    close(swept.best(measure, average="each").value, mean(bests))
    close(swept.best(measure, average="negatives").value, mean(bests, (1 - truth).sum(axis=0)))
    assert swept.best(measure, average="together").value == swept.best(measure, average="micro").value
    reached = ix.evaluate(truth, scores, decide=swept.best(measure, average="negatives").rule)
    close(reached.score(measure, "negatives"), swept.best(measure, average="negatives").value)
    refused(lambda a: swept.best(measure, average=a), "predicted", "change with the thresholds", "micro, macro, weighted")
    refused(lambda a: swept.values(measure, average=a), "each", "does not have a single threshold axis")
    if measure == "recall":  # its denominator is the actual positives
        assert swept.best(measure, average="denominator").value == swept.best(measure, average="weighted").value
    else:
        reason = "no denominator weights" if measure == "mcc" else "change with the thresholds"
        refused(lambda a: swept.best(measure, average=a), "denominator", reason)


def test_tune():
    truth, scores, _ = labels(8)
    for average in ("each", "negatives"):
        tuned = ix.tune(truth, scores, "f1", average, method="sweep")
        bests = [ix.tune(truth[:, j], scores[:, j], "f1", method="sweep") for j in range(4)]
        assert isinstance(tuned, Tuned)
        assert tuned.rule == tuple(best.rule for best in bests)
        weights = None if average == "each" else (1 - truth).sum(axis=0)
        close(tuned.value, mean([float(best.value) for best in bests], weights))
    assert ix.tune(truth, scores, "accuracy", "negatives").closed_form == (0.5,) * 4
    shared = ix.tune(truth, scores, "f1", "alone", method="sweep")
    assert (shared.rule, shared.value) == (ix.tune(truth, scores, "f1", "exemplar", method="sweep").rule, shared.value)
    rules = set()
    for seed in range(4):
        some, numbers, _ = labels(seed, n=12)
        crowded = ix.tune(some, numbers, "f1", "crowded", method="sweep")
        close(crowded.value, max(float(ix.evaluate(some, numbers, decide=t).score("f1", "crowded")) for t in np.unique(numbers)))
        rules.add(crowded.rule == ix.tune(some, numbers, "f1", "exemplar", method="sweep").rule)
    assert False in rules  # the weights of examples move the best threshold
    refused(
        lambda a: ix.tune(truth, scores, "f1", a), "predicted", "change with the thresholds", "negatives, each, alone, crowded"
    )
    with pytest.raises(ValueError, match="'micro' or 'exemplar' or 'alone' or 'crowded' or 'together' for one threshold"):
        ix.tune(truth, scores, "f1")


# Tasks.


def test_cost():
    rng = np.random.default_rng(9)
    y, z, site = rng.integers(0, 3, 60), rng.integers(0, 3, 60), rng.integers(0, 2, 60)
    C = np.array([[0, 2, 5], [1, 0, 3], [4, 1, 0]])
    paid = C[y, z]
    by_true = [paid[y == j].mean() for j in range(3)]
    by_predicted = [paid[z == j].mean() for j in range(3)]
    sizes, predicted = [(y == j).sum() for j in range(3)], [(z == j).sum() for j in range(3)]
    close(ix.cost(y, z, C, average="weighted"), paid.mean())
    close(ix.cost(y, z, C, average="predicted"), mean(by_true, predicted))
    close(ix.cost(y, z, C, average="predicted", side="predicted"), paid.mean())
    close(ix.cost(y, z, C, average="negatives"), mean(by_true, [60 - n for n in sizes]))
    close(ix.cost(y, z, C, average="each", side="predicted"), mean(by_predicted))
    close(ix.cost(y, z, C, average="alone"), paid.mean())
    close(ix.cost(y, z, C, average="together"), paid.mean())
    groups = [paid[site == g].mean() for g in (0, 1)]
    close(ix.cost(y, z, C, average="sites", by={"site": site}), mean(groups, [2 * (site == g).sum() for g in (0, 1)]))
    assert ix.evaluate(y, z).cost(C, average="predicted") == ix.cost(y, z, C, average="predicted")
    refused(
        lambda a: ix.cost(y, z, C, average=a), "crowded", "all examples count the same", "negatives, each, alone, together, total"
    )
    refused(lambda a: ix.cost(y, z, C, average=a), "denominator", "cost is not a ratio of counts")
    refused(lambda a: ix.cost(y, z, C, average=a), "sites", "there is no axis 'site' here")


def test_folds():
    ev = ix.evaluate([1, 1, 1, 1, 0, 0, 0], [1, 1, 1, 0, 0, 1, 1], by={"fold": [1, 1, 2, 2, 1, 2, 2]})
    pooled = ix.tasks.folds(ev, "precision", "together")
    assert pooled.weighted == pytest.approx(ix.tasks.folds(ev, "precision", "micro").weighted)
    assert ix.tasks.folds(ev, "precision", "each").weights is None


def test_positive_unlabeled_data():
    truth, scores, _ = labels(10, n=200)
    found = (scores > 0.5).astype(int)
    pu = ix.tasks.positive_unlabeled(truth, found)
    recall = [truth[:, j][found[:, j] == 1].sum() / truth[:, j].sum() for j in range(4)]
    close(pu.score("recall", "each"), mean(recall))
    close(pu.score("recall", "predicted"), mean(recall, found.sum(axis=0)))  # unlabeled or not, they are predicted
    refused(lambda a: pu.score("recall", a), "negatives", "counts that contain unlabeled positives")
    refused(lambda a: pu.score("recall", a), "alone", "is unknown for positive-unlabeled data", "'each'")
    bounds = pu.bounds("recall", "negatives", propensity=(0.5, 0.9))
    ends = [float(pu.at(propensity=c).score("recall", "negatives")) for c in np.linspace(*bounds.interval, 50)]
    assert bounds.low <= min(ends) + 1e-12
    assert bounds.high >= max(ends) - 1e-12
