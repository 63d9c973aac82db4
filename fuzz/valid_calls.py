"""Valid calls of everything public, as Python text.

A call is a callable, and a value for each parameter by its name. ``OBJECTS`` are results and inputs that calls use; a method is
called on the object of its class.
"""

from __future__ import annotations

import inspect
import re
from dataclasses import dataclass
from typing import Any

import numpy as np

import indicatrix as ix
from indicatrix.public_names import every_public, place

SETUP = "import warnings, numpy as np, indicatrix as ix\nfrom fractions import Fraction"
OBJECTS = {  # each may use those before it
    "Y": "[0, 1, 1, 0, 1, 0, 1, 1]",
    "Z": "[0, 1, 0, 0, 1, 1, 1, 0]",
    "S": "[0.1, 0.8, 0.4, 0.3, 0.9, 0.6, 0.7, 0.2]",
    "CLASSES": "['a', 'b', 'c', 'a', 'b', 'c', 'a', 'b']",
    "GUESSES": "['a', 'b', 'a', 'a', 'c', 'c', 'b', 'b']",
    "P": "np.random.default_rng(0).dirichlet([1, 1, 1], 8)",
    "SITES": "['x', 'y', 'x', 'y', 'x', 'y', 'x', 'y']",
    "SETS": "[{'a'}, {'a', 'b'}, set(), {'c'}]",
    "FOUND": "[{'a'}, {'b'}, {'c'}, {'c'}]",
    "MATRIX": "[[5, 1, 0], [1, 4, 2], [0, 1, 6]]",
    "MAP": "np.array([[1, 1, 2, 2], [1, 1, 2, 2], [0, 0, 2, 2]])",
    "OTHER_MAP": "np.array([[1, 1, 1, 2], [1, 1, 2, 2], [0, 0, 0, 2]])",
    "BOXES": "{'boxes': [[0, 0, 10, 10], [5, 5, 20, 20]], 'labels': ['a', 'b']}",
    "FOUND_BOXES": "{'boxes': [[0, 0, 9, 10], [5, 6, 20, 20]], 'labels': ['a', 'b'], 'scores': [0.9, 0.8]}",
    "ev": "ix.evaluate(Y, S, decide=0.5, by={'site': SITES})",
    "several": "ix.evaluate(CLASSES, P, classes=['a', 'b', 'c'], decide='argmax', by={'site': SITES})",
    "counts": "ix.Counts(tp=3, fp=1, fn=2, tn=4)",
    "score": "ix.f1(CLASSES, GUESSES, average='macro')",
    "interval": "several.interval('recall', 'macro')",
    "swept": "ix.sweep(Y, S, by={'site': SITES})",
    "ranked": "ix.sweep(CLASSES, P, classes=['a', 'b', 'c'])",
    "bins": "ix.scores.binned(Y, S)",
    "curve": "swept.roc()",
    "reliability": "ix.scores.reliability(Y, S, binning='isotonic')",
    "tuned": "ix.tune(Y, S, 'f1')",
    "models": "{'one': GUESSES, 'two': CLASSES[::-1]}",
    "compared": "ix.compare(CLASSES, models, ['recall'], ['macro'])",
    "both": "ix.inference.paired_counts(CLASSES, models)",
    "READERS": "{'test': ['new'] * 8 + ['old'] * 8, 'reader': SITES * 2, 'case': [1, 1, 2, 2, 3, 3, 4, 4] * 2}",
    "READINGS": "READERS | {'y': [0, 0, 1, 1] * 4, 'z': Y + Z}",
    "stream": "ix.Stream(classes=['a', 'b', 'c'])",
    "detections": "ix.detection([BOXES], [FOUND_BOXES])",
    "segments": "ix.panoptic([(MAP, MAP)], [(OTHER_MAP, OTHER_MAP)])",
    "surfaces": "ix.vision.surface_distances([MAP], [OTHER_MAP])",
    "rated": "ix.agreement({'ann': CLASSES, 'bob': GUESSES, 'cy': CLASSES})",
    "cells": "ix.cells(CLASSES, GUESSES)",
    "indicator": "ix.one_hot(CLASSES)",
    "tree": "ix.taxonomy({'a': 'animal', 'b': 'animal', 'c': None, 'animal': None})",
    "risks": "ix.tasks.risk_coverage(CLASSES, GUESSES, S)",
    "facts": "ix.properties('f1')",
    "plan": "ix.plan_labels(Z, S, budget=4)",
    "latent": "rated.latent_truth()",
    "class_shares": "ix.inference.class_shares(S, decide=0.5, reference=(Y, S))",
    "explained": "ix.explain('f1')",
    "folded": "ix.tasks.folds(several, 'recall', 'macro', axis='site')",
    "fold_tests": "ix.inference.compare_folds({'one': [0.8, 0.7, 0.9, 0.8], 'two': [0.7, 0.6, 0.8, 0.9]})",
    "data_sets": "ix.inference.compare_data_sets({k: {'one': 0.8 + k / 50, 'two': 0.7} for k in range(5)})",
    "groups": "ev.compare_groups('recall', 'site')",
    "norm": "ix.algebra.tnorm('product')",
    "prices": "ix.types.CostMatrix([[0, 1], [2, 0]])",
    "values": "several.values('recall', interval='simultaneous')",
    "convention": "ix.types.Convention('exclude')",
}
OF_CLASS: tuple[str, ...] = (
    "several",
    "ranked",
    "score",
    "interval",
    "swept",
    "bins",
    "curve",
    "reliability",
    "tuned",
    "compared",
    "both",
    "stream",
)
OF_CLASS += ("detections", "segments", "surfaces", "rated", "cells", "indicator", "tree", "risks", "facts", "explained", "folded")
OF_CLASS += ("fold_tests", "data_sets", "groups", "norm", "prices", "values", "counts", "ev", "plan", "latent", "class_shares")
VALUES = {  # of parameters, by their names
    "y_true": "Y",
    "y_pred": "Z",
    "y": "CLASSES",
    "y_proba": "P",
    "scores": "S",
    "y_score": "S",
    "score": "'f1'",
    "negation": "ix.algebra.negation('standard')",
    "measure": "'f1'",
    "measures": "['recall', 'f1']",
    "average": "'macro'",
    "averages": "['micro', 'macro']",
    "undefined": "0",
    "per": "'class'",
    "classes": "None",
    "positive": "None",
    "by": "None",
    "sample_weight": "None",
    "mask": "None",
    "level": "0.9",
    "unit": "None",
    "axis": "'site'",
    "method": "None",
    "seed": "1",
    "draws": "50",
    "k": "1",
    "title": "'A title'",
    "path": "'out.file'",
    "ev": "ev",
    "source": "several",
    "counts": "counts",
    "confusion": "MATRIX",
    "W": "MATRIX",
    "table": "MATRIX",
    "costs": "[[0, 1], [2, 0]]",
    "iou": "0.5",
    "ious": "[0.5]",
    "threshold": "0.5",
    "thresholds": "[0.5]",
    "other": "several",
    "name": "'sklearn'",
    "spec": "'product'",
    "predictions": "models",
    "ratings": "{'ann': CLASSES, 'bob': GUESSES, 'cy': CLASSES}",
    "labels": "CLASSES",
    "bags": "SITES",
    "confidence": "S",
    "formula": "'tp / (tp + fp)'",
    "num": "1",
    "den": "2",
    "tp": "3",
    "fp": "1",
    "fn": "2",
    "tn": "4",
    "first": "'f1'",
    "second": "'jaccard'",
    "t": "'product'",
    "m": "3",
    "n": "10",
    "eta": "[0.2, 0.9]",
    "function": "ix.f1",
    "sources": "{'one': ev}",
    "priors": "{0: 0.5, 1: 0.5}",
    "shares": "{'x': 0.5, 'y': 0.5}",
    "truth": "[BOXES]",
    "folds": "[0.8, 0.7, 0.9]",
    "node": "'a'",
    "classifiers": "{'one': [0.8, 0.7, 0.9], 'two': [0.7, 0.6, 0.8]}",
    "given": "{'a': 'animal'}",
    "true_spans": "[[('a', 0, 2)]]",
    "pred_spans": "[[('a', 0, 2)]]",
    "tags": "[['B-x', 'I-x', 'O']]",
    "known": "[0, 1]",
    "labeled": "Y",
    "Y": "CLASSES",
    "Yhat": "GUESSES",
    "p": "P",
    "codes": "[0, 1]",
    "rows": "[0]",
    "index": "[0]",
    "a": "0.5",
    "b": "0.5",
    "kind": "'tp'",
    "x": "0.5",
    "sets": "[[0], [0, 1]]",
    "probabilities": "[0.5, 0.5]",
    "sweeps": "{'one': swept}",
    "population": "[MATRIX]",
    "df": "None",
    "decisions": "S",
    "value": "0.5",
    "propensities": "[0.5, 0.5, 0.5]",
    "pairwise": "{('a', 'b'): GUESSES}",
    "y_train": "[[0, 1], [1, 1]]",
    "paths": "'none.csv'",
    "true": "'y'",
    "pred": "'z'",
    "tolerance": "1",
    "i": "0",
    "bits": "8",
    "ranking": "swept.ranking()",
    "one": "'f1'",
    "number": "3",
}
CALLS = {  # where the values above are those of another kind of problem: all arguments
    "ix.detection": ("[BOXES]", "[FOUND_BOXES]"),
    "ix.panoptic": ("[(MAP, MAP)]", "[(OTHER_MAP, OTHER_MAP)]"),
    "ix.vision.instances": ("[MAP]", "[OTHER_MAP]"),
    "ix.segmentation": ("[MAP]", "[OTHER_MAP]"),
    "ix.vision.surface_distances": ("[MAP]", "[OTHER_MAP]"),
    "ix.tasks.sequences": ("[['B-x', 'O']]", "[['B-x', 'I-x']]"),
    "ix.inference.paired_counts": ("CLASSES", "models"),
    "ix.compare": ("CLASSES", "models"),
    "ix.compare_readers": (
        "READINGS",
        "'recall'",
        "test='test'",
        "reader='reader'",
        "case='case'",
        "true='y'",
        "pred='z'",
    ),
    "ix.vision.segmentation_summary": ("ix.segmentation([MAP], [OTHER_MAP])",),
    "ix.theory.explain_difference": ("CLASSES", "GUESSES", "'macro f1'", "'sklearn'", "'torchmetrics'"),
    "ix.brier": ("Y", "S"),
    "ix.expected": ("S", "Z", "reference=(Y, S)"),
    "ix.plan_labels": ("Z", "S", "budget=4"),
    "plan.more": ("2",),
    "plan.gold": ("[0, 1, 0, 1]",),
    "ix.inference.class_shares": ("S", "Z", "reference=(Y, S)"),
    "ix.log_loss": ("Y", "S"),
    "ix.scores.reliability": ("Y", "S"),
    "ix.ece": ("Y", "S"),
    "ix.sweep": ("Y", "S"),
    "ix.tune": ("Y", "S", "'f1'"),
    "ix.measures.hand_till_auc": ("CLASSES", "P", "classes=['a', 'b', 'c']"),
    "ix.measures.ordinal_auc": ("CLASSES", "P", "classes=['a', 'b', 'c']"),
    "ix.measures.dcg": ("[[1, 0, 2]]", "[[0.9, 0.5, 0.1]]"),
    "ix.ndcg": ("[[1, 0, 2]]", "[[0.9, 0.5, 0.1]]"),
    "ix.measures.coverage_error": ("[[1, 0, 1]]", "[[0.9, 0.5, 0.1]]"),
    "ix.inference.interval": ("several", "'f1'", "'macro'"),
    "ix.tasks.per_example": ("'f1'", "SETS", "FOUND"),
    "ix.tasks.folds": ("several", "'recall'", "'macro'", "axis='site'"),
    "ix.inference.hierarchical_comparison": ("{k: {'one': [0.8, 0.7, 0.9], 'two': [0.7, 0.6 + k / 50, 0.8]} for k in range(3)}",),
    "ix.inference.compare_data_sets": ("{k: {'one': 0.8, 'two': 0.7} for k in range(5)}",),
    "ix.inference.relations": ("['f1', 'mcc']", "several"),
    "ix.tasks.one_vs_all": ("CLASSES", "P", "classes=['a', 'b', 'c']"),
    "ix.from_counts": ("[3]", "[1]", "[2]", "[4]"),
    "ix.aggregate": ("cells", "'class'"),
    "ix.algebra.negation": ("'standard'",),
    "ix.measure": ("'tp / (tp + fp)'",),
    "ix.theory.select": (),
    "ix.cost": ("CLASSES", "GUESSES", "'zero_one'"),
    "ix.from_confusion": ("MATRIX",),
    "ix.ordinal": ("'linear'",),
    "ix.Counts": ("3", "1", "2", "4"),
    "ix.types.Convention": ("'exclude'",),
    "ix.types.CostMatrix": ("[[0, 1], [2, 0]]",),
    "ix.types.Replicates": ("20",),
    "ix.Stream": (),
    "ix.tasks.risk_coverage": ("CLASSES", "GUESSES", "S"),
    "ix.theory.pareto": ("{'one': several, 'two': several}", "['f1', 'mcc']"),
    "ix.load": ("'none.json'",),
    "stream.update": ("CLASSES", "GUESSES"),
    "ix.power": ("rate=0.9", "width=0.05"),
    "ix.multilabel": ("SETS",),
    "ix.mrr": ("[[1, 0, 1]]", "[[0.9, 0.5, 0.1]]"),
    "ix.scores.label_propensities": ("[[0, 1], [1, 1], [0, 1], [1, 0]]",),
    "ix.scores.propensity_ndcg_at_k": ("[[1, 0, 1]]", "[[0.9, 0.5, 0.1]]", "1", "[0.5, 0.5, 0.5]"),
    "ix.scores.propensity_precision_at_k": ("[[1, 0, 1]]", "[[0.9, 0.5, 0.1]]", "1", "[0.5, 0.5, 0.5]"),
    "ix.measures.label_ranking_ap": ("[[1, 0, 1]]", "[[0.9, 0.5, 0.1]]"),
    "ix.measures.ranking_loss": ("[[1, 0, 1]]", "[[0.9, 0.5, 0.1]]"),
    "ix.measures.precision_at_k": ("[[1, 0, 1]]", "[[0.9, 0.5, 0.1]]", "1"),
    "ix.measures.recall_at_k": ("[[1, 0, 1]]", "[[0.9, 0.5, 0.1]]", "1"),
    "ix.top_k_accuracy": ("CLASSES", "P", "1", "classes=['a', 'b', 'c']"),
    "ix.inference.fold_interval": ("folded",),
    "ix.tasks.example_costs": ("fp=[1] * 8", "fn=2"),
    "ix.taxonomy": ("{'a': 'animal', 'b': 'animal', 'c': None}",),
    "ix.tasks.preferences": ("[['a', 'b']]", "[['b', 'a']]"),
    "ix.tasks.top_ranked": ("[['a', 'b'], ['b']]", "1"),
    "ix.tasks.multi_instance": ("{'x': 1, 'y': 0}", "S", "SITES"),
    "ix.tasks.votes": ("[['a', 'b', 'a']]",),
    "ix.tasks.one_vs_one": ("['a', 'b', 'a']", "{('a', 'b'): ['a', 'b', 'b']}"),
    "ix.tasks.open_set_curve": ("Y", "Z", "S", "known=[0, 1]"),
    "ix.spans": ("[[(0, 2, 'a')]]", "[[(0, 2, 'a')]]"),
    "ix.tasks.one_class": ("Y", "Z", "target=1"),
    "ix.tasks.span_outcomes": ("ix.spans([[(0, 2, 'a')]], [[(0, 2, 'a')]], outcomes=True)",),
    "ix.theory.rescale": ("0.8", "3", "measure='f1'", "average='micro'"),
    "ix.theory.best_label_set_of": ("[[0, 1], [1, 1]]", "[0.5, 0.5]"),
    "ix.measures.partial_auc": ("Y", "S", "max_fpr=0.5"),
    "ix.measures.surface_dice": ("[MAP]", "[OTHER_MAP]", "tolerance=1"),
    "ix.measures.threshold_average": ("Y", "S", "measure='f1'"),
    "ix.subset_accuracy": ("CLASSES", "GUESSES"),
    "ix.measures.zero_one_loss": ("CLASSES", "GUESSES"),
    "several.cost": ("MATRIX",),
    "several.prior_sensitivity": ("'f1'", "'uniform'"),
    "several.exact": ("'f1'", "'macro'"),
    "several.score": ("'f1'", "'macro'"),
    "several.folds": ("'f1'", "'macro'", "axis='site'"),
    "several.interval": ("'f1'", "'macro'"),
    "several.with_group_shares": ("{'x': 0.5, 'y': 0.5}", "'site'"),
    "several.only": ("['a']",),
    "several.with_priors": ("{'a': 0.5, 'b': 0.3, 'c': 0.2}",),
    "swept.at_rate": ("fpr=0.5",),
    "bins.at_rate": ("fpr=0.5",),
    "bins.area": ("'auc'",),
    "bins.of": ("1",),
    "compared.probability": ("'macro recall'", "'one'", "'two'"),
    "stream.compute": ("'macro f1'",),
    "stream.merge": ("ix.Stream(classes=['a', 'b', 'c'])",),
    "stream.load_state_dict": ("stream.state_dict()",),
    "detections.at": ("0.5",),
    **{
        f"{result}.{method}": (*others, f"'{measure}'", *average)
        for result, measure in (("detections", "ap"), ("segments", "pq"), ("surfaces", "assd"))
        for method, others, average in (
            ("compare", (result,), ("'macro'",)),
            ("interval", (), ("'macro'",)),
            ("score", (), ("'macro'",)),
            ("values", (), ()),
        )
    },
    "detections.confusion": ("0.5",),
    "several.at": ("'argmax'",),
    "several.best": ("'f1'", "'a'"),
    "several.roc": ("'a'",),
    "several.pr": ("'a'",),
    "ev.at": ("0.3",),
    "ix.pass_at_k": ("Y", "Z"),
    "ix.pass_hat_k": ("Y", "Z"),
    "ix.prediction_sets": ("CLASSES", "[{'a'}, {'b', 'c'}] * 4"),
    "ev.bounds": ("'f1'", "noise=(0, 0.1)"),
    "ev.checklist": ("'STARD'",),
    "several.checklist": ("'STARD'",),
    "latent.evaluation": ("'ann'",),
    "swept.area": ("'auc'",),
    "swept.at_point": ("'break_even'",),
    "bins.at_point": ("'break_even'",),
    "risks.at": ("coverage=0.5",),
    "ev.dominates": ("ev",),
    "several.dominates": ("several",),
    "ev.prior_sensitivity": ("'f1'", "'uniform'"),
    "ev.folds": ("'f1'", "axis='site'"),
    "ev.with_group_shares": ("{'x': 0.5, 'y': 0.5}", "'site'"),
    "ev.only": ("[1]",),
    "ev.with_positive": ("1",),
    "several.with_positive": ("'a'",),
}
OF_IMAGES = {  # what measures of each kind of images take
    "objects": CALLS["ix.detection"],
    "segments": CALLS["ix.panoptic"],
    "distances": CALLS["ix.vision.surface_distances"],
}
PROTOCOL = ("units", "refusal", "check_comparable")  # of every source: they take what the algebra hands to them
INTERNAL = (
    "tree.closures",
    "several.bounds",  # of two classes
    "values.partition",
    "swept.example",
    "swept.apply",  # a function of the caller, which may raise what it likes
    "swept.risk_coverage",
    "bins.example",  # bins keep no examples, and refuse what needs them
    "bins.apply",
    "bins.split",
    "bins.brier_curve",
    "bins.decision_curve",
    "bins.risk_coverage",
    "indicator",
    "prices",
    "cells",
    "tree.positions",
    "score.mean",
)  # methods that take what other modules make
NOT_CALLED = (
    "evaluate_dask",
    "evaluate_spark",
    "evaluate_file",
    "evaluate_frame",
    "read_evals",
    "cross_validate",
    "tuned_classifier",
    "scorer",
)


