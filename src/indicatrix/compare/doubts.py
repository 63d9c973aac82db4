"""What makes evaluations hard to compare: other examples, other meanings, means over other units."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..algebra.convention import Convention
from ..algebra.derived.derived_facts import SIGNS
from ..algebra.score import PLURALS, Score
from ..evaluation import Evaluation
from ..inference.estimators.about_correction import findings_of_correction
from ..words.wording import listing, series
from .row import Row, has_value, units_left_out


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
    if _only_some_weighted(evaluations):
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
    if _only_some_weighted(evaluations):
        found.append(f"Some of the {what} count examples by weights, and others count each once.")
    if len({repr(ev.positive) for ev in evaluations}) > 1:
        found.append(f"The {what} have different positive classes: {', '.join(repr(ev.positive) for ev in evaluations)}.")
    return found


def _only_some_weighted(evaluations: Sequence[Evaluation]) -> bool:
    return len({ev.tally.squares is None for ev in evaluations}) > 1


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
