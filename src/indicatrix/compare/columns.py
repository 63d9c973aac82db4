"""What is compared: classifiers by name, what gives the scores of each, and the rows of these scores.

The scores are those that are named, or the few that most readers ask for.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..algebra.average import BINARY, Name, score_name
from ..algebra.measure import Measure
from ..algebra.measure_names import find, resolve
from ..evaluation import Evaluation
from ..inference.estimators.of_source import draws_itself, is_of_images, score_of
from ..inference.estimators.of_units import clusters_of_rows
from ..selection import Key, only_averages, select_scores
from .paired_counts import on_all_classes
from .row import Row

if TYPE_CHECKING:
    from .paired_counts import PairedCounts

PLAIN_WORDS: tuple[tuple[Any, str], ...] = (
    (str, "text"),
    ((bool, np.bool_), "True or False"),
    ((int, float, np.number), "a number"),
    (list, "a list"),
    (tuple, "a tuple"),
    (Mapping, "a dictionary"),
    (np.ndarray, "a NumPy array"),
)


def chosen_scores(columns: Any, measures: Sequence[tuple[Measure, Sequence[Name]]], averages: Sequence[Name]) -> list[Key]:
    """Return the measure and the average of each row, one average after the other.

    Each measure comes with its own averages.

    A measure without an average has the one that it has by itself: of labels that of the positive class, or else macro.
    """
    if not measures:
        return [*_usual_scores(columns, averages), *(key for m in columns.also for key in _keys(columns.of(m), m, averages))]
    keys = [key for m, own in measures for key in _keys(columns.of(m), m, own)]
    if len(averages) < 2:
        return [*dict.fromkeys(keys)]
    place: dict[Any, int] = {average: i for i, average in enumerate(averages)}  # versions of their own follow
    return sorted(dict.fromkeys(keys), key=lambda key: place.get(key[1], len(place)))


def _keys(sources: Sequence[Any], measure: Measure, averages: Sequence[Name]) -> Sequence[Key]:
    """Return the versions of a measure that are shown."""
    if is_of_images(sources[0]):
        return [(measure, a) for a in averages or ("macro",)]
    if draws_itself(sources[0]):
        return [(measure, a) for a in averages or (None,)]
    if not measure.reads.counted:
        named = averages or (_own_average(measure, sources),)
        return [(measure, a) for a in dict.fromkeys(_existing(measure, sources[0], a) for a in named)]
    if averages:
        return select_scores(sources, [measure], averages).keys
    if only := only_averages(measure):
        return [(measure, only[0])]
    meant, positive = measure.meant_for(sources[0]), all(ev.positive is not None for ev in sources)
    return [(meant, next(iter(meant.averages), BINARY if positive else "macro"))]


def _own_average(measure: Measure, sources: Sequence[Any]) -> Name | None:
    """Return the average of a measure of scores if none is named: a loss over examples, an area macro."""
    return None if measure.reads.per_example or sources[0].positive is not None else "macro"


def _existing(measure: Measure, source: Any, average: Name | None) -> Name | None:
    """Return an average; None, which is its own, where a loss does not have it."""
    if measure.reads.per_example and average is not None:
        try:
            measure.score(source, average, "nan")
        except ValueError:
            return None
    return average


def _usual_scores(columns: Any, averages: Sequence[Name]) -> list[Key]:
    """Return the scores that are compared if none is named: accuracy, F1 and MCC, as far as they exist."""
    sources = columns.sources
    if draws_itself(sources[0]):
        raise TypeError("measures= is missing: name what is compared, because sources of one's own have no usual measures.")
    if is_of_images(sources[0]):
        return [(resolve(m), a) for a in averages or ("macro",) for m in sources[0].usual]
    if averages:
        selection = select_scores(sources, (), averages)
        return sorted(selection.keys, key=lambda key: selection.columns.index(key[1]))
    accuracy = find("accuracy").meant_for(sources[0])
    whole = accuracy if accuracy.averages else find("exact_match")
    positive = all(ev.positive is not None for ev in sources)
    of_positive = [(find("f1"), BINARY)] if positive else []
    of_classes = [(find("mcc"), BINARY)] if positive else [(resolve("multiclass_mcc"), None), (find("mcc"), "macro")]
    mcc = [key for key in of_classes if _exists(sources, key)][:1]
    wanted: list[Key] = [(whole, "exemplar"), *of_positive, (find("f1"), "macro")]
    return [*(key for key in wanted if _exists(sources, key)), *mcc]


def _exists(evaluations: Sequence[Any], key: Key) -> bool:
    """Return whether all evaluations have a score, and it does not read what the data do not show."""
    try:
        found = [ev.score(*key) for ev in evaluations]
    except ValueError:
        return False
    return not any(math.isnan(x) and x.reads_hidden() for x in found)


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
