"""Write docs/project/pycm.md: what every statistic of PyCM is here, or why it is not.

``--check 500`` compares 500 random matrices.
"""

from __future__ import annotations

import argparse
import math
import runpy
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import indicatrix as ix

ROOT = Path(__file__).parent.parent
Table = np.ndarray[Any, Any]


class Here(NamedTuple):
    """What a statistic of PyCM is here: a call on an evaluation, and when it differs."""

    call: str
    differs: str = ""  # why, where PyCM has another value; "" if the values are the same
    where: Callable[[Table], bool] = lambda table: False  # the tables on which it differs


def lacks_a_class(table: Table) -> bool:
    """Return whether a class is never true or never predicted."""
    return not (table.sum(axis=0).all() and table.sum(axis=1).all())


def has_an_empty_class(table: Table) -> bool:
    """Return whether a class is neither true nor predicted."""
    return not (table.sum(axis=0) + table.sum(axis=1)).all()


def _score(name: str, average: str | None = None, complement: bool = False) -> str:
    text = f"ev.score({name!r}{f', {average!r}' if average else ''})"
    return f"1 - {text}" if complement else text


def _macro(name: str) -> Here:
    return Here(
        _score(name, "macro"), 'one undefined class makes it "None"; here it is left out, or undefined="nan"', lacks_a_class
    )


