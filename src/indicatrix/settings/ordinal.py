"""Ordered classes: memberships that fall with the distance of classes, and the cumulative encoding.

>>> import indicatrix as ix
>>> sizes, truth, guess = ["S", "M", "L"], ["S", "M", "L", "L"], ["S", "L", "L", "S"]
>>> ev = ix.evaluate(truth, guess, classes=sizes, ordinal="cumulative")
>>> mae = ix.cost(truth, guess, "absolute", classes=sizes)
>>> ev.score("error_rate", "micro"), mae / 2
(0.375, 0.375)
>>> ix.f1(truth, guess, classes=sizes, ordinal="linear", tnorm="product", average="micro")
0.6
"""

from __future__ import annotations

import ast
import inspect
import math
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np

from ..algebra.formula import syntax_of
from ..encode.indicator import Coded, Indicator, Lookup
from ..encode.pairs import Pair
from ..encode.plain_forms import BLOCK
from ..encode.vocabulary import MOST_CLASSES
from ..words.call_mistakes import answers_mistakes
from ..words.wording import check_at_most, listing, short
from .options import Options
from .problem import Problem

Membership = Callable[[int], Any]  # f(d): the membership of a class that lies d steps from the example's own


def _gaussian(d: int, sigma: float) -> float:
    steps = d / sigma  # squared last, so that neither a tiny nor a huge sigma overflows or divides by zero
    return math.exp(-steps * steps / 2)


def _linear(d: int, m: int) -> float:
    """Return 1 - d/(m - 1), rounded so that f(d) + f(m - 1 - d) is exactly 1.

    Łukasiewicz's cells are differences of memberships and of sums of two from 1. Where such a cell is 0, a rounded one would be
    some 1e-16, and 0/0 a number. So the smaller of the two is a multiple of 2**-53, and the greater is exactly 1 minus it.
    """
    steps = m - 1 - d
    if d == 0:
        return 1.0
    if 2 * steps > m - 1:
        return 1 - _linear(steps, m)
    return round(steps * 2**53 / (m - 1)) / 2**53


# Each membership as f(d, m, parameter); the parameter's name is second (tab:ordinal_f). The paper's table takes a maximum with
# zero in linear, which has no effect: two of m classes are at most m - 1 steps apart.
MEMBERSHIPS: dict[str, tuple[Callable[..., float], str | None]] = {
    "one_hot": (lambda d, m: float(d == 0), None),
    "linear": (_linear, None),
    "exponential": (lambda d, m, gamma: math.exp(-gamma * d), "gamma"),
    "gaussian": (lambda d, m, sigma: _gaussian(d, sigma), "sigma"),
}
CUMULATIVE = "cumulative"
NAMES = (*MEMBERSHIPS, CUMULATIVE)
SIDES = ("both", "true", "pred")
CHOICES = "'one_hot', 'linear', 'exponential' (gamma=), 'gaussian' (sigma=), 'cumulative', or a function f(d) of the distance d"
SPELLED = "As text, a parameter is written 'gaussian(sigma=1)'."


@answers_mistakes
@dataclass(frozen=True, repr=False)
class Ordinal:
    """How ordered classes become rows of an indicator; made by ``ordinal``.

    Attributes
    ----------
    encoding : str
        The name of the encoding.
    sides : str
        "both", "true" or "pred": which side has memberships.
    params : tuple of pairs
        The parameters of the encoding with their values.
    function : callable or None
        The function of the distance that was given, if the encoding has no name.

    Examples
    --------
    >>> import indicatrix as ix
    >>> ix.ordinal("gaussian", sigma=2), ix.ordinal("linear", sides="true"), ix.ordinal("linear").memberships(3).tolist()
    (gaussian(sigma=2), linear(sides='true'), [1.0, 0.5, 0.0])
    """

    encoding: str
    sides: str = "both"
    params: tuple[tuple[str, float], ...] = ()
    function: Membership | None = None  # the caller's f(d), if the encoding is not in the table

    @property
    def is_cumulative(self) -> bool:
        """Whether columns are the boundaries between classes."""
        return self.encoding == CUMULATIVE

    @property
    def needs_tnorm(self) -> bool:
        """Whether rows hold memberships, so that a t-norm must say how they combine."""
        return self.encoding not in ("one_hot", CUMULATIVE)

    def memberships(self, m: int) -> np.ndarray[Any, np.dtype[np.float64]]:
        """Return f(0), ..., f(m-1), the memberships of classes by their distance.

        Parameters
        ----------
        m : int
            The number of classes.

        Returns
        -------
        array
            One membership for each distance.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ix.ordinal("linear").memberships(3).tolist()
        [1.0, 0.5, 0.0]
        """
        check_at_most("m", m, MOST_CLASSES, "There is one membership for each distance between classes.")
        if self.function is not None:
            return _check_memberships(self.function, self.encoding, m)
        if self.is_cumulative:
            raise TypeError("The cumulative encoding says which boundaries a class lies above; it has no memberships.")
        function, _ = MEMBERSHIPS[self.encoding]
        return np.array([function(d, m, **dict(self.params)) for d in range(m)], np.float64)

    def __repr__(self) -> str:
        given = [f"{name}={repr(value).removesuffix('.0')}" for name, value in self.params]
        given += [] if self.sides == "both" else [f"sides={self.sides!r}"]
        return f"{self.encoding}({', '.join(given)})" if given else self.encoding


