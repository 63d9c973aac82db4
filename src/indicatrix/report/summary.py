"""What the report shows, computed from an evaluation."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from ..algebra.arrays import as_weight
from ..algebra.average import ALIASES, AVERAGES, BINARY, Average
from ..algebra.counts import Counts, check_axes
from ..algebra.measure_names import find
from ..algebra.score import Undefined
from ..algebra.sums import sums
from ..words.wording import short, type_of
from .grid import label, near_bound
from .text import MOST as MOST_IN_MATRIX
from .text import ConfusionTable, GroupTable, Report, Unit

MEASURES = ("precision", "recall", "specificity", "mcc", "jaccard", "f1")
MOST_GROUPS = 30
SURE = ("labels", "missing")  # findings that hold under every convention for undefined values
ANY = sums("any measure")  # it has no denominators, so weights that need them raise an error


def summarize(ev: Any, *, undefined: Undefined = "exclude", interval: float | bool | None = None) -> Report:
    """Return the report of an evaluation.

    It shows classes, averages, the most frequent confusions and findings. Findings are about averages that leave undefined
    values out. If another convention changes a score, only those are shown that are not about scores.
    """
    measures = usual_measures(ev)
    groups = (ev.tally.grouping, _units(ev, ev.tally.grouping, measures)) if ev.tally.targets is not None else None
    averages = usual_columns(ev)
    made = ev.table(measures, averages, undefined=undefined, interval=interval)
    titles = {a: f"binary ({ev.positive!r})" if a == BINARY else a for a in averages}
    titles |= {a: f"{a} (pooled)" for a in ev.tally.by if ev.positive is None}
    rows = [(titles[a], [made.scores[find(m), a] for m in measures]) for a in averages]
    intervals = {titles[a]: [made.intervals[find(m), a] for m in measures] for a in averages} if interval else {}
    if ev.recipe.known is not None:
        known = ev.only(ev.classes[:-1])
        plain = [a for a, rule in AVERAGES.items() if rule.weight is None and rule.per in ((), ("class",))]
        rows += [(f"{a}, known only", [known.score(m, a, undefined=undefined) for m in measures]) for a in plain]
    classes = _units(ev, "class", measures)
    changed = undefined != "exclude" and any(s.undefined_units for _, scores in rows for s in scores)
    findings = _findings(ev, SURE) if changed else _findings(ev)
    tables = [_group_table(ev, axis, measures, undefined) for axis in ev.tally.by]
    facts, pairs = facts_about(ev), _confusion(ev)
    confused, matrix = _confusions(ev, pairs), _confusion_table(ev, pairs, classes)
    return Report(
        facts, measures, classes, rows, undefined, confused, notes_about(ev), findings, groups, tables, intervals, matrix
    )


def _group_table(ev: Any, axis: str, measures: tuple[str, ...], undefined: Undefined) -> GroupTable:
    """Return the scores of the groups of an axis, the largest groups if there are many.

    They are of the positive class, or the macro scores of each group, which say more than pooled counts.
    """
    sizes, average = ev.tally.sizes_of(axis), usual_average_inside(ev)
    shown = sorted(sizes, key=lambda name: -sizes[name])[:MOST_GROUPS] if len(sizes) > MOST_GROUPS else list(sizes)
    parts = ev._split(axis, shown)
    rows = [(name, part.n, [part.score(m, average, undefined=undefined) for m in measures]) for name, part in parts.items()]
    return GroupTable(axis, average, rows, len(sizes))


def usual_average_inside(ev: Any) -> str:
    """Return the average that tables of groups show: of the positive class, or else macro."""
    return BINARY if ev.positive is not None else "macro"


def usual_averages(ev: Any) -> list[str]:
    """Return the averages that the report shows.

    These are the rows of ``AVERAGES`` that exist for any measure here, then the ``by`` axes.
    """
    rows = [name for name, rule in AVERAGES.items() if _applies(rule, ev)]
    return rows + [axis for axis in ev.axes if axis not in ("class", "example", *rows)]


def scores_to_show(
    ev: Any, measures: Sequence[tuple[Any, Iterable[Any] | None]]
) -> tuple[tuple[Any, ...], tuple[Any, ...], list[tuple[Any, Any]]]:
    """Return the rows of a table, its columns, and which of their cells have a score.

    Each measure has its own averages.

    Without averages, those of the report are shown, and a measure with only one version in that one. Accuracy without an
    average of classes is a row of its own, because it is another measure than these averages are; it reads the whole matrix.
    """
    cells: dict[Any, list[Any]] = {}  # of each row
    usual, asked = usual_columns(ev), list[Any]()
    for m, averages in measures:
        named, whole = [_checked_name(a) for a in averages or ()], m.meant_for(ev)
        asked += named
        if not m.reads.averaged or (averages is None and whole != m):  # one value
            cells.setdefault(whole, []).append(None)
        elif averages is not None:
            for a in sorted(named, key=lambda a: m.meant_for(ev, a) == m):  # what it means of whole examples, first
                cells.setdefault(m.meant_for(ev, a), []).append(a)
        elif None not in cells.get(m, ()):  # exact match is accuracy, and is shown once
            cells.setdefault(m, []).extend(m.averages or usual)
    shown = dict.fromkeys(a for own in cells.values() for a in own)
    order = [*asked, *shown] if measures and all(own is not None for _, own in measures) else [*usual, *asked, *shown]
    columns = [a for a in dict.fromkeys(order) if a is not None and (a in shown or not cells)]
    keys = [(m, a) for m, own in cells.items() for a in dict.fromkeys(own)]
    return tuple(cells), (*columns, *(a for a in shown if a is None)), keys


def _checked_name(average: Any) -> Any:
    """Return the name of an average without aliases; refuse what cannot be one."""
    if not isinstance(average, str | tuple | None):
        raise TypeError(f"averages holds {short(average)}, {type_of(average)}; give names, such as 'macro'.")
    return ALIASES.get(average, average) if isinstance(average, str) else average


def scores_that_exist(ev: Any, keys: Iterable[tuple[Any, Any]], undefined: Any) -> dict[tuple[Any, Any], Any]:
    """Return the scores of a table; what reads scores may lack some averages, but not all of them."""
    scores: dict[tuple[Any, Any], Any] = {}
    refused: dict[Any, ValueError] = {}
    for m, a in keys:
        try:
            scores[m, a] = ev.score(m, a, undefined=undefined)
        except ValueError as reason:
            if m.reads.counted:
                raise
            refused[m] = reason
    for m, error in refused.items():
        if not any(m == shown for shown, _ in scores):
            raise error
    return scores


def usual_columns(ev: Any) -> list[str]:
    """Return the usual averages of a table: those of the report."""
    return [*([BINARY] if ev.positive is not None else []), *usual_averages(ev)]


def _applies(rule: Average, ev: Any) -> bool:
    """Return whether an average exists for any measure of an evaluation.

    The evaluation must have its axes and the counts that its weights read.
    """
    try:
        check_axes(rule.per, ev.axes, ev.tally.by)
        weights = rule.weights(ANY, Counts(4, 3, 2, 1).without(*ev.unobserved))
    except ValueError:
        return False
    return ("example" not in rule.per or _knows_examples(ev)) and (weights is None or bool(np.isfinite(weights).all()))


def _knows_examples(ev: Any) -> bool:
    """Return whether anything is known of single examples; corrected counts may be known per class only."""
    return ev.kind != "counts" and getattr(ev.tally.pooled, "per_example", ()) is not None


def _units(ev: Any, axis: str, measures: tuple[str, ...]) -> list[Unit]:
    """Return the units of an axis: names, actual and predicted positives, values."""
    counts = ev.aggregate(axis)
    columns = [find(m).values(counts).tolist() for m in measures]
    actual, predicted = _as_printed(counts.tpos), _as_printed(counts.ppos)
    return list(zip(counts.names[0], actual, predicted, zip(*columns, strict=True), strict=True))


def usual_measures(ev: Any) -> tuple[str, ...]:
    """Return the measures to show: those that do not need a count that the data cannot show."""
    seen = Counts(4, 3, 2, 1).without(*ev.unobserved)
    return tuple(m for m in MEASURES if math.isfinite(find(m)(seen)))


def _as_printed(x: Any) -> list[Any]:
    """Return counts for printing: whole numbers as integers."""
    return [int(v) if float(v).is_integer() else float(v) for v in np.asarray(x).tolist()]


def _how_many(ev: Any) -> str:
    """Return how many examples were counted, and how often, if folds tested them again."""
    distinct = ev.tally.distinct
    if distinct == ev.n:
        return f"{ev.n:,} {'example' if ev.n == 1 else 'examples'}"
    times = f"{ev.n // distinct} times {distinct:,}" if ev.n % distinct == 0 else f"{ev.n:,} predictions of {distinct:,}"
    return f"{times} {'example' if distinct == 1 else 'examples'}"


def facts_about(ev: Any) -> list[str]:
    """Return what was evaluated, one sentence each."""
    m = len(ev.classes)
    what = {
        "multiclass": "one class per example",
        "multilabel": "several targets per example" if ev.recipe.targets else "several labels per example",
        "soft": f"memberships, t-norm {ev.recipe.in_words().get('tnorm')}",
        "counts": "counts per class",
    }[ev.kind]
    facts = [f"{_how_many(ev)}, {m:,} {'class' if m == 1 else 'classes'}: {what}."]
    facts += ev.recipe.sentences()
    for axis in ev.axes[2:]:
        names = ev.aggregate(axis).names[0]
        facts.append(f"Axis {axis}: {len(names)} units.")
    if ev.kind != "counts":
        facts += _observed_facts(ev, m)
    return facts


def _observed_facts(ev: Any, m: int) -> list[str]:
    """Return how much was observed: examples, entries, weights, predictions."""
    facts = []
    unseen, entries = ev.tally.hidden or (0, 0)
    if unseen:
        facts.append(f"Nothing was observed of {unseen:,} {'example' if unseen == 1 else 'examples'}.")
    if entries:
        facts.append(f"Observed entries: {(ev.n - unseen) * m - entries:,} of {ev.n * m:,}.")
    if ev.tally.corrected:
        return [*facts, *([] if isinstance(ev.tally.corrected, str) else ev.tally.corrected.in_words()), *_coverage_facts(ev)]
    times = ev.tally.aggregate("example").times
    if times.dtype == float:
        facts.append(f"Examples are weighted; the weights sum to {as_weight(times).sum():,.6g}.")
    return facts + _coverage_facts(ev)


def _coverage_facts(ev: Any) -> list[str]:
    """Return the share of examples with a prediction, if some have none; with targets, per target."""
    made = ev.recipe
    if made.only is not None or not (made.abstains or made.uses("decide") or ev.kind == "multiclass"):
        return []
    if made.abstains and made.targets:
        counts = ev.tally.aggregate("target")
        shares = zip(counts.names[0], find("frequency_bias").values(counts), strict=True)
        return [f"Coverage, predicted over actual labels: {', '.join(f'{label(t)} {x:.3f}' for t, x in shares)}."]
    try:
        coverage = ev.coverage
    except ValueError:  # with costs, or with a mask of entries, it is not known
        return []
    return [f"Coverage, the share of examples with a prediction: {coverage:.3f}."] if coverage < 1 else []


def _confusion(ev: Any) -> Any:
    """Return the confusion matrix as an array; None where pairs of classes are not known or not kept."""
    if ev.kind != "multiclass" or len(ev.classes) < 2:
        return None
    try:
        return np.array(ev.confusion)
    except ValueError:
        return None


def _confusion_table(ev: Any, table: Any, classes: Sequence[Unit]) -> ConfusionTable | None:
    """Return the confusion matrix to show, if there are few classes."""
    if table is None or len(table) > MOST_IN_MATRIX:
        return None
    sums = zip(_as_printed(table.sum(axis=1)), _as_printed(table.sum(axis=0)), strict=True)
    complete = all(math.isclose(a, c) and math.isclose(b, d) for (_, a, b, _), (c, d) in zip(classes, sums, strict=True))
    return ConfusionTable(ev.classes, [_as_printed(row) for row in table], complete)


def _confusions(ev: Any, table: Any, most: int = 3) -> list[tuple[Any, Any, Any]]:
    """Return the pairs of classes that are confused most often; of two classes the matrix says it."""
    if table is None or len(table) < 3:
        return []
    table = np.array(table)
    np.fill_diagonal(table, 0)
    order = np.argsort(-table, axis=None, kind="stable")[:most]
    places = [divmod(int(i), len(table)) for i in order]
    return [(ev.classes[i], ev.classes[j], _as_printed(table[i, j : j + 1])[0]) for i, j in places if table[i, j] > 0]


def _findings(ev: Any, kinds: Iterable[str] | None = None, most: int = 3) -> list[str]:
    """Return the most important findings about the report, or those of some kinds.

    What is undefined is left out here, because the report shows it already.
    """
    findings = [f for f in ev.findings() if (f.kind != "undefined" if kinds is None else f.kind in kinds)]
    return [f.text for f in findings[:most]]


def notes_about(ev: Any) -> list[str]:
    """Return remarks on what the scores do not say by themselves, in lines."""
    if any(map(ev.recipe.uses, ("unobserved", "cost", "only"))):
        return []
    if ev.kind == "multiclass" and ev.n and len(ev.classes) > 1:
        right, entries = float(ev.score("accuracy")), float(ev.score("accuracy", "micro"))
        balanced = float(ev.score("recall", "macro"))
        mean = "" if math.isnan(balanced) else f" Balanced accuracy, the mean recall of the classes, is {near_bound(balanced)}."
        return [
            f"Accuracy, the share of examples classified right, is {near_bound(right)}.{mean}",
            f"Label accuracy is {near_bound(entries)}: it also counts every class that is rightly not predicted.",
        ]
    if ev.kind == "multilabel" and ev.n and ev.classes and _knows_examples(ev):
        right, entries = float(ev.score("exact_match")), float(ev.score("hamming_loss", "micro"))
        wrong = f"Hamming loss, wrong entries: {near_bound(entries)}."
        return [f"Exact match, all labels of an example right: {near_bound(right)}. {wrong}"]
    if ev.kind == "soft":
        sides = "; with memberships on only one side, not even then" if _is_one_sided(ev.recipe) else ""
        return [f"With memberships, a perfect prediction scores 1 only under the Łukasiewicz t-norm{sides}."]
    return []


def _is_one_sided(made: Any) -> bool:
    """Return whether only one side holds memberships, by an ordinal encoding."""
    several = [made, *(own for _, own in made.targets)]
    return any(one.ordinal is not None and one.ordinal.sides != "both" for one in several)
