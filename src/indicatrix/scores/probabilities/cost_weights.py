"""How often each cost proportion is met: every proper score is an average of cost-weighted losses.

At cost proportion c a false positive costs 2c and a false negative 2(1 - c); a probability of c or more is then predicted
positive. Averaged over c with a weight w(c), the loss of one example with probability p is A(p), the integral of 2c w(c) up to
p, if it is negative, and B(p), the integral of 2(1 - c) w(c) from p on, if it is positive. This is Schervish's representation
(1989): each weight is a proper score, and each proper score of two classes has such a weight (sec:calibration, sec:conclusion).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from numbers import Real
from typing import Any

import numpy as np

from ...algebra.arrays import Array, quiet
from ...algebra.fuzzy.negations import choices_of, read_member
from ...words.call_mistakes import answers_mistakes
from ..curves.precision_areas import partial_moments

MEAN_NODES = 64  # of the same rule, for means of losses between two probabilities
NODES = 200  # of the Gauss-Legendre rule between two neighboring probabilities, for a caller's own density


@answers_mistakes
@dataclass(frozen=True, eq=False, repr=False)
class CostWeight:
    """A weight of cost proportions, and the loss of an example that it implies.

    Attributes
    ----------
    name : str
        The name.
    negative : callable
        A(p), the loss of a negative example with probability p; it never falls.
    positive : callable
        B(p), the loss of a positive example with probability p; it never rises.
    score : str
        The proper score that it is, if that has a name.
    summed : callable, optional
        The integral of A from 0 to p, where A and B mirror each other and become infinite.
    jumps : tuple of float
        Where A and B are not continuous.
    """

    name: str
    negative: Callable[[Array], Array]
    positive: Callable[[Array], Array]
    score: str = field(default="")
    summed: Callable[[Array], Array] | None = None
    jumps: tuple[float, ...] = ()

    def __repr__(self) -> str:
        return self.name


def mean_losses(weight: CostWeight, low: Array, high: Array) -> tuple[Array, Array]:
    """Return the means of A and of B between two probabilities."""
    if weight.summed is not None:
        below, above = weight.summed(high) - weight.summed(low), weight.summed(1 - low) - weight.summed(1 - high)
        return below / (high - low), above / (high - low)
    from numpy.polynomial import legendre

    nodes, shares = legendre.leggauss(MEAN_NODES)
    inner = [np.clip(c, low, high) for c in sorted(weight.jumps)]
    edges = np.stack([low, *inner, high], axis=-1)
    half, center = np.diff(edges)[..., None] / 2, (edges[..., 1:] + edges[..., :-1])[..., None] / 2
    at, share = center + half * nodes, half * shares
    sums = ((share * side(at)).sum(axis=(-2, -1)) for side in (weight.negative, weight.positive))
    below, above = (x / (high - low) for x in sums)
    return below, above


def _log_of(x: Array) -> Array:
    with quiet():
        return np.asarray(0.0 - np.log(x))


def _norm(p: Array) -> Array:
    return np.asarray(np.hypot(p, 1 - p))


def _odds(p: Array) -> Array:
    with quiet():
        return np.asarray(np.sqrt(p / (1 - p)))


def _summed_log(p: Array) -> Array:
    rest = 1 - p
    return np.asarray(p + rest * np.log(np.where(rest > 0, rest, 1.0)))


def _summed_odds(p: Array) -> Array:
    return np.asarray(np.arcsin(np.sqrt(p)) - np.sqrt(p * (1 - p)))


uniform = CostWeight("uniform", lambda p: p * p, lambda p: (1 - p) ** 2, "brier")
log = CostWeight("log", lambda p: _log_of(1 - p), _log_of, "log_loss", _summed_log)  # w(c) = 1/(2c(1 - c))
spherical = CostWeight("spherical", lambda p: 1 - (1 - p) / _norm(p), lambda p: 1 - p / _norm(p), "spherical score")
boosting = CostWeight("boosting", _odds, lambda p: _odds(1 - p), "exponential loss", _summed_odds)  # w(c) = (c(1 - c))^(-3/2)/4


def point(c: Any) -> CostWeight:
    """Return the weight of one cost proportion: twice the cost-weighted error of the threshold c.

    >>> point(c=0.5).negative(np.array([0.4, 0.6])).tolist()  # at 1/2, the error rate
    [0.0, 1.0]
    """
    c = _proportion(c)
    return CostWeight(
        f"point(c={c})", lambda p: 2 * c * (p >= c), lambda p: 2 * (1 - c) * (p < c), "cost-weighted error", jumps=(float(c),)
    )


def _proportion(c: Any) -> Any:
    if isinstance(c, bool) or not isinstance(c, Real) or not 0 <= float(c) <= 1:
        raise ValueError(f"c={c!r}: a cost proportion is a number from 0 to 1.")
    return c


COST_WEIGHTS: dict[str, Any] = {x.name: x for x in (uniform, log, spherical, boosting)} | {"point": point}


def beta(a: Any, b: Any) -> CostWeight:
    """Return the density Beta(a, b) of cost proportions; at a=b=1 the uniform one.

    >>> beta(1, 1) is uniform
    True
    """
    for name, value in (("a", a), ("b", b)):
        if isinstance(value, bool) or not isinstance(value, Real) or not 0 < float(value) < math.inf:
            raise ValueError(f"{name}={value!r}: a beta density has two positive numbers, costs=(2, 3).")
    if a == b == 1:
        return uniform
    # The loss of a positive is the moment of 1 - c above p: that of a Beta(b, a) up to 1 - p, without a difference.
    return CostWeight(
        f"beta({a}, {b})",
        lambda p: 2 * partial_moments(np.asarray(p, np.float64), a, b)[0],
        lambda p: 2 * partial_moments(1 - np.asarray(p, np.float64), b, a)[0],
    )


def _of_points(shares: Mapping[Any, Any]) -> CostWeight:
    if not shares:
        raise ValueError("costs= is an empty mapping. Give cost proportions with their weights, {0.1: 0.5, 0.5: 0.5}.")
    for c, share in shares.items():
        if isinstance(share, bool) or not isinstance(share, Real) or not 0 <= float(share) < math.inf:
            raise ValueError(f"costs[{c!r}] = {share!r}: a weight is a number that is 0 or more.")
    points = [(point(c), float(share)) for c, share in shares.items()]
    name = ", ".join(f"{c}: {share}" for c, share in shares.items())
    return CostWeight(
        f"{{{name}}}",
        lambda p: np.asarray(sum(share * x.negative(p) for x, share in points)),
        lambda p: np.asarray(sum(share * x.positive(p) for x, share in points)),
        jumps=tuple(map(float, shares)),
    )


def _of_density(w: Callable[[Any], Any]) -> CostWeight:
    from numpy.polynomial import legendre

    nodes, weights = legendre.leggauss(NODES)

    def integral(of: Callable[[Array], Array], p: Array) -> Array:
        """Return the integral of a function from 0 to each p, summed between neighboring probabilities."""
        edges, place = np.unique(np.append(np.asarray(p, np.float64).ravel(), 0.0), return_inverse=True)
        half, center = np.diff(edges)[:, None] / 2, (edges[1:] + edges[:-1])[:, None] / 2
        c = center + half * nodes
        density = np.asarray(w(c.ravel()), np.float64).reshape(c.shape)
        if not (np.isfinite(density).all() and (density >= 0).all()):
            raise ValueError("The density of costs= must be a finite number that is 0 or more, inside (0, 1).")
        sums = np.append(0.0, np.cumsum((half * weights * of(c) * density).sum(axis=1)))
        return np.asarray(sums[place[:-1]].reshape(np.shape(p)))

    def of_missed(p: Array) -> Array:
        missed = integral(lambda c: 2 * (1 - c), np.append(np.asarray(p, np.float64), 1.0))
        return np.asarray(missed[-1] - missed[:-1]).reshape(np.shape(p))

    return CostWeight(getattr(w, "__name__", "density"), lambda p: integral(lambda c: 2 * c, p), of_missed)


def cost_weight(costs: Any) -> CostWeight:
    """Return the weight of cost proportions that ``costs=`` stands for.

    It is a name, a cost proportion, two numbers of a beta density, a mapping from proportions to weights, or a density w(c).

    >>> cost_weight("log"), cost_weight(0.25), cost_weight((1, 1)), cost_weight({0.5: 1})
    (log, point(c=0.25), uniform, {0.5: 1})
    """
    match costs:
        case CostWeight():
            return costs
        case str():
            found: CostWeight = read_member(costs, COST_WEIGHTS, "a weight of costs")
            return found
        case Mapping():
            return _of_points(costs)
        case (a, b):
            return beta(a, b)
        case Real() if not isinstance(costs, bool):
            return point(costs)
    if callable(costs):
        return _of_density(costs)
    raise TypeError(
        f"costs={costs!r} is not a weight of cost proportions. Use {choices_of(COST_WEIGHTS)}, a number from 0 to 1, two "
        "numbers of a beta density, a mapping {0.1: 0.5, 0.5: 0.5}, or a density, a function of an array."
    )