EMPTY = "a class that is never true or never predicted makes it undefined; here such a class takes no part"
EMPTIER = "a class that is neither true nor predicted makes it undefined; here it adds nothing"
OVERALL: dict[str, Here] = {
    "Overall ACC": Here(_score("multiclass_accuracy")),
    "Overall RACCU": Here("ev.values('random_accuracy_unbiased').sum()"),
    "Overall RACC": Here("ev.values('random_accuracy').sum()"),
    "Kappa": Here(_score("multiclass_kappa")),
    "Gwet AC1": Here(_score("multiclass_gwet_ac1")),
    "Bennett S": Here(_score("bennett_s")),
    "Kappa Unbiased": Here(_score("multiclass_scott_pi")),
    "Scott PI": Here(_score("multiclass_scott_pi")),
    "Kappa No Prevalence": Here(_score("kappa_no_prevalence")),
    "Chi-Squared": Here(_score("multiclass_chi_squared"), EMPTY, lacks_a_class),
    "Phi-Squared": Here(_score("phi_squared"), EMPTY, lacks_a_class),
    "Cramer V": Here(_score("cramer_v"), EMPTY, lacks_a_class),
    "Pearson C": Here(_score("multiclass_contingency_coefficient"), EMPTY, lacks_a_class),
    "Chi-Squared DF": Here(_score("chi_squared_degrees"), EMPTY, lacks_a_class),
    "Response Entropy": Here(_score("entropy_predicted")),
    "Reference Entropy": Here(_score("entropy_true")),
    "Cross Entropy": Here(
        _score("cross_entropy_of_classes"), "infinite here if a true class is never predicted; PyCM leaves it out", lacks_a_class
    ),
    "Joint Entropy": Here(_score("joint_entropy")),
    "Conditional Entropy": Here(_score("conditional_entropy_predicted")),
    "Mutual Information": Here(_score("mutual_information")),
    "KL Divergence": Here(
        _score("kl_divergence_of_classes"), "infinite here if a true class is never predicted; undefined in PyCM", lacks_a_class
    ),
    "Lambda A": Here(_score("goodman_kruskal_lambda_true")),
    "Lambda B": Here(_score("goodman_kruskal_lambda_predicted")),
    "Hamming Loss": Here(_score("multiclass_accuracy", complement=True)),
    "Zero-one Loss": Here("ev.n * (1 - ev.score('multiclass_accuracy'))"),
    "NIR": Here(_score("no_information_rate")),
    "P-Value": Here(_score("no_information_p_value")),
    "Overall CEN": Here(_score("confusion_entropy"), EMPTIER, has_an_empty_class),
    "Overall MCEN": Here(_score("modified_confusion_entropy"), EMPTIER, has_an_empty_class),
    "Overall MCC": Here(_score("multiclass_mcc")),
    "RR": Here(_score("examples_per_class")),
    "CBA": _macro("braun_blanquet"),
    "AUNU": _macro("balanced_accuracy"),
    "AUNP": Here(_score("balanced_accuracy", "weighted"), "one undefined class makes it undefined", lacks_a_class),
    "RCI": Here(_score("theil_u_true")),
    "CSI": _macro("mcconnaughey"),
    "ARI": Here(_score("adjusted_rand_index")),
    "Bangdiwala B": Here(_score("bangdiwala_b")),
    "Krippendorff Alpha": Here(_score("krippendorff_alpha")),
    "TPR Micro": Here(_score("recall", "micro")),
    "PPV Micro": Here(_score("precision", "micro")),
    "F1 Micro": Here(_score("f1", "micro")),
    "TNR Micro": Here(_score("specificity", "micro")),
    "NPV Micro": Here(_score("negative_predictive_value", "micro")),
    "FPR Micro": Here(_score("false_positive_rate", "micro")),
    "FNR Micro": Here(_score("false_negative_rate", "micro")),
    "TPR Macro": _macro("recall"),
    "PPV Macro": _macro("precision"),
    "F1 Macro": _macro("f1"),
    "ACC Macro": Here(_score("accuracy", "macro")),
    "TNR Macro": _macro("specificity"),
    "NPV Macro": _macro("negative_predictive_value"),
    "FPR Macro": _macro("false_positive_rate"),
    "FNR Macro": _macro("false_negative_rate"),
}
ROUNDING = 1e-9
WORDS: dict[str, tuple[str, str]] = {  # the scale and the measure
    "SOA1(Landis & Koch)": ("landis_koch", "multiclass_kappa"),
    "SOA2(Fleiss)": ("fleiss", "multiclass_kappa"),
    "SOA3(Altman)": ("altman", "multiclass_kappa"),
    "SOA4(Cicchetti)": ("cicchetti", "multiclass_kappa"),
    "SOA5(Cramer)": ("cramer", "cramer_v"),
    "SOA6(Matthews)": ("matthews", "multiclass_mcc"),
    "SOA7(Lambda A)": ("lambda", "goodman_kruskal_lambda_true"),
    "SOA8(Lambda B)": ("lambda", "goodman_kruskal_lambda_predicted"),
    "SOA9(Krippendorff Alpha)": ("krippendorff", "krippendorff_alpha"),
    "SOA10(Pearson C)": ("pearson_c", "multiclass_contingency_coefficient"),
}
OTHERWISE: dict[str, str] = {
    "Overall J": "a pair, the sum and the mean of the Jaccard indices; the mean is `ev.score('jaccard', 'macro')`",
    "Kappa Standard Error": "treats chance agreement as known; `ev.interval('multiclass_kappa')` does not",
    "Kappa 95% CI": "the same, and leaves the range; `ev.interval('multiclass_kappa')`",
    "Standard Error": "that of the normal approximation; `ev.interval('multiclass_accuracy')` has no need of it",
    "95% CI": "of the normal approximation, which leaves the range; `ev.interval('multiclass_accuracy')`",
}


CLASS_DIFFERS: dict[str, tuple[str, Callable[[float, float, float, float], bool]]] = {  # why, and for which tp, fp, fn, tn
    "Q": (
        "undefined in PyCM if fp or fn is 0, for it divides by the odds ratio's denominator",
        lambda tp, fp, fn, tn: not fp * fn,
    ),
    "DOR": ("undefined in PyCM if tn is 0, for it divides by a likelihood ratio that is infinite", lambda tp, fp, fn, tn: not tn),
    "AGM": ("0 in PyCM if tp is 0, also where the specificity is 0/0", lambda tp, fp, fn, tn: not tp and not tn + fp),
}
INFINITE = "PyCM has no word where the value is infinite, or undefined there"
FACTS = runpy.run_path(str(ROOT / "tests" / "laws" / "test_catalogue_facts.py"))
OF_CLASS = {**FACTS["PYCM"], **FACTS["PYCM_SETTINGS"]}


