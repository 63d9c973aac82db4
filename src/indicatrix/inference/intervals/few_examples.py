"""What a reader of an interval should know: classes with few examples, few clusters, rare pairs.

What a reader of corrected scores should know.

How much the judge helped, and what makes the correction doubtful.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...tally.corrected.by_gold import BY_JUDGE, PREDICTION, ByGold, is_crisp, judgments
from ...tally.corrected.corrected import Corrected
from ...tally.corrected.judged_rows import CHANCE, PREDICTIONS, JudgedRows, codes_of
from ...theory.result.findings import Finding
from ...words.wording import listing
from ..estimators.estimators import Estimator, OfCounts, OfMatrix
from ..estimators.of_corrected import OfCorrected
from ..estimators.of_weights import OfMean
from ..estimators.rates import Rates, proportion, rates_of
from ..estimators.score_interval import margins, variance
from ..sampling.samples import Clusters, Pairs, TablesOfClusters, counts_of_tables
from ..stats.quantiles import chi_square_tail
from ..stats.several_tests import p_text

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


FEW = 5  # gold rows of a class below which its recall is hardly known
CHOSEN = 0.01  # the p-value from which on the gold rows do not look chosen at random
SURE = 1.02  # how many times more gold labels a judge must be worth to be said to help
MOST_CLASSES = 5
NEGATIVE = (
    "Corrected counts of {} are negative: there are too few gold labels, or errors that the correction does not describe. Scores "
    "that read them may lie outside of their range."
)
NOT_AT_RANDOM = (
    "Rows with a gold label are more frequent for some judgments or groups than for others ({}), so they were not chosen at "
    "random within what was predicted. Say how they were chosen: design={{'strata': 'judge'}}, strata of your own, or "
    "probabilities. Rows that were chosen because of their true label cannot be corrected."
)
# Rows of a group that tell whether it has more gold rows than others, and gold rows from which on intervals cover as often
# as they say (benchmarks/corrected.py).
ENOUGH_GOLD = 100
TOO_FEW = "Of fewer than 100 gold labels, an interval of 95% may cover in 90 of 100 samples only."
IDLE = "The judge adds nothing here: the gold labels alone are as sure."


def judge_worth(estimator: OfCorrected) -> tuple[int, float] | None:
    """Return how many rows have gold labels, and how many would be needed without the judge.

    The score would be as sure.

    None where there is no judge, or every row has a gold label.
    """
    rows, method = estimator.corrected.rows, estimator.corrected.method
    # Without the judge nothing is known about the choice of gold rows within what it says.
    if not isinstance(method, ByGold) or not method.judged or not rows.helped or rows.known.all() or method.strata == BY_JUDGE:
        return None
    own, alone = estimator.variance(), estimator.under(method.without_judge()).variance()
    return (rows.gold, rows.gold * alone / own) if own > 0 and math.isfinite(alone / own) else None


def about_correction(estimator: Any) -> str:
    """Return a sentence about gold labels and what the judge is worth.

    "" for scores that were not corrected by gold.
    """
    if not isinstance(estimator, OfCorrected) or not isinstance(estimator.corrected.method, ByGold):
        return ""
    rows, worth = estimator.corrected.rows, judge_worth(estimator)
    helped = worth is not None and worth[1] > SURE * worth[0]
    more = f"; with the judge they are worth {worth[1]:,.0f} for this score." if worth and helped else "."
    text = f"{rows.gold:,} of {rows.n:,} rows have gold labels{more}" + ("" if worth is None or helped else f" {IDLE}")
    return f"{text} {TOO_FEW}" if rows.gold < ENOUGH_GOLD and not rows.known.all() else text


def doubts(corrected: Corrected, classes: tuple[Any, ...]) -> list[str]:
    """Return sentences about what makes a correction doubtful."""
    found, rows, hit = [*corrected.fit.notes], corrected.rows, corrected.hits > 0
    if isinstance(corrected.method, ByGold) and not rows.known.all():
        rests = "what these rows are rests on the judge, or on all rows together."
        few = f"Fewer than {FEW} gold labels are {{}}: recall and F of such a class are hardly known."
        unseen: Array = np.asarray(hit.any(axis=0) & ~(hit & rows.known).any(axis=0))
        rare = (rows.times[:, None] * rows.own).sum(axis=0) < FEW
        some = (unseen, f"No row that is predicted as {{}} has a gold label: {rests}"), (rare, few)
        found += [text.format(_named(classes, which)) for which, text in some if which.any()]
        chance = _chance_of_choice(rows, corrected.method)
        if chance < CHOSEN:
            found.append(NOT_AT_RANDOM.format(p_text(chance)))
    negative: Array = np.asarray((corrected.cells() < 0).any(axis=0))
    if negative.any():
        found.append(NEGATIVE.format(_named(classes, negative)))
    return found


def findings_of_correction(ev: Any) -> list[Finding]:
    """Return what a reader of a corrected evaluation should know, as findings."""
    texts = [] if isinstance(ev.tally.corrected, str) else doubts(ev.tally.corrected, ev.classes)
    return [Finding("correction", text, {}, "", "", 1.0) for text in texts]


def _named(classes: tuple[Any, ...], which: Array) -> str:
    return listing([c for c, own in zip(classes, which.tolist(), strict=True) if own], most=MOST_CLASSES)


def _chance_of_choice(rows: JudgedRows, method: ByGold) -> float:
    """Return how often gold rows that are chosen at random within predictions differ so much.

    It is between judgments, or large groups.
    """
    if method.strata != PREDICTION or CHANCE in rows.columns:
        return 1.0
    judges = np.zeros((len(rows), 0, rows.known.shape[1])) if rows.judges is None else rows.judges
    found, groups = (
        list[float](),
        [rows.group_of(axis) for axis, names in rows.groups.items() if len(names) * ENOUGH_GOLD <= rows.n],
    )
    for j in range(rows.known.shape[1]):
        own, place = judges[:, :, j], codes_of(rows.columns[PREDICTIONS][:, j])
        said = judgments(own, (2 if rows.several else rows.m) * is_crisp(own), rows.times)
        found += [_homogeneity(place, one, rows.times, rows.known[:, j]) for one in [*said, *groups]]
    return min(1.0, min(found) * len(found)) if found else 1.0


def _homogeneity(stratum: Array, judged: Array, times: Array, known: Array) -> float:
    """Return the p-value of the shares of gold rows by judgment: Pearson's chi-square over strata."""
    cell = codes_of(stratum, judged)
    size, gold = np.bincount(cell, times), np.bincount(cell, times * known)
    of = np.zeros(len(size), np.intp)
    of[cell] = stratum
    share = (np.bincount(of, gold) / np.maximum(np.bincount(of, size), 1))[of]
    here = (share > 0) & (share < 1)
    statistic = float(((gold - size * share) ** 2 / np.where(here, size * share * (1 - share), 1.0))[here].sum())
    freedom = float(here.sum() - len(np.unique(of[here])))
    return chi_square_tail(statistic, freedom) if freedom else 1.0
