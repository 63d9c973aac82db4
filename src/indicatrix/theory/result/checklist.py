"""Reporting checklists: which items an evaluation can fill, with sentences, and which it cannot.

The items are told in words of our own; the statements themselves say what each asks. What an evaluation knows fills some of them
whole and some in part. The others are about the study, and only its authors can fill them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...algebra.numbers.functions import ratio
from ...algebra.values import to_pandas, to_polars
from ...report.table_forms import Table
from ...settings.options import SENTENCES
from ...words.call_mistakes import answers_mistakes
from ...words.wording import did_you_mean, number_of, packaged_text, series

FILLED, PART, OPEN = "filled", "in part", "open"
OF_POSITIVE = ("recall", "specificity", "precision", "negative_predictive_value", "accuracy", "mcc")
CLINICAL = {"recall": "sensitivity", "precision": "positive predictive value", "auc": "AUC", "mcc": "MCC", "brier": "Brier score"}
OF_CLASSES = ("recall", "specificity", "precision", "f1")
OF_SCORES = ("auc", "average_precision", "brier")
MOST = 20  # groups or classes that are written out


@answers_mistakes
@dataclass(frozen=True)
class ChecklistItem:
    """An item of a checklist, with what the evaluation says about it.

    Attributes
    ----------
    number, topic : str
        Where it stands in the checklist.
    asks : str
        What it asks, in short.
    state : str
        "filled"; "in part", where more is asked than an evaluation knows; or "open".
    says : tuple of str
        Sentences with numbers.
    """

    number: str
    topic: str
    asks: str
    state: str
    says: tuple[str, ...]


@answers_mistakes
@dataclass(frozen=True, repr=False)
class Checklist:
    """A reporting checklist with what an evaluation says about its items.

    Attributes
    ----------
    name, title : str
        The checklist and its source.
    items : tuple of ChecklistItem
        All its items, in order.
    """

    name: str
    title: str
    items: tuple[ChecklistItem, ...]

    def __getitem__(self, number: str | int) -> ChecklistItem:
        """Return the item of this number."""
        found = {item.number: item for item in self.items}
        if str(number) not in found:
            raise KeyError(f"{self.name} has no item {number!r}; it has {series([*found])}.")
        return found[str(number)]

    def of(self, state: str) -> tuple[ChecklistItem, ...]:
        """Return the items of a state: "filled", "in part" or "open".

        Parameters
        ----------
        state : str
            One of the three.

        Returns
        -------
        tuple of ChecklistItem
            In order.

        Examples
        --------
        >>> import indicatrix as ix
        >>> found = ix.evaluate([0, 1, 1, 0], [0, 1, 0, 0]).checklist("STARD")
        >>> [item.number for item in found.of("filled")]
        ['14', '23', '24']
        """
        if state not in (FILLED, PART, OPEN):
            raise ValueError(f"There is no state {state!r}. Items are {FILLED!r}, {PART!r} or {OPEN!r}.")
        return tuple(item for item in self.items if item.state == state)

    def to_dict(self) -> dict[str, list[Any]]:
        """Return columns: number, topic, what is asked, state, and the sentences.

        Returns
        -------
        dict
            A list for each column.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ix.evaluate([0, 1, 1, 0], [0, 1, 0, 0]).checklist("STARD").to_dict()["number"][-3:]
        ['28', '29', '30']
        """
        columns = {name: [getattr(item, name) for item in self.items] for name in ("number", "topic", "asks", "state")}
        return {**columns, "says": [" ".join(item.says) for item in self.items]}

    to_pandas, to_polars = to_pandas, to_polars

    def to_markdown(self) -> str:
        """Return the checklist as a table in Markdown, for a model card or a supplement.

        Returns
        -------
        str
            A heading and a table.

        Examples
        --------
        >>> import indicatrix as ix
        >>> print(ix.evaluate([0, 1, 1, 0], [0, 1, 0, 0]).checklist("STARD").to_markdown().splitlines()[0])
        ### STARD 2015 (Bossuyt et al. 2015, BMJ 351:h5527), 30 items
        """
        rows = [(i.number, i.topic, i.asks, " ".join(i.says) or "To be filled by the authors.") for i in self.items]
        return f"### {self.title}\n\n{Table(('Item', 'Topic', 'Asks', 'From the evaluation'), rows, left=4).to('markdown')}\n"

    def __str__(self) -> str:
        lines = [f"{self.title}, {len(self.items)} with subitems: {self._counted()}."]
        for item in self.items:
            if item.state != OPEN:
                lines += ["", f"{item.number:<4} {item.topic}: {item.asks}.{' (in part)' if item.state == PART else ''}"]
                lines += [f"     {text}" for text in item.says]
        rest = [item.number for item in self.of(OPEN)]
        return "\n".join([*lines, "", f"Not from an evaluation, the authors fill them: {', '.join(rest)}."])

    def __repr__(self) -> str:
        return f"<Checklist {self.name}: {self._counted()}>"

    def _counted(self) -> str:
        return f"{len(self.of(FILLED))} filled, {len(self.of(PART))} in part, {len(self.of(OPEN))} open"


class Facts:
    """What the items are filled from."""

    def __init__(self, ev: Any, level: float) -> None:
        self.ev, self.level = ev, level
        self.groups: tuple[str, ...] = tuple(ev.tally.by)
        self.binary = ev.positive is not None
        self.counts = ev.binary() if self.binary else ev.aggregate("class")
        self.average = None if self.binary else "macro"
        self.main = ("recall", "specificity") if self.binary else ("recall", "f1")  # the scores that groups are compared by
        self.scores = (*(OF_SCORES if ev.scored is not None else ()), *(OF_POSITIVE if self.binary else OF_CLASSES))
        plain = "" if ev.tally.squares is None else ", by weight"  # how examples count, for the end of a sentence
        self.counted = ", corrected for errors of the labels" if ev.tally.corrected else plain

    def by_class(self, *names: str) -> Iterator[tuple[Any, ...]]:
        """Yield each class with some of its counts."""
        return zip(self.counts.names[0], *(np.asarray(getattr(self.counts, name)).tolist() for name in names), strict=True)

    def named(self, measure: str) -> str:
        """Return what readers call a score."""
        plain = measure.replace("_", " ")
        return CLINICAL.get(measure, plain) if self.binary else f"{self.average} {plain}"


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."


def _number(count: float) -> str:
    """Return a number of examples with all its digits, or a sum of weights with six.

    >>> _number(1234567.0), _number(1234567.25)
    ('1234567', '1.23457e+06')
    """
    return f"{int(count)}" if float(count).is_integer() else f"{count:g}"


def _first(texts: list[str], between: str = ", ") -> str:
    """Return the first of several texts, and how many more there are."""
    return between.join(texts[:MOST]) + (f"{between}and {len(texts) - MOST} more" if len(texts) > MOST else "")


def _intervals(facts: Facts) -> list[Any]:
    """Return the scores of all examples with intervals; those without one are left out."""
    found = []
    for measure in facts.scores:
        with suppress(ValueError):
            found.append((facts.named(measure), facts.ev.interval(measure, facts.average, level=facts.level)))
    return [(name, ends) for name, ends in found if ends.value == ends.value]


def performance(facts: Facts) -> list[str]:
    """Return scores with intervals, and those of the groups."""
    found = [_sentence(f"{name}: {ends}") for name, ends in _intervals(facts)]
    return [*found, *(text for axis in facts.groups for text in _of_groups(facts, axis))]


def _of_groups(facts: Facts, axis: str) -> list[str]:
    lines = []
    for measure in facts.main:
        values = facts.ev.values(measure, per=axis, average=facts.average, interval=facts.level)
        known = zip(values.names, values.intervals or (), strict=True)
        each = [f"{name}: {ends if ends.value == ends.value else 'undefined'}" for name, ends in known]
        lines.append(_sentence(f"{facts.named(measure)} by {axis}: {_first(each, '; ')}"))
    return lines


def methods(facts: Facts) -> list[str]:
    """Return which scores there are, with the methods of their intervals."""
    each = _intervals(facts)
    kinds = dict.fromkeys(ends.method for _, ends in each)
    intervals = f"{100 * facts.level:.4g}% intervals by {', '.join(kinds)}" if kinds else "without intervals"
    return [_sentence(f"{', '.join(name for name, _ in each)}; {intervals}; computed with indicatrix"), *decisions(facts)]


def decisions(facts: Facts) -> list[str]:
    """Return the rule that turned scores into decisions."""
    said = facts.ev.recipe.in_words().get("decide")
    if said is None:
        return []
    at = isinstance(facts.ev.recipe.decide, int | float)
    return [f"Scores become decisions {'at the threshold' if at else 'by'} {said}."]


def numbers(facts: Facts) -> list[str]:
    """Return how many examples there are, with and without the outcome."""
    n, hidden = number_of(facts.ev.n, "example"), facts.ev.tally.hidden[0]
    n = f"{n}, {hidden:,} of them not observed" if hidden else n
    if facts.binary:
        with_it, without = facts.counts.tpos, facts.counts.tneg
        return [f"{n}: {_number(with_it)} with the outcome {facts.ev.positive!r}, {_number(without)} without{facts.counted}."]
    return [f"{n}, by class: {_first([f'{name!r}: {_number(k)}' for name, k in facts.by_class('tpos')])}{facts.counted}."]


def group_numbers(facts: Facts) -> list[str]:
    """Return the same for each group."""
    each = {axis: [f"{name}: {n:,}" for name, n in facts.ev.tally.sizes_of(axis).items()] for axis in facts.groups}
    return [*numbers(facts), *(f"Examples by {axis}: {_first(some)}." for axis, some in each.items())]


def frequencies(facts: Facts) -> list[str]:
    """Return how frequent the outcome or each class is."""
    counts = facts.counts
    with_it = np.atleast_1d(np.asarray(counts.tpos, float))
    shares = np.nan_to_num(ratio(with_it, with_it + np.asarray(counts.tneg, float)))
    named = f"The outcome {facts.ev.positive!r}" if facts.binary else f"The rarest class, {counts.names[0][shares.argmin()]!r},"
    return [f"{named} has {shares.min():.1%} of the examples{facts.counted}."]


def missing(facts: Facts) -> list[str]:
    """Return how many labels were not observed."""
    (hidden, entries), n = facts.ev.tally.hidden, facts.ev.n
    if hidden or entries:
        return [f"{hidden:,} of {number_of(n, 'example')} and {entries:,} labels of others were not observed, and count nowhere."]
    words = facts.ev.recipe.in_words()
    if corrected := [SENTENCES[name].format(words[name]) for name in ("gold", "noise") if name in words]:
        return corrected
    known = f"All {n:,} examples that were evaluated have their labels"
    known = known if n > 1 else "The example that was evaluated has its label"
    return [f"{known}; what was left out before is not known here."]


def indeterminate(facts: Facts) -> list[str]:
    """Return how predictions that decline to answer were counted."""
    if not facts.ev.recipe.abstains:
        return ["No prediction could decline to answer."]
    left_out = facts.ev.recipe.abstained == "mask"
    return [f"Predictions that decline to answer are {'left out' if left_out else 'counted as predicting no class'}."]


def group_methods(facts: Facts) -> list[str]:
    """Return which groups were looked at."""
    return [f"Scores were computed for each {axis}, with intervals and a test of equal values." for axis in facts.groups]


def heterogeneity(facts: Facts) -> list[str]:
    """Return the scores of groups, and whether they differ."""
    lines = []
    for axis in facts.groups:
        lines += _of_groups(facts, axis)
        for measure in facts.main:
            test = facts.ev.compare_groups(measure, axis, average=facts.average).test
            said = "not tested" if test is None else f"that all are equal, {test}"
            lines.append(_sentence(f"{facts.named(measure)} by {axis}, test: {said}"))
    return lines


def table(facts: Facts) -> list[str]:
    """Return the cross tabulation."""
    if facts.binary:
        tp, fp, fn, tn = map(_number, facts.counts)
        return [f"True positives {tp}, false positives {fp}, false negatives {fn}, true negatives {tn}{facts.counted}."]
    rows = ((name, *map(_number, own)) for name, *own in facts.by_class("tp", "fp", "fn", "tn"))
    each = [f"{name!r}: tp {tp}, fp {fp}, fn {fn}, tn {tn}" for name, tp, fp, fn, tn in rows]
    return [f"{_first(each, '; ')}{facts.counted}."]


_FILL = (performance, methods, decisions, numbers, group_numbers, frequencies, missing, indeterminate, group_methods, table)
FILLERS: dict[str, Callable[[Facts], list[str]]] = {each.__name__: each for each in (*_FILL, heterogeneity)}


def checklist(ev: Any, name: str, level: float) -> Checklist:
    """Return a checklist, filled from an evaluation.

    >>> import indicatrix as ix
    >>> found = checklist(ix.evaluate([0, 1, 1, 0], [0, 1, 0, 0]), "STARD", 0.95)
    >>> found["23"].says
    ('True positives 1, false positives 0, false negatives 1, true negatives 2.',)
    """
    known = json.loads(packaged_text(__package__, "checklists.json"))
    if name not in known:
        advice = did_you_mean(str(name), known) or f"Use {series([*known], 'or')}."
        raise ValueError(f"There is no checklist {name!r}. {advice}")
    if not ev.n:
        raise ValueError("There are no examples yet, so nothing can be filled.")
    facts, items = Facts(ev, level), []
    for item in known[name]["items"]:
        filler = item.get("filled_by")
        says = tuple(FILLERS[filler](facts)) if filler else ()
        whole = item.get("whole") or (filler in ("performance", "heterogeneity") and bool(facts.groups))
        state = (FILLED if whole else PART) if says else OPEN
        items.append(ChecklistItem(item["number"], item["topic"], item["asks"], state, says))
    return Checklist(name, known[name]["title"], tuple(items))
