"""What a reader of an interval should know: classes with few examples, few clusters, rare pairs."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ..estimators.about_correction import doubts
from ..estimators.estimators import Estimator, OfCounts, OfMatrix
from ..estimators.of_corrected import OfCorrected
from ..estimators.of_weights import OfMean
from ..estimators.rates import Rates, proportion, rates_of
from ..estimators.score_interval import margins, variance
from ..sampling.samples import Clusters, Pairs, TablesOfClusters, counts_of_tables

NOTHING_COVERS, WIDE = 3, 10  # examples or predictions of a class below which no interval is reliable, or it is wide
MOST = 5  # classes that are named
FEW_CLUSTERS = f"with fewer than {WIDE}, the interval is wide, and may cover less often than it says"
MANY = 30  # clusters of equal size that are enough
FEW_TELL = 7.5  # clusters that tell almost all of the variance are too few below this, or below a quarter of all
ENOUGH = 1000  # examples whose mean of values without a limit is about normal
UNLIMITED = (
    "Single values have no limit, and rare large ones may be missing among {n:.6g} examples: the interval may cover less often "
    "than it says."
)
LIGHT = 0.2  # the share of the variance that the pseudo-example may add to a score of weighted examples
UNSEEN = (
    "Errors on examples with large weights were hardly seen, and one of them would change the score by much: the interval may "
    "cover less often than it says."
)
DIRECTIONS, BENT = 32, 0.03  # in which a score is moved, and how much of the squared way it may bend where there is no kink
KINK = (
    "The formula takes the lower or higher of values that are about equal here: the interval may cover less often than it says."
)
ALMOST = 1e-9  # values that differ by less are the same
BIASED = 0.25  # the bias in standard deviations from which on its correction is not sure enough
RARE = 5  # pairs of classes seen once, from which on a score that bends is not well known


def warn_about(ev: Any, estimator: Estimator) -> str:
    """Return sentences about what makes an interval unreliable or wide; "" if nothing does."""
    if isinstance(estimator, OfCorrected):
        return " ".join(filter(None, (about_clusters(estimator), *doubts(estimator.corrected, ev.classes))))
    notes = (about_clusters(estimator), _about_sample(ev, estimator), _about_kink(estimator), _about_weights(estimator))
    return " ".join(filter(None, notes))


def _about_weights(estimator: Estimator) -> str:
    """Return a sentence about examples with large weights whose errors were not seen, but may be there."""
    if not isinstance(estimator, OfCounts) or not isinstance(estimator.sample, Pairs) or not estimator.sample.weighted:
        return ""
    if not estimator.smooth or proportion(estimator) is not None or rates_of(estimator) is not None:
        return ""  # these have an effective number of examples for each share
    sample, extra = estimator.sample, estimator.sample.pseudo()
    smooth = sample.counts + extra.counts
    slopes = estimator.score.spread(estimator.score.slopes(smooth))
    with_extra = variance(sample, smooth, slopes, extra)
    return UNSEEN if with_extra - variance(sample, sample.counts, slopes) > LIGHT * with_extra else ""


def _about_kink(estimator: Estimator) -> str:
    """Return a sentence about a formula with min, max or abs whose branches are about equal here.

    A smooth score moves up along a direction as far as it moves down along the opposite one; at a kink it does not.
    """
    if not isinstance(estimator, OfCounts) or estimator.smooth or not isinstance(estimator.sample, Pairs):
        return ""
    sample = estimator.sample
    along = sample.directions(DIRECTIONS)
    ahead, back = (estimator.score(counts_of_tables(np.maximum(sample.table + sign * along, 0.0))) for sign in (1, -1))
    bend, way = np.abs(ahead + back - 2 * estimator.value), np.abs(ahead - back)
    known = np.isfinite(bend + way)
    return KINK if (bend[known] ** 2).sum() > (BENT * way[known] ** 2).sum() else ""


def about_clusters(estimator: Estimator) -> str:
    """Return a sentence about clusters that are few, or of which few tell almost all."""
    clusters = estimator.freedom + 1
    if clusters < WIDE:
        what = f"with fewer than {NOTHING_COVERS}, no interval is reliable" if clusters < NOTHING_COVERS else FEW_CLUSTERS
        return f"There are {clusters:.6g} clusters: {what}."
    if not math.isfinite(clusters) or not estimator.smooth or not np.isfinite(estimator.span).all():
        return ""
    alike = estimator.center().freedom + 1
    if alike < min(clusters / 2, MANY):
        return (
            f"Large clusters tell almost all: the {clusters:.6g} clusters are worth {alike:.0f} of equal size, and the interval "
            "may cover less often than it says."
        )
    telling = telling_clusters(estimator)
    if not 0 < telling < min(clusters / 4, FEW_TELL):
        return ""
    return (
        f"About {telling:.0f} of {clusters:.6g} clusters tell almost all of how much the score varies, as where errors are rare "
        "and come together: the interval may cover less often than it says."
    )


def telling_clusters(estimator: Estimator) -> float:
    """Return how many equal clusters would tell as much about the variance; 0 if nothing varies.

    It is (Σ a²)² / Σ a⁴ of what each adds to the score beyond their mean.
    """
    added = added_by_clusters(estimator)
    if added is None or not np.any(squares := (added - added.mean()) ** 2):
        return 0.0
    return float(squares.sum() ** 2 / (squares**2).sum())


def added_by_clusters(estimator: Estimator) -> Array | None:
    """Return what each cluster adds to a score with a pseudo-example; None without clusters.

    >>> import numpy as np
    >>> from indicatrix.inference.estimators.of_weights import OfMean
    >>> added_by_clusters(OfMean(np.array([1.0, 0.0, 1.0]), np.ones(3), (0, 1), clusters=np.array([0, 0, 1]))).round(3).tolist()
    [-0.111, 0.111]
    """
    if isinstance(estimator, OfMean):
        return None if estimator.clusters is None else estimator.added
    if isinstance(estimator, OfCounts) and isinstance(estimator.sample, Clusters):
        sample, score = estimator.sample, estimator.score
        slopes = score.spread(score.slopes(sample.counts + sample.pseudo().counts))
        return np.asarray(np.einsum("gjm,jm->g", sample.cells, slopes))
    if isinstance(estimator, OfMatrix) and isinstance(estimator.sample, TablesOfClusters):
        return estimator.sample.added(estimator.expansion.slopes)
    return None


def about_mean(estimator: OfMean) -> str:
    """Return sentences about a mean over few clusters, or of few values without a limit."""
    n = float(estimator.times.sum())
    unlimited = "" if np.isfinite(estimator.span).all() or n >= ENOUGH else UNLIMITED.format(n=n)
    return f"{about_clusters(estimator)} {unlimited}".strip()


def _about_sample(ev: Any, estimator: Estimator) -> str:
    if (isinstance(estimator, OfCounts) and not estimator.score.rule.pools) or _is_one_class(estimator):
        return " ".join(f"{text}." for text in _about_classes(ev, estimator))
    if not isinstance(estimator, OfMatrix):
        return ""
    if (rates := rates_of(estimator)) is not None:
        return " ".join(f"{text}." for text in _about_rates(ev, estimator.sample, rates))
    text = _about_pairs(estimator)  # seldom any; whether the score bends takes longer
    return text if text and (estimator.bends or _lowest_by_chance(estimator)) else ""


def _lowest_by_chance(estimator: OfMatrix) -> bool:
    """Return whether independent classes have the lowest value, where such a score bends."""
    table = estimator.sample.table
    independent = np.outer(table.sum(axis=1), table.sum(axis=0)) / max(table.sum(), 1.0)
    return bool(abs(estimator.function.value(independent) - estimator.span[0]) < ALMOST)


def _about_rates(ev: Any, sample: Any, rates: Rates) -> list[str]:
    """Return sentences about true classes with few examples, whose rates a function of the matrix reads."""
    table, squares = sample.table, sample.table if sample.squares is None else sample.squares
    few: dict[str, list[str]] = {"rare": [], "wide": []}
    for row in rates.rows.tolist():
        size = float(table[row].sum() ** 2 / max(squares[row].sum(), np.finfo(float).tiny))
        if size < WIDE and row < len(ev.classes):
            text = _text_of_few(ev.classes[row], size, "examples", sample.weighted)
            few["rare" if size < NOTHING_COVERS else "wide"].append(text)
    return _sentences(few)


def _text_of_few(name: Any, size: float, side: str, weighted: bool) -> str:
    what = side if size != 1 else side.replace("examples", "example").replace("predictions", "prediction")
    return f"{name!r} has {size:.4g} {'effective ' if weighted else ''}{what}"


def _sentences(few: dict[str, list[str]]) -> list[str]:
    notes = []
    if few["rare"]:
        notes.append(f"{in_classes(few['rare'])}: with fewer than {NOTHING_COVERS}, no interval is reliable")
    if few["wide"]:
        notes.append(f"{in_classes(few['wide'])}: with fewer than {WIDE}, the interval is wide")
    return notes


def _about_pairs(estimator: OfMatrix) -> str:
    """Return a sentence about pairs of classes that are rare, on which a score depends that bends."""
    table = estimator.sample.table.round()
    once, n = int((table == 1).sum()), table.sum()
    possible = int(np.prod([np.count_nonzero(table.sum(axis=axis)) for axis in (0, 1)]))  # those not seen matter as well
    if once >= RARE:
        return (
            f"{once} pairs of a true and a predicted class were seen once, so others were not seen at all: the score depends on "
            "them, and the interval may cover less often than it says."
        )
    if n <= WIDE * possible:
        return (
            f"{n:.6g} examples are few for the {possible} pairs of a true and a predicted class that are possible: with no more "
            f"than {WIDE} for each, the interval may cover less often than it says."
        )
    least = min(float(table[:-1, :-1].sum(axis=axis).min(initial=math.inf)) for axis in (0, 1))
    if least < WIDE:
        return (
            f"A class has {least:.6g} examples or predictions: with fewer than {WIDE}, the score depends on pairs that were not "
            "seen, and the interval may cover less often than it says."
        )
    if estimator.relative_bias > BIASED:
        return (
            "The score of a sample like this one is too high or too low by a large part of its standard deviation: that is "
            "corrected, but the interval may cover less often than it says."
        )
    return ""


def _is_one_class(estimator: Estimator) -> bool:
    return isinstance(estimator, OfCounts) and (estimator.score.unit_of >= 0).sum() == 1


def _about_classes(ev: Any, estimator: Any) -> list[str]:
    function = estimator.score
    pooled, squares = function.pool(estimator.sample.counts), estimator.sample.squared_counts
    if squares is None and function.units > 1 and np.minimum.reduce(pooled[0]) >= WIDE:  # almost always
        return []
    sizes = margins(pooled, None if squares is None else function.pool(squares))
    sides = dict(zip(("examples", "predictions"), sizes, strict=False))
    if function.units == 1:
        sides |= {"examples of other classes": sizes[2], "predictions of other classes": sizes[3]}
    small = function.counted & (np.minimum.reduce([*sides.values()]) < WIDE)
    if not small.any():
        return []
    names = _names(ev, function)
    few: dict[str, list[str]] = {"rare": [], "wide": []}
    for k in np.flatnonzero(small & (function.weights(pooled) >= 0)):
        side, least = min(((word, x[k]) for word, x in sides.items()), key=lambda pair: pair[1])
        text = _text_of_few(names[k], least, side, estimator.sample.weighted)
        few["rare" if least < NOTHING_COVERS else "wide"].append(text)
    return _sentences(few)


def in_classes(texts: list[str]) -> str:
    """Return what is said about some classes, of many about the first."""
    return f"Class {', class '.join(texts[:MOST])}{f' and {len(texts) - MOST} more classes' if len(texts) > MOST else ''}"


def _names(ev: Any, function: Any) -> list[Any]:
    if function.units == len(ev.classes):
        return list(ev.classes)
    if function.units == 1:
        return [ev.positive if ev.positive is not None else ev.classes[0]]
    return list(dict.fromkeys(ev.tally.targets))
