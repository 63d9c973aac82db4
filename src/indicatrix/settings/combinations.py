"""Which settings go together: one table that evaluate() asks, the documentation prints and a test tries (tab:settings)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any


@dataclass(frozen=True)
class Setting:
    """A row of the paper's table of settings: what it is called there, the level of claim, how it is asked for, its limits."""

    row: str
    level: str  # "derived", "accommodated", "partial" or "boundary"
    asked: str  # the argument of evaluate, or the function
    limits: str


SETTINGS: dict[str, Setting] = {
    "soft_outputs": Setting(
        "Soft classifier outputs",
        "derived",
        "evaluate(…, decide=)",
        "A decision rule turns scores into labels first; the threshold belongs to the classifier, not to the measure.",
    ),
    "soft_truth": Setting(
        "Soft/uncertain ground truth",
        "derived",
        "evaluate(…, tnorm=), votes",
        "A perfect soft prediction scores 1 only under the Łukasiewicz t-norm, and only the product keeps the marginals.",
    ),
    "cost": Setting(
        "Cost-sensitive evaluation",
        "derived",
        "cost, evaluate(…, cost=)",
        "A cost matrix needs one true and one predicted class per example; several labels have costs per label.",
    ),
    "ordinal": Setting(
        "Ordinal classification",
        "derived",
        "evaluate(…, ordinal=)",
        "The order must be given, and distances are counted in ranks.",
    ),
    "masks": Setting(
        "Partial and missing labels",
        "derived",
        "evaluate(…, mask=), missing='mask'",
        "What was not observed counts nowhere: that is fair only if labels are missing at random.",
    ),
    "segmentation": Setting(
        "Segmentation metrics",
        "derived",
        "segmentation",
        "Pixels are the examples: distances between outlines are not seen.",
    ),
    "abstention": Setting(
        "Abstaining classifiers",
        "accommodated",
        "evaluate(…, abstain=), missing='abstain', risk_coverage",
        "An abstention is an all-zero row, so precision and recall no longer coincide under micro averaging.",
    ),
    "open_set": Setting(
        "Open-set recognition",
        "accommodated",
        "evaluate(…, known=), open_set_curve",
        "All unknown classes are one column: they are not told apart.",
    ),
    "single_class": Setting(
        "Single-class classification",
        "accommodated",
        "one_class",
        "Where only inliers are labelled recall is known, and whatever needs negatives is undefined.",
    ),
    "one_vs_all": Setting(
        "One-vs-all decomposition",
        "accommodated",
        "one_vs_all",
        "The classifiers before and the decision after argmax are two objects, and may rank models differently.",
    ),
    "hierarchy": Setting(
        "Hierarchical classification",
        "accommodated",
        "evaluate(…, hierarchy=), taxonomy",
        "Labels are closed under ancestors, so that every level counts alike.",
    ),
    "targets": Setting(
        "Multi-output classification",
        "accommodated",
        "evaluate(…, targets=)",
        "Targets stand side by side; dependences between them are not modelled.",
    ),
    "one_vs_one": Setting(
        "One-vs-one decomposition",
        "partial",
        "one_vs_one",
        "Pairs and the final vote are evaluated; the voting between them is not modelled.",
    ),
    "positive_unlabelled": Setting(
        "Positive-unlabeled learning",
        "partial",
        "positive_unlabelled",
        "Recall holds in expectation; anything that needs negatives needs the propensity or the prior.",
    ),
    "multi_instance": Setting(
        "Multi-instance learning",
        "partial",
        "multi_instance",
        "Bags are plain examples; how the two stages of instances within bags interact is open.",
    ),
    "label_ranking": Setting(
        "Label ranking",
        "boundary",
        "ranked",
        "Only the ranking cut at position k has counts; full rankings have none.",
    ),
    "proper_scores": Setting(
        "Proper scoring rules",
        "boundary",
        "(outside the counts)",
        "Brier score and log loss read probabilities and are no function of four counts.",
    ),
    "structured": Setting(
        "Structured output prediction",
        "boundary",
        "sequences, spans",
        "Tokens and spans are counted; losses of whole structures are not, but for the exact match.",
    ),
    "folds": Setting(
        "Resampling folds",
        "derived",
        "evaluate(…, by=), folds",
        "Pooled and averaged values differ in general, with stratified folds as well.",
    ),
    "weights": Setting(
        "(sample weights)",
        "derived",
        "evaluate(…, sample_weight=)",
        "A weight is a multiplicity: it enters where examples are summed.",
    ),
}

