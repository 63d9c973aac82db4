"""The paper's table of settings: how to ask for each, level and limits, an example (tab:settings)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
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
    example: str = ""  # a session that runs
    arguments: tuple[str, ...] = ()  # of evaluate
    missing: str | None = None  # the value of missing= that also asks for it
    refuses: Mapping[str, str] = field(default_factory=dict)  # settings that it does not go together with, and why

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
        """
>>> scores = [[0.7, 0.2, 0.1], [0.4, 0.4, 0.2], [0.1, 0.3, 0.6]]
>>> ev = ix.evaluate([0, 1, 2], scores, decide="argmax")  # ties go to the lowest index
>>> ev.score("exact_match"), ix.recall([0, 1, 2], scores, decide=ix.top_k(2), average="micro")
(0.6666666666666666, 1.0)
""",
        arguments=("decide",),
    ),
    "soft_truth": Setting(
        "Soft/uncertain ground truth",
        "derived",
        "evaluate(…, tnorm=, negation=), votes",
        "A perfect soft prediction scores 1 only under the Łukasiewicz t-norm, and only the product keeps the marginals.",
        """
>>> truth = ix.tasks.votes([["cat", "cat", "dog"], ["dog", "dog"]])  # three annotators, then two
>>> ix.f1(truth, ["cat", "dog"], tnorm="product", average="micro")
0.8333333333333333
>>> ix.f1(truth, ["cat", "dog"], tnorm="product", negation="sugeno(s=1)", average="micro")  # another complement than 1 - x
0.8620689655172413
""",
        arguments=("tnorm", "negation"),
    ),
    "cost": Setting(
        "Cost-sensitive evaluation",
        "derived",
        "cost, evaluate(…, cost=)",
        "A cost matrix needs one true and one predicted class per example, or shares of classes that sum to 1; several labels "
        "have costs per label. Costs of single examples have no intervals.",
        """
>>> C = [[0, 1], [10, 0]]  # rows true: the second class taken for the first costs 10
>>> ix.cost([0, 0, 1, 1], [0, 1, 1, 0], C), ix.cost([0, 0, 1, 1], [0, 1, 1, 0], C, average="macro")
(2.75, 2.75)
>>> ix.recall([0, 0, 1, 1], [0, 1, 1, 0], cost=C, average="macro")  # errors weigh what they cost
0.29545454545454547
>>> ix.cost([0, 0, 1, 1], [0, 1, 1, 0], ix.tasks.example_costs([1, 2, 5, 9]), average="total")  # a cost for each example
11.0
>>> ev = ix.evaluate([[0.8, 0.2]], [[0.5, 0.5]], cost=C, tnorm="product")  # shares of classes: costs that are expected
>>> ev.aggregate().fn
1.4
""",
        arguments=("cost",),
    ),
    "ordinal": Setting(
        "Ordinal classification",
        "derived",
        "evaluate(…, ordinal=)",
        "The order must be given, and distances are counted in ranks.",
        """
>>> sizes, truth, guess = ["S", "M", "L"], ["S", "M", "L", "L"], ["S", "L", "L", "S"]
>>> ev = ix.evaluate(truth, guess, classes=sizes, ordinal="cumulative")
>>> mae = ix.cost(truth, guess, "absolute", classes=sizes)
>>> ev.score("error_rate", "micro"), mae / 2
(0.375, 0.375)
>>> ix.f1(truth, guess, classes=sizes, ordinal="linear", tnorm="product", average="micro")
0.6
""",
        arguments=("ordinal",),
    ),
    "masks": Setting(
        "Partial and missing labels",
        "derived",
        "evaluate(…, mask=), missing='mask'",
        "What was not observed counts nowhere: that is fair only if labels are missing at random.",
        """
>>> nan = float("nan")  # not labelled
>>> ix.f1([[1, 0, nan], [nan, 1, 1]], [[1, 1, 0], [0, 1, 1]], missing="mask", average="micro")
0.8571428571428571
""",
        arguments=("mask",),
        missing="mask",
    ),
    "segmentation": Setting(
        "Segmentation metrics",
        "derived",
        "segmentation",
        "Pixels are the examples; distances between outlines are in surface_distances, objects in instances and panoptic.",
        """
