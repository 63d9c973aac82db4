"""Scores for the report page: a few thresholds of each column with exact counts, and areas."""

from __future__ import annotations

import heapq
import math
import os
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import ROUND_FLOOR, Decimal
from itertools import pairwise
from typing import Any, NoReturn

import numpy as np

from ...algebra.arrays import Array, quiet
from ...algebra.counts import Counts
from ...algebra.derived.derived_facts import SIGNS
from ...algebra.measure import Measure
from ...algebra.numbers.functions import ratio
from ...report.page.of_counts import CURVES, ScoredColumn, ScoredColumns
from ...report.page.page_data import Subject
from ...report.page.sections import SECTIONS
from ...settings.options import PLAIN
from ...theory.page import page_subject, write_page
from ...words.wording import listing
from ..curves.curve import brier_curve, cost_curve
from ..curves.roc_areas import upper_hull
from ..probabilities.calibration import reliability_of_counts
from .best_thresholds import values_of

COARSE = 4  # this many points of each path are looked at for one that is kept, equally far apart along it
FLAT = 1e-4  # a curve that is nearer to its corners than this looks the same


def keep_thresholds(ranking: Any, most: int, wanted: Iterable[int] = ()) -> Array:
    """Return the numbers of at most this many thresholds of a ranking, those where its curves turn most.

    The curves are ROC, precision and recall, and both rates against the threshold. The ends, the corners of the convex hull of
    ROC, which make the cost curve, and the ``wanted`` ones are kept first.

    >>> from ...ranking.ranked import rank_scores
    >>> ranking = rank_scores(np.linspace(0, 1, 1001), np.linspace(0, 1, 1001) > 0.5)
    >>> keep_thresholds(ranking, 100).tolist()
    [0, 1, 500, 1001]
    """
    last = len(ranking.tp) - 1
    if last < most:
        return np.arange(last + 1)
    tp, fp = (np.asarray(x, np.float64) for x in (ranking.tp, ranking.fp))
    hull = upper_hull(fp, tp).tolist() if tp[-1] and fp[-1] else []
    x, y = _paths(tp, fp, np.asarray(ranking.thresholds))
    seen = _along(x, y, COARSE * most)
    first = np.unique([0, last, *[i for i in wanted if 0 <= i <= last], *(hull if len(hull) <= most // 2 else [])])
    seen = np.union1d(seen, first)
    return np.asarray(seen[_refine(x[:, seen], y[:, seen], np.searchsorted(seen, first).tolist(), most)])


def _paths(tp: Array, fp: Array, thresholds: Array) -> tuple[Array, Array]:
    """Return x and y of four paths over all thresholds, each in the unit square."""
    with quiet():
        tpr, fpr, precision = (np.nan_to_num(ratio(a, b)) for a, b in ((tp, tp[-1]), (fp, fp[-1]), (tp, tp + fp)))
    precision[0] = precision[min(1, len(precision) - 1)]  # nothing is predicted there
    finite = thresholds[np.isfinite(thresholds)]
    low, high = (finite.min(), finite.max()) if len(finite) else (0.0, 1.0)
    at = np.clip((np.clip(thresholds, low, high) - low) / ((high - low) or 1.0), 0, 1)
    return np.stack([fpr, tpr, at, at]), np.stack([tpr, precision, tpr, fpr])


def _along(x: Array, y: Array, points: int) -> Array:
    """Return the points to look at: all, or those at equal distances along each path."""
    n = x.shape[1]
    if n <= 4 * points:
        return np.arange(n)
    length = np.cumsum(np.abs(np.diff(x)) + np.abs(np.diff(y)), axis=1)
    stops = (np.searchsorted(way, np.linspace(0, way[-1], points)) + 1 for way in length)
    return np.unique(np.concatenate([[0, n - 1], *(np.minimum(stop, n - 1) for stop in stops)]))


def _refine(x: Array, y: Array, kept: list[int], most: int) -> list[int]:
    """Return the points, and one after the other those farthest from the lines drawn so far."""

    def farthest(a: int, b: int) -> tuple[float, int, int, int]:
        if b - a < 2:
            return 0.0, a, a, b
        dx, dy = x[:, b] - x[:, a], y[:, b] - y[:, a]
        px, py = x[:, a + 1 : b] - x[:, a, None], y[:, a + 1 : b] - y[:, a, None]
        length = np.hypot(dx, dy)
        off = np.where(length[:, None] > 0, np.abs(px * dy[:, None] - py * dx[:, None]) / np.where(length, length, 1)[:, None], 0)
        far = np.maximum(off, np.where(length[:, None] > 0, 0, np.hypot(px, py))).max(axis=0)
        i = int(far.argmax())
        return -float(far[i]), a + 1 + i, a, b

    heap = [farthest(a, b) for a, b in pairwise(kept)]
    heapq.heapify(heap)
    found = set(kept)
    while heap and len(found) < most and heap[0][0] < -FLAT:
        _, i, a, b = heapq.heappop(heap)
        found.add(i)
        for part in ((a, i), (i, b)):
            heapq.heappush(heap, farthest(*part))
    return sorted(found)


def short_number(low: float, high: float) -> float:
    """Return the shortest decimal number above ``low`` and not above ``high``.

    As a threshold it decides like ``high`` where there is no score in between, and it is not the score of an example.

    >>> short_number(0.4713, 0.4789), short_number(-math.inf, 0.0342), short_number(12.0, math.inf)
    (0.475, 0.03, 13.0)
    """
    if not math.isfinite(high):
        return high if high < 0 else 0.0 if not math.isfinite(low) else max(math.ceil(low) + 1.0, math.nextafter(low, math.inf))
    if math.isfinite(low):
        middle = low / 2 + high / 2
        high = middle if low < middle else high  # rather between two scores than at one
    exact = Decimal(high)
    for digits in range(1, 18):
        place = Decimal(1).scaleb(exact.adjusted() - digits + 1) if exact else Decimal(1)
        found = float(exact.quantize(place, ROUND_FLOOR))
        if low < found <= high:
            return found + 0.0
    return high


MOST_POINTS, FEWEST_POINTS, ALL_POINTS = 500, 60, 8_000  # thresholds of a column, and of all columns together
MOST_COLUMNS = 60
PIXELS = 3  # digits of a place along the threshold's axis: a plot is a few hundred pixels wide
USUAL = 0.5  # where the threshold of probabilities starts


def page_columns(scores: Any, measures: tuple[Measure, ...], start: Any = None) -> ScoredColumns:
    """Return the columns of a sweep or of binned scores as a page shows them.

    All columns pooled come first, then the classes with most positives, in their order. The best threshold of each measure is
    among those that are kept. ``start`` is the first threshold, if it is a number.
    """
    units = [*scores.columns]
    largest = {*sorted(range(len(units)), key=lambda i: -float(scores.of(units[i]).tpos))[:MOST_COLUMNS]}
    chosen = [(unit, scores.of(unit)) for i, unit in enumerate(units) if i in largest]
    pooled = [(None, scores.micro)] if len(units) > 1 else []
    most = min(MOST_POINTS, max(FEWEST_POINTS, ALL_POINTS // max(1, len(chosen) + len(pooled))))
    first = float(start) if isinstance(start, int | float) and not isinstance(start, bool) else None
    columns = tuple(_column(name, ranking, most, measures, first) for name, ranking in [*pooled, *chosen] if len(ranking.scores))
    left_out = len(units) - len(chosen)
    notes = [f"The {len(chosen)} classes with most positives are shown."] if left_out else []
    if scores.bits is not None:
        notes.append("The scores are binned: counts are exact at the ends of bins, and areas have bounds.")
    return ScoredColumns(columns, first, len(units), tuple(notes))


def _column(name: Any, ranking: Any, most: int, measures: tuple[Measure, ...], start: float | None) -> ScoredColumn:
    likely = is_probability(ranking.scores)
    lowest = np.append(ranking.highest[1:], -math.inf)  # a threshold above it decides the same
    usual = start if start is not None else USUAL if likely else None
    wanted = [] if usual is None else [int(ranking.count_reaching(np.float64(usual)))]
    wanted += [k for m in measures if (k := _best(m, ranking)) is not None]
    kept = keep_thresholds(ranking, most, wanted)
    short = [_threshold(float(lowest[k - 1]), float(ranking.scores[k - 1]), usual) for k in kept[1:].tolist()]
    same = (
        ranking.count_reaching(np.array(short)) == kept[1:]
    )  # half precision may round a number between two scores to the wrong one
    thresholds = np.append(math.inf, np.where(same, short, ranking.scores[kept[1:] - 1]))
    four = Counts(*ranking.counts_at(kept), per=("threshold",), names=(tuple(thresholds.tolist()),))
    ends = np.append(math.inf, _ends(ranking.scores[kept[1:] - 1], thresholds, likely))
    counted = name is not None and not ranking.weighted and all(np.asarray(x).dtype.kind in "iu" for x in four)
    bins = _reliability(ranking) if likely else None
    return ScoredColumn(name, thresholds, ends, four, _areas(ranking, likely), bins, counted)


def _threshold(low: float, high: float, usual: float | None) -> float:
    """Return a number that decides like the score ``high``: the usual threshold, or a short number."""
    return usual if usual is not None and low < usual <= high else short_number(low, high)


def _ends(scores: Array, thresholds: Array, likely: bool) -> Array:
    """Return up to where the counts of each threshold hold, for a plot.

    That is its score, moved to a grid finer than a pixel, so that the score itself is not in the page.
    """
    known = scores[np.isfinite(scores)]
    span = 1.0 if likely else float(known.max() / 2 - known.min() / 2) * 2 if known.size else 0.0
    if not 1e-290 < span < math.inf:
        return thresholds[1:]
    digits = PIXELS - math.floor(math.log10(span))
    with quiet():
        middle = np.round((np.floor(scores * 10.0**digits) + 0.5) / 10.0**digits, digits + 1)
    return np.clip(np.where(np.isfinite(middle), middle, scores), thresholds[1:], thresholds[:-1])


def is_probability(scores: Array) -> bool:
    """Return whether scores, highest first, are numbers from 0 to 1."""
    return bool(len(scores)) and bool(scores[0] <= 1 and scores[-1] >= 0)


def _best(measure: Measure, ranking: Any) -> int | None:
    """Return the number of the threshold with the best value of a measure."""
    if measure.better not in SIGNS or measure.averages:
        return None
    values = values_of(measure, ranking)
    values = np.where(np.isfinite(values), values, np.nan)
    if np.isnan(values).all():
        return None
    return int(np.nanargmin(values) if measure.better == "lower" else np.nanargmax(values))


def _areas(ranking: Any, likely: bool) -> dict[str, tuple[float, ...]]:
    """Return the areas of all thresholds, not only of those that a page keeps."""
    areas: dict[str, tuple[float, ...]] = {}
    for name in ("auc", "average_precision"):
        bounds = getattr(ranking, f"{name}_bounds")
        areas[name] = (float(getattr(ranking, name)), *(bounds if len(set(bounds)) > 1 else ()))
    areas["cost"] = (float(cost_curve(ranking).area or 0.0) if ranking.tpos and ranking.tneg else math.nan,)
    if likely and ranking.bits is None:  # bins do not know the probabilities themselves
        areas["brier"] = (float(brier_curve(ranking).area or 0.0),)
    return areas


def _reliability(ranking: Any) -> dict[str, Array]:
    """Return mean probability, observed share and weight of the bins that are not empty."""
    middle = np.asarray(ranking.scores) / 2 + np.asarray(ranking.highest) / 2
    positives, negatives = (np.asarray(x, np.float64) for x in (ranking.positives, ranking.negatives))
    found = reliability_of_counts(middle, positives, negatives)
    full = found.weight > 0
    three = {"predicted": found.predicted, "observed": found.observed, "weight": found.weight}
    return {key: np.asarray(x)[full] for key, x in three.items()} | {"error": np.array([found.error()])}


@dataclass(frozen=True)
class ScoresAlone:
    """What a page asks about scores without decisions: no matrix, no averages."""

    kind: str
    classes: tuple[Any, ...]
    n: int
    positive: Any = None
    axes: tuple[str, ...] = ()
    unobserved: tuple[str, ...] = ()
    made: Any = PLAIN

    @property
    def confusion(self) -> NoReturn:
        """Scores alone have no matrix."""
        raise ValueError("Scores without decisions have no confusion matrix.")


def write_score_page(scores: Any, path: str | os.PathLike[str] | None, measures: Any, title: str) -> str | None:
    """Return the page of scores alone, or write it to a file."""
    about = ScoresAlone(scores.kind, tuple(scores.classes), scores.n, scores.positive)
    subject = page_subject(about, measures, (), "exclude", title=title, facts=_facts(scores))
    return write_page(with_curves(subject, scores), path, [section for section in SECTIONS if section.name == CURVES])


def with_curves(subject: Subject, scores: Any, start: Any = None) -> Subject:
    """Return the subject of a page with the curves of scores, the threshold first at ``start``."""
    of_thresholds = tuple(m for m in subject.measures if m.reads.formula)  # of the counts that each threshold has
    return subject.with_extra(CURVES, page_columns(scores, of_thresholds, start))


def _facts(scores: Any) -> tuple[str, ...]:
    what = {"binary": "one score per example", "multiclass": "one score per example and class"}
    said = what.get(scores.kind, "one score per example and label")
    return (f"{scores.n:,} {'example' if scores.n == 1 else 'examples'}: {said}.", f"Scores of {listing(scores.columns)}.")


def check_same_examples(ev: Any, scores: Any) -> None:
    """Refuse scores that are not of the examples and classes of an evaluation."""
    if not hasattr(scores, "micro"):
        raise TypeError(f"scores= takes what ix.sweep or ix.scores.binned returns, not {type(scores).__name__}.")
    if scores.n != ev.n:
        raise ValueError(
            f"scores= has {scores.n:,} examples, but this evaluation has {ev.n:,}. Give the scores of the same examples."
        )
    if scores.kind == "binary":
        if ev.positive is not None and scores.columns[0] != ev.positive:
            raise ValueError(
                f"scores= are of {scores.columns[0]!r}, but the positive class of this evaluation is {ev.positive!r}. "
                "Give the same positive= to both."
            )
        return
    foreign = [unit for unit in scores.columns if unit not in ev.classes]
    if foreign:
        raise ValueError(f"scores= has the class {foreign[0]!r}; the classes of this evaluation are {listing(ev.classes)}.")
