"""The scores of images: matched objects, segments and outlines are sources, scored by one path."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from ...algebra.arrays import Array
from ...algebra.average import Average, Name, check_offered
from ...algebra.counts import Counts
from ...algebra.measure import Measure
from ...algebra.measure_names import asked_units, resolve
from ...algebra.score import Score, Undefined, check_undefined, stand_in_for_undefined
from ...algebra.source_score import Offer, OfferedAverages
from ...algebra.values import Values
from ...catalogue.listing import measure_and_average
from ...inference.intervals.of_score import level_of
from ...report.text import ScoreTable
from ...storage.formats import save as write
from ...storage.formats import to_data
from ...words.wording import type_of


class ImageStatistic(Protocol):
    """What a measure reads: units along axes, each the sum of what images add."""

    @property
    def left_out(self) -> tuple[int, int]:
        """How many values of images and classes are infinite, which intervals leave out, and how many exist."""

    @property
    def per(self) -> tuple[str, ...]:
        """The axes of the units."""

    @property
    def names(self) -> tuple[tuple[Any, ...], ...]:
        """The names of the units along each axis."""

    @property
    def counts(self) -> Counts:
        """The counts of each unit, which weights read."""

    @property
    def tpos(self) -> Any:
        """The true objects or segments of each unit."""

    @property
    def tneg(self) -> Any:
        """What was not true, as far as it is known."""

    def values(self) -> Array:
        """Return the value of each unit."""

    def counted(self, times: Array) -> ImageStatistic:
        """Return the same images, counted so often in each draw, which is then the first axis of values."""

    def moves(self, shares: Array, apart: Array, weigh: Callable[[Counts], Any]) -> Array:
        """Return how fast a mean of the values grows with how often each image counts."""


class ImageSource(Protocol):
    """A result of images: what is scored, added, compared and saved."""

    reads: str  # the kind of measure that it is for
    usual: tuple[str, ...]  # the measures of tables and comparisons, if none are named
    lacks: str  # why it has no measures of other kinds

    @property
    def images(self) -> tuple[Any, ...]:
        """The names of the images."""

    @property
    def by(self) -> Mapping[str, tuple[Any, ...]]:
        """What each image belongs to."""

    @property
    def axes(self) -> tuple[str, ...]:
        """The axes that units may have."""

    def refusal(self, measure: Measure, per: tuple[str, ...] = (), *, positive: bool = False) -> str:
        """Return why there are no such units; "" if there are."""

    def _units(self, measure: Measure, per: tuple[str, ...], undefined: Undefined) -> ImageStatistic:
        """Return what a measure of its own kind reads, along some axes."""


def refuse_hidden_counts(weight: Measure) -> str:
    """Return why decided objects or segments do not have a weight, as it reads true negatives; or ""."""
    shown = Counts(2.0, 3.0, 5.0, 7.0).without("tn")
    return "" if np.isfinite(weight.values(shown)) else "its weights read tn, which nobody counts here."


def check_source(measure: Measure, source: Any) -> None:
    """Refuse a source that does not have what a measure reads."""
    reads = getattr(source, "reads", "")
    if reads != measure.reads.name:
        what = getattr(source, "lacks", f"{type_of(source)} has none".capitalize())
        raise TypeError(f"{measure} reads {measure.reads.what}, as {measure.reads.source} has them. {what}.")


def units(
    source: Any,
    measure: str | Measure,
    per: str | tuple[str, ...] = (),
    *,
    positive: bool = False,
    undefined: Undefined = "exclude",
) -> Any:
    """Return what a measure reads, for each unit of some axes: rankings or sums.

    Parameters
    ----------
    measure : str or Measure
        A measure, or its name; its parameters choose thresholds, areas and classes.
    per : str or tuple of str, default ()
        The axes to keep.
    positive : bool, default False
        Whether only a positive class is read, which images do not have.
    undefined : str or number, default 'exclude'
        What an infinite distance does in the mean of a unit; others do not need it.

    Returns
    -------
    RankedObjects, AddedImages or Counts
        What ``measure.values`` takes.

    Examples
    --------
    >>> import indicatrix as ix
    >>> one = ([[1, 1, 2, 2]], [[1, 1, 0, 0]])
    >>> result = ix.panoptic([one], [one])
    >>> result.units("pq", "class").values().tolist(), ix.recall.values(result.units("recall"))
    ([1.0, 1.0], 1.0)
    """
    measure, per = asked_units(measure, per)
    if reads_counts(measure, source):
        return measure.reads.of_labels(source, per, positive)  # type: ignore[misc]
    if positive:
        check_offered(source, measure, per, positive=True)
    return source._units(measure, per, undefined)


def refusal(source: Any, measure: str | Measure, per: str | tuple[str, ...] = (), *, positive: bool = False) -> str:
    """Return why there are no such units; "" if there are.

    Parameters
    ----------
    measure : str or Measure
        A measure, its name, or the weight of an average.
    per : str or tuple of str, default ()
        The axis to keep.
    positive : bool, default False
        Whether only a positive class is read, which images do not have.

    Returns
    -------
    str
        The reason, for the middle of a sentence.

    Examples
    --------
    >>> import indicatrix as ix
    >>> one = ([[1, 1, 2, 2]], [[1, 1, 0, 0]])
    >>> ix.panoptic([one], [one]).refusal(ix.measures.pq, ("site",))
    "there is no axis 'site' here."
    """
    measure, per = asked_units(measure, per)
    own = measure if measure.reads.name == source.reads else None
    return Offer(own, source.axes, source.absent, source._refuse_weight).refusal(measure, per, positive=positive)


def axes(source: Any) -> tuple[str, ...]:
    """The axes that ``per=`` can keep and ``average=`` can run along."""
    return ("class", "image", *source.by)


def find_average(source: ImageSource, measure: Measure, average: Any) -> tuple[str, Average]:
    """Return the name and the row of an average; one that does not exist here is refused with the reason."""
    return OfferedAverages(measure, source).find(average)


@dataclass(frozen=True, eq=False)
class UnderConvention:
    """A result of images with what an undefined value does in the mean of a unit."""

    source: ImageSource
    undefined: Undefined

    def units(self, measure: Measure, per: tuple[str, ...] = (), *, positive: bool = False) -> ImageStatistic:
        """Return what a measure reads, along some axes."""
        return units(self.source, measure, per, positive=positive, undefined=self.undefined)  # type: ignore[no-any-return]

    def __getattr__(self, name: str) -> Any:
        return getattr(self.source, name)


def meaning(measure: Measure, source: Any, average: Any, undefined: Undefined) -> tuple[Measure, UnderConvention, str]:
    """Return a measure with the result of images that it reads, under a convention.

    Any other source is refused.
    """
    check_undefined(undefined)
    check_source(measure, source)
    return measure, UnderConvention(source, undefined), find_average(source, measure, average)[0]


def reads_counts(measure: Measure, source: Any) -> bool:
    """Return whether a measure reads counts that a result of images has; any other source is refused."""
    if measure.reads.counted and hasattr(source, "aggregate"):
        return True
    check_source(measure, source)
    return False


def score(source: Any, measure: str | Measure, average: Name | None = None, *, undefined: Undefined = "exclude") -> Score:
    """Return a measure under an average: a float that records how 0/0 was handled.

    Parameters
    ----------
    measure : str or Measure
        What ``ix.catalogue(of="objects")``, ``"segments"`` or ``"distances"`` lists, with its parameters: 'ap', 'ar(iou=0.5)',
        'pq', "sq(only='things')", 'hausdorff95', 'surface_dice(tolerance=2)'. Segments have measures of counts, too.
    average : str
        'macro' is the mean over classes, 'weighted' weights them by their true objects or segments, 'micro' pools them, 'image'
        or an axis of by= is the mean over images. Distances have no weights; 'pairs' is their mean over images and classes.
    undefined : str or number, default 'exclude'
        What an undefined value does: 'exclude' leaves it out of the average, a number replaces it, 'nan' keeps it, 'raise' is an
        error.

    Returns
    -------
    Score
        A float that also holds the values it was averaged from, and how undefined ones were handled.

    Examples
    --------
    >>> import indicatrix as ix
    >>> boxes, pair = {"boxes": [[0, 0, 10, 10]], "labels": [1]}, ([[1, 1, 2, 2]], [[1, 1, 0, 0]])
    >>> ix.detection([boxes], [{**boxes, "scores": [0.5]}]).score("ap(iou=0.5)", "macro")
    1.0
    >>> ix.panoptic([pair], [pair]).score("pq", "macro"), ix.panoptic([pair], [pair]).score("recall", "micro")
    (1.0, 1.0)
    >>> ix.vision.surface_distances([[[0, 1, 0, 0]]], [[[0, 1, 1, 1]]]).score("hausdorff", "macro")
    2.0
    """
    found, average = measure_and_average(measure, average)
    reads_counts(found, source)
    return found.score(source, average, undefined)


def values(source: Any, measure: str | Measure, per: str | tuple[str, ...] = "class", *, undefined: Undefined = "nan") -> Values:
    """Return the value of each unit of an axis, as an array with ``.names``.

    Parameters
    ----------
    measure : str or Measure
        A measure or its name, as ``score`` takes it.
    per : str or tuple of str, default 'class'
        The axes to keep: 'class', 'image', an axis of by=, or classes with one of the others.
    undefined : str or number, default 'nan'
        What stands for an undefined value: 'nan' leaves it as it is, a number replaces it, 'raise' is an error.

    Returns
    -------
    Values
        An array with ``.names``; nan where a value is undefined.

    Examples
    --------
    >>> import indicatrix as ix
    >>> truth = [{"boxes": [[0, 0, 10, 10], [20, 20, 30, 30]], "labels": ["cat", "dog"]}]
    >>> found = [{"boxes": [[0, 0, 10, 9]], "labels": ["cat"], "scores": [0.9]}]
    >>> ix.detection(truth, found).values("ap(iou=0.5)").to_dict()
    {'class': ['cat', 'dog'], 'value': [1.0, 0.0]}
    """
    return _values(source, resolve(measure), per, undefined, "exclude")


def _values(source: Any, measure: Measure, per: str | tuple[str, ...], stand_in: Undefined, undefined: Undefined) -> Values:
    """Return values, ``stand_in`` for an undefined one; ``undefined`` is what one does in a mean."""
    found = units(source, measure, per, undefined=undefined)
    return Values.of(stand_in_for_undefined(measure.values(found), stand_in), found.names, per=found.per)


def score_or_values(source: Any, measure: Measure, average: Any, per: Any, undefined: Undefined) -> Any:
    """Return the score of a measure under an average, or with ``per`` the value of each unit."""
    check_undefined(undefined)
    if per is None:
        return source.score(measure, average, undefined=undefined)
    return _values(source, measure, per, "nan", undefined)


def table(
    source: Any,
    measures: str | Measure | Iterable[str | Measure] | None = None,
    averages: str | Iterable[str] = "macro",
    *,
    undefined: Undefined = "exclude",
    interval: float | bool | None = None,
) -> ScoreTable:
    """Return the scores of several measures (rows) under several averages (columns).

    Parameters
    ----------
    measures : str, Measure or iterable, optional
        Measures, or their names. Default: the usual ones, such as AP and AR.
    averages : str or iterable, default 'macro'
        The averages, as ``score`` takes them.
    undefined : str or number, default 'exclude'
        What an undefined value does, as in ``score``.
    interval : float or bool, optional
        A level such as 0.95, or True for it: then each score has an interval.

    Returns
    -------
    ScoreTable
        A table that prints; each entry is a score.

    Examples
    --------
    >>> import indicatrix as ix
    >>> one = ([[1, 1, 1, 2]], [[0, 0, 0, 0]])
    >>> print(ix.panoptic([one], [one]).table(["pq", "recall"], ["micro", "macro"]))
            micro  macro
    pq      1.000  1.000
    recall  1.000  1.000
    """
    given: Any = source.usual if measures is None else measures
    rows = tuple(map(resolve, (given,) if isinstance(given, str | Measure) else given))
    columns = (averages,) if isinstance(averages, str) else tuple(averages)
    scores: dict[Any, Any] = {(m, a): score(source, m, a, undefined=undefined) for m in rows for a in columns}
    level = level_of(interval or True)
    intervals: dict[Any, Any] = {
        key: source.interval(*key, level=level, undefined=undefined) for key in (scores if interval else ())
    }
    return ScoreTable(rows, columns, scores, undefined, intervals)


def same(source: Any, other: object) -> bool:
    """Return whether two results of images hold the same."""
    return to_data(source) == to_data(other) if type(other) is type(source) else NotImplemented


def started_with(source: Any, other: object) -> Any:
    """Return the result itself where ``sum`` starts with 0."""
    return source if isinstance(other, int) and other == 0 else NotImplemented


def save(source: Any, path: str | os.PathLike[str]) -> None:
    """Write the result to a JSON file for ``ix.load``: what was matched or measured, no pictures.

    Parameters
    ----------
    path : str or path
        The file.

    Examples
    --------
    >>> import os, tempfile
    >>> import indicatrix as ix
    >>> one = ([[1, 1, 2, 2]], [[1, 1, 0, 0]])
    >>> result = ix.panoptic([one], [one])
    >>> path = os.path.join(tempfile.mkdtemp(), "monday.json")
    >>> result.save(path)
    >>> ix.load(path) == result
    True
    """
    write(source, path)
