"""The error breakdown: why predictions are false, what was missed, and what each kind costs in AP."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ... import plots
from ...algebra.arrays import Array
from ...report.table_forms import Table
from ...words.call_mistakes import answers_mistakes
from ..match.matches import Matches, Ranking
from ..match.matching import overlapping_pairs
from ..match.ranked_objects import average_precision

KINDS = ("classification", "localization", "both", "duplicate", "background", "missed")


@answers_mistakes
@dataclass(frozen=True, eq=False, repr=False)
class ErrorBreakdown:
    """How many errors of each kind there are, and by how much AP would rise without them.

    Attributes
    ----------
    counts : dict
        classification: the place is right and the class is wrong. localization: the class is right and the place is not quite.
        both: neither is right. duplicate: the object was found before. background: there is nothing. missed: no
        prediction is meant for the object.
    costs : dict
        The rise of AP where only this kind of error is repaired: the prediction gets the class or the place of its object if no
        other one has found it; otherwise it is left out; missed objects are left out.
    ap : float
        The average precision with all errors.
    iou, background : float
        From which overlap a prediction finds an object, and below which there is nothing.
    predictions : dict
        The positions of the false predictions of each kind; of "missed", the positions of the objects.

    Examples
    --------
    >>> import indicatrix as ix
    >>> truth = [{"boxes": [[0, 0, 10, 10], [20, 20, 30, 30]], "labels": ["cat", "dog"]}]
    >>> found = [{"boxes": [[0, 0, 10, 9], [20, 20, 30, 30]], "labels": ["cat", "cat"], "scores": [0.8, 0.9]}]
    >>> errors = ix.detection(truth, found).errors()
    >>> errors.counts["classification"], round(errors.costs["classification"], 3)
    (1, 0.75)
    """

    counts: Mapping[str, int]
    costs: Mapping[str, float]
    ap: float
    iou: float
    background: float
    predictions: Mapping[str, Array]

    def to_dict(self) -> dict[str, list[Any]]:
        """Return columns: the kind of error, how many there are, what they cost.

        Returns
        -------
        dict
            Lists of equal length, such as a data frame takes.

        Examples
        --------
        >>> import indicatrix as ix
        >>> boxes = {"boxes": [[0, 0, 10, 10]], "labels": [1]}
        >>> ix.detection([boxes], [{**boxes, "scores": [0.5]}]).errors().to_dict()["count"]
        [0, 0, 0, 0, 0, 0]
        """
        return {"error": [*KINDS], "count": [self.counts[k] for k in KINDS], "cost": [self.costs[k] for k in KINDS]}

    def table(self) -> Table:
        """Return the kinds of errors as a table, which has the forms text, Markdown, LaTeX, CSV and HTML.

        Returns
        -------
        Table
            ``.text()``, ``.markdown()``, ``.latex()``, ``.csv()``, ``.html()``.

        Examples
        --------
        >>> import indicatrix as ix
        >>> boxes = {"boxes": [[0, 0, 10, 10]], "labels": [1]}
        >>> ix.detection([boxes], [{**boxes, "scores": [0.5]}]).errors().table().csv().splitlines()[0]
        'error,how many,costs in AP'
        """
        rows = [(kind, self.counts[kind], self.costs[kind]) for kind in KINDS]
        note = f"AP is {self.ap:.3f} at an overlap of {self.iou:g}; the cost is what it would gain without these errors."
        return Table(("error", "how many", "costs in AP"), rows, notes=[note])

    def _repr_html_(self) -> str:
        return self.table().html()

    def plot(self, *, ax: Any = None) -> Any:
        """Return axes with what each kind of error costs, and how many there are.

        Parameters
        ----------
        ax : Axes, optional
            Where to draw. Default: a new figure.

        Returns
        -------
        Axes
            The axes with the plot.

        Examples
        --------
        >>> import indicatrix as ix
        >>> boxes = {"boxes": [[0, 0, 10, 10]], "labels": [1]}
        >>> ax = ix.detection([boxes], [{**boxes, "scores": [0.5]}]).errors().plot()
        >>> ax.get_title(loc="left")
        'What each kind of error costs'
        """
        columns = self.to_dict()
        return plots.errors(columns["error"], columns["count"], columns["cost"], ap=self.ap, ax=ax)

    def __repr__(self) -> str:
        rows = [f"{kind:<15}{self.counts[kind]:>8}{self.costs[kind]:>8.3f}" for kind in KINDS]
        return "\n".join([f"{'AP ' + format(self.ap, '.3f'):<15}{'errors':>8}{'cost':>8}", *rows])


@dataclass(frozen=True, eq=False)
class _Outcome:
    """Predictions in order, with their class and whether each is right; the classes of the objects."""

    label: Array
    right: Array
    objects: Array

    def ap(self, interpolation: str, m: int, perfect: Collection[int] = ()) -> float:
        """Return the mean over classes of average precision, which is 1 for those that are perfect."""
        values = [1.0 if k in perfect else _area_of_class(self, k, interpolation) for k in range(m)]
        known = [value for value in values if not np.isnan(value)]
        return float(np.mean(known)) if known else float("nan")


def _area_of_class(outcome: _Outcome, k: int, interpolation: str) -> float:
    at, truth = np.flatnonzero(outcome.label == k), np.flatnonzero(outcome.objects == k)
    right = outcome.right[at, None]
    ranking = Ranking(at, np.ones(len(at), bool), np.arange(len(at)), right, right, truth)
    return float(average_precision(ranking, interpolation=interpolation)[0]) if len(truth) else np.nan


def break_down(matches: Matches, interpolation: str, background: float) -> ErrorBreakdown:
    """Return the errors of matches at one threshold of the overlap, in one area range."""
    scene, iou = matches.scene, matches.made.ious[0]
    truth, m = scene.truth, len(scene.classes)
    kept = matches.kept_predictions()
    partner = matches.partner_of(kept, 0, 0)
    counts = np.where(partner >= 0, _at(~matches.ignored[:, 0], partner), ~matches.outside[kept, 0])
    kept, partner = kept[counts], partner[counts]
    right, label = partner >= 0, scene.predictions.label[kept]
    counted = ~matches.ignored[:, 0]
    taken = np.zeros(truth.n, bool)
    taken[partner[right]] = True
    same, other = _nearest(matches, kept, background, counted)
    wrong = ~right
    kinds = {
        "duplicate": wrong & (same[1] >= iou),
        "localization": wrong & (same[1] >= background) & (same[1] < iou),
        "classification": wrong & (same[1] < background) & (other[1] >= iou),
        "both": wrong & (same[1] < background) & (other[1] >= background) & (other[1] < iou),
        "background": wrong & (same[1] < background) & (other[1] < background),
    }
    meant = np.zeros(truth.n, bool)
    for name, target in (("localization", same[0]), ("classification", other[0])):
        meant[target[kinds[name]]] = True
    missed = counted & ~taken & ~meant
    outcome = _Outcome(label, right, truth.label[counted])
    whole = outcome.ap(interpolation, m)
    better = {name: _without(outcome, kinds[name]) for name in ("both", "duplicate", "background")}
    for name, target in (("localization", same[0]), ("classification", other[0])):
        better[name] = _repair(outcome, kinds[name], target, taken, truth.label)
    better["missed"] = replace(outcome, objects=truth.label[counted & ~missed])
    gone = {*truth.label[missed].tolist()} - {*better["missed"].objects.tolist()}  # with these found, nothing is missed
    costs = {name: better[name].ap(interpolation, m, gone if name == "missed" else ()) - whole for name in KINDS}
    places = {name: np.flatnonzero(missed) if name == "missed" else kept[kinds[name]] for name in KINDS}
    return ErrorBreakdown({k: len(v) for k, v in places.items()}, costs, whole, iou, background, places)


def _at(values: Array, index: Array) -> Array:
    return values[np.maximum(index, 0)] if len(values) else np.zeros(len(index), bool)


def _nearest(matches: Matches, kept: Array, least: float, counted: Array) -> list[tuple[Array, Array]]:
    """Return the nearest object of the same class, and of another one, and the overlap with each."""
    truth, predictions = matches.scene.truth, matches.scene.predictions
    pairs = overlapping_pairs(truth, predictions, least, within=kept, groups=(truth.image, predictions.image))
    row = np.full(predictions.n, -1)
    row[kept] = np.arange(len(kept))
    pairs = pairs.only(counted[pairs.truth])
    own = truth.label[pairs.truth] == predictions.label[pairs.prediction]
    out = []
    for some in (pairs.only(own), pairs.only(~own)):
        target, overlap = np.zeros(len(kept), np.intp), np.full(len(kept), -1.0)
        order = np.argsort(some.overlap, kind="stable")  # the last that is written is the nearest
        at = row[some.prediction[order]]
        target[at], overlap[at] = some.truth[order], some.overlap[order]
        out.append((target, overlap))
    return out


def _without(outcome: _Outcome, wrong: Array) -> _Outcome:
    return replace(outcome, label=outcome.label[~wrong], right=outcome.right[~wrong])


def _repair(outcome: _Outcome, wrong: Array, target: Array, taken: Array, labels: Array) -> _Outcome:
    """Return the outcome where each wrong prediction finds its object, if no other has found it.

    Others are left out.
    """
    at = np.flatnonzero(wrong)
    free = at[~taken[target[at]]]
    first = free[np.unique(target[free], return_index=True)[1]] if len(free) else free
    label, right, kept = outcome.label.copy(), outcome.right.copy(), ~wrong
    label[first], right[first], kept[first] = labels[target[first]] if len(first) else 0, True, True
    return replace(outcome, label=label[kept], right=right[kept])
