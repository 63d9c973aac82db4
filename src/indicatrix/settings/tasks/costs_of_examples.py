"""What the errors on examples with costs of their own cost, for each pair of classes (sec:cost)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...algebra.makers import evaluate_labels
from ...encode.weights import check_weights
from ..arguments.example_costs import ExampleCosts
from .cost_pairs import PricedPairs, pairs_of


def pairs_with_costs(
    y_true: Any, y_pred: Any, costs: ExampleCosts, average: str, options: Mapping[str, Any]
) -> tuple[PricedPairs, list[Array]]:
    """Return how often each pair of classes occurred in each group, and what its errors cost together.

    A cost is a multiplicity of an error, so the costs of all errors are the counts of an evaluation with the costs as weights.
    """
    check_for_errors(costs, options)
    ev = evaluate_labels(y_true, y_pred, **options)
    pairs, missed = pairs_of(ev, average), _row_of_misses(costs, ev)
    spent = _sum_costs(y_true, y_pred, costs.of("fp"), average, options)
    if missed is not None:
        misses = _sum_costs(y_true, y_pred, costs.of("fn"), average, options)
        for name, table in spent.items():
            table[missed] = misses[name][missed]
    wrong = ~np.eye(len(pairs.classes) + 1, dtype=bool)
    wrong[:, -1] = False  # abstain_cost= prices predictions that name no class
    return pairs, [np.where(wrong, spent[name], 0) for name in pairs.tables]


def check_for_errors(costs: ExampleCosts, options: Mapping[str, Any]) -> None:
    """Refuse what gives right predictions a worth, and memberships, which are not errors."""
    if any(np.any(costs.of(kind) != 1) for kind in ("tp", "tn")):
        raise ValueError("tp and tn say what right predictions count in cells, evaluate(…, cost=…); ix.cost adds up errors.")
    if options.get("tnorm") is not None:
        raise ValueError("Costs of single examples are costs of errors, and memberships are not errors. Leave tnorm= out.")


def costs_of_errors(costs: ExampleCosts, ev: Any, true: Array) -> Array:
    """Return what an error on each example costs, whose true classes have these codes."""
    missed = _row_of_misses(costs, ev)
    fp, fn = (costs.of(kind).astype(np.float64) for kind in ("fp", "fn"))
    return fp if missed is None else np.where(true == missed, fn, fp)


def _row_of_misses(costs: ExampleCosts, ev: Any) -> int | None:
    """Return the true class whose errors are false negatives; None if both kinds of errors cost the same."""
    if np.array_equal(costs.of("fp"), costs.of("fn")):
        return None
    if len(ev.classes) > 2 or ev.positive is None:
        raise ValueError(
            "fp and fn differ, and without a positive class an error is a false positive of one class and a false negative of "
            "another, so it has two costs. Give one cost per example, example_costs([…]), or positive= and two classes."
        )
    return int(ev.classes.index(ev.positive)) if ev.positive in ev.classes else len(ev.classes)


def _sum_costs(y_true: Any, y_pred: Any, cost: Array, average: str, options: Mapping[str, Any]) -> dict[Any, Array]:
    weights = check_weights(options.get("sample_weight"), len(cost), signed=bool(options.get("signed_weights")), exact=True)
    worth = cost if weights is None else cost * weights
    ev = evaluate_labels(y_true, y_pred, **{**options, "sample_weight": worth})
    return {name: table.copy() for name, table in pairs_of(ev, average).tables.items()}