def class_differences(table: Table, statistics: dict[str, Any]) -> Iterator[str]:
    """Yield the statistics of classes that differ although nothing says that they should."""
    ev = ix.from_confusion(table, classes=range(len(table)))
    counts = ev.aggregate("class")
    cells = [*zip(*(getattr(counts, name).tolist() for name in ("tp", "fp", "fn", "tn")), strict=True)]
    of_counts = {name: getattr(counts, here) for name, here in FACTS["PYCM_COUNTS"].items()}
    for name, ours in {**{name: ev.values(here) for name, here in OF_CLASS.items()}, **of_counts}.items():
        _, differs = CLASS_DIFFERS.get(name, ("", lambda *cells: False))
        for k, here in enumerate(map(float, ours)):
            theirs = statistics[name][k]
            missing = isinstance(theirs, str) or math.isnan(theirs)
            same = not math.isfinite(here) if missing else math.isclose(theirs, here, rel_tol=1e-8, abs_tol=1e-9)
            if not same and not differs(*cells[k]):
                yield f"{name} of class {k}: PyCM {theirs}, here {here}, {table.tolist()}"
    for name, (scale, measure) in FACTS["PYCM_WORDS"].items():
        for k, at in enumerate(ev.values(measure).tolist()):
            theirs, at = statistics[name][k].lower(), at / (math.log(10) if name == "DPI" else 1)  # PyCM's DP has decimal logs
            ours = {ix.catalogue.SCALES[scale](x) for x in (at - ROUNDING, at, at + ROUNDING)}
            if theirs not in {*ours, "none"}:
                yield f"{name} of class {k}: PyCM {theirs}, here {ours}, {table.tolist()}"


def differences(table: Table, statistics: dict[str, Any]) -> Iterator[str]:
    """Yield the statistics that differ although the table says that they should not."""
    ev = ix.from_confusion(table, classes=range(len(table)))
    for name, here in OVERALL.items():
        theirs, ours = statistics[name], float(eval(here.call, {"ix": ix, "ev": ev}))
        missing = isinstance(theirs, str) and not math.isfinite(ours)
        same = missing or (not isinstance(theirs, str) and math.isclose(theirs, ours, rel_tol=1e-8, abs_tol=1e-9))
        if not same and not here.where(table):
            yield f"{name}: PyCM {theirs}, here {ours}, {table.tolist()}"
    for name, (scale, measure) in WORDS.items():
        theirs, at = statistics[name].lower(), float(ev.score(measure))
        ours = {
            ix.catalogue.SCALES[scale](x) for x in (at - ROUNDING, at, at + ROUNDING)
        }  # PyCM rounds a kappa of 0 to less than 0
        if theirs not in {*ours, "none"}:
            yield f"{name}: PyCM {theirs}, here {ours}, {table.tolist()}"


def random_table(rng: np.random.Generator) -> Table:
    """Return a table of two to five classes, sometimes sparse or nearly perfect."""
    m = int(rng.integers(2, 6))
    table = rng.poisson(rng.choice([0.3, 0.7, 4.0, 30.0]), (m, m))
    if rng.random() < 0.5:
        table[np.diag_indices(m)] += rng.integers(0, 60, m)
    return table if table.sum() else np.eye(m, dtype=int)


def check(number: int, seed: int = 0) -> list[str]:
    """Return the differences in so many random tables."""
    from pycm import ConfusionMatrix

    rng, found = np.random.default_rng(seed), []
    for _ in range(number):
        table = random_table(rng)
        cells = {i: {j: int(x) for j, x in enumerate(row)} for i, row in enumerate(table)}
        theirs = ConfusionMatrix(matrix=cells)
        found += [*differences(table, theirs.overall_stat), *class_differences(table, theirs.class_stat)]
    return found


