"""The measures of the appendix in our catalogue, its marks and its counts (sec:catalogue)."""

from __future__ import annotations

import math
from typing import Any

import indicatrix as ix

from .. import appendix_beyond as beyond
from ..appendix import ALL, ENTRIES, MARKED, SOFT_MARKS, SUMMARY, marks
from ..record import Record, experiment
from ..wording import words

COUNTED = {1: "7", 2: "13", 3: "9", 4: "17", 5: "12", 8: "11"}  # marks of the groups where the summary is wrong (errata D)
UNMARKED = ("subset_accuracy", "tetrachoric")  # skew-invariant although the column Inv. is empty (errata C1)
COUNTERPARTS = (  # rule measure, its class-insensitive counterpart, and why the first does not follow from the second
    ("relative_accuracy", "informedness", "(t-f)/(2(t+f)) is not a function of t-f"),
    ("weighted_relative_accuracy", "balanced_accuracy", ""),
    ("novelty", "informedness", ""),
    ("conviction", "positive_likelihood_ratio", ""),
    ("chi_squared", "discriminant_power", "equal odds ratios have different chi-squared"),
)


@experiment("sec:catalogue", "The catalogue of measures, its marks and its counts")
def catalogue(record: Record) -> None:
    """Find every measure in our catalogue, compare its marks with its formula, and count."""
    table = []
    for entry in ENTRIES:
        title, implied = entry.title, ix.properties(entry.alone, prove=False)
        record.holds(f"Group {entry.group}, {title} is {entry.formula}", ix.theory.equivalent(entry.printed, entry.name))
        record.holds(
            f"{title}: skew-invariant",
            implied.skew_invariant,
            paper=entry.invariant,
            differs="it is a function of recall and specificity" if entry.name in UNMARKED else "",
            errata="C1",
        )
        unnamed = tuple(a for a in entry.measure.averages or ALL if a not in entry.measure.known_as)
        record.declares(f"{title}: averages without an established name", paper=entry.unnamed, ours=unnamed)
        found = ("✓" if implied.skew_invariant else "", "✓" if implied.decomposable else "")
        table.append((entry.group, title, entry.name, entry.formula, *found, len(unnamed)))
    header = ("Group", "Measure", "Here", "Formula", "Inv.", "Dec.", "Averages without a name")
    record.table("The paper's measures of four counts in our catalogue", header, table)
    _duplicates(record)
    _subset_accuracy(record)
    _counterparts(record)
    for part in (beyond.scores, beyond.costs, beyond.soft, beyond.partial, beyond.vision):
        part(record)
    _summary(record)


def _duplicates(record: Record) -> None:
    """Check which entries are one measure, and which follow from others (Groups 4 to 6 and 11)."""
    import sympy

    as_printed = {entry.name: entry.printed for entry in ENTRIES}  # not by name: ours has such pairs as one measure
    record.holds("Phi is MCC", ix.theory.equivalent(as_printed["phi"], as_printed["mcc"]))
    counts = ix.Counts(*sympy.symbols("tp fp fn tn", positive=True))
    chi_squared, n = ix.measures.chi_squared(counts), counts.n
    record.holds("Chi-squared is proportional to MCC² n", sympy.simplify(chi_squared - n * ix.mcc(counts) ** 2) == 0)
    record.holds(
        "Piatetsky-Shapiro is n × Novelty",
        sympy.simplify(ix.measures.piatetsky_shapiro(counts) - n * ix.measures.novelty(counts)) == 0,
    )
    independent = ix.Counts(6, 4, 3, 2)
    names = ("relative_accuracy", "weighted_relative_accuracy", "novelty", "piatetsky_shapiro")
    record.holds(
        "RA, WRA, Novelty and PS are zero under independence", not any(ix.algebra.MEASURES[name](independent) for name in names)
    )
    record.holds("Conviction diverges at precision 1", ix.measures.conviction(ix.Counts(3, 0, 1, 2)) == math.inf)
    for one, other in (("weighted_relative_accuracy", "novelty"), ("diagnostic_odds_ratio", "odds_ratio")):
        reason = "they are equal for all counts"
        two = not ix.theory.equivalent(as_printed[one], as_printed[other])
        record.holds(f"{words(one)} and {words(other)} are two measures", two, differs=reason, errata="C16")


def _subset_accuracy(record: Record) -> None:
    """Check what the micro and macro entries of subset accuracy say (Group 1)."""
    ev = ix.evaluate([0, 1, 2, 2], [0, 1, 2, 1])
    share, (pooled, per_class) = ev.score("exact_match"), (ix.subset_accuracy(ev.aggregate(per)) for per in ((), "class"))
    record.holds("exemplar subset accuracy is the share of fully right examples", share == 3 / 4)
    reason = "pooled counts are right only if everything is, and a column only if the whole column is"
    record.holds("micro subset accuracy is multiclass accuracy", pooled == share, differs=reason, errata="A7")
    record.holds("per class, subset accuracy reduces to accuracy", per_class.mean() == share, differs=reason, errata="A7")


def _counterparts(record: Record) -> None:
    """Check which rule measures follow from their counterparts (Group 11).

    Tried on all predictions for 20 positives and 20 negatives.
    """
    size = 20
    predictions = [ix.Counts(tp, fp, size - tp, size - fp) for tp in range(1, size) for fp in range(1, size)]
    for name, counterpart, reason in COUNTERPARTS:
        pairs = {tuple(round(ix.algebra.MEASURES[m](v), 9) for m in (counterpart, name)) for v in predictions}
        determined = len(pairs) == len({value for value, _ in pairs})
        what = f"equally large classes: {words(counterpart)} determines {words(name)}"
        record.holds(what, determined, differs=reason, errata="C15")


def _summary(record: Record) -> None:
    """Count measures and marks, group by group."""
    table: list[tuple[Any, ...]] = []
    counted = {group: marks(group) for group in SUMMARY}
    for group, (title, measures, marked) in SUMMARY.items():
        rows, found = len(counted[group]), sum(counted[group])
        record.declares(f"Group {group}, {title}: measures", paper=measures, ours=rows)
        pinned = COUNTED.get(group)
        reason = f"the table of the group has {pinned} marks" if pinned else ""
        what = f"Group {group}, {title}: averages marked as without a name"
        record.declares(what, paper=marked, ours=found, differs=reason, pinned=pinned, errata="D")
        table.append((f"{group}. {title}", measures, rows, f"~{marked}", found))
    rows, found = sum(map(len, counted.values())), sum(map(sum, counted.values()))
    printed = sum(int(marked) for *_, marked in SUMMARY.values())
    record.declares("measures in total", paper="50", ours=rows)
    reason = f"the tables carry {found} marks, {SOFT_MARKS} more in Group 9, and the summary's column sums to {printed}"
    what = "averages marked as without a name, in total"
    record.declares(what, paper=MARKED, ours=found, differs=reason, pinned="111", errata="D")
    record.note("Established names are declared in our catalogue; measures and marks are counted in our copy of the appendix.")
    table.append(("Total", "~50", rows, MARKED, found))
    record.table("Summary count", ("Group", "Measures, paper", "Measures, counted", "Marked, paper", "Marked, counted"), table)