>>> ev = ix.segmentation([[[0, 0], [1, 255]], [[1, 1]]], [[[0, 1], [1, 1]], [[1, 1]]], ignore=255)
>>> ev.score("jaccard", "macro"), ev.values("jaccard", "image").tolist()  # mIoU; per image
(0.625, [0.5, 1.0])
""",
        refuses={"targets": "a map holds one target; evaluate one target at a time"},
    ),
    "abstention": Setting(
        "Abstaining classifiers",
        "accommodated",
        "evaluate(…, abstain=), missing='abstain', risk_coverage",
        "An abstention is an all-zero row, so precision and recall no longer coincide under micro averaging.",
        """
>>> ev = ix.evaluate(["a", "b", "b"], ["a", None, "b"], missing="abstain")
>>> ev.coverage, ev.score("recall", "micro"), ev.answered().score("recall", "micro")
(0.6666666666666666, 0.6666666666666666, 1.0)
>>> ix.tasks.risk_coverage(["a", "b", "b"], ["a", "a", "b"], confidence=[0.9, 0.2, 0.7]).area
0.1111111111111111
""",
        arguments=("abstain",),
        missing="abstain",
    ),
    "open_set": Setting(
        "Open-set recognition",
        "accommodated",
        "evaluate(…, known=), open_set_curve",
        "All unknown classes are one column: they are not distinguished.",
        """
>>> ev = ix.evaluate(["ant", "cat", "elk"], ["ant", "ant", "unknown"], known=["ant", "cat"])
>>> ev.score("f1", "macro"), ev.only(["ant", "cat"]).score("f1", "macro")
(0.5555555555555555, 0.3333333333333333)
""",
        arguments=("known", "unknown"),
        refuses={
            "soft_truth": "whether an example is unknown depends on its one true class, which memberships do not have",
            "ordinal": "the unknown class has no place in the order",
            "hierarchy": "the unknown class has no place in the taxonomy",
        },
    ),
    "single_class": Setting(
        "Single-class classification",
        "accommodated",
        "one_class",
        "If only inliers are labelled, recall is known, and every measure that needs negatives is undefined.",
        """
>>> ev = ix.tasks.one_class(["in", "in", None, "in"], [1, -1, 1, 1])  # +1 accepts; only inliers are labelled
>>> ev.score("recall"), ev.score("precision")
(0.6666666666666666, nan (binary precision; undefined))
""",
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
        """
>>> both = ix.tasks.one_vs_all(["a", "b", "c"], [[0.6, 0.5, 0.1], [0.2, 0.4, 0.3], [0.1, 0.2, 0.9]], classes="a b c".split())
>>> both.classifiers.score("recall", "macro"), both.final.score("recall", "macro")
(0.6666666666666666, 1.0)
""",
        refuses={"targets": "the scores belong to one target; decompose each target by itself"},
    ),
    "hierarchy": Setting(
        "Hierarchical classification",
        "accommodated",
        "evaluate(…, hierarchy=), taxonomy",
        "Labels are closed under ancestors, so every level counts equally.",
        """
>>> animals = ix.taxonomy({"pet": None, "cat": "pet", "dog": "pet", "elk": None})
>>> ev = ix.evaluate(["cat", "dog"], ["dog", "pet"], hierarchy=animals)
>>> ev.score("precision", "micro"), ev.score("recall", "micro"), ev.values("recall", per="depth").tolist()
(0.6666666666666666, 0.5, [1.0, 0.0])
>>> ix.cost(["cat", "dog"], ["dog", "pet"], animals, classes=animals.classes)  # edges per example
1.5
""",
        arguments=("hierarchy",),
        refuses={
            "soft_truth": "nothing says how the memberships of children add up to that of their parent",
            "ordinal": "a taxonomy makes its own columns, and so does an order",
            "targets": "columns are grouped by depth or by target, not by both; evaluate that target by itself",
        },
    ),
    "targets": Setting(
        "Multi-output classification",
        "accommodated",
        "evaluate(…, targets=)",
        "Targets stand side by side; dependences between them are not modelled.",
        """
