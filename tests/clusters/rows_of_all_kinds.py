"""Rows with every kind of column, and what to evaluate of them: on a cluster as in memory, bit for bit."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pyarrow as pa

import indicatrix as ix

ANIMALS = ["ant", "bee", "cat", "dog", "eel"]
TREE = {"ant": "insect", "bee": "insect", "cat": "mammal", "dog": "mammal", "eel": "fish"}
CASES: dict[str, dict[str, Any]] = {
    "labels": {"true": "animal", "pred": "model"},
    "integers by two groups": {"true": "digit", "pred": "guess", "by": ["site", "day"]},
    "fixed classes and costs": {
        "true": "digit",
        "pred": "guess",
        "classes": [*range(5)],
        "cost": np.arange(25).reshape(5, 5) * (1 - np.eye(5, dtype=int)),
    },
    "positive class that most parts lack": {"true": "rare", "pred": "rare_guess", "positive": "yes"},
    "weights": {"true": "animal", "pred": "model", "sample_weight": "weight", "by": {"place": "site"}},
    "missing labels": {"true": "animal_or_none", "pred": "model_or_none", "missing": ("mask", "abstain")},
    "masked rows": {"true": "animal", "pred": "model", "mask": "seen"},
    "a threshold": {"true": "bit", "score": "p_1", "decide": 0.5, "by": "site"},
    "a threshold between texts": {"true": "rare", "score": "p_1", "decide": 0.5, "positive": "yes"},
    "argmax": {"true": "digit", "score": {i: f"p_{i}" for i in range(5)}, "decide": "argmax"},
    "a column for each label": {"true": ["t.0", "t.1"], "pred": ["q 0", "q 1"], "sample_weight": "weight"},
    "scores of each label": {"true": ["t.0", "t.1"], "score": ["p_0", "p_1"], "decide": 0.3, "by": "site"},
    "lists": {"true": "tags", "pred": "tags_guess", "by": "site"},
    "several predictions": {"true": "animal", "pred": ["model", "model_2"]},
    "targets": {"true": ["animal", "day"], "pred": ["model", "day_guess"], "targets": True, "by": "site"},
    "an order": {"true": "animal", "pred": "model", "classes": ANIMALS, "ordinal": "cumulative", "by": "site"},
    "a judge corrected by gold labels": {"true": "judge", "pred": "model", "gold": "checked", "by": "site"},
    "gold labels of strata": {"true": "judge", "pred": "model", "gold": "checked", "design": "day", "sample_weight": "weight"},
    "a taxonomy": {"true": "animal", "pred": "model", "hierarchy": TREE, "sample_weight": "weight"},
    "binned scores": {"true": "bit", "score": "p_1", "scores": 8},
}


# Options of evaluate, each to be tried with every other one.
OPTIONS: dict[str, dict[str, Any]] = {
    "targets": {"true": ["animal", "day"], "pred": ["model", "day_guess"], "targets": True},
    "missing": {"missing": ("mask", "abstain")},
    "cost": {"cost": np.arange(25).reshape(5, 5) * (1 - np.eye(5, dtype=int)), "classes": ANIMALS},
    "ordinal": {"ordinal": "cumulative", "classes": ANIMALS},
    "hierarchy": {"hierarchy": TREE},
    "mask": {"mask": "seen"},
    "sample_weight": {"sample_weight": "weight"},
    "by": {"by": ["site", "day"]},
    "positive": {"positive": "cat"},
    "known": {"known": ANIMALS[:4], "unknown": "eel"},
    "abstain": {"pred": "model_or_no_idea", "abstain": "no idea"},
    "confusion": {"confusion": False},
    "moments": {"moments": True},
}
OF_A_TARGET = ("classes", "cost", "ordinal", "known", "unknown", "abstain", "missing")  # options that a target has for itself


def crossed(one: str, other: str) -> dict[str, Any]:
    """Return the arguments of two options together; with targets, both are about the first target."""
    both = (one, other)
    given = {"true": "animal_or_none" if "missing" in both else "animal", "pred": "model", **OPTIONS[one], **OPTIONS[other]}
    if "targets" not in both:
        return given
    own = {name: {"animal": value} for name, value in given.items() if name in OF_A_TARGET}
    model = OPTIONS["abstain"]["pred"] if "abstain" in both else "model"
    return {**given, **own, "true": ["animal", "day"], "pred": [model, "day_guess"]}


CROSSED = {
    " and ".join(dict.fromkeys((one, other))): crossed(one, other) for i, one in enumerate(OPTIONS) for other in [*OPTIONS][i:]
}


def rows(n: int = 600, seed: int = 0) -> pa.Table:
    """Return rows sorted by their labels, so that every part lacks some."""
    rng = np.random.default_rng(seed)
    digit = np.sort(rng.integers(0, 5, n))
    animal = np.array(["ant", "bee", "cat", "dog", "eel"])
    guess = np.where(rng.random(n) < 0.7, digit, rng.integers(0, 5, n))
    some = rng.random(n) < 0.9
    scores = rng.random((n, 5))
    tags = [sorted({*animal[rng.integers(0, 5, rng.integers(0, 4))].tolist()}) for _ in range(2 * n)]
    judge = np.where(rng.random(n) < 0.8, digit, rng.integers(0, 5, n))
    return pa.table(
        {
            "judge": animal[judge],
            "checked": pa.array(animal[digit], mask=rng.random(n) < 0.7),
            "digit": digit,
            "guess": guess,
            "animal": animal[digit],
            "model": animal[guess],
            "model_2": animal[rng.permutation(guess)],
            "animal_or_none": pa.array(animal[digit], mask=rng.random(n) < 0.1),
            "model_or_none": pa.array(animal[guess], mask=rng.random(n) < 0.1),
            "model_or_no_idea": np.where(some, animal[guess], "no idea"),
            "rare": np.where(np.arange(n) >= n - 5, "yes", "no"),
            "rare_guess": np.where(np.arange(n) >= n - 9, "yes", "no"),
            "site": rng.integers(0, 3, n),
            "day": pa.array(rng.choice(["mon", "tue"], n)),
            "day_guess": pa.array(rng.choice(["mon", "tue"], n)),
            "weight": rng.random(n) * 10.0 ** rng.integers(-8, 9, n),
            "seen": some,
            "bit": (digit >= 3).astype(np.int64),
            **{f"p_{i}": scores[:, i] for i in range(5)},
            "t.0": rng.integers(0, 2, n),
            "t.1": rng.integers(0, 2, n),
            "q 0": rng.integers(0, 2, n),
            "q 1": rng.integers(0, 2, n),
            "tags": pa.array(tags[:n], pa.list_(pa.string())),
            "tags_guess": pa.array(tags[n:], pa.list_(pa.string())),
        }
    )


def in_memory(table: pa.Table, given: dict[str, Any]) -> Any:
    """Return what the library makes of the columns as arrays in memory."""
    given = dict(given)
    values = {
        name: table[name].to_pylist() if "tags" in name or "none" in name or name == "checked" else table[name].to_numpy()
        for name in table.column_names
    }
    true, answer = given.pop("true"), given.pop("pred", None) or given.pop("score")
    by = given.pop("by", {})
    by = by if isinstance(by, dict) else {name: name for name in ([by] if isinstance(by, str) else by)}
    options = {name: values[given.pop(name)] for name in ("sample_weight", "mask", "gold") if name in given}
    if "design" in given:
        options["design"] = {"strata": values[given.pop("design")]}
    options |= {"by": {axis: values[column] for axis, column in by.items()} or None, **given}
    if isinstance(answer, list) and isinstance(true, str):
        return ix.inference.paired_counts(values[true], {name: values[name] for name in answer})
    if "scores" in options:
        return ix.scores.binned(values[true], values[answer], bits=options["scores"])
    if "targets" in options:
        return ix.evaluate(
            *({name: values[column] for name, column in zip(true, side, strict=True)} for side in (true, answer)), **options
        )
    if isinstance(true, list):
        options["classes"] = true
        return ix.evaluate(*(np.column_stack([values[name] for name in names]) for names in (true, answer)), **options)
    if isinstance(answer, dict):
        return ix.evaluate(
            values[true], np.column_stack([values[name] for name in answer.values()]), classes=[*answer], **options
        )
    if "tags" in true:
        return ix.evaluate(*([{*row} for row in values[name]] for name in (true, answer)), **options)
    return ix.evaluate(values[true], values[answer], **options)


def parts(table: pa.Table, seed: int) -> list[pa.Table]:
    """Return the rows in random order and parts of very different sizes: some have no row, and one has one row."""
    rng = np.random.default_rng(seed)
    if seed:
        table = table.take(rng.permutation(table.num_rows))
    cuts = np.sort([0, 0, 1, *rng.integers(0, table.num_rows, 5 + seed), table.num_rows, table.num_rows])
    return [table.slice(a, b - a) for a, b in pairwise(cuts)]
