"""Corrected: rows with the method that corrects them, as what a tally keeps next to its counts."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from ...algebra.arrays import Array, Mask
from ...words.wording import short
from ..states.group_counts import CrossTable, Key, Part, Summed, distinct
from ..tally import Tally
from .by_gold import LEAST, ByGold, GoldWeights
from .fitted_labels import Apart, FittedLabels, Method
from .judged_rows import WEIGHT, JudgedRows

ROUNDING = 1e-13  # of all examples
LOST = {  # why corrected rows are not kept
    "changed": "these counts were changed after they were corrected, and how they vary is not known any more",
    "only": "only() took some classes of them, and how corrected labels of the others vary is not kept",
}
JUDGED, GOLD_ALONE = "labels as judged", "gold labels alone"  # what was seen before a correction
INCOMPLETE = (
    "Fewer than two examples have gold labels of all their classes, so the scores of single examples are not known. Name another "
    "average, such as 'macro'."
)


@dataclass(frozen=True)
class Corrected:
    """Rows with the method that corrects them: where counts come from, and how they vary.

    Labels are computed when they are first read, so that batches add before anything is corrected. A group of a by= axis keeps
    all rows, of which those outside add nothing to its counts: its labels are those of the whole.
    """

    rows: JudgedRows
    method: Method
    inside: Mask | None = field(default=None, compare=False)  # the rows that are counted; None: all
    _made: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)  # the fit, which groups share

    @property
    def fit(self) -> FittedLabels:
        """The corrected labels of all rows."""
        if "fit" not in self._made:
            self._made["fit"] = self.method.fit(self.rows)
        return self._made["fit"]  # type: ignore[no-any-return]

    @cached_property
    def hits(self) -> Array:
        """What was predicted of each row and class: rows x classes."""
        rows = self.rows
        return rows.predictions if rows.several else (rows.predictions[:, None] == np.arange(rows.m)).astype(np.float64)

    @property
    def examples(self) -> ExampleRows:
        """The rows of counts of examples with several labels, as judges and gold labels have them."""
        if "examples" not in self._made:
            self._made["examples"] = example_rows(self.rows, self.method)
        return self._made["examples"]  # type: ignore[no-any-return]

    def within(self, some: Mask | None) -> Corrected:
        """Return the same, of which only some rows are counted; None: all that are."""
        if some is None:
            return self
        return replace(self, inside=some if self.inside is None else self.inside & some)

    def _within(self, amounts: Array) -> Array:
        """Return amounts of rows; 0 for rows outside."""
        return amounts if self.inside is None else np.where(self.inside, amounts.T, 0).T

    @property
    def counted(self) -> Array:
        """How much the examples of each row count together; 0 for rows outside."""
        return self._within(self.rows.mass)

    def of_pairs(self, slopes: Array) -> Array:
        """Return what each row would add along slopes (m + 1) x (m + 1) of pairs, with each class as label."""
        return self._within(slopes[:-1].T[self.rows.predictions])

    def of_counts(self, slopes: Array) -> tuple[Array, Array]:
        """Return what each row adds along slopes (4, m), whatever its labels are, and with each label."""
        (tp, fp, fn, tn), hit = slopes, self.hits
        rest = fp * hit + tn * (1 - hit)
        return self._within(rest.sum(axis=1)), self._within(tp * hit + fn * (1 - hit) - rest)

    def along(self, base: Array | float, d: Array) -> tuple[Array, Apart]:
        """Return what each row adds to base + Σ labels d, its part in the correction included.

        And other samples.
        """
        return self.rows.weight * base + self.fit.along(d), self.fit.apart(d * self.counted[:, None])

    def table(self) -> Array:
        """Return the sums of labels by (truth, prediction), (m + 1) x (m + 1)."""
        m, mass, out = self.rows.m, self.counted, np.zeros((self.rows.m + 1, self.rows.m + 1))
        place = np.where(self.rows.predictions < 0, m, self.rows.predictions)
        for k, labels in enumerate(self.fit.labels.T):
            out[k] = np.bincount(place, mass * labels, m + 1)
        return _without_rounding(out, mass)

    def cells(self) -> Array:
        """Return tp, fp, fn, tn per class, (4, m)."""
        mass = self.counted[:, None]
        return _without_rounding(np.stack([(mass * one).sum(axis=0) for one in four_cells(self.fit.labels, self.hits)]), mass)

    def parts(self, by: tuple[str, ...]) -> tuple[dict[Key, Part], dict[Key, int]]:
        """Return the counts of each group, computed when they are read, and how many examples it has."""
        keys, place = self.rows.keys(by)
        sizes = np.bincount(place, self._within(self.rows.times), len(keys)).astype(np.int64).tolist()
        kind, one = CorrectedSums if self.rows.several else CorrectedTable, len(keys) == 1
        kept = {key: k for k, key in enumerate(keys) if sizes[k] or one}
        parts: dict[Key, Part] = {key: kind(self, None if one else place == k) for key, k in kept.items()}
        return parts, {key: sizes[k] for key, k in kept.items() if by}

    @property
    def n(self) -> int:
        """The number of examples that are counted."""
        return int(self._within(self.rows.times).sum())

    def in_words(self) -> list[str]:
        """Return what a report says about the rows, one sentence each."""
        rows = self.rows
        weights = f"Examples are weighted; the weights sum to {self.counted.sum():,.6g}."
        return [weights] * rows.weighted + [f"{rows.gold:,} of {rows.n:,} rows have gold labels."] * (rows.gold > 0)

    # The verbs of what a tally keeps.

    def add(self, other: Corrected) -> Corrected:
        """Return the rows of both, corrected together."""
        if self.inside is not None or other.inside is not None:
            raise ValueError("Groups that were split off are corrected with all rows; add the evaluations before they are split.")
        if self.method != other.method:
            ways = f"{short(self.method)} and {short(other.method)}"
            raise ValueError(f"These evaluations were corrected differently, {ways}, and cannot be added.")
        return Corrected(self.rows + other.rows, self.method)

    def widen(self, at: Array, m: int) -> Corrected | str:
        """Return the same on ``m`` classes."""
        if self.inside is not None:
            return "changed"
        return Corrected(self.rows.widen(at, m).counted(), self.method)

    def take(self, axis: str, name: Any) -> Corrected:
        """Return one group of an axis."""
        names = self.rows.groups[axis]
        return self.within(self.rows.group_of(axis) == (names.index(name) if name in names else -1))

    def answered(self) -> Corrected:
        """Return the rows with a prediction."""
        return self.within(np.asarray(self.hits.any(axis=1)))

    def rename(self, old: tuple[str, ...], by: tuple[str, ...], new: Any) -> Corrected:
        """Return the rows under other keys of groups, along the axes ``by`` in place of ``old``."""
        keys, place = self.rows.keys(old)
        here = np.bincount(place, self._within(np.ones(len(place))), len(keys)) > 0
        named = [new(key) if there else None for key, there in zip(keys, here.tolist(), strict=True)]
        groups = {}
        for i, axis in enumerate(by):
            number = {name: k for k, name in enumerate(dict.fromkeys(key[i] for key in named if key is not None))}
            groups[axis] = tuple(number), np.array([0 if key is None else number[key[i]] for key in named], np.intp)[place]
        return replace(self, rows=self.rows.regrouped(old, groups))

    def as_group(self, axes: tuple[str, ...], key: Key) -> Corrected:
        """Return the rows as those of one group along further axes."""
        groups = {axis: ((name,), np.zeros(len(self.rows), np.intp)) for axis, name in zip(axes, key, strict=True)}
        return replace(self, rows=self.rows.regrouped((), groups))

    def __reduce__(self) -> Any:
        return Corrected, (self.rows, self.method, self.inside)  # labels are computed again


class _OfRows:
    """What is summed over corrected rows, of all or of some."""

    def __init__(self, corrected: Corrected, some: Mask | None) -> None:
        object.__setattr__(self, "_given", (corrected, some))

    @property
    def _counted(self) -> Corrected:
        """The Corrected whose rows count."""
        corrected, some = self._given  # type: ignore[attr-defined]
        return corrected.within(some)  # type: ignore[no-any-return]

    def __reduce__(self) -> Any:
        return type(self), self._given  # type: ignore[attr-defined]


class CorrectedTable(_OfRows, CrossTable):
    """Pairs of classes of corrected rows."""

    masked = 0
    per_class = None

    @cached_property
    def table(self) -> Array:
        """The table of pairs."""
        return self._counted.table()


class CorrectedSums(_OfRows, Summed):
    """Counts of corrected rows with several labels, and rows of counts with how often each occurs."""

    unseen = 0

    @cached_property
    def per_class(self) -> Array:
        """The counts of each class."""
        return self._counted.cells()

    def rows(self) -> tuple[Array, Array]:
        """Return the distinct rows of counts, with how often each occurs: a fraction, which may be negative."""
        return self._counted.examples.distinct(self._counted.counted)

    @cached_property
    def _known(self) -> tuple[Array | None, Array | None]:
        try:
            return self.rows()
        except ValueError:  # nothing is known about single examples
            return None, None

    @property
    def per_example(self) -> Array | None:
        """The distinct rows of counts; None where they are not known."""
        return self._known[0]

    @property
    def times(self) -> Array | None:
        """How often each occurs; None where this is not known."""
        return self._known[1]


def known_tally(tally: Tally) -> Tally | None:
    """Return the plain tally of corrected rows that all have a gold label.

    None of others, of weights and of several labels.
    """
    rows = None if isinstance(tally.corrected, str) else tally.corrected.rows
    if rows is None or rows.several or WEIGHT in rows.columns or not rows.known.all():
        return None
    parts = {k: CrossTable(np.rint(x.table).astype(np.int64)) for k, x in tally.parts.items() if isinstance(x, CrossTable)}
    return replace(tally, parts=parts, corrected="", _pooled=[])


def _without_rounding(sums: Array, mass: Array) -> Array:
    """Return sums in which what is left of differences that cancel is 0."""
    return np.where(np.abs(sums) < ROUNDING * max(float(mass.sum()), 1.0), 0.0, sums)


def corrected_tally(corrected: Corrected, classes: tuple[Any, ...], by: tuple[str, ...] = (), **facts: Any) -> Tally:
    """Return the tally of corrected rows: its counts are sums of corrected labels."""
    parts, sizes = corrected.parts(by)
    return Tally(classes, parts, corrected.n, by=by, sizes=sizes, corrected=corrected, **facts)


class ExampleRows(NamedTuple):
    """The rows of counts of each example: by gold labels where all are known, and by the judge's labels."""

    weights: GoldWeights
    kinds: list[Array]  # (4, rows) each; only the first: no judge says all, or its rows make the mean less sure

    @property
    def often(self) -> list[Array]:
        """How often the rows of each kind are taken: those of the judge where no gold row stands in."""
        return [self.weights.often, 1 - self.weights.often][: len(self.kinds)]

    def distinct(self, mass: Array) -> tuple[Array, Array]:
        """Return the distinct rows, and how often each occurs, a fraction, which may be negative."""
        return distinct(np.concatenate(self.kinds, axis=1), np.concatenate([mass * often for often in self.often]))