@answers_mistakes
def ordinal(encoding: str | Membership = "linear", *, sides: str = "both", **params: Any) -> Ordinal:
    """Return an encoding of ordered classes, for ``ordinal=`` of evaluate.

    Memberships fall with the distance d between classes: "one_hot" (the order is only recorded), "linear",
    "exponential" with gamma=, "gaussian" with sigma=, or any function f(d) with f(0) = 1 that never rises. They need ``tnorm=``,
    and sides="true" or "pred" leaves the other side one-hot. "cumulative" asks at every boundary whether the class lies above
    it, k > j: its m - 1 columns are called "low|mid", "mid|high", positive means above, and its micro error rate is
    MAE/(m - 1). The costs "absolute" and "squared" give MAE and MSE themselves.

    Rows of memberships do not sum to one, and a perfect prediction has precision = recall = 1 only with memberships on both sides
    and ``tnorm="lukasiewicz"``.

    Parameters
    ----------
    encoding : str or callable, default 'linear'
        "one_hot", "linear", "exponential", "gaussian", "cumulative", or a function of the distance.
    sides : str, default 'both'
        "both", "true" or "pred": which side has memberships. The other is one-hot.
    **params
        gamma= of "exponential", sigma= of "gaussian".

    Returns
    -------
    Ordinal
        For ``ordinal=`` of ``evaluate``.

    Examples
    --------
    >>> import indicatrix as ix
    >>> y, yhat, classes = ["low", "high"], ["mid", "high"], ["low", "mid", "high"]
    >>> ix.error_rate(y, yhat, classes=classes, ordinal="cumulative", average="micro")  # MAE 1/2, divided by m - 1 = 2
    0.25
    >>> ix.recall(y, yhat, classes=classes, ordinal=ix.ordinal("linear", sides="true"), tnorm="product", average="macro")
    0.5
    """
    if sides not in SIDES:
        raise ValueError(
            f"sides={sides!r} is unknown. Use 'both', 'true' (y_pred stays one-hot) or 'pred' (y_true stays one-hot)."
        )
    if callable(encoding):
        try:
            inspect.signature(encoding).bind(0)
        except TypeError:
            raise TypeError(f"{_name(encoding)} must take one argument, the distance d of two classes in steps.") from None
        except ValueError:
            pass  # a compiled function, whose arguments cannot be inspected
        if params:
            raise TypeError(
                f"{_name(encoding)} is your own function; bind {', '.join(params)}= in it, for example with functools.partial."
            )
        _check_memberships(encoding, _name(encoding), 1)
        return Ordinal(_name(encoding), sides, (), encoding)
    if not isinstance(encoding, str) or encoding not in NAMES:
        raise ValueError(f"{short(encoding)} is not an ordinal encoding. Use {CHOICES}.")
    if encoding == CUMULATIVE and sides != "both":
        raise ValueError(
            f"cumulative(sides={sides!r}): its columns are boundaries between classes, which a one-hot side does not have. "
            "Leave sides= out."
        )
    return Ordinal(encoding, sides, _parameters(encoding, params))


