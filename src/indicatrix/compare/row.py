"""A row of a comparison: one score of every evaluation, who is ahead, and who is best by a test.

What the rows together say about two classifiers is one sentence: by which scores the one is better, and how sure this is.

What makes evaluations hard to compare: other examples, other meanings, means over other units.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ..algebra.convention import Convention, absent_units, plain_part
from ..algebra.derived.derived_facts import SIGNS
from ..algebra.score import PLURALS, Score, Undefined
from ..evaluation import Evaluation
from ..inference.estimators.of_evaluation import only_some_weighted
from ..inference.intervals.few_examples import findings_of_correction
from ..inference.paired.difference import Difference
from ..inference.stats.several_tests import level_text, p_text, probability_text
from ..report.table_forms import BestCell
from ..report.text import score_cell
from ..words.wording import listing, series

if TYPE_CHECKING:
    from ..inference.intervals.interval import Interval


MOST_PAIRS = 10  # of classifiers that have a sentence
MOST_NAMES = 6  # scores that are named in a sentence
NOT_TESTED = "No {}: the differences were not tested. level=0.95 tests them."


@dataclass(frozen=True)
class Row:
    """One score of every evaluation, and whether a test shows one of these values to be the best."""

    name: str
    values: tuple[Any, ...]  # floats; None where an evaluation does not have this score
    better: str = "higher"  # or "lower", "neither" or "unknown"
    key: tuple[Any, Any] | None = None  # the measure and the average, where they are known
    intervals: tuple[Interval | None, ...] = ()  # of the values, where they were asked for
    best: tuple[bool, ...] = ()  # whether a test shows each value to be better than every other

    def __post_init__(self) -> None:
        object.__setattr__(self, "best", self.best or (False,) * len(self.values))

    @property
    def ahead(self) -> tuple[bool, ...]:
        """Whether each value is ahead of the others, which chance may explain; all False without an order.

        They cannot be ranked if all are equal, if no direction is better, or if they are means over different units.
        """
        return (False,) * len(self.values) if self.mixes_units() else self._leaders(self.values)

    def _leaders(self, values: Sequence[Any]) -> tuple[bool, ...]:
        known = [float(v) for v in values if has_value(v)]
        if self.better not in SIGNS or len(set(known)) < 2:
            return (False,) * len(values)
        top = max(known) if self.better == "higher" else min(known)
        return tuple(v is not None and float(v) == top for v in values)

    def mixes_units(self) -> bool:
        """Return whether the values are means over different units: others were undefined in each.

        Returns
        -------
        bool
            True only if undefined units are left out of the mean, which is undefined="exclude".

        Examples
        --------
        >>> import indicatrix as ix
        >>> y = ["a", "b", "c"]
        >>> both = ix.compare([ix.evaluate(y, y), ix.evaluate(y, ["a", "b", "b"])], "precision", "macro")
        >>> both.rows[0].mixes_units()
        True
        """
        return len({units_left_out(v) for v in self.values if has_value(v)}) > 1

    def ahead_under(self, undefined: Undefined) -> tuple[bool, ...]:
        """Return which values would be ahead of the others under another convention for undefined values.

        Parameters
        ----------
        undefined : str or number
            What an undefined value does: 'exclude', a number or 'nan'.

        Returns
        -------
        tuple of bool
            One flag for each value; all False if all are equal or no direction is better.

        Examples
        --------
        >>> import indicatrix as ix
        >>> y = ["a", "b", "c"]
        >>> both = ix.compare([ix.evaluate(y, y), ix.evaluate(y, ["a", "b", "b"])], "precision", "macro")
        >>> both.rows[0].ahead_under(0)
        (True, False)
        """
        return self._leaders(self.values_under(undefined))

    def values_under(self, undefined: Undefined) -> tuple[Any, ...]:
        """Return the values under another convention for undefined values.

        Parameters
        ----------
        undefined : str or number
            What an undefined value does: 'exclude', a number or 'nan'.

        Returns
        -------
        tuple
            A number for each evaluation; None where it does not have this score.

        Examples
        --------
        >>> import indicatrix as ix
        >>> y = ["a", "b", "c"]
        >>> both = ix.compare([ix.evaluate(y, y), ix.evaluate(y, ["a", "b", "b"])], "precision", "macro")
        >>> both.rows[0].values_under(0)
        (1.0, 0.5)
        """
        return tuple(v.under(undefined) if isinstance(v, Score) else v for v in self.values)

    @property
    def ranks(self) -> tuple[float, ...]:
        """The place of each value, 1 for the best.

        Equal values share the mean of their places; a missing one has nan, and so has one without a rival.
        """
        sign = -1 if self.better == "lower" else 1
        known = [sign * float(v) for v in self.values if has_value(v)]
        places = {x: sum(y > x for y in known) + (known.count(x) + 1) / 2 for x in known}
        ranked = self.better in SIGNS and len(known) > 1 and not self.mixes_units()
        return tuple(places[sign * float(v)] if ranked and has_value(v) else math.nan for v in self.values)

    @property
    def cells(self) -> tuple[Any, ...]:
        """The name and the values with their intervals, the best one marked if a test shows it."""
        intervals = self.intervals or (None,) * len(self.values)
        cells = ["" if v is None else score_cell(v, i) for v, i in zip(self.values, intervals, strict=True)]
        return (self.name, *(BestCell(cell) if best else cell for cell, best in zip(cells, self.best, strict=True)))


def has_value(value: Any) -> bool:
    """Return whether a score is there and defined."""
    return value is not None and not math.isnan(value)


def units_left_out(score: Any) -> Any:
    """Return what the mean of a score leaves out: names of units, or how many examples."""
    if not isinstance(score, Score) or score.undefined in ("nan", "raise") or isinstance(score.undefined, int | float):
        return frozenset()
    if score.parts:
        inside = zip(score.counts.names[0], map(units_left_out, score.parts), strict=True)
        return frozenset((name, left_out) for name, left_out in inside if left_out)
    lost = frozenset(score.undefined_units if plain_part(score.undefined) == "exclude" else ())
    if "example" in score.counts.per:
        return lost and score.undefined_count
    absent = absent_units(score.undefined, score.counts)
    return lost if absent is None else lost.union(np.array(score.counts.names[-1], object)[absent].tolist())


def mark_best(rows: Sequence[Row], names: Sequence[str], differences: Sequence[Difference]) -> tuple[Row, ...]:
    """Return the rows, in each of them the best value marked if its difference from every other is clear."""
    clear = {(d.score, *sorted((d.first, d.second))) for d in differences if d.clear}
    return tuple(replace(row, best=_clearly_best(row, names, clear)) for row in rows)


def _clearly_best(row: Row, names: Sequence[str], clear: set[tuple[str, ...]]) -> tuple[bool, ...]:
    ahead = row.ahead
    if sum(ahead) != 1:
        return (False,) * len(names)
    first = names[ahead.index(True)]
    sure = all((row.name, *sorted((first, other))) in clear for other in names if other != first)
    return ahead if sure else (False,) * len(names)


def legend(rows: Sequence[Row], names: Sequence[str], differences: Sequence[Difference], mark: str) -> str:
    """Return the line that says what a mark means, or why there is none; "" if nothing can be the best.

    >>> legend([Row("f1", (0.5, 0.75))], ["lr", "rf"], (), "star")
    'No star: the differences were not tested. level=0.95 tests them.'
    """
    if len(names) < 2 or not any(any(row.ahead) for row in rows):
        return ""
    others = "the other" if len(names) == 2 else "every other"
    if any(any(row.best) for row in rows):
        return f"{'*' if mark == 'star' else 'Bold'}: better than {others}, by a test at {level_text(differences[0].level)}."
    if not any(d.tested for d in differences):
        return f"No {mark}: no difference has a test here." if differences else NOT_TESTED.format(mark)
    pairs = {frozenset((d.first, d.second)) for d in differences}
    if len(pairs) < len(names) * (len(names) - 1) // 2 and (shared := frozenset.intersection(*pairs)):
        baseline = next(d.second for d in differences if d.second in shared)
        return f"No {mark}: only differences from {baseline}, the baseline, were tested."
    return f"No {mark}: no test shows one to be better than {others}."


def pair_sentences(differences: Sequence[Difference]) -> list[str]:
    """Return a sentence for each pair of classifiers; of many pairs those that differ most clearly."""
    pairs: dict[tuple[str, ...], list[Difference]] = {}
    for d in differences:
        pairs.setdefault(tuple(sorted((d.first, d.second))), []).append(d)
    each = [*pairs.values()]
    shown = each if len(each) <= MOST_PAIRS else sorted(each, key=_clearest)[:MOST_PAIRS]
    more = len(each) - len(shown)
    rest = [f"{more} more {'pair is' if more == 1 else 'pairs are'} not shown, none of them clearer than these."] if more else []
    summed = any(len(some) > 1 for some in shown)
    return [*map(_sentence, shown), *rest, *([_about_correction(differences)] if summed and _is_corrected(differences) else [])]


def _clearest(some: Sequence[Difference]) -> float:
    return min((_chance(d) for d in some if d.tested), default=math.inf)


def _chance(d: Difference) -> float:
    """Return what to sort by: the adjusted p-value, or twice the probability of the other sign."""
    return d.adjusted if math.isnan(d.probability) else 2 * min(d.probability, 1 - d.probability)


def _is_corrected(some: Sequence[Difference]) -> bool:
    return any(d.corrected_for for d in some)


def _about_correction(some: Sequence[Difference]) -> str:
    d = max(some, key=lambda d: d.family)
    each = "" if d.across_scores else " of each score; scores are not corrected for each other"
    return f"p-values and intervals: {d.corrected_for}{each}."


def _sentence(some: Sequence[Difference]) -> str:
    """Return what several scores say about one pair of classifiers."""
    if len(some) == 1:
        return str(some[0])
    both = (some[0].first, some[0].second)
    apart = [d for d in some if d.clear and _winner(d) is None]
    unclear = [d for d in some if not d.clear and d.tested]
    untested = [d for d in some if not d.tested]
    said: list[str] = []
    for name, other in (both, both[::-1]):
        if won := [d for d in some if d.clear and _winner(d) == name]:
            said.append(f"{name} is better than {other} in {_scores(won, some)} ({_largest(won)})")
    for text, found in (
        (" differ clearly in {} ({})", [(_scores(apart, some), _largest(apart))] if apart else []),
        (" do not differ clearly in {} ({})", [(_scores(unclear, some, "any"), _smallest(unclear))] if unclear else []),
        (" were not tested in {}", [(_scores(untested, some, "any"),)] if untested else []),
    ):
        said += [("they" if said else " and ".join(both)) + text.format(*parts) for parts in found]
    return f"{'; '.join(said)}.{_about_margin(some)}"


def _winner(d: Difference) -> str | None:
    """Return which of the two a clear difference favors; None if no direction is known to be better."""
    if d.better not in ("higher", "lower"):
        return None
    return d.first if (d.value > 0) == (d.better == "higher") else d.second


def _scores(some: Sequence[Difference], of: Sequence[Difference], every: str = "all") -> str:
    """Return the names of some scores; ``every`` is how all of them are called, "all" or "any"."""
    if len(some) == len(of):
        return f"any of the {len(of)} scores" if every == "any" else "both scores" if len(of) == 2 else f"all {len(of)} scores"
    names = [d.score for d in some]
    return series(names) if len(names) <= MOST_NAMES else f"{len(names)} of {len(of)} scores"


def _largest(some: Sequence[Difference]) -> str:
    return _least_sure(some, "largest", max) if any(math.isnan(d.probability) for d in some) else _probability(some, min)


def _smallest(some: Sequence[Difference]) -> str:
    return _least_sure(some, "smallest", min) if any(math.isnan(d.probability) for d in some) else _probability(some, max)


def _least_sure(some: Sequence[Difference], which: str, choose: Callable[[Iterable[float]], float]) -> str:
    tested = [d.adjusted for d in some if math.isnan(d.probability)]
    return f"{'' if len(tested) == 1 else f'{which} '}{p_text(choose(tested))}"


def _probability(some: Sequence[Difference], choose: Callable[[Iterable[float]], float]) -> str:
    """Return the probability of the sign that was seen, of several scores the least or the most sure one."""
    return f"probability {probability_text(choose(max(d.probability, 1 - d.probability) for d in some))}"


def _about_margin(some: Sequence[Difference]) -> str:
    """Return by which scores the first is shown to be not worse, and the two to be equivalent."""
    margin = some[0].margin
    if margin is None:
        return ""
    said = []
    for name in dict.fromkeys(d.first for d in some):
        own = [d for d in some if d.first == name]
        shown = [d for d in own if d.shown_not_worse]
        if shown or any(not math.isnan(d.not_worse) for d in own):
            what = _scores(shown, some) if shown else "none of the scores that are tested"
            said.append(f"{name} is shown to be not worse than {own[0].second} by more than {margin:g} in {what}")
    equivalent = [d for d in some if d.shown_equivalent]
    said.append(f"the two are shown to be equivalent within {margin:g} in {_scores(equivalent, some) if equivalent else 'none'}")
    return f" {'; '.join(said)}."


def doubts(evaluations: Sequence[Evaluation], what: str = "evaluations") -> list[str]:
    """Return what makes evaluations hard to compare: other examples, other counts, doubtful corrections."""
    about = dict.fromkeys(found.text for ev in evaluations for found in findings_of_correction(ev))
    return [*_about_other_examples(evaluations, what), *about_other_meanings(evaluations, what), *about]


def _about_other_examples(evaluations: Sequence[Evaluation], what: str) -> list[str]:
    sizes = [ev.n for ev in evaluations]
    if len(set(sizes)) > 1:
        return [f"The {what} have different numbers of examples: {', '.join(f'{n:,}' for n in sizes)}. Compare them with care."]
    if any({"tp", "fn"} & {*ev.unobserved} for ev in evaluations):
        return []  # nobody knows the numbers of true labels
    if any(ev.tally.corrected for ev in evaluations):
        return []  # they are estimated, for each by itself
    if only_some_weighted(evaluations):
        return []  # their sums differ, and that is said
    actual = [dict(zip(ev.classes, ev.aggregate("class").tpos.tolist(), strict=True)) for ev in evaluations]
    if any({c: n for c, n in one.items() if n} != {c: n for c, n in actual[0].items() if n} for one in actual):
        return [f"The {what} have different numbers of true labels per class, so they are not about the same examples."]
    return []


def about_other_meanings(evaluations: Sequence[Evaluation], what: str = "evaluations") -> list[str]:
    """Return how evaluations differ in what they count, in their weights and in the positive class."""
    found = []
    first = evaluations[0].recipe
    other = any((ev.recipe.meaning, _task(ev)) != (first.meaning, _task(evaluations[0])) for ev in evaluations)
    if other or len({ev.kind for ev in evaluations}) > 1:
        how = (", ".join([ev.kind, *(f"{k} {v}" for k, v in ev.recipe.in_words().items())]) for ev in evaluations)
        found.append(f"The {what} count different things: {'; '.join(how)}.")
    if only_some_weighted(evaluations):
        found.append(f"Some of the {what} count examples by weights, and others count each once.")
    if len({repr(ev.positive) for ev in evaluations}) > 1:
        found.append(f"The {what} have different positive classes: {', '.join(repr(ev.positive) for ev in evaluations)}.")
    return found


def _task(ev: Evaluation) -> list[tuple[str, object]]:
    """Return what a task says about itself, without the mark of unnamed images.

    It stands for all pixels, predicted ones too.
    """
    return [(name, value) for name, value in ev.recipe.task if name != "images"]


def doubts_about_hidden(named: Mapping[str, Evaluation]) -> list[str]:
    """Return which evaluations have examples of which nothing was observed."""
    unseen = {name: (ev.tally.hidden or (0, 0))[0] for name, ev in named.items()}
    return [f"Nothing was observed of {k:,} of {named[name].n:,} examples of {name}." for name, k in unseen.items() if k]


def doubts_about_units(names: Sequence[str], rows: Sequence[Row], groups: Mapping[str, Sequence[Row]]) -> list[str]:
    """Return which means are over different units, because other units are undefined in each.

    Rows for which the same is true share a sentence. The rows of groups are only counted.
    """
    same: dict[tuple[str, str], list[str]] = {}
    for row in rows:
        if row.mixes_units():
            same.setdefault((_what_is_left_out(names, row), _consequence(names, row)), []).append(row.name)
    found = [f"{series(titles)}: {what}, {so}." for (what, so), titles in same.items()]
    for axis, some in groups.items():
        if mixed := [row.name for row in some if row.mixes_units()]:
            found.append(
                f"In {len(mixed)} of {len(some)} rows of the groups of {axis}, such as {mixed[0]}, the columns average over "
                "different units, because undefined values are left out."
            )
    return found


def _what_is_left_out(names: Sequence[str], row: Row) -> str:
    each = zip(names, row.values, strict=True)
    return series([f"{name} leaves out {_units_in_words(v)}" for name, v in each if has_value(v) and units_left_out(v)])


def _units_in_words(score: Score) -> str:
    """Return the units that a mean leaves out.

    A convention replaces some undefined values, and leaves out absent classes.
    """
    if not isinstance(score.undefined, Convention) or score.parts:
        return score.undefined_in_words()
    units = units_left_out(score)
    return f"{'class' if len(units) == 1 else 'classes'} {listing([name for name in score.counts.names[-1] if name in units])}"


def _consequence(names: Sequence[str], row: Row) -> str:
    """Return what the columns average over, and which of them is ahead if undefined values count as 0."""
    per = next(v.counts.per for v in row.values if has_value(v) and units_left_out(v))
    so = f"so the columns average over different {PLURALS.get(per[-1], 'units')}"
    ahead = [name for name, top in zip(names, row.ahead_under(0), strict=True) if top]
    if ahead:
        return f"{so}; with undefined=0 {series(ahead)} {'is' if len(ahead) == 1 else 'are'} ahead"
    return f"{so}; with undefined=0 they are equal" if row.better in SIGNS else so
