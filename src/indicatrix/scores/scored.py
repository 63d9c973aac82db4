"""The scores that labels were decided from, which rankings and losses read when asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from typing import Any

from ..public_names import place
from .score_input import OF_SWEEPS
from .thresholds.sweep import Sweep, sweep

HARMLESS = ("decide", "moments", "confusion", "replicates", "names")  # what does not change labels or examples
NO_SCORES = (
    "it holds counts of decided labels only. Give scores, and how they are decided: ix.evaluate(y_true, scores, decide='argmax')"
)
ALL_SCORES = "ix.sweep(y_true, scores) keeps all scores."
ADDED = "evaluations that are added keep counts only; ix.sweep(…) + ix.sweep(…) keeps the scores of batches"
NOT_KEPT = "the scores were not kept: a file and a copy for another process hold counts only"

CORRECTED = "rankings and losses are of rows whose true labels are known, and here only some are"


class Scored:
    """The scores of an evaluation as a sweep, which is made when a measure first reads it.

    ``decide`` gives the evaluation of the same scores under another rule.
    """

    __slots__ = ("_made", "_make", "decide")

    def __init__(self, make: Callable[[], Sweep], decide: Callable[[Any], Any]) -> None:
        self._make, self.decide = make, decide
        self._made: Sweep | None = None

    def sweep(self) -> Sweep:
        """Return labels and scores of the examples."""
        if self._made is None:
            self._made = self._make()
        return self._made

    def split(self, axis: str) -> Callable[[Any], Scored]:
        """Return the function that gives the scores of a group by its name; rows are divided once, if ever."""
        groups = cache(lambda: self.sweep().split(axis))
        return lambda name: Scored(lambda: groups()[name], lambda rule: self.decide(rule).split(axis)[name])

    def cross(self, axes: tuple[str, ...], name: str) -> Scored:
        """Return the scores with one axis of groups in the place of several."""
        return Scored(lambda: self.sweep()._cross(axes, name), lambda rule: self.decide(rule)._cross(axes, name))

    def with_positive(self, label: Any) -> Scored:
        """Return the scores with the column of one class as the positive one."""
        return Scored(lambda: _with_column(self.sweep(), label), lambda rule: self.decide(rule).with_positive(label))

    def __deepcopy__(self, memo: Any) -> Scored:
        return self

    def __reduce__(self) -> Any:
        return without_scores, (NOT_KEPT,)


def _with_column(swept: Sweep, label: Any) -> Sweep:
    """Return a sweep whose positive class is another one; a class without scores is refused."""
    if label not in swept.columns:
        (column,) = swept.columns
        raise ValueError(
            f"The scores are those of class {column!r}, and {label!r} has none of its own. Ask the evaluation without "
            f"with_positive({label!r}), or evaluate scores of {label!r} with positive={label!r}."
        )
    return replace(swept, positive=label)


def without_scores(reason: str) -> Scored:
    """Return scores that cannot be had; who asks for them is told why."""

    def refuse(*_: Any) -> Any:
        raise ValueError(f"There are no scores in this evaluation: {reason}.")

    return Scored(refuse, refuse)


def scored(
    y_true: Any, scores: Any, options: Mapping[str, Any], usual: Mapping[str, Any], decide: Callable[[Any], Any]
) -> Scored:
    """Return the scores that were decided under some options; some of these change labels.

    ``decide`` gives the evaluation under another rule, whatever the options.
    """
    changing = [name for name, value in options.items() if value is not usual[name] and name not in (*OF_SWEEPS, *HARMLESS)]
    if changing:
        refused = without_scores(f"{changing[0]}= changes the labels or what is counted, and scores are ranked as they are")
        refused.decide = decide
        return refused
    given = {name: options[name] for name in OF_SWEEPS if options[name] is not usual[name]}
    return Scored(lambda: sweep(y_true, scores, **given), decide)


def kept_scores(ev: Any, what: str) -> Scored:
    """Return the scores that an evaluation keeps; without any, what reads them is refused."""
    if ev.scored is None:
        raise ValueError(f"{what} reads scores, and this evaluation has none: {_why_none(ev)}.")
    return ev.scored  # type: ignore[no-any-return]


def _why_none(ev: Any) -> str:
    """Return why an evaluation has no scores."""
    return CORRECTED if ev.tally.corrected else NO_SCORES if ev.recipe.decide is None else NOT_KEPT


def scores_of(source: Any, measure: Any) -> Sweep:
    """Return the labels and scores of a source; one that has none is refused with the reason.

    >>> import indicatrix as ix
    >>> scores_of(ix.evaluate([0, 1, 1], [0.2, 0.4, 0.9], decide=0.5), ix.auc).n
    3
    """
    if isinstance(source, Sweep):
        if source.bits is not None:
            raise ValueError(
                f"{measure} reads every score, and this sweep keeps bins: .area('auc', 'macro') has bounds. {ALL_SCORES}"
            )
        return source
    kept = getattr(source, "scored", None)
    if kept is None:
        made = hasattr(source, "tally")
        what, why = ("this evaluation", _why_none(source)) if made else (type(source).__name__, NO_SCORES)
        raise ValueError(f"{measure} reads scores, and {what} has none: {why}; or {place(measure.name)}(y_true, scores).")
    try:
        return kept.sweep()  # type: ignore[no-any-return]
    except ValueError as error:
        raise ValueError(f"{measure} reads scores. {error}") from None