# The setting that an argument of evaluate() asks for.
ARGUMENTS = {
    "decide": "soft_outputs",
    "tnorm": "soft_truth",
    "cost": "cost",
    "ordinal": "ordinal",
    "mask": "masks",
    "abstain": "abstention",
    "known": "open_set",
    "hierarchy": "hierarchy",
    "targets": "targets",
    "by": "folds",
    "sample_weight": "weights",
}

_OWN = "each is an encoding of its own; make the labels of one of them first and evaluate those"
_ENCODERS = ("segmentation", "single_class", "one_vs_all", "one_vs_one", "positive_unlabelled", "multi_instance", "structured")


def _pairs(reason: str, one: str, *others: str) -> dict[frozenset[str], str]:
    return {frozenset((one, other)): reason for other in others}


# Every pair that is not here goes together.
REFUSED: dict[frozenset[str], str] = {
    **_pairs(
        "whether an example is unknown is a question of its one true class; memberships have none", "open_set", "soft_truth"
    ),
    **_pairs("nothing says how the memberships of children add up to that of their parent", "hierarchy", "soft_truth"),
    **_pairs("the unknown class has no place in the order", "open_set", "ordinal"),
    **_pairs("the unknown class has no place in the taxonomy", "open_set", "hierarchy"),
    **_pairs("a taxonomy gives its own columns, and an order gives others", "hierarchy", "ordinal"),
    **_pairs("columns are grouped by depth or by target, not by both; evaluate that target by itself", "hierarchy", "targets"),
    **{frozenset(two): _OWN for two in combinations(_ENCODERS, 2)},
}

# Pairs that go together under a condition.
CONDITIONS: dict[frozenset[str], str] = {
    frozenset(("cost", "soft_truth")): "costs per label; a cost matrix needs one-hot rows",
    frozenset(("cost", "hierarchy")): "costs per node; the tree distance is a cost of the labels themselves, cost(…, taxonomy)",
    frozenset(("cost", "targets")): "costs per label; a cost matrix belongs to one target",
    frozenset(("cost", "ordinal")): "costs per column, or a matrix with ordinal='one_hot'",
    frozenset(("cost", "abstention")): "with a cost of abstaining, CostMatrix(C, abstain=…)",
    frozenset(("ordinal", "abstention")): "not with the cumulative encoding, where no class would read as the lowest",
    frozenset(("ordinal", "soft_truth")): "the labels are classes; the encoding makes the memberships",
    frozenset(("open_set", "soft_outputs")): "with a rule that picks one class: 'argmax' or reject_below(t)",
    frozenset(("abstention", "soft_outputs")): "scores abstain by their rule, reject_below(t)",
}


def used(options: Mapping[str, Any]) -> list[str]:
    """Return the settings that arguments of evaluate() ask for, in the order of the table.

    >>> used({"mask": [True], "missing": "abstain", "cost": None})
    ['masks', 'abstention']
    """
    asked = {ARGUMENTS[name] for name, value in options.items() if name in ARGUMENTS and value is not None}
    missing = options.get("missing")
    for value in missing.values() if isinstance(missing, Mapping) else (missing,):
        asked |= {"mask": {"masks"}, "abstain": {"abstention"}}.get(str(value), set())
    return [name for name in SETTINGS if name in asked]


def check(settings: Iterable[str]) -> None:
    """Refuse settings that do not go together, with the reason."""
    for one, other in combinations(settings, 2):
        reason = REFUSED.get(frozenset((one, other)))
        if reason is not None:
            raise ValueError(f"{SETTINGS[one].row} and {SETTINGS[other].row.lower()} do not go together: {reason}.")


def refuse(setting: str, options: Mapping[str, Any]) -> None:
    """Refuse options that do not go together with a setting that is a function of its own."""
    for other in used(options):
        check((setting, other))