@dataclass(frozen=True)
class Call:
    """A callable and a valid value for each of its parameters, as text."""

    callee: str
    required: tuple[str, ...]
    optional: tuple[tuple[str, str], ...]  # keyword and value

    def spell(self, arguments: list[str], keywords: dict[str, str]) -> str:
        """Return the call with these arguments."""
        return f"{self.callee}({', '.join([*arguments, *(f'{name}={value}' for name, value in keywords.items())])})"


def every_call() -> list[Call]:
    """Return a valid call of every public function, measure, and method of a result."""
    found = []
    for name, value in every_public().items():
        if name in NOT_CALLED:
            continue  # they read files, frames of other libraries or estimators
        given = CALLS.get(place(name))
        if isinstance(value, ix.Measure) and value.reads.formula:
            average = () if given else (("average", "'macro'"),)
            found.append(Call(place(name), ("CLASSES", "GUESSES"), (*average, ("undefined", ""), *EVALUATED)))
        elif isinstance(value, ix.Measure) and not value.reads.averaged:
            found.append(Call(place(name), ("CLASSES", "GUESSES"), (("classes", "['a', 'b', 'c']"), *EVALUATED[1:])))
        elif isinstance(value, ix.Measure):
            images = OF_IMAGES.get(value.reads.name)
            usual = "'macro'" if images else ""
            found.append(Call(place(name), given or images or ("Y", "S"), (("average", usual), ("sample_weight", ""))))
        elif inspect.isfunction(value) or given is not None:
            found.append(_call(place(name), value))
    namespace = values_of(OF_CLASS)
    for name in OF_CLASS:
        for method, value in inspect.getmembers(type(namespace[name])):
            static = isinstance(inspect.getattr_static(type(namespace[name]), method), staticmethod | classmethod)
            ours = inspect.isfunction(value) and value.__module__.startswith("indicatrix.") and not static
            ours = ours and not hasattr(np.ndarray, method)  # which answers as NumPy does
            ours = ours and method not in PROTOCOL and not {name, f"{name}.{method}"} & {*INTERNAL}
            if ours and not method.startswith("_"):
                found.append(_call(f"{name}.{method}", value, bound=True))
    return found


