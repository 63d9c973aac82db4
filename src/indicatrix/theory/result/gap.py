"""The gap between micro and macro: how much is skew, how much is curvature.

See sec:gap_decomposition.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ...algebra.average import Average, counts_of_units, reads_positive
from ...algebra.counts import Counts
from ...algebra.measure import Measure
from ...algebra.measure_names import find
from ...algebra.numbers.exact import Value, exactly, fraction_of, is_defined
from ...algebra.score import PLURALS, combine, unit_names
from ...words.call_mistakes import answers_mistakes
from ..formula.expansion import check_parts, expand, mean_of, natural_parts, shares_of
from .exact_scores import ExactUnits, exact_units

RESOLVED = Fraction(1, 10**24)  # a remainder smaller than this, relative to its terms, is rounding


@answers_mistakes
@dataclass(frozen=True)
class Gap:
    """Micro minus macro, and the terms that add up to it.

    gap = skew + curvature + second_order + residual. Each term is a contribution with its sign: curvature is -1/2 tr(H Var),
    so it is positive where the measure is concave in its parts. The terms are nan where the gap is undefined, and None where
    no expansion exists; ``note`` then says why.

    Attributes
    ----------
    micro, macro : float
        The two averages.
    gap : float
        Micro minus macro.
    skew, curvature, second_order, residual : float or None
        The terms that add up to the gap.
    parts : tuple of Measure
        The ratios of sums that the measure is a function of.
    weights : mapping or None
        For each part, the share of each unit in its pooled value.
    units : tuple
        The units with a value, in the order of the weights.
    undefined_units : tuple
        The units without a value.
    lost_effect : float
        The part of the residual that comes from the counts of lost units, which are still in micro.
    measure : Measure or None
        What was measured.
    per : tuple of str
        The axes of the units.
    note : str
        Why there are no terms; "" if there are.
    """

    micro: float
    macro: float
    gap: float
    skew: float | None = None
    curvature: float | None = None
    second_order: float | None = None
    residual: float | None = None
    parts: tuple[Measure, ...] = ()  # the decomposable measures that this one is a function of
    weights: Mapping[Measure, tuple[float, ...]] | None = None  # for each part, the share of each unit in its pooled value
    units: tuple[Any, ...] = ()  # the units with a value, in the order of the weights
    undefined_units: tuple[Any, ...] = ()  # the units without a value
    lost_effect: float = 0.0  # the part of the residual that comes from the counts of lost units, which are still in micro
    measure: Measure | None = None
    per: tuple[str, ...] = ()
    note: str = ""

    def plot(self, *, ax: Any = None) -> Any:
        """Return axes with the steps from macro to micro, as a waterfall.

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
        >>> ax = ix.from_confusion([[110, 10, 10], [20, 40, 5], [25, 5, 50]]).gap("recall").plot()
        >>> [text.get_text() for text in ax.texts]
        ['0.696', '+0.032', '0.727']
        """
        from ...plots import gap
        from ...plots.canvas import tell_undefined

        terms = {name: getattr(self, name) for name in ("skew", "curvature", "second_order", "residual")}
        known = {name: x for name, x in terms.items() if x is not None and (x or name == "skew")}
        title = f"{self.measure}: from macro to micro"
        steps = known or {"gap": self.gap}
        drawn = gap(("macro", self.macro), steps, ("micro", self.micro), title=title, note=self.note, ax=ax)
        tell_undefined(drawn, self.undefined_units, "not in macro")
        return drawn

    def __str__(self) -> str:
        axis = " × ".join(PLURALS.get(a, a) for a in self.per)
        gap = "nan" if math.isnan(self.gap) else f"{self.gap:+.6g}"
        lines = [f"{self.measure}, micro minus mean over {axis}: {self.micro:.6g} - {self.macro:.6g} = {gap}"]
        meaning = {
            "skew": f"units that weigh more {'raise' if (self.skew or 0) > 0 else 'lower'} the pooled value",
            "curvature": "the mean of a curved function is not the function of the mean",
            "second_order": "curvature along the skew",
            "residual": "the rest, of third order and higher",
        }
        if self.skew == 0:
            meaning["skew"] = "weights and values of the units are uncorrelated"
        for term, words in meaning.items():
            value = getattr(self, term)
            if value is not None and not math.isnan(value) and (value or term in ("skew", "residual")):
                lines.append(f"  {term.replace('_', ' '):<13}{value:+.6g}  {words}")
        return "\n".join([*lines, *([f"  {self.note}"] if self.note else [])])


def gap(source: Any, measure: str | Measure, per: str | tuple[str, ...] = "class", *, parts: Iterable[Any] | None = None) -> Gap:
    """Return micro minus macro, and the terms of which it is the sum.

    Macro is the plain mean over the defined units of the axes in ``per``. Groups of examples have the values of the positive
    class, where there is one; micro is then the score of that class. A decomposable measure has only a skew term,
    Cov(w, M)/mean(w) of its denominators w over the defined units. Any other measure that does not change when all counts are
    scaled is expanded about the means of decomposable ``parts``; they are found if they are not named.

    >>> import indicatrix as ix
    >>> g = gap(ix.from_confusion([[110, 10, 10], [20, 40, 5], [25, 5, 50]]), "g_mean")
    >>> round(g.gap, 8), round(g.skew, 8), round(g.curvature, 8), *map(str, g.parts)
    (0.03273015, 0.02501667, 0.00777682, 'recall', 'specificity')
    """
    found = find(measure)
    if found.averages:
        raise ValueError(
            f"{found} exists only as average={found.averages[0]!r}, so there is no pooled value. Choose another measure."
        )
    counts = counts_of_units(source, per)
    if not counts.per:
        raise ValueError("per=() keeps no axis, so there are no units to average over. Name one, such as per='class'.")
    chosen = natural_parts(found) if parts is None else check_parts(found, parts)
    micro = float(found.values(source.binary() if reads_positive(source, per) else source.aggregate(())))
    macro = combine(found.values(counts), Average(counts.per).weights(found, counts), "exclude")
    return _gap(found, _units_with_values(counts, found), chosen, (micro if math.isfinite(micro) else math.nan, macro))


def _gap(measure: Measure, valued: _Valued, parts: tuple[Measure, ...], scores: tuple[float, float]) -> Gap:
    """Return the gap in exact arithmetic; the two scores are floats, for display."""
    facts: dict[str, Any] = {
        "measure": measure,
        "per": valued.per,
        "units": valued.names,
        "undefined_units": valued.undefined_units,
    }
    shares = shares_of(valued.units.times)
    if shares is None or not is_defined(valued.pooled):
        reason = "the pooled counts have no value" if shares is not None else "the weights of the units add up to zero"
        reason = reason if valued.names else "no unit has a value"
        nan = math.nan
        return Gap(*scores, nan, nan, nan, nan, nan, **facts, note=f"Undefined: {reason}.")
    micro, macro = fraction_of(valued.pooled), mean_of([fraction_of(x) for x in valued.values], shares)
    facts |= {"parts": parts}
    if not parts:
        note = f"No terms: {measure} changes when all counts are multiplied by one number, so it is not a function of rates."
        return Gap(*scores, float(micro - macro), **facts, note=note)
    terms = expand(measure, parts, valued.units.counts, shares)
    if isinstance(terms, str):
        return Gap(*scores, float(micro - macro), **facts, note=f"No terms: {terms}")
    facts["weights"] = {p: tuple(map(float, w)) for p, w in zip(parts, terms.weights, strict=True)}
    without = exactly(measure)(*valued.units.pool()) if valued.undefined_units else valued.pooled
    facts["lost_effect"] = float(micro - fraction_of(without)) if is_defined(without) else math.nan
    if facts["lost_effect"]:
        facts["note"] = f"Units without a value still count in micro: this explains {facts['lost_effect']:+.6g} of the residual."
    skew, curvature, second_order = terms.skew, terms.curvature, terms.second_order
    rest = micro - macro - skew - curvature - second_order
    if abs(rest) <= RESOLVED * max(map(abs, (micro - macro, skew, curvature, second_order))):
        rest = Fraction(0)
    return Gap(*scores, float(micro - macro), float(skew), float(curvature), float(second_order), float(rest), **facts)


@dataclass(frozen=True)
class _Valued:
    """The units that have a value, the names of the others, and the value of all units together."""

    per: tuple[str, ...]
    names: tuple[Any, ...]
    units: ExactUnits
    values: tuple[Value, ...]
    undefined_units: tuple[Any, ...]
    pooled: Value


def _units_with_values(counts: Counts, measure: Measure) -> _Valued:
    """Return the exact values of the units that occur and were observed, and which of them have no value."""
    units, names, value = exact_units(counts), unit_names(counts), exactly(measure)
    rows = [(name, v, t, value(*v)) for name, v, t in zip(names, units.counts, units.times, strict=True) if t and any(v)]
    kept = [row for row in rows if is_defined(row[3])]
    lost = tuple(name for name, *_, x in rows if not is_defined(x))
    here, cells, times, values = (tuple(column) for column in zip(*kept, strict=True)) if kept else ((),) * 4
    return _Valued(counts.per, here, ExactUnits(cells, times), values, lost, value(*units.pool()))
