"""Which settings go together: one table for evaluate(), for the documentation and for a test."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import combinations
from typing import Any

from .paper_settings import SETTINGS

COUNTED = tuple(name for name in SETTINGS if name != "proper_scores")  # those that have counts, and so can be combined
ENCODERS = tuple(name for name in COUNTED if not SETTINGS[name].arguments)


# Every pair that is not here goes together.
REFUSED: dict[frozenset[str], str] = {
    **{frozenset((name, other)): why for name, x in SETTINGS.items() for other, why in x.refuses.items()},
    **{
        frozenset(two): "each is a separate encoding; make the labels of one of them first, then evaluate these"
        for two in combinations(ENCODERS, 2)
    },
}

# Pairs that go together under a condition.
CONDITIONS: dict[frozenset[str], str] = {
    frozenset(("cost", "soft_truth")): "costs per label or example; a cost matrix with the product and rows that sum to 1",
    frozenset(("cost", "hierarchy")): "costs per node; the tree distance is a cost of the labels themselves, cost(…, taxonomy)",
    frozenset(("cost", "targets")): "costs per label; a cost matrix belongs to one target",
    frozenset(("cost", "ordinal")): "costs per column, or a matrix with ordinal='one_hot'",
    frozenset(("cost", "abstention")): "a matrix with a cost of abstaining, CostMatrix(costs, abstain=…), or costs per label",
    frozenset(("cost", "one_vs_all")): "costs apply to the final decision, not to the classifiers before it",
    frozenset(("cost", "single_class")): "costs per label",
    frozenset(("cost", "label_ranking")): "costs per label",
    frozenset(("cost", "preferences")): "costs per pair of labels, label_costs(…), or per example",
    frozenset(("cost", "structured")): "costs per type: a span that only one side has is not a pair of classes",
    frozenset(("segmentation", "soft_truth")): "with class_axis=, the axis of the memberships, or ordinal=, which makes them",
    frozenset(("segmentation", "soft_outputs")): "with class_axis=, the axis of the scores",
    frozenset(("ordinal", "abstention")): "not with the cumulative encoding, where a row of zeros means the lowest class",
    frozenset(("ordinal", "soft_truth")): "the labels are classes; the encoding makes the memberships",
    frozenset(("open_set", "soft_outputs")): "with a rule that picks one class: 'argmax' or reject_below(t)",
    frozenset(("abstention", "soft_outputs")): "scores abstain by their rule, reject_below(t)",
    frozenset(("abstention", "one_vs_all")): "the decision abstains by its rule, final=reject_below(t)",
    frozenset(("abstention", "multi_instance")): "bags abstain by their rule, decide=reject_below(t)",
    frozenset(("ordinal", "one_vs_all")): "ranks apply to the final decision, not to the classifiers before it",
    frozenset(("soft_truth", "one_vs_all")): "the true classes are still labels",
    frozenset(("ordinal", "one_vs_one")): "ranks apply to the final vote, not to the pairs",
    frozenset(("hierarchy", "one_vs_one")): "the final vote is closed under ancestors, the pairs are not",
    frozenset(("cost", "one_vs_one")): "costs apply to the final vote, not to the pairs",
    frozenset(("abstention", "one_vs_one")): "the final vote may abstain",
    frozenset(("soft_truth", "one_vs_one")): "the true classes are still labels",
}


def requested_settings(options: Mapping[str, Any]) -> list[str]:
    """Return the settings that options of ``evaluate`` ask for, in the order of the table.

    >>> requested_settings({"mask": [True], "missing": "abstain", "cost": None})
    ['masks', 'abstention']
    """
    return [name for name, setting in SETTINGS.items() if setting.is_requested(options)]


def check(settings: Iterable[str]) -> None:
    """Refuse settings that do not go together, with the reason."""
    for one, other in combinations(settings, 2):
        reason = REFUSED.get(frozenset((one, other)))
        if reason is not None:
            raise ValueError(f"{SETTINGS[one].row} and {SETTINGS[other].row.lower()} do not go together: {reason}.")


def refuse(setting: str, options: Mapping[str, Any]) -> None:
    """Refuse options that do not go together with a setting that is a separate function."""
    for other in requested_settings(options):
        check((setting, other))