def _name(function: Any) -> str:
    name = getattr(function, "__name__", type(function).__name__)
    return f"{getattr(function, '__module__', 'user')}.{name}" if name in NAMES else name  # reports must tell them apart


def _parameters(encoding: str, params: dict[str, Any]) -> tuple[tuple[str, float], ...]:
    """Return the parameter of an encoding; it has no default, because the caller must choose it."""
    _, wanted = MEMBERSHIPS.get(encoding, (None, None))
    unknown = next((name for name in params if name != wanted), None)
    if unknown is not None:
        takes = f"it takes {wanted}=" if wanted else "it takes no parameters"
        raise TypeError(f"{encoding} has no parameter {unknown}=; {takes}.")
    if wanted is None:
        return ()
    if wanted not in params:
        raise TypeError(f"{encoding} needs {wanted}=, a number above 0: ordinal({encoding!r}, {wanted}=1).")
    value = params[wanted].item() if isinstance(params[wanted], np.integer | np.floating) else params[wanted]
    if isinstance(value, bool) or not isinstance(value, int | float | Fraction):
        raise TypeError(f"{encoding}({wanted}={short(value)}): {wanted} is a number above 0.")
    if not 0 < value <= sys.float_info.max or not float(value):
        raise ValueError(f"{encoding}({wanted}={short(value)}): {wanted} is a number above 0, and finite.")
    return ((wanted, float(value)),)


def _check_memberships(function: Membership, name: str, m: int) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Return f(0), ..., f(m-1) of a caller's function; values that are not memberships are an error."""
    values: list[float] = []
    for d in range(m):
        try:
            value = function(d)
        except Exception as error:
            raise TypeError(f"{name}({d}) gives no membership: {error!r}.") from error
        values.append(_number(value, f"{name}({d})"))
        if d == 0 and values[0] != 1:
            raise ValueError(f"{name}(0) is {short(value)}, but a class is fully a member of itself: f(0) must be 1.")
        if not 0 <= values[d] <= 1:
            raise ValueError(f"{name}({d}) is {short(value)}; memberships lie in [0, 1].")
        if d and values[d] > values[d - 1]:
            before = f"{name}({d - 1}) = {values[d - 1]!r}"
            raise ValueError(f"{name}({d}) is {short(value)}, more than {before}: membership must not rise with distance.")
    return np.array(values, np.float64)


def _number(value: Any, what: str) -> float:
    try:
        if not isinstance(value, str | bytes):  # float() would read them
            return float(value)
    except (TypeError, ValueError):
        pass
    raise TypeError(f"{what} is {short(value)}; a membership is a number in [0, 1].")


def read_ordinal(given: Any) -> Ordinal:
    """Return the encoding that ``ordinal=`` stands for: an Ordinal, its text, a function, True (one-hot).

    >>> read_ordinal("exponential(gamma=0.5)").params, read_ordinal(True)
    ((('gamma', 0.5),), one_hot)
    """
    if isinstance(given, Ordinal):
        return given
    if given is True:
        return ordinal("one_hot")
    if isinstance(given, str):
        return _parse(given)
    if callable(given):
        return ordinal(given)
    raise TypeError(f"ordinal={short(given)} is not an ordinal encoding. Use True (the classes are only ordered), {CHOICES}.")


def _parse(text: str) -> Ordinal:
    """Return the encoding that a text stands for; no code is evaluated."""
    try:
        tree: Any = syntax_of(text)
    except SyntaxError:
        tree = None
    match tree:
        case ast.Name(id=name):
            return ordinal(name)
        case ast.Call(func=ast.Name(id=name), args=[], keywords=keywords) if all(word.arg for word in keywords):
            try:
                params = {str(word.arg): ast.literal_eval(word.value) for word in keywords}
            except (ValueError, RecursionError, MemoryError):
                raise ValueError(f"ordinal={short(text)}: a parameter is a number. {SPELLED}") from None
            return ordinal(name, **params)
    raise ValueError(f"ordinal={short(text)} is not an ordinal encoding. Use {CHOICES}. {SPELLED}")


