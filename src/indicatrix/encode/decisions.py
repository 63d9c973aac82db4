"""From scores to decisions: argmax, thresholds, top k (eq:argmax, eq:threshold).

>>> import indicatrix as ix
>>> scores = [[0.7, 0.2, 0.1], [0.4, 0.4, 0.2], [0.1, 0.3, 0.6]]
>>> ev = ix.evaluate([0, 1, 2], scores, decide="argmax")  # ties go to the lowest index
>>> ev.score("exact_match"), ix.recall([0, 1, 2], scores, decide=ix.top_k(2), average="micro")
(0.6666666666666666, 1.0)
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from ..algebra.arrays import Array
from ..words.call_mistakes import answers_mistakes
from .containers import read
from .device_arrays import namespace_of, on_device_of
from .plain_forms import Labels, Table, is_missing


class RowRule(ABC):
    """A decision rule that compares the scores of a row; its one field is a number."""

    name: ClassVar[str]  # of its function in ROW_RULES
    one_class: ClassVar[bool]  # whether it picks one class per row, or none
    each_score: ClassVar[bool] = False  # whether it decides each score by itself
    needs_truth: ClassVar[bool] = False  # whether it looks at the true class of a row

    @property
    def number(self) -> Any:
        """The value of its field."""
        (value,) = vars(self).values()
        return value

    def __repr__(self) -> str:
        return f"{self.name}({self.number})"

    @abstractmethod
    def decide(self, scores: Array, argument: str) -> Array:
        """Return one code per row, -1 for no class; or a 0/1 matrix if a row may have several classes.

        A rule that needs the truth takes the code of the true class of each row as a third argument, ``truth``.
        """


@dataclass(frozen=True, repr=False)
class TopK(RowRule):
    """The decision rule that takes the k classes with the highest scores; ties go to the lower index."""

    k: int
    name = "top_k"
    one_class = False

    def decide(self, scores: Array, argument: str) -> Array:
        """Return the k classes of each row as a 0/1 matrix."""
        chosen = np.zeros(scores.shape, bool)
        np.put_along_axis(chosen, _highest(scores, self, self.k, argument), True, axis=1)
        return chosen


def check_width(rule: RowRule, k: int, width: int, argument: str) -> None:
    """Refuse a rule that asks for more classes than there are columns."""
    if k > width:
        raise ValueError(f"decide={rule} asks for more classes than the {width} that {argument} has.")


def _highest(scores: Array, rule: RowRule, k: int, argument: str) -> Array:
    """Return the k columns with the highest scores of each row; the lower index is first among ties."""
    width = scores.shape[1]
    check_width(rule, k, width, argument)
    # A stable ascending sort of the reversed columns, read from its end, puts the lower index first among ties.
    return np.asarray((width - 1 - np.argsort(scores[:, ::-1], axis=1, kind="stable"))[:, ::-1][:, :k])


@answers_mistakes
def top_k(k: int) -> TopK:
    """Return the rule ``decide=top_k(k)``: predict the k classes with the highest scores.

    Parameters
    ----------
    k : int
        How many classes are predicted for each example.

    Returns
    -------
    TopK
        A rule for ``decide=`` of ``evaluate`` and of every measure.

    Examples
    --------
    >>> import indicatrix as ix
    >>> ix.recall([0, 1], [[0.5, 0.3, 0.2], [0.6, 0.1, 0.3]], decide=ix.top_k(2), average="micro")
    0.5
    """
    return TopK(_check_k(k, "top_k"))


def _check_k(k: Any, name: str) -> int:
    if isinstance(k, bool) or not isinstance(k, int | np.integer) or k < 1:
        raise ValueError(f"{name} takes a whole number of at least 1, not {k!r}.")
    return int(k)


@dataclass(frozen=True, repr=False)
class HitInTop(RowRule):
    """The decision rule that takes the true class if it is among the k highest scores, else the highest."""

    k: int
    name = "hit_in_top"
    one_class = True
    needs_truth = True

    def decide(self, scores: Array, argument: str, truth: Array | None = None) -> Array:
        """Return the code of the class of each row."""
        if truth is None:
            raise ValueError(f"decide={self} needs one true label per example. Use top_k({self.k}) for several labels.")
        best = _highest(scores, self, self.k, argument)
        return np.where((best == truth[:, None]).any(axis=1), truth, best[:, 0])


@answers_mistakes
def hit_in_top(k: int) -> HitInTop:
    """Return the rule ``decide=hit_in_top(k)``: one class per row, right if the true one is among k.

    If the true class is among the k highest scores, it counts as the prediction, otherwise the class with the highest score.
    This is ``top_k=`` of torchmetrics for one label per example. ``top_k(k)`` predicts all k classes instead.

    Parameters
    ----------
    k : int
        How many of the highest scores may belong to the true class.

    Returns
    -------
    HitInTop
        A rule for ``decide=`` of ``evaluate`` and of every measure, where each example has one true label.

    Examples
    --------
    >>> import indicatrix as ix
    >>> ix.evaluate([1, 1, 2], [[0.5, 0.3, 0.2], [0.6, 0.1, 0.3], [0.1, 0.2, 0.7]], decide=ix.hit_in_top(2)).confusion.tolist()
    [[0, 0, 0], [1, 1, 0], [0, 0, 1]]
    """
    return HitInTop(_check_k(k, "hit_in_top"))


@dataclass(frozen=True, repr=False)
class RejectBelow(RowRule):
    """The decision rule that takes the class with the highest score, or no class below a threshold."""

    threshold: float
    name = "reject_below"
    one_class = True

    def decide(self, scores: Array, argument: str) -> Array:
        """Return the code of the class of each row, -1 for a rejection."""
        best = _argmax(scores)
        return np.where(scores[np.arange(len(scores)), best] >= self.threshold, best, -1) if scores.shape[1] else best


@answers_mistakes
def reject_below(threshold: float) -> RejectBelow:
    """Return the rule ``decide=reject_below(t)``: argmax, or no class for low scores.

    An example whose highest score is below t is rejected.

    Parameters
    ----------
    threshold : float
        The score that the best class must reach.

    Returns
    -------
    RejectBelow
        A rule for ``decide=`` of ``evaluate`` and of every measure.

    Examples
    --------
    >>> import indicatrix as ix
    >>> ix.evaluate([0, 1], [[0.9, 0.1], [0.6, 0.4]], decide=ix.reject_below(0.7)).coverage
    0.5
    """
    if isinstance(threshold, bool) or not isinstance(threshold, int | float | np.integer | np.floating) or threshold != threshold:
        raise TypeError(f"reject_below takes a number, such as 0.7, not {threshold!r}.")
    return RejectBelow(float(threshold))


@dataclass(frozen=True, repr=False)
class Above(RowRule):
    """The decision rule that takes every class whose score is above a threshold, not equal to it."""

    threshold: float
    name = "above"
    one_class = False
    each_score = True

    def decide(self, scores: Array, argument: str) -> Array:
        """Return the classes of each row as a 0/1 matrix."""
        return np.asarray(reaches(scores, self))


@answers_mistakes
def above(threshold: float) -> Above:
    """Return the rule ``decide=above(t)``: predict what has a score above t, and not equal to it.

    A plain threshold, ``decide=0.5``, is reached by a score of 0.5. torchmetrics compares as this rule does.

    Parameters
    ----------
    threshold : float
        The score that must be exceeded.

    Returns
    -------
    Above
        A rule for ``decide=`` of ``evaluate`` and of every measure.

    Examples
    --------
    >>> import indicatrix as ix
    >>> ix.recall([1, 1], [0.5, 0.7], decide=0.5), ix.recall([1, 1], [0.5, 0.7], decide=ix.above(0.5))
    (1.0, 0.5)
    """
    if isinstance(threshold, bool) or not isinstance(threshold, int | float | np.integer | np.floating) or threshold != threshold:
        raise TypeError(f"above takes a number, such as 0.5, not {threshold!r}.")
    return Above(float(threshold))


ROW_RULES: dict[str, Callable[[Any], RowRule]] = {
    "top_k": top_k,
    "hit_in_top": hit_in_top,
    "reject_below": reject_below,
    "above": above,
}


def possible_rules() -> str:
    """Return what ``decide=`` takes, for errors.

    >>> possible_rules().split(", ")[3]
    'top_k(k)'
    """
    from inspect import signature

    of_rows = ", ".join(f"{name}({next(iter(signature(rule).parameters))})" for name, rule in ROW_RULES.items())
    return f"Use 'argmax', a threshold such as 0.5, one threshold per label, {of_rows} or what ix.tune returns."


def rule_of(rule: Any) -> Any:
    """Return a decision rule, or the one that the result of ``ix.tune`` holds."""
    return rule.rule if hasattr(type(rule), "rule") else rule  # of the type: a column of a data frame may have any attribute


def picks_one_class(rule: Any) -> bool:
    """Return whether a rule picks one class per example, or none.

    >>> picks_one_class("argmax"), picks_one_class(reject_below(0.5)), picks_one_class(top_k(1)), picks_one_class(0.5)
    (True, True, False, False)
    """
    return rule == "argmax" if isinstance(rule, str) else isinstance(rule, RowRule) and rule.one_class


def _argmax(scores: Array) -> Array:
    return np.asarray(scores.argmax(axis=1)) if scores.shape[1] else np.full(len(scores), -1)


def check_without_truth(rule: Any) -> None:
    """Refuse a rule that looks at true classes, where they are not known.

    >>> check_without_truth(top_k(2))
    """
    if needs_truth(rule):
        raise ValueError(
            f"decide={rule!r} looks at the true class of each row, and here the truth of most rows is not known. The share of "
            f"rows whose class is among the {rule.k} highest scores is the micro recall of decide=top_k({rule.k})."
        )


def needs_truth(rule: Any) -> bool:
    """Return whether a rule looks at the true class of each example."""
    return isinstance(rule, RowRule) and rule.needs_truth


def decide(scores: Array, rule: Any, argument: str, truth: Array | None = None) -> Array:
    """Return decisions: codes for argmax, a 0/1 matrix for thresholds and top k.

    Ties of argmax go to the lowest index, and code -1 is a rejection. A score equal to the threshold is positive. ``truth`` has
    the code of the true class of each example, for rules that need it.
    """
    _refuse_nan(scores, argument)
    if isinstance(rule, str):
        if rule != "argmax":
            raise ValueError(f"decide={rule!r} is not a rule. {possible_rules()}")
        return _argmax(scores)
    if isinstance(rule, RowRule):
        return rule.decide(scores, argument, **({"truth": truth} if rule.needs_truth else {}))
    return np.asarray(reaches(scores, thresholds(rule, scores.shape[1])))


def reaches(scores: Any, rule: Any) -> Any:
    """Return where scores of any library or device reach, or exceed, a threshold or one for each column.

    They are compared in the precision of the scores, as NumPy does with a number: a float32 of 0.7 reaches the threshold 0.7.
    bfloat16 is read as float32.

    >>> reaches(np.float32([0.7, 0.5]), 0.7).tolist(), reaches(np.float32([0.7, 0.8]), above(0.7)).tolist()
    ([True, False], [False, True])
    """
    strict, xp = isinstance(rule, Above), namespace_of(scores)
    own = getattr(scores.dtype, "name", str(scores.dtype)).rpartition(".")[2]
    if own == "bfloat16":
        scores, own = xp.astype(scores, xp.float32), "float32"
    cuts: Any = np.asarray(rule.threshold if strict else rule, np.float64)
    if own.startswith("float"):
        with np.errstate(over="ignore"):  # a threshold outside their range becomes infinite
            cuts = cuts.astype(own)
    if not cuts.ndim:
        cuts = float(cuts)  # a number is not copied to a device, which would wait
    elif xp is not np:
        cuts = on_device_of(cuts, scores)
    return scores > cuts if strict else scores >= cuts


def thresholds(rule: Any, width: int) -> Any:
    """Return a threshold, or one for each of ``width`` labels, checked."""
    if hasattr(rule, "index") and not callable(rule.index) and list(rule.index) != list(range(len(rule))):
        raise TypeError("decide= has names for its thresholds; give a list of thresholds in the order of the columns.")
    try:
        values = np.asarray(rule)
        if values.dtype.kind not in "iufO":
            raise TypeError
        values = values.astype(np.float64)
    except (TypeError, ValueError):
        raise TypeError(f"decide={rule!r} is not a rule. {possible_rules()}") from None
    if values.ndim > 1 or (values.ndim == 1 and len(values) != width):
        raise ValueError(f"decide= has {values.size} thresholds for {width} labels; give one number, or one per label.")
    if np.isnan(values).any():
        raise ValueError("decide= has a threshold that is NaN; a threshold is a number such as 0.5.")
    return values


def _refuse_nan(scores: Array, argument: str) -> None:
    if scores.dtype.kind == "f" and np.isnan(scores).any():
        row, column = map(int, np.argwhere(np.isnan(scores))[0])
        raise ValueError(
            f"{argument}[{row}, {column}] is NaN: a score is needed for every example and class. Fill it, or drop the row."
        )


def vector_of_scores(form: Labels, argument: str) -> Array:
    """Return one score per example as floats; text and missing scores are errors."""
    values = np.asarray(form.values)
    numbers = form.categories is None and values.dtype.kind in "biufO"
    if not numbers or (values.dtype == object and any(isinstance(v, str | bytes) for v in values)):
        raise TypeError(f"decide= turns scores into decisions, but {argument} holds no numbers. Drop decide=, or give scores.")
    absent = [is_missing(v) for v in values] if values.dtype == object else np.isnan(values) if values.dtype.kind == "f" else []
    if np.any(absent):
        at = int(np.argmax(absent))
        raise ValueError(f"{argument}[{at}] is NaN: a score is needed for every example. Fill it, or drop the row.")
    return values if values.dtype.kind == "f" else values.astype(np.float64)


class Scores(NamedTuple):
    """Scores as a table, as they were given, and the names of its columns.

    None for one score, () for columns without names.
    """

    table: Array
    names: tuple[Any, ...] | None
    given: Any


def table_of_scores(given: Any, argument: str) -> Scores:
    """Return scores as a table; one score for each row is a column without a name."""
    form = read(given, argument)
    neither = TypeError(
        f"{argument} is a score for each row, or a table with a column of scores for each class; this is neither."
    )
    if isinstance(form, Labels):
        try:
            return Scores(vector_of_scores(form, argument)[:, None].astype(np.float64), None, given)
        except TypeError:  # text
            raise neither from None
    if not isinstance(form, Table) or form.values.dtype.kind not in "biuf":
        raise neither
    bad = np.argwhere(~np.isfinite(form.values))
    if len(bad):
        i, j = map(int, bad[0])
        raise ValueError(f"{argument}[{i}, {j}] is {form.values[i, j]}: a score is needed for every row and class.")
    return Scores(form.values.astype(np.float64), form.columns or (), given)


def as_scores(form: Any, argument: str) -> Array:
    """Return a table of scores; any other form is an error."""
    if isinstance(form, Table) and form.values.dtype.kind in "biuf":
        return form.values
    raise TypeError(
        f"decide= turns scores into decisions, but {argument} is not an array of numbers. Drop decide=, or give scores."
    )
