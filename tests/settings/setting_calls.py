"""A call for each setting of the paper's table, alone or with another."""

from __future__ import annotations

import numpy as np

import indicatrix as ix

CLASSES = ("a", "b", "c")
TRUE, PRED = list("aabbccab"), list("abbbcaab")
N = len(TRUE)
SCORES = np.eye(3)[[CLASSES.index(k) for k in PRED]] * 0.6 + 0.2
PARENT = {"a": None, "b": "a", "c": None}
LABEL_COSTS = ix.tasks.label_costs(fp=1, fn=2)

# Each setting that is an argument: what it does to the labels and options of evaluate, given what else is asked for.


def soft_outputs(call, asked):
    scores = SCORES[:, :2] if "open_set" in asked else SCORES
    call["y_pred"] = scores.tolist() if "targets" not in asked else scores
    call["decide"] = ix.reject_below(0.7) if "abstention" in asked else "argmax"
    if "open_set" not in asked:
        call["classes"] = CLASSES


def soft_truth(call, asked):
    call["tnorm"], call["negation"] = "product", "sugeno(s=1)"
    if not asked & {"ordinal", "open_set", "hierarchy"}:
        call["y_true"] = np.eye(3)[[CLASSES.index(k) for k in TRUE]] * 0.8 + 0.1
        call["classes"] = CLASSES


def cost(call, asked):
    call["cost"] = ix.types.CostMatrix(1 - np.eye(3, dtype=int), abstain=2)
    if asked & {"soft_truth", "hierarchy", "targets", "ordinal"}:
        call["cost"] = LABEL_COSTS
    call["classes"] = CLASSES if not asked & {"open_set", "hierarchy"} else None


def ordinal(call, asked):
    call["ordinal"], call["classes"] = "linear" if "soft_truth" in asked else "cumulative", CLASSES
    if "abstention" in asked:
        call["ordinal"], call["tnorm"] = "linear", "product"
    if asked & {"open_set", "hierarchy"}:
        call["classes"] = None


def masks(call, asked):
    call["mask"] = [True] * (N - 1) + [False]


def abstention(call, asked):
    if "soft_outputs" not in asked:
        call["y_pred"] = [None, *call["y_pred"][1:]]
        call["missing"] = "abstain"


def open_set(call, asked):
    call["known"], call["classes"] = ["a", "b"], None
    if "soft_outputs" not in asked:
        call["y_pred"] = ["unknown" if k == "c" else k for k in call["y_pred"]]


def hierarchy(call, asked):
    call["hierarchy"] = PARENT


def targets(call, asked):
    call["targets"] = True
    for side in ("y_true", "y_pred"):
        call[side] = {"one": call[side], "two": call[side]}


