"""Why two libraries print different numbers for the same score of the same data."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from textwrap import fill
from typing import Any

import numpy as np

from ..algebra.average import score_name
from ..algebra.convention import Convention, plain_part
from ..algebra.score import Score
from ..catalogue.listing import read_score
from ..encode.weights import read_groupings
from ..evaluate import evaluate
from ..evaluation import Evaluation
from ..words.call_mistakes import answers_mistakes
from ..words.wording import listing, series
from .dialects import DIALECTS, Dialect, ScoreThere, dialect, find_score, score_there

SHOWN = 100  # a formula with more characters is not written out


@answers_mistakes
@dataclass(frozen=True)
class ExplainedDifference:
    """The score of each of two libraries, and a paragraph that says why they differ.

    Attributes
    ----------
    score : str
        The name of the score.
    values : dict
        The score under the conventions of each library.
    text : str
        The explanation.
    """

    score: str
    values: dict[str, float]
    text: str

    def __str__(self) -> str:
        return fill(self.text, 125, break_long_words=False, break_on_hyphens=False)

    def to_dict(self) -> dict[str, Any]:
        """Return the values and the text as plain data.

        Returns
        -------
        dict
            ``score``, ``values`` and ``text``.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ix.theory.explain_difference([0, 1], [0, 1], "macro f1", "pycm", "yardstick").to_dict()["values"]
        {'pycm': 1.0, 'yardstick': 1.0}
        """
        return {"score": self.score, "values": {k: float(v) for k, v in self.values.items()}, "text": self.text}


@answers_mistakes
def explain_difference(y_true: Any, y_pred: Any, score: Any, one: str, other: str, **options: Any) -> ExplainedDifference:
    """Return why two libraries print different numbers for a score of these data, with the numbers.

    The numbers are computed here, under the conventions of each library; the libraries need not be installed. A name means what
    it means there: "accuracy" is the share of examples that are right in scikit-learn, and in torchmetrics the recall, which has
    averages. A score that a library does not have, such as a macro MCC, is refused.

    Parameters
    ----------
    y_true, y_pred : array-like
        Labels as ``evaluate`` takes them: lists, arrays, columns of data frames.
    score : str or pair
        The name of a score: "macro f1"; without an average "accuracy", "balanced_accuracy", "mcc", "cohen_kappa".
    one, other : str
        Two different ones of "scikit-learn", "torchmetrics", "pycm" and "yardstick".
    **options
        What ``evaluate`` takes. ``decide=`` a threshold is compared as each library compares it.

    Returns
    -------
    ExplainedDifference
        ``.text``, which ``print`` shows, and ``.values``.

    Examples
    --------
    >>> import indicatrix as ix
    >>> print(ix.theory.explain_difference([0, 0, 1, 1], [0, 1, 1, 2], "macro recall", "scikit-learn", "yardstick"))
    scikit-learn prints 0.333333 for macro recall, yardstick 0.5. The value of class 2 is undefined. In scikit-learn an undefined
    value counts as 0. In yardstick undefined values are left out, and an F measure is undefined wherever precision or recall is.
    """
    sides = dialect(one), dialect(other)
    if sides[0] is sides[1]:
        raise ValueError(f"Both libraries are {sides[0].name}: name two, {series([*DIALECTS], 'or')}.")
    evaluations = [_evaluate(y_true, y_pred, side, options) for side in sides]
    if not evaluations[0].n:
        raise ValueError("There are no examples, so there are no numbers to explain. Give at least one.")
    there = [find_score(side, ev, score) for ev, side in zip(evaluations, sides, strict=True)]
    scores = [score_there(side, ev, found) for ev, side, found in zip(evaluations, sides, there, strict=True)]
    values = {side.name: float(found) for side, found in zip(sides, scores, strict=True)}
    name = score if isinstance(score, str) else score_name(*read_score(score))
    rows = partial(_undefined_rows, y_true, y_pred, options, scores[0].measure)
    sentences = [
        _compare(name, values, sides),
        *_meanings(name, there, sides),
        *_reasons(evaluations, scores, sides, values, there, rows),
    ]
    return ExplainedDifference(name, values, " ".join(sentences))


def _evaluate(y_true: Any, y_pred: Any, side: Dialect, options: dict[str, Any]) -> Evaluation:
    rule = options.get("decide")
    if isinstance(rule, int | float) and not isinstance(rule, bool):
        options = {**options, "decide": side.decide(rule)}
    return evaluate(y_true, y_pred, **options)


def _show(value: float) -> str:
    return "no number" if np.isnan(value) else f"{value:.6g}"


def _same(a: float, b: float) -> bool:
    return bool(np.isclose(a, b, rtol=1e-12, atol=0, equal_nan=True))


def _compare(name: str, values: dict[str, float], sides: tuple[Dialect, Dialect]) -> str:
    a, b = (values[side.name] for side in sides)
    if _same(a, b):
        return f"{sides[0].name} and {sides[1].name} both print {_show(a)} for {name}."
    return f"{sides[0].name} prints {_show(a)} for {name}, {sides[1].name} {_show(b)}."


def _meanings(name: str, there: list[ScoreThere], sides: tuple[Dialect, Dialect]) -> list[str]:
    """Return what the name stands for in each library, where it is not our score of this name."""
    one, other = (_meaning(found) for found in there)
    if there[0][:2] != there[1][:2]:
        said = [f"The name stands for different scores: {one} in {sides[0].name} and {other} in {sides[1].name}."]
    else:
        said = [f"In both it is {one}."] if one != score_name(*read_score(name)) else []
    return [*said, *dict.fromkeys(found.note for found in there if found.note)]


def _meaning(found: ScoreThere) -> str:
    name = score_name(found.measure, found.average) if len(found.measure) < SHOWN else "a formula of its own"
    return {"exact_match": "the share of examples that are right (exact_match)"}.get(name, name)


def _reasons(
    evs: list[Evaluation],
    scores: list[Score],
    sides: tuple[Dialect, Dialect],
    values: dict[str, float],
    there: list[ScoreThere],
    rows: Callable[[], list[int]],
) -> list[str]:
    """Return the sentences that explain the difference by thresholds and undefined values."""
    reasons = []
    if evs[0].tally != evs[1].tally:
        strict = next(side.name for side in sides if side.strict)
        reasons.append(f"Some scores are equal to the threshold: in {strict} they are negative, in the other library positive.")
    if not any(score.undefined_units for score in scores):
        differ = reasons or there[0][:2] != there[1][:2]
        return reasons if differ else ["Nothing is undefined here, so their conventions make no difference."]
    reasons += _undefined_sentences(evs, scores, rows)
    if _same(*values.values()):
        reasons.append("Both conventions come to the same here.")
    return [*reasons, *(f"In {side.name} {_words(side, score)}." for side, score in zip(sides, scores, strict=True))]


def _words(side: Dialect, score: Score) -> str:
    """Return what happens to undefined values of a score in a library."""
    how = score.undefined if score.counts.per else plain_part(score.undefined)
    if not score.undefined_units:
        return "nothing is undefined"
    if how == side.undefined and score.counts.per:
        return side.words
    if how in ("exclude", "nan"):
        of_units = "undefined values are left out" if how == "exclude" else "one undefined value makes the average undefined"
        return of_units if score.counts.per else "an undefined value stays undefined"
    if isinstance(how, Convention):
        absent = "an absent class" if how.absent == "both" else "a class that does not occur"
        return f"{absent} is left out, and any other undefined value counts as {how.otherwise}"
    return f"an undefined value counts as {how}"


def _undefined_sentences(evs: list[Evaluation], scores: list[Score], rows: Callable[[], list[int]]) -> list[str]:
    """Return the sentences that name what is undefined."""
    said: list[str] = []
    lost: dict[str, dict[Any, None]] = {}
    for score in scores:
        if score.undefined_units:
            whole = not score.counts.per or score.lacks_weight()
            lost.setdefault("" if whole else score.counts.per[-1], {}).update(dict.fromkeys(score.undefined_units))
    for axis, found in lost.items():
        absent = _absent(evs, tuple(found)) if axis == "class" else []
        if absent:
            said.append(f"{_names_in_words('class', absent)} neither occur{_s(absent)} nor {_is(absent)} predicted.")
        names = rows() if axis == "example" else [name for name in found if name not in absent]
        if not axis:
            said.append("The value itself is undefined.")
        elif names:
            plural = "" if len(names) == 1 else "s"
            first = " (counted from 0)" if axis == "example" else ""
            said.append(f"The value{plural} of {_names_in_words(axis, names).lower()}{first} {_is(names)} undefined.")
    return said


def _undefined_rows(y_true: Any, y_pred: Any, options: dict[str, Any], measure: Any) -> list[int]:
    """Return the numbers of the examples, from 0, whose value is undefined."""
    n = y_true.shape[0] if hasattr(y_true, "shape") else len(y_true)
    by = {**(read_groupings(options.get("by")) or {}), "row of the data": np.arange(n)}
    counts = evaluate(y_true, y_pred, **{**options, "by": by}).aggregate("row of the data")
    lost = ~np.isfinite(np.asarray(measure.values(counts), float)) & (np.asarray(counts.n) > 0)
    return [int(counts.names[0][i]) for i in np.flatnonzero(lost)]


def _absent(evs: list[Evaluation], names: tuple[Any, ...]) -> list[Any]:
    """Return the classes that neither occur nor are predicted, however a library compares scores."""
    cells = (ev.aggregate("class") for ev in evs)
    seen = sum(np.asarray(counts.tp + counts.fp + counts.fn) for counts in cells)
    gone = {name for name, k in zip(evs[0].classes, np.asarray(seen).tolist(), strict=True) if not k}
    return [name for name in names if not isinstance(name, tuple) and name in gone]


def _names_in_words(axis: str, names: Any) -> str:
    plural = {"class": "Classes", "example": "Examples"}.get(axis, axis.capitalize())
    return f"{axis.capitalize() if len(names) == 1 else plural} {listing(names)}"


def _s(names: Any) -> str:
    return "s" if len(names) == 1 else ""


def _is(names: Any) -> str:
    return "is" if len(names) == 1 else "are"
