"""Why two libraries print different numbers for the same score of the same data."""

from __future__ import annotations

from dataclasses import dataclass
from textwrap import fill
from typing import Any

import numpy as np

from .algebra.score import Score
from .algebra.wording import listing
from .catalogue.named_scores import read_score, score_text
from .dialects import Dialect, dialect
from .evaluate import evaluate
from .evaluation import Evaluation

SHOWN = 100  # a formula with more characters is not written out


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
        >>> ix.explain_difference([0, 1], [0, 1], "macro f1", "pycm", "yardstick").to_dict()["values"]
        {'pycm': 1.0, 'yardstick': 1.0}
        """
        return {"score": self.score, "values": {k: float(v) for k, v in self.values.items()}, "text": self.text}


def explain_difference(y_true: Any, y_pred: Any, score: Any, one: str, other: str, **options: Any) -> ExplainedDifference:
    """Return why two libraries print different numbers for a score of these data, with the numbers.

    The numbers are computed here, under the conventions of each library; the libraries need not be installed.

    Parameters
    ----------
    y_true, y_pred : array-like
        Labels as ``evaluate`` takes them: lists, arrays, columns of data frames.
    score : str or pair
        The name of a score, "macro f1".
    one, other : str
        Two of "scikit-learn", "torchmetrics", "pycm" and "yardstick".
    **options
        What ``evaluate`` takes. ``decide=`` a threshold is compared as each library compares it.

    Returns
    -------
    ExplainedDifference
        ``.text``, which ``print`` shows, and ``.values``.

    Examples
    --------
    >>> import indicatrix as ix
    >>> print(ix.explain_difference([0, 0, 1, 1], [0, 1, 1, 2], "macro recall", "scikit-learn", "yardstick"))
    scikit-learn prints 0.333333 for macro recall, yardstick 0.5. The value of class 2 is undefined. In scikit-learn an undefined
    value counts as 0. In yardstick undefined values are left out, and an F measure is undefined wherever precision or recall is.
    """
    sides = dialect(one), dialect(other)
    evaluations = [_evaluate(y_true, y_pred, side, options) for side in sides]
    scores = [_score(ev, side, score) for ev, side in zip(evaluations, sides, strict=True)]
    values = {side.name: float(found) for side, found in zip(sides, scores, strict=True)}
    name = score if isinstance(score, str) else score_text(*read_score(score))
    sentences = [_compare(name, values, sides), *_reasons(evaluations, scores, sides, values)]
    return ExplainedDifference(name, values, " ".join(sentences))


def _evaluate(y_true: Any, y_pred: Any, side: Dialect, options: dict[str, Any]) -> Evaluation:
    rule = options.get("decide")
    if isinstance(rule, int | float) and not isinstance(rule, bool):
        options = {**options, "decide": side.decide(rule)}
    return evaluate(y_true, y_pred, **options)


def _score(ev: Evaluation, side: Dialect, score: Any) -> Score:
    measure, average = read_score(score)
    found: Score = ev.score(side.measures.get(str(measure), measure), average, undefined=side)
    return found


def _show(value: float) -> str:
    return "no number" if np.isnan(value) else f"{value:.6g}"


def _same(a: float, b: float) -> bool:
    return bool(np.isclose(a, b, rtol=1e-12, atol=0, equal_nan=True))


def _compare(name: str, values: dict[str, float], sides: tuple[Dialect, Dialect]) -> str:
    a, b = (values[side.name] for side in sides)
    if _same(a, b):
        return f"{sides[0].name} and {sides[1].name} both print {_show(a)} for {name}."
    return f"{sides[0].name} prints {_show(a)} for {name}, {sides[1].name} {_show(b)}."


def _reasons(evs: list[Evaluation], scores: list[Score], sides: tuple[Dialect, Dialect], values: dict[str, float]) -> list[str]:
    """Return the sentences that explain the difference."""
    reasons = []
    if evs[0].tally != evs[1].tally:
        strict = next(side.name for side in sides if side.strict)
        reasons.append(f"Some scores are equal to the threshold: in {strict} they are negative, in the other library positive.")
    if str(scores[0].measure) != str(scores[1].measure):
        told = " and ".join(f"{_formula(score.measure)} in {side.name}" for score, side in zip(scores, sides, strict=True))
        reasons.append(f"The name stands for different formulas: {told}.")
    lost = tuple(dict.fromkeys((*scores[0].lost, *scores[1].lost)))
    if not lost:
        return reasons or ["Nothing is undefined here, so their conventions make no difference."]
    absent = _absent(evs, lost)
    there = [name for name in lost if name not in absent]
    if absent:
        reasons.append(f"{_named('class', absent)} neither occur{_s(absent)} nor {_is(absent)} predicted.")
    if there:
        units = scores[0].counts.per
        what = f"The value of {_named(units[-1], there).lower()} is undefined." if units else "The value itself is undefined."
        reasons.append(what if len(there) == 1 else what.replace("The value", "The values").replace(" is ", " are "))
    if _same(*values.values()):
        reasons.append("Both conventions come to the same here.")
    return [*reasons, *(f"In {side.name} {side.words}." for side in sides)]


def _formula(measure: Any) -> str:
    return str(measure) if len(str(measure)) < SHOWN else "a formula of its own"


def _absent(evs: list[Evaluation], names: tuple[Any, ...]) -> list[Any]:
    """Return the classes that neither occur nor are predicted, however a library compares scores."""
    cells = (ev.aggregate("class") for ev in evs)
    seen = sum(np.asarray(counts.tp + counts.fp + counts.fn) for counts in cells)
    gone = {name for name, k in zip(evs[0].classes, np.asarray(seen).tolist(), strict=True) if not k}
    return [name for name in names if not isinstance(name, tuple) and name in gone]


def _named(axis: str, names: Any) -> str:
    plural = {"class": "Classes", "example": "Examples"}.get(axis, axis.capitalize())
    return f"{axis.capitalize() if len(names) == 1 else plural} {listing(names)}"


def _s(names: Any) -> str:
    return "s" if len(names) == 1 else ""


def _is(names: Any) -> str:
    return "is" if len(names) == 1 else "are"
