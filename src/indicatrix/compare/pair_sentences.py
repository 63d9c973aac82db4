"""The differences between two classifiers in one sentence: by which scores the one is better."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence

from ..inference.paired.difference import Difference
from ..inference.stats.wording import p_text, probability_text
from ..words.wording import series

MOST_PAIRS = 10  # of classifiers that have a sentence
MOST_NAMES = 6  # scores that are named in a sentence


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