def folds(call, asked):
    call["by"] = {"fold": [0, 1] * (N // 2)}


def weights(call, asked):
    call["sample_weight"] = np.arange(1.0, N + 1)


def imperfect_truth(call, asked):
    call["gold"] = [*TRUE[:6], None, None]
    call["classes"] = None if asked & {"open_set", "hierarchy"} else CLASSES
    if "soft_truth" in asked and "y_true" in call and not isinstance(call["y_true"], list):
        call["gold"] = np.where(np.arange(N)[:, None] < 6, call["y_true"], np.nan)


STEPS = (
    soft_outputs,
    soft_truth,
    cost,
    ordinal,
    masks,
    open_set,
    abstention,
    hierarchy,
    folds,
    weights,
    imperfect_truth,
    targets,
)
BY_ARGUMENT = {step.__name__: step for step in STEPS}


def evaluate(*asked):
    call = {"y_true": TRUE, "y_pred": PRED}
    for step in STEPS:
        if step.__name__ in asked:
            step(call, set(asked))
    return ix.evaluate(call.pop("y_true"), call.pop("y_pred"), **{k: v for k, v in call.items() if v is not None})


# Each setting that is a function: a call with more options, how many examples these speak of, and options that suit it.

A_OR = {other: ["a" if k != other else other for k in PRED] for other in "bc"}
MAPS = [[[x[:2], x[2:4]], [x[4:6], x[6:]]] for x in (TRUE, PRED)]
BAGS = ([1, 1, 0, 0, 1, 1, 0, 0], [0.1, 0.9, 0.2, 0.3, 0.6, 0.2, 0.1, 0.7], list("uuvvwwxx"))
TAGS = ([["B-a", "O"], ["B-b", "I-b"]], [["B-a", "O"], ["B-b", "O"]])
RANKED = ix.tasks.top_ranked([[k, *(c for c in CLASSES if c != k)] for k in PRED], 2, CLASSES)


def ranking(**options):
    truth = [{k} for k in TRUE]
    if "targets" in options:
        return ix.evaluate({"t": truth}, {"t": RANKED}, **options)
    return ix.evaluate(truth, RANKED, **options)


def one_vs_all(**options):
    scores = SCORES if "known" not in options else SCORES[:, :2]
    return ix.tasks.one_vs_all(TRUE, scores, **({} if "known" in options else {"classes": CLASSES}), **options)


def multi_instance(**options):
    if "known" in options:
        return ix.tasks.multi_instance(dict(zip("uvwx", "abca", strict=True)), SCORES[:, :2], BAGS[2], **options)
    if "hierarchy" in options:
        options.setdefault("decide", "argmax")
        return ix.tasks.multi_instance(dict(zip("uvwx", "abca", strict=True)), SCORES, BAGS[2], classes=CLASSES, **options)
    return ix.tasks.multi_instance(*BAGS, **options)


FUNCTIONS = {
    "segmentation": (
        lambda **o: ix.segmentation(*MAPS, **({} if {"known", "hierarchy"} & set(o) else {"classes": CLASSES}), **o),
        2,
    ),
    "single_class": (lambda **o: ix.tasks.one_class(TRUE, [k == "a" for k in PRED], target="a", **o), N),
    "one_vs_all": (one_vs_all, N),
    "one_vs_one": (lambda **o: ix.tasks.one_vs_one(TRUE, {("a", k): v for k, v in A_OR.items()}, final=PRED, **o), N),
    "positive_unlabeled": (
        lambda **o: ix.tasks.positive_unlabeled([int(k == "a") for k in TRUE], [int(k == "a") for k in PRED], **o),
        N,
    ),
    "multi_instance": (multi_instance, 4),
    "label_ranking": (ranking, N),
    "preferences": (lambda **o: ix.tasks.preferences([list("abc"), list("cab")] * 4, [list("acb"), list("ca")] * 4, **o), N),
    "structured": (lambda **o: ix.tasks.sequences(*TAGS, **o), 2),
}
OPTIONS = {
    "soft_outputs": lambda n: {"decide": 0.5},
    "soft_truth": lambda n: {"tnorm": "product", "negation": "sugeno(s=1)"},
    "cost": lambda n: {"cost": LABEL_COSTS},
    "ordinal": lambda n: {"ordinal": "cumulative"},
    "masks": lambda n: {"mask": [True] * (n - 1) + [False]},
    "abstention": lambda n: {"missing": "abstain"},
    "open_set": lambda n: {"known": ["a", "b"]},
    "hierarchy": lambda n: {"hierarchy": PARENT},
    "targets": lambda n: {"targets": True},
    "folds": lambda n: {"by": {"fold": [0, 1] * (n // 2)}},
    "imperfect_truth": lambda n: {"gold": [*TRUE[:6], *[None] * (n - 6)]},
    "weights": lambda n: {"sample_weight": np.arange(1.0, n + 1)},
}
SUITED = {  # where the condition in the table, or the form of the predictions, asks for another option
    ("one_vs_all", "abstention"): {"final": ix.reject_below(0.7)},
    ("one_vs_all", "open_set"): {"known": ["a", "b"], "final": ix.reject_below(0.7)},
    ("multi_instance", "abstention"): {"decide": ix.reject_below(0.7)},
    ("multi_instance", "open_set"): {"known": ["a", "b"], "decide": "argmax"},
    ("segmentation", "soft_truth"): {"tnorm": "product", "ordinal": "linear"},
    ("segmentation", "open_set"): {"known": ["a", "b", "c"]},
}


def run(one, other):
    """Call what two settings together ask for."""
    if one in BY_ARGUMENT and other in BY_ARGUMENT:
        return evaluate(one, other)
    function, argument = (one, other) if one in FUNCTIONS else (other, one)
    call, n = FUNCTIONS[function]
    if (function, argument) == ("one_vs_one", "soft_outputs"):
        return ix.tasks.one_vs_one(TRUE, {("a", "b"): SCORES[:, 0]}, classes=CLASSES, decide=0.5)
    if (function, argument) == ("segmentation", "soft_outputs"):
        return ix.segmentation(MAPS[0], SCORES.reshape(2, 2, 2, 3), classes=CLASSES, class_axis=-1, decide="argmax")
    if (function, argument) == ("multi_instance", "abstention"):
        return ix.tasks.multi_instance(
            dict(zip("uvwx", "abca", strict=True)), SCORES, BAGS[2], classes=CLASSES, decide=ix.reject_below(0.7)
        )
    return call(**SUITED.get((function, argument), OPTIONS[argument](n)))