def change_problem(problem: Problem, options: Options) -> Problem:
    """Return the problem with classes encoded by their ranks."""
    encoding, pair = read_ordinal(options.ordinal), problem.pair
    if not all(isinstance(x.data, Coded) for x in (pair.y, pair.yhat)):
        raise ValueError("ordinal= needs one class per example on both sides; for scores add decide='argmax'.")
    if not pair.ordered:
        pair = _in_order_of_integers(pair, encoding)
    if encoding.needs_tnorm and problem.norm is None:
        raise ValueError(
            f"ordinal={encoding!r} makes memberships; say how they combine: tnorm='product', 'godel' or 'lukasiewicz'."
        )
    made = problem.recipe._replace(ordinal=replace(encoding, function=None))
    if encoding.function is not None:  # another function may have the same name: its values tell them apart
        made = made._replace(memberships=tuple(encoding.memberships(len(pair.y.classes)).tolist()))
    return replace(problem, pair=encode_ranks(pair, encoding), recipe=made)


def _in_order_of_integers(pair: Pair, encoding: Ordinal) -> Pair:
    """Return classes that are integers as ordered ones.

    Their order is known, but not whether they are all the classes there are, so an encoding that counts steps is refused.
    """
    classes = pair.y.classes
    if not all(isinstance(c, int) and not isinstance(c, bool) for c in classes):
        raise ValueError("In which order are the classes? Pass classes= from lowest to highest, or an ordered Categorical.")
    if encoding.encoding != "one_hot":
        whole = f"range({classes[0]}, {classes[-1] + 1})" if classes else "range(1, 6)"
        raise ValueError(
            f"In which order are the classes, and are they all? The labels are {listing(classes)}, and ordinal={encoding!r} "
            f"counts the steps between classes, also those that do not occur. Pass classes= from lowest to highest, such as "
            f"classes={whole}; ordinal=True needs only the order, which integers have."
        )
    return replace(pair, ordered=True)


def encode_ranks(pair: Pair, given: Ordinal) -> Pair:
    """Return two label vectors on ordered classes as rows of memberships or of boundaries.

    A boundary is 1 if the class lies above it.

    >>> y = Indicator.from_codes([0, 2], ["low", "mid", "high"])
    >>> cumulative = encode_ranks(Pair(y, y, open=False), read_ordinal("cumulative")).y
    >>> cumulative.classes, cumulative.matrix.astype(int).tolist()
    (('low|mid', 'mid|high'), [[0, 0], [1, 1]])
    """
    if given.is_cumulative:
        _refuse_abstentions(pair)
        table = _boundaries(pair.y.classes)
        return replace(pair, y=_looked_up(pair.y, table), yhat=_looked_up(pair.yhat, table))
    if not given.needs_tnorm:
        return pair
    rank = np.arange(len(pair.y.classes))
    table = Indicator(given.memberships(len(rank))[abs(rank[:, None] - rank)], pair.y.classes)
    return replace(
        pair,
        y=pair.y if given.sides == "pred" else _looked_up(pair.y, table),
        yhat=pair.yhat if given.sides == "true" else _looked_up(pair.yhat, table),
    )


def _looked_up(indicator: Indicator, table: Indicator) -> Indicator:
    return Indicator(Lookup(indicator.data, table), table.classes)


def _boundaries(classes: tuple[Any, ...]) -> Indicator:
    """Return the cumulative row of each class k: whether k > j at the boundary above class j."""
    names = tuple(f"{below}|{above}" for below, above in pairwise(classes))
    if len(set(names)) < len(names):
        twice = next(name for i, name in enumerate(names) if name in names[:i])
        raise ValueError(f"Two boundaries between classes are called {twice!r}. Rename some classes.")
    rank = np.arange(len(classes))
    return Indicator(rank[:, None] > rank[: len(names)], names)


def _refuse_abstentions(pair: Pair) -> None:
    """Refuse rows without a class: all zeros would mean the lowest class, below every boundary."""
    for indicator, argument in ((pair.y, "y_true"), (pair.yhat, "y_pred")):
        for start in range(0, indicator.n, BLOCK):
            codes = indicator.data.block(slice(start, start + BLOCK))
            if codes.min() < 0:
                row = start + int((codes < 0).argmax())
                row = row if pair.rows is None else int(np.flatnonzero(pair.rows)[row])
                raise ValueError(
                    f"{argument}[{row}] has no class, and a row of zeros means the lowest class in the cumulative encoding. "
                    "Drop such examples, or use memberships (ordinal='linear'), where a row of zeros means no class."
                )