>>> truth = {"colour": ["red", "blue"], "tags": [{"new"}, {"new", "sale"}]}
>>> guess = {"colour": ["red", "red"], "tags": [{"new"}, {"sale"}]}
>>> ev = ix.evaluate(truth, guess, targets=True)
>>> ev.score("recall", "target"), ev.score("recall", "micro"), ev.values("recall", per="target").tolist()
(0.5833333333333333 (target recall, pooled within each target), 0.6, [0.5, 0.6666666666666666])
""",
        arguments=("targets",),
    ),
    "one_vs_one": Setting(
        "One-vs-one decomposition",
        "partial",
        "one_vs_one",
        "Pairs and the final vote are evaluated; the voting between them is not modelled.",
        """
>>> pairs = {("a", "b"): ["a", "a", "a"], ("a", "c"): ["c", "a", "c"], ("b", "c"): ["b", "b", "c"]}
>>> both = ix.tasks.one_vs_one(["a", "b", "c"], pairs, final=["a", "a", "c"])
>>> both.pairs.values("accuracy").tolist(), both.final.score("exact_match")
([0.5, 0.5, 1.0], 0.6666666666666666)
""",
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
        """
>>> pu = ix.tasks.positive_unlabeled([1, 1, 0, 0, 0, 0], [1, 0, 1, 0, 1, 0])  # 0: unlabelled
>>> pu.score("recall"), pu.at(propensity=0.5).score("precision")
(0.5, 0.6666666666666666)
""",
        refuses={
            "cost": "unlabelled positives are moved between cells, so cells must count examples; apply costs to the counts of "
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
        """
>>> both = ix.tasks.multi_instance({"x": 1, "y": 0}, [0.2, 0.9, 0.4], ["x", "x", "y"], instances=[0, 1, 0])
>>> both.bags.score("recall"), both.instances.score("precision")
(1.0, 1.0)
""",
        refuses={"targets": "bags are pooled by the scores of one target; evaluate each target by itself"},
    ),
    "label_ranking": Setting(
        "Label ranking",
        "boundary",
        "ranked",
        "Only the ranking cut at position k has counts; full rankings do not.",
        """
>>> rankings = [["a", "c", "b"], ["c", "b", "a"]]  # best first
>>> ix.recall([{"a"}, {"a", "b"}], ix.tasks.top_ranked(rankings, k=2), average="micro")
0.6666666666666666
""",
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
        """
>>> ev = ix.tasks.preferences([["a", "b", "c"], ["c", "a"]], [["a", "c", "b"], ["c", "a", "b"]])  # "b" has no 2nd true rank
>>> ev.score("precision", "micro"), ev.values("recall", per="label").tolist()
(0.75, [1.0, 0.0, 1.0])
""",
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
        """
>>> s = ix.tasks.sequences([["B-PER", "I-PER", "O", "B-LOC"]], [["B-PER", "I-PER", "O", "B-ORG"]])
>>> s.entities.score("f1", "micro"), s.tokens.score("exact_match"), s.exact_match
(0.5, 0.75, 0.0)
>>> true, pred = [[(0, 2, "PER"), (3, 5, "LOC")]], [[(0, 2, "PER"), (3, 4, "LOC")]]
>>> [ix.spans(true, pred, match=match).score("f1", "micro") for match in ("strict", "partial", "type")]
[0.5, 0.75, 1.0]
""",
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
        """
>>> ev = ix.evaluate([1, 0, 1, 1, 0], [1, 1, 1, 0, 0], by={"fold": [1, 1, 2, 2, 2]})
>>> both = ev.folds("precision", "binary")
>>> both.pooled, both.averaged, both.weights.tolist()
(0.6666666666666666, 0.75, [2.0, 1.0])
""",
        arguments=("by",),
    ),
    "weights": Setting(
        "(sample weights)",
        "derived",
        "evaluate(…, sample_weight=)",
        "A weight is a multiplicity: it enters where examples are summed.",
        """
>>> ix.recall([1, 1, 0], [1, 0, 0], sample_weight=[3, 1, 1])
0.75
""",
        arguments=("sample_weight",),
    ),
}

# Settings that change labels or what they become, in the order in which they take effect, with their modules in arguments/. A
# module has one of two functions, or both: ``change_labels(labels, options)`` changes labels before they are encoded,
# ``change_problem(problem, options)`` the indicators, what their cells count or what of them was observed.
STEPS = {
    "open_set": "open_set",
    "abstention": "abstention",
    "hierarchy": "hierarchy",
    "ordinal": "ordinal",
    "cost": "cost_matrices",
}