def example_rows(rows: JudgedRows, method: Method) -> ExampleRows:
    """Return the rows of counts of examples, by their judge and by their gold labels."""
    own, known, stratum = method.whole_rows(rows)
    if rows.times[known].sum() < LEAST:
        raise ValueError(INCOMPLETE)
    labels, judged = [own * known[:, None]], rows.judged
    if isinstance(method, ByGold) and method.judged and not np.isnan(judged).any():
        mass, gold = rows.mass[known], own[known]
        mean = mass @ gold / mass.sum()
        if (mass @ (gold - judged[known]) ** 2).sum() < (mass @ (gold - mean) ** 2).sum():
            labels.append(judged)
    kinds = [np.stack([one.sum(axis=1) for one in four_cells(own, rows.predictions)]) for own in labels]
    return ExampleRows(GoldWeights(rows, stratum, known), kinds)


def four_cells(labels: Array, hit: Array) -> tuple[Array, Array, Array, Array]:
    """Return tp, fp, fn, tn of each row and class."""
    return labels * hit, (1 - labels) * hit, labels * (1 - hit), (1 - labels) * (1 - hit)


@dataclass(frozen=True)
class AsJudged(Method):
    """The labels of the judges as they are; where several differ, their mean."""

    def fit(self, rows: JudgedRows) -> FittedLabels:
        """Return the mean labels of the judges that saw each row; 0 where none did."""
        return FittedLabels.known(np.nan_to_num(rows.judged), rows.weight)

    def whole_rows(self, rows: JudgedRows) -> tuple[Array, Array, Array]:
        """Return the same of the rows that a judge saw."""
        return np.nan_to_num(rows.judged), np.asarray(~np.isnan(rows.judged).any(axis=1)), np.zeros(len(rows), np.intp)


def before_correction(corrected: Corrected) -> dict[str, Corrected]:
    """Return the same rows without the correction: by the labels of judges, and by gold labels alone."""
    rows, ways = corrected.rows, {}
    if rows.judges is not None:
        seen: Mask = np.asarray(~np.isnan(rows.judged).all(axis=1))
        ways[JUDGED] = replace(corrected.within(seen), method=AsJudged(), _made={})
    # Without help, gold labels alone are what is corrected.
    if rows.helped and rows.gold >= LEAST and isinstance(corrected.method, ByGold) and corrected.method.judged:
        ways[GOLD_ALONE] = replace(corrected, method=corrected.method.without_judge(), _made={})
    return ways