def page() -> str:
    """Return the page as Markdown."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    yield "# PyCM's statistics\n\n<!-- Written by `python docs/write_pycm.py`. -->\n"
    yield "Every statistic of PyCM 4.6, and what it is here; `ev` is `ix.from_confusion(table)` or `ix.evaluate(y_true, y_pred)`."
    yield "`python docs/write_pycm.py --check 500` compares the values on 500 random matrices.\n"
    yield "## Of the whole matrix\n\n| PyCM | here | where it differs |\n|---|---|---|"
    yield from (f"| {name} | `{here.call}` | {here.differs} |" for name, here in OVERALL.items())
    yield "\nWords for values are conventions of their authors, not findings:\n\n| PyCM | here |\n|---|---|"
    yield from (
        f"| {name} | `ix.catalogue.SCALES['{scale}'](ev.score('{measure}'))` |" for name, (scale, measure) in WORDS.items()
    )
    yield "\nNot here under a name of their own:\n\n| PyCM | why |\n|---|---|"
    yield from (f"| {name} | {why} |" for name, why in OTHERWISE.items())
    yield "\n`aickin_alpha()` is `ev.score('aickin_alpha')`, the end of the iteration that PyCM stops after 200 steps; where no"
    yield "more examples agree than by chance, the share that agrees for cause is 0 here, and PyCM's steps do not settle."
    yield "`weighted_kappa()` is `ix.multiclass_kappa(ev, weights=…)` with a matrix, 'linear' or 'quadratic'; `weighted_alpha()`"
    yield "squares sums of two different classes, where `krippendorff_alpha(level='interval')` has products.\n"
    yield "AUNU and AUNP are of decisions here. Of scores, they are `ix.auc` with `average='macro'` and `'weighted'`; AU1U"
    yield "and AU1P are `ix.measures.hand_till_auc` with the same averages: it first takes the mean of both directions.\n"
    yield "## Of each class\n\nValues are `ev.values(name)`, one for each class.\n"
    yield "| PyCM | here | where it differs |\n|---|---|---|"
    yield from (f"| {name} | `{here}` | {CLASS_DIFFERS.get(name, ('',))[0]} |" for name, here in OF_CLASS.items())
    yield from (f"| {name} | `ev.aggregate('class').{here}` | |" for name, here in FACTS["PYCM_COUNTS"].items())
    yield f"\nWords for them; {INFINITE}:\n\n| PyCM | here, for a `value` of |\n|---|---|"
    yield from (
        f"| {name} | `ix.catalogue.SCALES['{scale}'](value)` of `{here}` |" for name, (scale, here) in FACTS["PYCM_WORDS"].items()
    )
    yield "\nDifferent, or no function of the four counts of a class:\n\n| PyCM | why |\n|---|---|"
    yield from (f"| {name} | `{here[0]}`: {here[2]} |" for name, here in FACTS["DIFFERENT"].items())
    yield from (f"| {name} | {why} |" for name, why in FACTS["NOT_OF_FOUR_COUNTS"].items())


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--check", type=int, metavar="NUMBER")
    asked = parser.parse_args().check
    if asked is None:
        (ROOT / "docs" / "project" / "pycm.md").write_text(page(), encoding="utf-8")
    else:
        found = check(asked)
        classes = len(OF_CLASS) + len(FACTS["PYCM_COUNTS"]) + len(FACTS["PYCM_WORDS"])
        print(
            f"{asked} random matrices, {len(OVERALL) + len(WORDS)} statistics of the matrix and {classes} of each class:", end=" "
        )
        print(f"{len(found)} differences")
        print("\n".join(found))
        raise SystemExit(bool(found))
