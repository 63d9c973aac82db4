"""The paper's table of settings (tab:settings).

It says how to ask for each, its limits, its module, and which go together.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any


@dataclass(frozen=True)
class Setting:
    """A row of the paper's table of settings: name, level of claim, how to ask for it, limits.

    A setting that arguments of ``evaluate`` ask for names them; the others are functions of their own.
    """

    row: str  # as the paper prints it; in parentheses where the paper has no such row
    level: str  # "derived", "accommodated", "partial" or "boundary"
    asked: str  # the argument of evaluate, or the function
    limits: str
    module: str = ""  # that counts it; its text ends with an example
    arguments: tuple[str, ...] = ()  # of evaluate
    missing: str | None = None  # the value of missing= that also asks for it
    refuses: Mapping[str, str] = field(default_factory=dict)  # settings that it does not go together with, and why
    conditions: Mapping[str, str] = field(default_factory=dict)  # settings that it goes together with, and when

    def is_requested(self, options: Mapping[str, Any]) -> bool:
        """Return whether options of ``evaluate`` ask for it."""
        if any(options.get(name) is not None for name in self.arguments):
            return True
        return self.missing is not None and self.missing in _values(options.get("missing"))


def _values(missing: Any) -> set[Any]:
    """Return what ``missing=`` says: of both sides, of each, or of each target."""
    found: set[Any] = set()
    for value in missing.values() if isinstance(missing, Mapping) else (missing,):
        found.update(side for side in (value if isinstance(value, tuple) else (value,)) if isinstance(side, str))
    return found


SETTINGS: dict[str, Setting] = {
    "soft_outputs": Setting(
        "Soft classifier outputs",
        "derived",
        "evaluate(…, decide=)",
        "A decision rule turns scores into labels first; the threshold belongs to the classifier, not to the measure.",
        module="encode.decisions",
        arguments=("decide",),
    ),
    "soft_truth": Setting(
        "Soft/uncertain ground truth",
        "derived",
        "evaluate(…, tnorm=, negation=), votes",
        "A perfect soft prediction scores 1 only under the Łukasiewicz t-norm, and only the product keeps the marginals.",
        module="tasks.votes",
        arguments=("tnorm", "negation"),
        conditions={
            "one_vs_all": "the true classes are still labels",
            "one_vs_one": "the true classes are still labels",
        },
    ),
    "cost": Setting(
        "Cost-sensitive evaluation",
        "derived",
        "cost, evaluate(…, cost=)",
        "A cost matrix needs one true and one predicted class per example, or shares of classes that sum to 1; several labels "
        "have costs per label. Costs of single examples have no intervals.",
        module="settings.cost_matrices",
        arguments=("cost",),
        conditions={
            "soft_truth": "costs per label or example; a cost matrix with the product and rows that sum to 1",
            "hierarchy": "costs per node; the tree distance is a cost of the labels themselves, cost(…, taxonomy)",
            "targets": "costs per label; a cost matrix belongs to one target",
            "ordinal": "costs per column, or a matrix with ordinal='one_hot'",
            "abstention": "a matrix with a cost of abstaining, CostMatrix(costs, abstain=…), or costs per label",
            "one_vs_all": "costs apply to the final decision, not to the classifiers before it",
            "single_class": "costs per label",
            "label_ranking": "costs per label",
            "preferences": "costs per pair of labels, label_costs(…), or per example",
            "structured": "costs per type: a span that only one side has is not a pair of classes",
            "one_vs_one": "costs apply to the final vote, not to the pairs",
        },
    ),
    "ordinal": Setting(
        "Ordinal classification",
        "derived",
        "evaluate(…, ordinal=)",
        "The order must be given, and distances are counted in ranks.",
        module="settings.ordinal",
        arguments=("ordinal",),
        conditions={
            "abstention": "not with the cumulative encoding, where a row of zeros means the lowest class",
            "soft_truth": "the labels are classes; the encoding makes the memberships",
            "one_vs_all": "ranks apply to the final decision, not to the classifiers before it",
            "one_vs_one": "ranks apply to the final vote, not to the pairs",
        },
    ),
    "masks": Setting(
        "Partial and missing labels",
        "derived",
        "evaluate(…, mask=), missing='mask'",
        "What was not observed counts nowhere: that is fair only if labels are missing at random.",
        module="settings.problem",
        arguments=("mask",),
        missing="mask",
    ),
    "segmentation": Setting(
        "Segmentation metrics",
        "derived",
        "segmentation",
        "Pixels are the examples; distances between outlines are in surface_distances, objects in instances and panoptic.",
        module="vision.pixels.segmentation",
        refuses={"targets": "a map holds one target; evaluate one target at a time"},
        conditions={
            "soft_truth": "with class_axis=, the axis of the memberships, or ordinal=, which makes them",
            "soft_outputs": "with class_axis=, the axis of the scores",
        },
    ),
    "abstention": Setting(
        "Abstaining classifiers",
        "accommodated",
        "evaluate(…, abstain=), missing='abstain', risk_coverage",
        "An abstention is an all-zero row, so precision and recall no longer coincide under micro averaging.",
        module="settings.abstention",
        arguments=("abstain",),
        missing="abstain",
        conditions={
            "soft_outputs": "scores abstain by their rule, reject_below(t)",
            "one_vs_all": "the decision abstains by its rule, final=reject_below(t)",
            "multi_instance": "bags abstain by their rule, decide=reject_below(t)",
            "one_vs_one": "the final vote may abstain",
        },
    ),
    "open_set": Setting(
        "Open-set recognition",
        "accommodated",
        "evaluate(…, known=), open_set_curve",
        "All unknown classes are one column: they are not distinguished.",
        module="settings.open_set",
        arguments=("known", "unknown"),
        refuses={
            "soft_truth": "whether an example is unknown depends on its one true class, which memberships do not have",
            "ordinal": "the unknown class has no place in the order",
            "hierarchy": "the unknown class has no place in the taxonomy",
        },
        conditions={
            "soft_outputs": "with a rule that picks one class: 'argmax' or reject_below(t)",
        },
    ),
    "single_class": Setting(
        "Single-class classification",
        "accommodated",
        "one_class",
        "If only inliers are labeled, recall is known, and every measure that needs negatives is undefined.",
        module="tasks.selective.single_class",
        refuses=dict.fromkeys(
            ("ordinal", "hierarchy", "targets", "abstention", "open_set"),
            "a decision to accept or reject has no ranks, no parents, no other targets and no third answer",
        ),
    ),
    "one_vs_all": Setting(
        "One-vs-all decomposition",
        "accommodated",
        "one_vs_all",
        "The classifiers before and the decision after argmax are two objects, and may rank models differently.",
        module="tasks.pairwise.one_vs_all",
        refuses={"targets": "the scores belong to one target; decompose each target by itself"},
    ),
    "hierarchy": Setting(
        "Hierarchical classification",
        "accommodated",
        "evaluate(…, hierarchy=), taxonomy",
        "Labels are closed under ancestors, so every level counts equally.",
        module="settings.hierarchy",
        arguments=("hierarchy",),
        refuses={
            "soft_truth": "nothing says how the memberships of children add up to that of their parent",
            "ordinal": "a taxonomy makes its own columns, and so does an order",
            "targets": "columns are grouped by depth or by target, not by both; evaluate that target by itself",
        },
        conditions={
            "one_vs_one": "the final vote is closed under ancestors, the pairs are not",
        },
    ),
    "targets": Setting(
        "Multi-output classification",
        "accommodated",
        "evaluate(…, targets=)",
        "Targets stand side by side; dependences between them are not modeled.",
        module="settings.targets",
        arguments=("targets",),
    ),
    "one_vs_one": Setting(
        "One-vs-one decomposition",
        "partial",
        "one_vs_one",
        "Pairs and the final vote are evaluated; the voting between them is not modeled.",
        module="tasks.pairwise.one_vs_one",
        refuses={
            "targets": "a pair is two classes of one target; decompose each target by itself",
            "open_set": "no pair of known classes can vote for the unknown one",
        },
    ),
    "positive_unlabeled": Setting(
        "Positive-unlabeled learning",
        "partial",
        "positive_unlabeled",
        "Recall holds in expectation; anything that needs negatives needs the propensity or the prior.",
        module="tasks.positive_unlabeled",
        refuses={
            "cost": "unlabeled positives are moved between cells, so cells must count examples; apply costs to the counts of "
            ".at(…)",
            **dict.fromkeys(
                ("ordinal", "hierarchy", "open_set", "targets"),
                "an example is a confirmed positive or not: there are no ranks, parents or unknown classes; a 0/1 matrix holds "
                "several such problems side by side",
            ),
        },
    ),
    "multi_instance": Setting(
        "Multi-instance learning",
        "partial",
        "multi_instance",
        "Bags are plain examples; how the two stages of instances within bags interact is open.",
        module="tasks.multi_instance",
        refuses={"targets": "bags are pooled by the scores of one target; evaluate each target by itself"},
    ),
    "label_ranking": Setting(
        "Label ranking",
        "boundary",
        "top_ranked",
        "Only the ranking cut at position k has counts; full rankings do not.",
        module="tasks.label_ranking",
        refuses={
            "soft_outputs": "a ranking cut at k is already a decision",
            **dict.fromkeys(
                ("open_set", "ordinal", "abstention"),
                "k labels per example are not one class: only one class can be unknown, have a rank or be declined",
            ),
        },
    ),
    "preferences": Setting(
        "(label preferences)",
        "boundary",
        "preferences",
        "Every pair of labels is a column: a pair counts the same at the top and at the bottom of a ranking.",
        module="tasks.label_ranking",
        refuses=dict.fromkeys(
            ("soft_outputs", "soft_truth", "ordinal", "hierarchy", "targets", "abstention", "open_set"),
            "a preference is between two labels of one ranking: it has no score, membership, rank, parent, target or third "
            "answer",
        ),
    ),
    "proper_scores": Setting(
        "Proper scoring rules",
        "boundary",
        "(outside the counts)",
        "Brier score and log loss read probabilities and are not functions of four counts.",
    ),
    "structured": Setting(
        "Structured output prediction",
        "boundary",
        "sequences, spans, span_outcomes",
        "Tokens and spans are counted; losses of whole structures are not, except the exact match.",
        module="tasks.spans.spans",
        refuses=dict.fromkeys(
            ("soft_outputs", "soft_truth", "abstention", "open_set", "ordinal", "targets"),
            "a span is present or not: spans have no scores, memberships, abstentions, unknown classes, ranks or targets",
        ),
    ),
    "folds": Setting(
        "Resampling folds",
        "derived",
        "evaluate(…, by=), folds",
        "Pooled and averaged values differ in general, with stratified folds as well.",
        module="tasks.folds",
        arguments=("by",),
    ),
    "imperfect_truth": Setting(
        "(imperfect truth)",
        "derived",
        "evaluate(…, gold=, design=, unverified=, noise=)",
        "Gold rows are chosen at random within what is predicted, or as design= says; error rates do not depend on it.",
        module="corrected_evaluation",
        arguments=("gold", "design", "unverified", "noise"),
        refuses={
            "cost": "cells are corrected before they are weighted; ev.cost(…) takes the corrected counts",
            "targets": "the gold labels of one target say nothing about another; correct each target by itself",
            "soft_truth": "another complement than 1 - x is not linear in the truth; give tnorm= without negation=",
            **dict.fromkeys(
                (
                    "segmentation",
                    "single_class",
                    "one_vs_all",
                    "one_vs_one",
                    "positive_unlabeled",
                    "multi_instance",
                    "preferences",
                    "structured",
                ),
                "gold labels are corrected by evaluate; give it the labels that such a function makes",
            ),
        },
    ),
    "weights": Setting(
        "(sample weights)",
        "derived",
        "evaluate(…, sample_weight=)",
        "A weight is a multiplicity: it enters where examples are summed.",
        module="encode.weights",
        arguments=("sample_weight",),
    ),
}

# Settings that change labels or what they become, in the order in which they take effect. Their modules have one of two
# functions, or both: ``change_labels(labels, options)`` changes labels before they are encoded,
# ``change_problem(problem, options)`` the indicators, what their cells count or what of them was observed.
STEPS = ("open_set", "abstention", "hierarchy", "ordinal", "cost")


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
CONDITIONS = {frozenset((name, other)): when for name, x in SETTINGS.items() for other, when in x.conditions.items()}


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
