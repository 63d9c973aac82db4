"""Arrays and options that are counted on a device, and what it means that two evaluations are the same."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

import indicatrix as ix

torch.manual_seed(5)
N, M = 700, 6
LABELS = torch.randint(0, M, (N,))
PRED = torch.where(torch.rand(N) < 0.6, LABELS, torch.randint(0, M - 1, (N,)))
TABLE = torch.rand(N, M) < 0.3
DECIDED = (torch.rand(N, M) < 0.4) & (torch.rand(N, 1) < 0.8)  # some rows have no prediction
SCORES = torch.round(torch.randn(N, M), decimals=1)  # with ties
SOFT, SAID = torch.rand(N, M), torch.rand(N, M)
SAID[:5] = 0
SOFT[5:9] = torch.tensor([1e-15, 1, 0, 0.5, 2**-40, 1e-12])
TINY = SOFT * torch.tensor([1e-30, 1, 1e-45, 1, 1e-20, 1])
WEIGHTS = torch.rand(N, dtype=torch.float64)
SEEN = torch.rand(N) < 0.8
ENTRIES = torch.rand(N, M) < 0.7
ENTRIES[:9] = False

Case = tuple[torch.Tensor, torch.Tensor, dict[str, Any]]
CASES: dict[str, Case] = {
    "labels": (LABELS, PRED, {}),
    "one row": (LABELS[:1], PRED[:1], {}),
    "odd start": (LABELS.to(torch.uint8)[3:], PRED.to(torch.uint8)[1:-2], {}),
    "every other": (LABELS[::2], PRED[1::2], {}),
    "absent class": (LABELS * 2, PRED * 2, {}),
    "bools": (LABELS > 2, PRED > 2, {"positive": True}),
    "bools and numbers": (LABELS > 2, (PRED > 2).long(), {}),
    "larger than the first ones": (torch.arange(N + 70_000) // 70_000 * 9, torch.zeros(N + 70_000, dtype=torch.int64), {}),
    "classes": (LABELS, PRED, {"classes": range(M + 2)}),
    "classes in any order": (LABELS * 7 - 3, PRED * 7 - 3, {"classes": [4, -3, 11, 18, 25, 32, 99]}),
    "classes of bools": (LABELS > 2, PRED > 2, {"classes": [True, False]}),
    "far apart": (LABELS * 2**40 - 5, PRED * 2**40 - 5, {}),
    "300 classes": (LABELS * 50, PRED * 50 + 49, {}),
    "very many classes": (torch.arange(2 * N), torch.arange(2 * N) // 2 * 2, {}),
    "very many classes, with gaps": (torch.arange(2 * N) * 30 + 7, torch.arange(2 * N) // 2 * 60 + 7, {}),
    "most classes": (torch.arange(40 * N), torch.arange(40 * N) // 3 * 3, {}),
    "most classes, small integers": (torch.arange(40 * N).int(), torch.arange(40 * N).int() // 3 * 3, {}),
    "very many classes, given": (torch.arange(3 * N), torch.arange(3 * N) // 2, {"classes": range(3 * N)}),
    "very many classes, one of them far": (torch.arange(2 * N) ** 4, torch.arange(2 * N) // 2 * 2, {}),
    "mask": (LABELS, PRED, {"mask": SEEN}),
    "mask of numbers": (LABELS, PRED, {"mask": SEEN.long()[:, None]}),
    "nothing seen": (LABELS, PRED, {"mask": SEEN & ~SEEN}),
    "weights": (LABELS, PRED, {"sample_weight": WEIGHTS}),
    "float32 weights": (LABELS, PRED, {"sample_weight": WEIGHTS.float(), "classes": range(M)}),
    "integer weights": (LABELS, PRED, {"sample_weight": torch.randint(0, 5, (N,)), "moments": False}),
    "weights of many sizes": (LABELS, PRED, {"sample_weight": WEIGHTS * 2.0 ** -torch.arange(N).remainder(50)}),
    "weights, very many classes": (LABELS * 371 + torch.arange(N), torch.arange(N) + 9000, {"sample_weight": WEIGHTS}),
    "mask, very many classes": (torch.arange(2 * N), torch.arange(2 * N) // 2 * 2, {"mask": SEEN.repeat(2)}),
    "mask, very many classes, given": (
        torch.arange(2 * N),
        torch.arange(2 * N) // 2,
        {"mask": SEEN.repeat(2), "classes": range(3 * N)},
    ),
    "nothing seen of very many": (torch.arange(2 * N), torch.arange(2 * N) // 2, {"mask": torch.zeros(2 * N).bool()}),
    "integer weights, very many classes": (
        torch.arange(2 * N).int() * 9,
        torch.arange(2 * N).int() // 2 * 18,
        {"sample_weight": torch.arange(2 * N) % 5, "moments": False},
    ),
    "no confusion": (LABELS, PRED, {"confusion": False}),
    "confusion": (LABELS, PRED, {"confusion": True}),
    "argmax": (LABELS, SCORES, {"decide": "argmax"}),
    "argmax, classes": (LABELS, SCORES.double(), {"decide": "argmax", "classes": range(M)}),
    "argmax, weights": (LABELS, SCORES.half(), {"decide": "argmax", "sample_weight": WEIGHTS}),
    "top k": (LABELS, SCORES, {"decide": ix.top_k(2)}),
    "hit in top": (LABELS, SCORES, {"decide": ix.hit_in_top(2)}),
    "threshold": (LABELS % 2, SCORES[:, 0], {"decide": 0.3}),
    "threshold, positive 0": (LABELS % 2, SCORES[:, 0], {"decide": 0.3, "positive": 0}),
    "above": (LABELS > 2, SCORES[:, 0].bfloat16(), {"decide": ix.above(0.3), "mask": SEEN}),
    "tables": (TABLE, DECIDED, {}),
    "tables of one column": (TABLE[:, :1], DECIDED[:, :1], {}),
    "tables of 37 columns": (
        TABLE[:, [*range(M)] * 6 + [0]],
        DECIDED[:, [*range(M)] * 6 + [1]].to(torch.uint8),
        {"moments": False},
    ),
    "tables of 300 columns": (TABLE.repeat(1, 50), DECIDED.repeat(1, 50), {}),
    "tables of 1200 columns": (TABLE.repeat(1, 200), DECIDED.repeat(1, 200), {}),
    "tables of numbers": (TABLE.to(torch.uint8), DECIDED.long(), {}),
    "tables of floats": (TABLE.float(), DECIDED.double(), {"moments": True}),
    "tables without moments": (TABLE, DECIDED, {"moments": False}),
    "names": (TABLE, DECIDED, {"classes": [*"abcdef"]}),
    "mask of entries": (TABLE, DECIDED, {"mask": ENTRIES}),
    "mask of rows": (TABLE.long(), DECIDED, {"mask": SEEN}),
    "table of scores": (TABLE, SCORES, {"decide": 0.5}),
    "a threshold each": (TABLE, SCORES, {"decide": [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]}),
    "top k of labels": (TABLE, SCORES, {"decide": ix.top_k(2)}),
    "unobserved": (TABLE, DECIDED, {"unobserved": ("tn",)}),
    "product": (SOFT, SAID, {"tnorm": "product"}),
    "tiny memberships": (TINY, SAID, {"tnorm": "product"}),
    "product in float64": (SOFT.double(), SAID.double(), {"tnorm": "product", "moments": False}),
    "product, one side decided": (TABLE, SAID, {"tnorm": "product"}),
    "minimum": (TABLE.float(), SAID, {"tnorm": "godel"}),
    "lukasiewicz": (SOFT.double(), SAID, {"tnorm": "lukasiewicz"}),
    "decisions under a t-norm": (TABLE.float(), DECIDED.float(), {"tnorm": "product"}),
}
RANKED: dict[str, tuple[torch.Tensor, torch.Tensor, tuple[str | None, ...]]] = {
    "logits": (LABELS % 2, SCORES[:, 0], (None,)),
    "probabilities": (LABELS > 2, torch.round(SAID[:, 1], decimals=2), (None,)),
    "float64": (LABELS % 2, SCORES[:, 0].double() * 1e-200, (None,)),
    "half": (LABELS % 2, SCORES[:, 1].half(), (None,)),
    "bfloat16": (LABELS % 2, SCORES[:, 1].bfloat16(), (None,)),
    "zeros": (LABELS % 2, torch.where(LABELS < 3, -0.0, 0.0), (None,)),
    "very different sizes": (LABELS % 2, SCORES[:, 0] * torch.exp2(torch.arange(N).remainder(240) - 120.0), (None,)),
    "infinite": (LABELS % 2, torch.where(SCORES[:, 0] > 1, torch.inf, SCORES[:, 0]), (None,)),
    "no negatives": (LABELS * 0 + 1, SCORES[:, 0], (None,)),
    "labels of 0 and 1": (TABLE.long(), SCORES, ("macro", "micro", "weighted", "exemplar")),
    "classes": (LABELS, SCORES, ("macro", "micro")),
}


def assert_same(there: ix.Evaluation, here: ix.Evaluation) -> None:
    """Assert that everything is the same, also what ``==`` leaves out; sums of memberships in rows may round differently."""
    if here.kind == "soft" and there != here:
        assert np.array_equal(there.tally.pooled.cells(), here.tally.pooled.cells())
        (rows, times), (own, often) = there.tally.pooled.rows(), here.tally.pooled.rows()
        assert times.sum() == often.sum()
        assert np.allclose(rows @ times, own @ often, rtol=1e-13)
        assert abs(there.score("f1", "exemplar", undefined=0) - here.score("f1", "exemplar", undefined=0)) < 1e-13
    else:
        assert there == here
    one, two = there.tally, here.tally
    for field in ("classes", "open", "ordered", "hidden", "keep_pairs", "n"):
        assert getattr(one, field) == getattr(two, field), field
    assert [*map(type, one.classes)] == [*map(type, two.classes)]
    assert (there.kind, there.named_positive, there.recipe) == (here.kind, here.named_positive, here.recipe)
    assert one.squares == two.squares
    if here.kind == "soft":
        assert (one.declined or {}).keys() == (two.declined or {}).keys()
    else:
        assert one.declined == two.declined
    if isinstance(two.moments, str) or isinstance(one.moments, str):
        assert one.moments == two.moments
        return
    assert _products(one.moments.whole) == _products(two.moments.whole)
    assert one.moments.any_size == two.moments.any_size
    declined = [{key: _products(own) for key, own in (x.declined or {}).items()} for x in (one.moments, two.moments)]
    assert declined[0] == declined[1]


def _products(x: Any) -> tuple[Any, ...]:
    return x.m, x.keys.tolist(), x.values.tolist(), x.weight, x.unit


CHANCES, ROWS = torch.rand(N), torch.softmax(SCORES, 1)
FORECASTS: dict[str, tuple[torch.Tensor, torch.Tensor]] = {
    "one probability": (LABELS % 2, CHANCES),
    "bools": (LABELS > 2, torch.round(CHANCES.double(), decimals=1)),
    "half": (LABELS % 2, CHANCES.half()),
    "bfloat16": (TABLE.long(), SAID.bfloat16()),
    "two classes": (LABELS % 2, torch.softmax(SCORES[:, :2], 1)),
    "classes": (LABELS, ROWS),
    "several labels": (TABLE, SAID),
}
OF_FORECASTS: dict[str, tuple[Any, dict[str, Any], bool]] = {  # a function, its options, and whether nothing is copied
    "brier": (ix.brier, {}, True),
    "brier of entries": (ix.brier, {"normalize": "nm"}, True),
    "macro brier": (ix.brier, {"average": "macro"}, False),
    "weighted brier": (ix.brier, {"average": "weighted"}, False),
    "exemplar brier": (ix.brier, {"average": "exemplar"}, False),
    "interval": (ix.brier, {"interval": 0.9}, False),
    "log loss": (ix.log_loss, {}, True),
    "total log loss": (ix.log_loss, {"normalize": "sum", "clip": 0.01}, True),
    "present": (ix.log_loss, {"terms": "present"}, True),
    "spherical": (ix.measures.spherical_score, {}, True),
    "ece": (ix.ece, {}, True),
    "debiased": (ix.ece, {"bins": 7, "norm": "l2", "debiased": True}, True),
    "many bins": (ix.ece, {"bins": 100}, False),
    "bins of equal mass": (ix.ece, {"binning": "mass"}, False),
    "macro ece": (ix.ece, {"average": "macro"}, False),
    "two of the highest": (ix.top_k_accuracy, {"k": 2}, True),
    "last of equal ones": (ix.top_k_accuracy, {"k": 1, "ties": "last"}, True),
    "mean of equal ones": (ix.top_k_accuracy, {"k": 3, "ties": "mean"}, True),
    "macro top 2": (ix.top_k_accuracy, {"k": 2, "average": "macro"}, False),
}


def outcome(call: Any) -> Any:
    """Return a score, or what an error says."""
    try:
        return call()
    except (ValueError, TypeError) as error:
        return f"{type(error).__name__}: {error}"


def at_all_thresholds(swept: Any) -> dict[str, Any]:
    """Return what is read at all thresholds, and bins of them: of one column, if there are several."""
    unit = None if swept.positive is not None else swept.columns[0]
    found = {
        **{name: getattr(swept, name)(unit) for name in ("roc", "pr", "det", "lift", "roc_hull")},
        **{name: swept.values(name, unit).tolist() for name in ("f1", "mcc")},
        "steep": outcome(lambda: swept.best("recall", unit, subject_to="precision >= 0.3")),
        "equal errors": outcome(lambda: swept.at_point("equal_errors", unit)),
        "counts": [swept.at(threshold) for threshold in (-0.5, 0.3, 1.0)],
        "partial": outcome(lambda: str(ix.measures.partial_auc(swept, max_fpr=0.3, average=None if unit is None else "macro"))),
        "steps": [getattr(swept.of(unit), name).tolist() for name in ("positives", "negatives", "scores")],
    }
    lines = {name: [x.tolist() for x in (own.x, own.y, own.thresholds)] for name, own in found.items() if hasattr(own, "x")}
    some = [swept.compact(bits).of(column) for bits in (9, 20, 63) for column in swept.columns]
    bins = [[own.bits, *(x.tolist() for x in (own.keys, own.lowest, own.highest, own.positives, own.negatives))] for own in some]
    return {name: repr(own) for name, own in (found | lines).items()} | {"bins": bins}


def is_near(there: Any, here: Any) -> bool:
    """Return whether two scores are the same but for the order of sums of floats, or two errors are."""
    if isinstance(here, str) or isinstance(there, str):
        return str(there) == str(here)
    ends = ("low", "high") if hasattr(here, "low") else ()
    pairs = [(there, here), *((getattr(there, end), getattr(here, end)) for end in ends)]
    return all(abs(float(a) - float(b)) <= 1e-12 * max(1, abs(float(b))) for a, b in pairs)


def many_columns(n: int, number: Any, m: int = 5) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return scores with ties, zeros of both signs, infinities and tiny numbers; a table of labels; and one label of each row."""
    rng = np.random.default_rng(n)
    scores = np.round(rng.normal(size=(n, m)), 1).astype(number)
    scores[:, 0] *= 0
    scores[::2, 0] *= -1
    scores[0, 1], scores[-1, 1] = np.inf, -np.inf
    scores[:, 2] *= 1e-40
    labels = rng.random((n, m)) < 0.3
    labels[:, 3], labels[:, 4] = True, False
    return scores, labels, rng.integers(0, m, n)
