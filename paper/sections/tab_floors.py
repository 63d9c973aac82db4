"""Scores of a classifier that is always wrong (tab:floors, prop:lower_boundary)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import indicatrix as ix

from ..record import Record, experiment
from ..wording import words

COLUMNS = (3, 5, 10)
ZERO = ("recall", "precision", "f_beta", "jaccard", "g_mean")
PRINTED = {  # the closed form, then m = 3, 5, 10 and infinity
    "label_accuracy": ("(m-2)/m", "0.333", "0.600", "0.800", 1),
    "specificity": ("(m-2)/(m-1)", "0.500", "0.750", "0.889", 1),
    "balanced_accuracy": ("(m-2)/(2*(m-1))", "0.250", "0.375", "0.444", "1/2"),
    "mcc": ("-1/(m-1)", "-0.500", "-0.250", "-0.111", 0),
    "kappa": ("-1/(m-1)", "-0.500", "-0.250", "-0.111", 0),
    "error_rate": ("2/m", "0.667", "0.400", "0.200", 0),
}
# rem:completeness: (complete, the worst nominal value is reached under one-hot rows)
COMPLETENESS = {
    "g_mean": (True, True),
    "label_accuracy": (True, False),
    "balanced_accuracy": (True, False),
    "mcc": (True, False),
    "kappa": (True, False),
    "recall": (False, True),
    "precision": (False, True),
    "f1": (False, True),
    "jaccard": (False, True),
    "specificity": (False, False),
}


@experiment("tab:floors", "Floors: the score of total failure under one class per example")
def floors(record: Record) -> None:
    """Derive every floor with a symbol for the number of classes, and its value and limit from that."""
    import sympy

    m = sympy.Symbol("m", positive=True)
    beta = sympy.Symbol("beta", positive=True)
    rows: list[list[Any]] = []
    for name in ZERO:
        measure = ix.f_beta.at(beta=beta) if name == "f_beta" else ix.algebra.MEASURES[name]
        record.claim(f"floor of {words(name)}, every m", paper=0, ours=ix.theory.floor(measure, m))
        rows.append([words(name), *["0"] * 5])
    record.claim(
        "floor of accuracy as the share of right examples", paper=0, ours=ix.theory.floor("exact_match", m, average="exemplar")
    )
    for name, (form, *numbers, end) in PRINTED.items():
        ours = ix.theory.floor(name, m)
        same = sympy.simplify(ours - sympy.sympify(form, locals={"m": m})) == 0
        bound = f"{'ceiling' if name == 'error_rate' else 'floor'} of {words(name)}"
        record.claim(bound, paper=form, ours=str(ours), agrees=same)
        values = [ix.theory.floor(name, k) for k in COLUMNS]
        for k, printed, value in zip(COLUMNS, numbers, values, strict=True):
            record.claim(f"{bound}, m = {k}", paper=printed, ours=value)
        limit = _limit(ours, m)
        record.claim(f"{bound}, m to infinity", paper=end, ours=limit)
        rows.append([words(name), str(ours), *values, limit])
    record.table("Floors of micro averages", ["measure", "floor", *(f"m = {k}" for k in COLUMNS), "m to infinity"], rows)
    worst = [(name, ix.theory.floor(name, 3)) for name in (*ZERO, *PRINTED)]
    ceilings = [name for name, value in worst if isinstance(value, ix.types.Floor) and value.orientation == "ceiling"]
    record.claim("measures of the table whose bound is a ceiling", paper=["error rate"], ours=list(map(words, ceilings)))
    record.holds(
        "no one-hot prediction scores worse than total failure, m = 3",
        all(isinstance(x, ix.types.Floor) and x.lowest for _, x in worst),
    )
    _wrong_on_every_example(record)
    _binary(record)
    _completeness(record)
    _ranges(record, m)


def _limit(form: Any, m: Any) -> Any:
    import sympy

    end = sympy.limit(form, m, sympy.oo)
    return Fraction(int(end.p), int(end.q))


def _wrong_on_every_example(record: Record) -> None:
    ev = ix.evaluate(range(10), [(k + 1) % 10 for k in range(10)])
    record.claim(
        "label accuracy of a classifier wrong on all of ten classes", paper="0.8", ours=ev.score("label_accuracy", "micro")
    )
    record.claim("MCC of a classifier wrong on all of ten classes", paper="-0.111", ours=ev.score("mcc", "micro"))
    record.claim("the same, quoted with two digits", paper="-0.11", ours=ev.score("mcc", "micro"))
    right = ix.from_confusion([[110, 10, 10], [20, 40, 5], [25, 5, 50]])
    names = ("label_accuracy", "specificity", "balanced_accuracy")
    rescaled = ", ".join(f"{ix.theory.rescale(right.score(name, 'micro'), 3):.6f}" for name in names)
    record.note(
        f"Rescaled from the floor, micro label accuracy, specificity and balanced accuracy of ex:counterexample are {rescaled};"
        f" the share of right examples is {right.score('recall', 'micro'):.6f}: they contain nothing else (errata B2)."
    )


def _binary(record: Record) -> None:
    wrong = ix.Counts(tp=0, fp=1, fn=3, tn=0)
    record.claim("MCC of a binary classifier that is always wrong", paper=-1, ours=ix.mcc(wrong))
    record.claim(
        "kappa of a binary classifier that is always wrong",
        paper=-1,
        ours=ix.measures.kappa(wrong),
        differs="kappa(0, fp, fn, 0) = -2 fp fn/(fp^2 + fn^2) reaches -1 only for fp = fn; here fp = 1, fn = 3",
        pinned="-3/5",
        errata="C6",
    )


def _completeness(record: Record) -> None:
    rows = []
    for name, (complete, reached) in COMPLETENESS.items():
        known = ix.properties(name, prove=False)
        record.claim(f"{words(name)} depends on all four counts", paper=complete, ours=known.complete)
        record.claim(
            f"{words(name)} reaches its least value under one-hot rows, m = 3",
            paper=reached,
            ours=ix.theory.floor(name, 3) == ix.algebra.MEASURES[name].range[0],
        )
        rows.append(
            [words(name), known.complete, ix.theory.floor(name, 3), ix.algebra.MEASURES[name].range[0], known.tn_survives_at_tp0]
        )
    record.table("Completeness and floors", ["measure", "complete", "floor, m = 3", "least value", "tn survives tp = 0"], rows)


def _ranges(record: Record, m: Any) -> None:
    """Compare the floors with the one range that a remark gives, and with those of macro averages."""
    import sympy

    said = sympy.sympify("(m-2)/(m-1)", locals={"m": m})
    like = [name for name in PRINTED if sympy.simplify(ix.theory.floor(name, m) - said) == 0]
    record.holds(
        "every measure of the table that depends on tn has the range [(m-2)/(m-1), 1]",
        len(like) == len(PRINTED),
        differs=f"of the table only {', '.join(map(words, like))} has it",
        pinned="of the table only specificity has it",
        errata="C19",
    )
    macro = ix.theory.floor("specificity", 3, average="macro", sizes=[2, 1, 1])
    record.note(
        "These floors are of micro and exemplar averages. Macro averages can be lower: specificity of three classes with 2, 1 "
        f"and 1 examples has the macro floor {macro} and the micro floor {ix.theory.floor('specificity', 3)} (errata B14)."
    )
