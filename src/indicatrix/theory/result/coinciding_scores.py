"""CoincidingScores: which scores coincide here, which must, and which are functions of accuracy.

The main result is thm:micro_collapse.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from ...algebra.average import ALIASES, BINARY, averages_over, find_average
from ...algebra.measure import Measure
from ...algebra.measure_names import find
from ...algebra.numbers.exact import Value, is_defined
from ...words.call_mistakes import answers_mistakes
from ...words.wording import short
from .exact_scores import ExactScores, ExactUnits, partition
from .examined_result import OfAccuracy, Scored, has_accuracy_form, of_accuracy, requested_scores, share_right
from .reasons_for_equality import Link, Structure, are_proportional, fresh_links, links, reason_for_complement

MEASURES = ("precision", "recall", "specificity", "mcc", "jaccard", "f1", "accuracy")
BY_DATA = "by these data only"
IMPORTANCE = ("thm:micro_collapse", "errata B2", "thm:micro_macro", "cor:micro_macro_balance", "errata A11", "sec:notable")


@dataclass(frozen=True)
class Group:
    """Scores that have one value here, and why; no theorem if some are equal by these data only."""

    scores: tuple[Scored, ...]
    value: Value  # exact: a Fraction, or fifty digits of an irrational number
    theorem: str = field(repr=False)  # LaTeX labels, joined by commas; empty where the coincidence is accidental
    reason: str
    parts: tuple[Group, ...] = ()  # in an accidental coincidence: the scores among them that must be equal

    def __str__(self) -> str:
        if self.theorem or not self.parts:
            why = f", because {self.reason}" if self.theorem else f" {self.reason}"
            return f"{_chain(self.scores)} = {float(self.value):.3f}{why}"
        alone = [str(s) for s in self.scores if not any(s in part.scores for part in self.parts)]
        pieces = [f"{_chain(part.scores)}, because {part.reason}" for part in self.parts]
        return f"{float(self.value):.3f} {self.reason}: {'; '.join([*pieces, *alone])}"


def _chain(scores: Iterable[Scored]) -> str:
    return " = ".join(map(str, scores))


@dataclass(frozen=True)
class Complement:
    """Two scores that add to one, with the theorem and the reason."""

    first: Scored
    second: Scored
    theorem: str = field(repr=False)
    reason: str

    def __str__(self) -> str:
        return f"{self.first} + {self.second} = 1, because {self.reason}"


@answers_mistakes
@dataclass(frozen=True)
class CoincidingScores:
    """Which scores coincide and why.

    Every requested score is in one group, or in ``differ``, ``undefined`` or ``unknown``.

    Attributes
    ----------
    groups : tuple of Group
        Scores that are equal, with the reason; the lowest value first.
    differ : tuple
        Scores that are equal to no other score.
    complements : tuple of Complement
        Pairs of scores that add up to one.
    of_accuracy : mapping
        Every pooled score and every mean over examples as a function of accuracy; empty unless ``one_hot``.
    one_hot : bool
        Whether every example has one true and one predicted class.
    accuracy : number or None
        The share of examples classified right, if ``one_hot``.
    undefined : tuple
        Scores that are undefined.
    unknown : tuple
        Means over examples, if the counts came without examples.
    """

    groups: tuple[Group, ...]  # lowest value first
    differ: tuple[Scored, ...]  # scores that are equal to no other score
    complements: tuple[Complement, ...]
    of_accuracy: Mapping[Scored, OfAccuracy]  # every pooled score and every mean over examples; empty unless one_hot
    one_hot: bool
    accuracy: Value | None = None  # the share of examples classified right, if one_hot
    undefined: tuple[Scored, ...] = ()
    unknown: tuple[Scored, ...] = ()  # means over examples, if the counts came without examples

    def __str__(self) -> str:
        lines = [*map(self._line, self.groups), *map(str, self.complements)]
        forms = [(s, f) for s, f in self.of_accuracy.items() if f.text not in ("acc", "undefined")]
        lines += [f"{score} = {form}" for score, form in forms]
        if self.one_hot and self.accuracy is not None:
            lines.insert(0, f"Every example has one true and one predicted class; acc = accuracy = {float(self.accuracy):.3f}.")
        else:
            lines.insert(
                0, "Some examples may not have one true and one predicted class, so no score is a function of accuracy alone."
            )
        for what in ("undefined", "unknown"):
            lines += [f"{what}: {', '.join(map(str, getattr(self, what)))}"] if getattr(self, what) else []
        return "\n".join(lines)

    def _line(self, group: Group) -> str:
        forms = [self.of_accuracy.get(score) for score in group.scores]
        if group.theorem and any(form is not None and form.text == "acc" for form in forms):
            return str(group).replace(f" = {float(group.value):.3f},", f" = accuracy = {float(group.value):.3f},")
        return str(group)


def coinciding_scores(
    source: Any,
    measures: Iterable[str | Measure] | str | Measure | None = None,
    averages: Iterable[str] | str | None = None,
) -> CoincidingScores:
    """Return which scores of a source coincide, by a theorem or by accident.

    Without ``averages``, all averages are used that every measure has and that run over classes or examples.

    >>> import indicatrix as ix
    >>> ev = ix.from_confusion([[110, 10, 10], [20, 40, 5], [25, 5, 50]])
    >>> [group] = coinciding_scores(ev, ["precision", "recall", "f1", "mcc"], ["micro", "macro"]).groups
    >>> [str(score) for score in group.scores]
    ['micro precision', 'micro recall', 'micro f1']
    >>> group.reason
    'every example has one true and one predicted class'
    """
    structure = _structure(source)
    if averages is None:
        averages = averages_over("class", "example")
    scores = _scores(source, measures, averages, structure.rows is not None)
    known = [s for s in scores if structure.rows is not None or not _over_examples(s.average)]
    values = {s: structure.scores.value(*s) for s in known}
    groups, differ = _groups(values, structure)
    found = [s for s in known if is_defined(values[s])]
    forms = {s: _form(s, structure) for s in known if _has_form(s.average)} if structure.one_hot else {}
    return CoincidingScores(
        groups,
        differ,
        tuple(_complements(found, structure)),
        forms,
        structure.one_hot,
        share_right(structure.rows) if structure.one_hot and structure.rows is not None else None,
        undefined=tuple(s for s in known if not is_defined(values[s])),
        unknown=tuple(s for s in scores if s not in values),
    )


def _structure(source: Any) -> Structure:
    scores = ExactScores.of(source)
    classes, positive = tuple(getattr(source, "classes", ())), getattr(source, "positive", None)
    rows: ExactUnits | None
    try:
        rows = scores.units("example")
    except ValueError:  # counts without examples
        rows = None
    return Structure(scores, len(scores.units("class").counts), rows, classes.index(positive) if positive in classes else None)


def _over_examples(average: str) -> bool:
    return average != BINARY and "example" in find_average(average).per


def _has_form(average: str) -> bool:
    return average != BINARY and has_accuracy_form(find_average(average))


def _scores(source: Any, measures: Any, averages: Any, examples: bool) -> list[Scored]:
    """Return the requested scores, average by average.

    A measure that exists only under some averages appears only under those.
    """
    plain = find("recall")  # exists under every average: if it is refused, the source does not have this average

    def here(average: Any) -> str:
        if not isinstance(average, str | tuple | None):
            raise TypeError(f"averages= holds {short(average)}; an average is a name, such as 'macro'.")
        name = ALIASES.get(average, average) if isinstance(average, str) else average
        unknown = not examples and isinstance(name, str) and _over_examples(name)
        chosen: Any = name if unknown else plain.score(source, name).average
        find_average(chosen)  # refuses scores inside groups
        return str(chosen)

    names = [here(average) for average in ([averages] if isinstance(averages, str) else averages)]
    found = requested_scores(MEASURES if measures is None else measures, names)
    scores = [Scored(measure, average if average in names else here(average)) for measure, average in found]
    for measure in dict.fromkeys(s.measure for s in scores):
        under = [s for s in scores if s.measure == measure]
        if not any(s.exists for s in under):
            given = ", ".join(s.average for s in under)
            raise ValueError(
                f"{measure} exists only as {', '.join(measure.averages)}; averages= names {given}. Add one of its averages."
            )
    order = list(dict.fromkeys([*names, *(s.average for s in scores)]))
    return sorted({s: None for s in scores if s.exists}, key=lambda s: order.index(s.average))


def _form(score: Scored, structure: Structure) -> OfAccuracy:
    assert structure.rows is not None
    return of_accuracy(*score, m=structure.m, n=sum(structure.rows.times))


def _groups(values: Mapping[Scored, Value], structure: Structure) -> tuple[tuple[Group, ...], tuple[Scored, ...]]:
    """Return the groups of scores with equal values, and the scores that equal no other."""
    helpers = averages_over("class", *(() if structure.rows is None else ("example",)))  # chains of theorems may use these
    more = {Scored(m, a) for m in {s.measure for s in values} if not m.averages for a in helpers} - values.keys()
    every = {**values, **{s: structure.scores.value(*s) for s in sorted(more, key=str)}}
    groups, differ = [], []
    for block in partition(every, structure.scores.rounded):
        scores = [s for s in block if s in values]
        if len(scores) > 1:
            groups.append(_group(scores, block, values[scores[0]], structure))
        else:
            differ += scores
    return tuple(groups), tuple(s for s in values if s in differ)


def _group(scores: Sequence[Scored], block: Sequence[Scored], value: Value, structure: Structure) -> Group:
    forest = Forest()
    for link in links(block, structure):
        forest.add(link)
    first = {forest.root(s): s for s in reversed(scores)}
    if len(first) > 1:
        for link in fresh_links([*first.values()], structure):
            forest.add(link)
    parts: dict[Any, list[Scored]] = {}
    for score in scores:
        parts.setdefault(forest.root(score), []).append(score)
    must = [Group(tuple(part), value, *forest.why(part)) for part in parts.values() if len(part) > 1]
    if len(parts) == 1:
        return must[0]
    return Group(tuple(scores), value, "", BY_DATA, tuple(must))


class Forest:
    """Links that connect scores, without any redundant link."""

    def __init__(self) -> None:
        self._parent: dict[Any, Any] = {}
        self._links: list[Link] = []

    def root(self, score: Any) -> Any:
        """Return the representative of the scores connected with this one."""
        while score in self._parent:
            score = self._parent[score]
        return score

    def add(self, link: Link) -> None:
        """Connect two scores, unless they are connected already."""
        one, other = self.root(link.first), self.root(link.second)
        if one != other:
            self._parent[other] = one
            self._links.append(link)

    def why(self, scores: Sequence[Scored]) -> tuple[str, str]:
        """Return the theorems and reasons that connect some scores."""
        ways = [link for link in self._links if self.root(link.first) == self.root(scores[0])]
        ends = [end for link in ways for end in (link.first, link.second)]
        while stray := [link for link in ways if any(ends.count(e) == 1 and e not in scores for e in (link.first, link.second))]:
            ways = [link for link in ways if link not in stray]
            ends = [end for link in ways for end in (link.first, link.second)]
        theorems = dict.fromkeys(link.theorem for link in ways)
        rank = {label: i for i, label in enumerate(IMPORTANCE)}
        ordered = sorted(theorems, key=lambda label: rank.get(label, len(rank)))
        return ", ".join(ordered), "; ".join(dict.fromkeys(link.reason for link in ways))


def _complements(scores: Sequence[Scored], structure: Structure) -> Iterable[Complement]:
    """Yield the scores under the same average whose measures add to one."""
    averages: dict[Measure, list[str]] = {}
    for measure, average in scores:
        averages.setdefault(measure, []).append(average)
    for (first, mine), (second, other) in combinations(averages.items(), 2):
        if why := reason_for_complement(first, second):  # the formulas are compared first: few add to one, and classes are many
            both = [a for a in mine if a in other and _weigh_the_same(first, second, a, structure)]
            yield from (Complement(Scored(first, a), Scored(second, a), *why) for a in both)


def _weigh_the_same(first: Measure, second: Measure, average: str, structure: Structure) -> bool:
    """Return whether two measures have the same weights under an average.

    Some weights depend on the measure.
    """
    scores = structure.scores
    return find_average(average).pools or are_proportional(
        scores.weights(first, average), scores.weights(second, average), scores.rounded
    )
