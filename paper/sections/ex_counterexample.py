"""Pooled values may leave the range of the class values (ex:counterexample)."""

from __future__ import annotations

import indicatrix as ix

from ..record import Record, experiment
from ..wording import words

CONFUSION = [[110, 10, 10], [20, 40, 5], [25, 5, 50]]
COUNTS = ("(110, 45, 20, 100)", "(40, 15, 25, 195)", "(50, 15, 30, 180)")
PRINTED = {  # the classes, then macro, then micro
    "recall": ("0.846", "0.615", "0.625", "0.695", "0.727"),
    "specificity": ("0.690", "0.929", "0.923", "0.847", "0.864"),
    "balanced_accuracy": ("0.768", "0.772", "0.774", "0.771", "0.795"),
    "g_mean": ("0.764", "0.756", "0.760", "0.760", "0.792"),
    "informedness": ("0.536", "0.544", "0.548", "0.543", "0.591"),
    "mcc": ("0.539", "0.578", "0.586", "0.568", "0.591"),
}
DECOMPOSABLE = ("recall", "specificity")
MISPRINTS = {  # ours, and why
    ("recall", "macro"): ("0.69551", "the paper cuts the digits off: 217/312 = 0.69551"),
    ("g_mean", "micro"): ("0.79253", "the paper cuts the digits off: 2 sqrt(19)/11 = 0.79253"),
}


@experiment("ex:counterexample", "Micro values outside the range of the class values")
def counterexample(record: Record) -> None:
    """Recompute the example's counts and its table, and say which pooled values are outside."""
    ev = ix.from_confusion(CONFUSION, classes=["class 1", "class 2", "class 3"])
    _counts(record, ev)
    rows = []
    for measure, printed in PRINTED.items():
        values = ev.values(measure).tolist()
        places = (*ev.classes, "macro", "micro")
        found = (*values, ev.score(measure, "macro"), ev.score(measure, "micro"))
        for place, paper, ours in zip(places, printed, found, strict=True):
            pinned, reason = MISPRINTS.get((measure, place), (None, ""))
            record.claim(f"{words(measure)}, {place}", paper=paper, ours=ours, differs=reason, pinned=pinned, errata="D")
        position = _position(values, found[-1])
        linear = ix.properties(measure, prove=False).decomposable
        record.claim(f"{words(measure)} is decomposable", paper=measure in DECOMPOSABLE, ours=linear)
        where = "inside" if measure in DECOMPOSABLE else "above every class"
        record.claim(f"micro {words(measure)} and the range of the class values", paper=where, ours=position)
        rows.append([words(measure), *found, position])
    record.claim("range of recall over the classes", paper="[0.615, 0.846]", ours=_range(ev, "recall"))
    record.claim("range of specificity over the classes", paper="[0.690, 0.929]", ours=_range(ev, "specificity"))
    record.table("Class values, macro and micro", ["measure", *ev.classes, "macro", "micro", "micro is"], rows)


def _counts(record: Record, ev: ix.Evaluation) -> None:
    per_class = ev.aggregate("class")
    record.claim("number of examples", paper="275", ours=ev.n)
    record.claim("class sizes", paper="(130, 65, 80)", ours=tuple(per_class.tpos.tolist()))
    for name, printed in zip(ev.classes, COUNTS, strict=True):
        record.claim(f"(tp, fp, fn, tn), {name}", paper=printed, ours=tuple(per_class.at(**{"class": name})))
    record.claim("(tp, fp, fn, tn), pooled", paper="(200, 75, 75, 475)", ours=tuple(ev.aggregate()))


def _range(ev: ix.Evaluation, measure: str) -> tuple[float, float]:
    values = ev.values(measure).tolist()
    return min(values), max(values)


def _position(values: list[float], pooled: float) -> str:
    return "above every class" if pooled > max(values) else "below every class" if pooled < min(values) else "inside"