OPTIONS = (
    "classes",
    "sample_weight",
    "mask",
    "by",
    "positive",
    "missing",
    "cost",
    "ordinal",
    "tnorm",
    "abstain",
    "hierarchy",
    "known",
)
EVALUATED = tuple((name, "") for name in OPTIONS)  # they are left out, or junk


def _call(callee: str, function: Any, *, bound: bool = False) -> Call:
    parameters = [*inspect.signature(function).parameters.values()][bound:]
    plain = [p for p in parameters if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]
    given = CALLS.get(callee)
    if given is None:
        needed = [p for p in plain if p.default is p.empty and p.kind is not p.KEYWORD_ONLY]
        given = tuple(VALUES.get(p.name, "None") for p in needed)
    names = [p.name for p in plain if p.kind is not p.POSITIONAL_ONLY]
    named = [text.partition("=")[0] for text in given if re.match(r"\w+=(?!=)", text)]
    many = len(given) - len(named)  # by position
    rest = [
        p for p in plain if p.name not in named and (p.kind is p.KEYWORD_ONLY or (p.name in names and plain.index(p) >= many))
    ]
    more = tuple((p.name, VALUES.get(p.name, "None") if p.default is p.empty else "") for p in rest)
    extra = EVALUATED if any(p.kind is p.VAR_KEYWORD and p.name == "options" for p in parameters) else ()
    return Call(callee, given, (*more, *(pair for pair in extra if pair[0] not in (*names, *named))))


def values_of(names: tuple[str, ...]) -> dict[str, Any]:
    """Return a namespace with these objects and those that they use."""
    namespace: dict[str, Any] = {}
    exec(SETUP, namespace)
    for name in OBJECTS:
        if name in needed_for(" ".join(names)):
            namespace[name] = eval(OBJECTS[name], namespace)
    return namespace


def needed_for(text: str) -> list[str]:
    """Return the names of the objects that a text uses, and of those that they use."""
    words = set(re.findall(r"\w+", text))
    found: set[str] = set()
    while more := {name for name in OBJECTS if name in words} - found:
        found |= more
        words |= {word for name in more for word in re.findall(r"\w+", OBJECTS[name])}
    return [name for name in OBJECTS if name in found]
