"""Which settings go together: one table for evaluate(), for the documentation and for a test."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import combinations
from typing import Any

from .table import SETTINGS

COUNTED = tuple(name for name in SETTINGS if name != "proper_scores")  # those that have counts, and so can be combined
ENCODERS = tuple(name for name in COUNTED if not SETTINGS[name].arguments)


def _pairs(reason: str, one: str, *others: str) -> dict[frozenset[str], str]:
    return {frozenset((one, other)): reason for other in others}


# Every pair that is not here goes together.
REFUSED: dict[frozenset[str], str] = {
    **{frozenset((name, other)): why for name, x in SETTINGS.items() for other, why in x.refuses.items()},
    **_pairs("a map holds one target; evaluate one target at a time", "segmentation", "targets"),
    **_pairs(
        "a decision to accept or reject has no ranks, no parents, no other targets and no third answer",
        *("single_class", "ordinal", "hierarchy", "targets", "abstention", "open_set"),
    ),
    **_pairs("the scores belong to one target; decompose each target by itself", "one_vs_all", "targets"),
    **_pairs("a pair is two classes of one target; decompose each target by itself", "one_vs_one", "targets"),
    **_pairs("no pair of known classes can vote for the unknown one", "one_vs_one", "open_set"),
    **_pairs("bags are pooled by the scores of one target; evaluate each target by itself", "multi_instance", "targets"),
    **_pairs(
        "unlabelled positives are moved between cells, so cells must count examples; apply costs to the counts of .at(…)",
        *("positive_unlabelled", "cost"),
    ),
    **_pairs(
        "an example is a confirmed positive or not: there are no ranks, parents or unknown classes; a 0/1 matrix holds "
        "several such problems side by side",
        *("positive_unlabelled", "ordinal", "hierarchy", "open_set", "targets"),
    ),
    **_pairs(
        "a span is present or not: spans have no scores, memberships, abstentions, unknown classes, ranks or targets",
        *("structured", "soft_outputs", "soft_truth", "abstention", "open_set", "ordinal", "targets"),
    ),
    **_pairs("a ranking cut at k is already a decision", "label_ranking", "soft_outputs"),
    **_pairs(
        "k labels per example are not one class: only one class can be unknown, have a rank or be declined",
        *("label_ranking", "open_set", "ordinal", "abstention"),
    ),
    **_pairs(
        "a preference is between two labels of one ranking: it has no score, membership, rank, parent, target or third answer",
        *("preferences", "soft_outputs", "soft_truth", "ordinal", "hierarchy", "targets", "abstention", "open_set"),
    ),
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
    frozenset(("cost", "abstention")): "a matrix with a cost of abstaining, CostMatrix(C, abstain=…), or costs per label",
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
