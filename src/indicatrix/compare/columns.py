"""What is compared: classifiers by name, what gives the scores of each, and the rows of these scores."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..algebra.average import score_name
from ..algebra.measure import Measure
from ..evaluation import Evaluation
from ..inference.estimators.of_source import draws_itself, is_of_images, score_of
from ..inference.estimators.of_units import clusters_of_rows
from ..selection import Key
from .common_classes import on_all_classes
from .row import Row

if TYPE_CHECKING:  # imported where they are used, so that the command line starts fast
    from .paired_counts import PairedCounts


@dataclass(frozen=True, eq=False)
class Columns:
    """Classifiers, with what gives their scores: evaluations, scores of examples, results of images.

    A row asks for the score of a measure of any kind; each source says for itself what it does not have.
    """

    names: tuple[str, ...]
    sources: tuple[Any, ...]
    swept: tuple[Any, ...] = ()  # what measures of scores read where the evaluations do not hold it
    joint: PairedCounts | None = None
    also: tuple[Measure, ...] = ()  # measures of scores that are shown if none is named

    @staticmethod
    def of_evaluations(named: Mapping[str, Any]) -> Columns:
        """Return the columns of evaluations, on the classes of all, or of results of the same images."""
        sources = tuple(named.values())
        images, drawn = ([one for one in sources if known(one)] for known in (is_of_images, draws_itself))
        for one in sources if images else ():
            images[0].check_comparable(one)
        if drawn and not (len(drawn) == len(sources) and len({one.n for one in drawn}) == 1):
            raise ValueError("Sources of one's own are compared with each other, on the same examples: n is their number.")
        return Columns(tuple(named), sources if images or drawn else tuple(on_all_classes([*sources], [*named])))

    @staticmethod
    def of_joint(joint: PairedCounts) -> Columns:
        """Return the columns of classifiers that were counted on the same examples."""
        return Columns(joint.names, tuple(joint.aligned) if joint.evaluations else joint.sweeps, joint.sweeps, joint)

    @property
    def paired(self) -> bool:
        """Whether all are known to be of the same examples, so that they are always tested."""
        return self.joint is not None or is_of_images(self.sources[0]) or draws_itself(self.sources[0])

    def check_clusters(self, clusters: Any) -> None:
        """Refuse what is not a grouping of the examples."""
        if self.joint is None:
            return
        if clusters is not None and self.evaluations:
            self.evaluations[0].tally.sizes_of(clusters)
        if self.swept:
            clusters_of_rows(self.swept[0], clusters)

    @property
    def evaluations(self) -> tuple[Any, ...]:
        """The evaluations of labels; none where these were not counted."""
        return tuple(one for one in self.sources if hasattr(type(one), "tally"))

    def of(self, measure: Measure) -> tuple[Any, ...]:
        """Return what gives a measure of each classifier."""
        if measure.reads.counted:
            return self.sources
        if self.joint is not None and not self.swept:
            raise ValueError(f"{measure} needs the scores of each example. Give scores=True to ix.inference.paired_counts.")
        return self.swept or self.sources

    def row(self, key: Key, undefined: Any) -> Row:
        """Return a score of every classifier."""
        measure, average = key
        values = tuple(score_of(source, measure, average, undefined) for source in self.of(measure))
        name = score_name(measure, average if measure.reads.per_example or measure.reads.counted else values[0].average)
        return Row(name, values, measure.better, key)

    def groups(self, axis: str, keys: Sequence[Key], undefined: Any) -> tuple[Row, ...]:
        """Return some scores within each group of an axis."""
        kinds = {measure.reads.counted: [one.split(axis) for one in self.of(measure)] for measure, _ in keys}
        found = []
        for group in dict.fromkeys(name for split in kinds.values() for groups in split for name in groups):
            for m, a in keys:
                if axis not in (a if isinstance(a, tuple) else (a,)):
                    each = [groups.get(group) for groups in kinds[m.reads.counted]]
                    values = tuple(None if one is None else score_of(one, m, a, undefined) for one in each)
                    found.append(Row(f"{axis} {group}: {score_name(m, a)}", values, m.better))
        return tuple(found)


def name_evaluations(evaluations: Any) -> dict[str, Evaluation]:
    """Return the evaluations by name; those of a list are numbered from 1."""
    if isinstance(evaluations, Evaluation):
        evaluations = [evaluations]
    if isinstance(evaluations, str) or not isinstance(evaluations, Iterable):
        raise TypeError(_not_an_evaluation(f"this is {_in_plain_words(evaluations)}"))
    numbered = not isinstance(evaluations, Mapping)
    given = [*evaluations.items()] if isinstance(evaluations, Mapping) else [*enumerate(evaluations, 1)]
    for name, ev in given:
        if not (isinstance(ev, Evaluation) or is_of_images(ev) or draws_itself(ev)):
            where = f"item {name}" if numbered else f"{name!r}"
            refuse_cross_validation(where, ev)
            raise TypeError(_not_an_evaluation(f"{where} is {_in_plain_words(ev)}"))
    if not given:
        raise ValueError("compare() needs at least one evaluation.")
    named = {str(name): ev for name, ev in given}
    if len(named) < len(given):
        raise ValueError("compare() takes every name only once; names are compared as text, so 1 and '1' are the same.")
    return named


def refuse_cross_validation(where: str, given: Any) -> None:
    """Refuse what ix.cross_validate returns, which is compared over its folds."""
    if hasattr(given, "estimators") and hasattr(given, "evaluation"):
        raise TypeError(
            f"{where} is a cross-validation: ix.inference.compare_folds({{'a': cv1, 'b': cv2}}, 'macro f1') compares several on "
            "the same folds, and .evaluation has all its predictions."
        )


def _not_an_evaluation(what: str) -> str:
    return (
        f"compare() takes evaluations, but {what}. "
        "Evaluate first: ix.compare({'a': ix.evaluate(y_true, a), 'b': ix.evaluate(y_true, b)}). "
        "Or compare labels: ix.compare(y_true, {'a': a, 'b': b})."
    )


def _in_plain_words(x: Any) -> str:
    """Return what an object is, for readers who do not know the names of types.

    >>> _in_plain_words("ant"), _in_plain_words(True), _in_plain_words([1, 2]), _in_plain_words(len)
    ('text', 'True or False', 'a list', 'an object of type builtin_function_or_method')
    """
    if x is None:
        return "None"
    for types, words in PLAIN_WORDS:
        if isinstance(x, types):
            return words
    return f"an object of type {type(x).__name__}"


PLAIN_WORDS: tuple[tuple[Any, str], ...] = (
    (str, "text"),
    ((bool, np.bool_), "True or False"),
    ((int, float, np.number), "a number"),
    (list, "a list"),
    (tuple, "a tuple"),
    (Mapping, "a dictionary"),
    (np.ndarray, "a NumPy array"),
)
