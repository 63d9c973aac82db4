"""Gradients of functions of tables: a table that remembers what a formula did with it.

The formula runs once on a ``Traced`` table; going back over its steps gives the slope in every cell at once, exactly, in the
time of a few evaluations. Comparisons read the values, so a formula may branch. Where it uses min, max or abs, or asks which of
two values is larger, the slopes are those of the branch that was taken, and the trace says that there are kinks.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

from ..arrays import Array, quiet

Back = Callable[[Array], Array]  # from the slopes of a result to those of an operand


class Tape:
    """The steps of one evaluation."""

    def __init__(self) -> None:
        self.steps: list[Traced] = []
        self.kinks = False


class NotTracedError(TypeError):
    """A formula did something that a trace does not know."""


class Traced:
    """An array or number that remembers how it was made; formulas take it for a NumPy array."""

    __slots__ = ("slopes", "sources", "tape", "value")
    __hash__ = None  # type: ignore[assignment]
    context: SimpleNamespace  # the functions of formulas, as number types with their own functions have it

    def __init__(self, value: Any, tape: Tape, *sources: tuple[Traced, Back]) -> None:
        self.value, self.tape, self.sources = value, tape, sources
        self.slopes: Array | None = None  # of the last step in this one
        tape.steps.append(self)

    def _then(self, value: Any, back: Back) -> Traced:
        return Traced(value, self.tape, (self, back))

    # What arrays tell about themselves.
    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the array; () for a number."""
        return _shape(self.value)

    @property
    def ndim(self) -> int:
        """How many axes it has."""
        return np.ndim(self.value)

    @property
    def size(self) -> int:
        """How many numbers it has."""
        return np.size(self.value)

    @property
    def dtype(self) -> Any:
        """The type of the numbers: floats."""
        return np.dtype(np.float64)

    def __len__(self) -> int:
        return len(self.value)

    def __bool__(self) -> bool:
        return bool(self.value)

    def __iter__(self) -> Iterator[Traced]:
        return (self[i] for i in range(len(self)))

    def __float__(self) -> float:
        raise NotTracedError("A traced number is not a float.")

    __int__ = __index__ = __complex__ = __float__

    def __array__(self, *args: Any, **options: Any) -> Any:
        raise NotTracedError("A traced table cannot become a plain array.")

    # Places and shapes.
    def __getitem__(self, at: Any) -> Traced:
        shape = self.shape

        def back(slopes: Array) -> Array:
            out = np.zeros(shape)
            if _may_repeat(at):
                np.add.at(out, at, slopes)
            else:
                out[at] = slopes  # much faster
            return out

        return self._then(self.value[at], back)

    def reshape(self, *shape: Any) -> Traced:
        """Return the numbers in another shape."""
        return self._then(self.value.reshape(*shape), lambda slopes: slopes.reshape(self.shape))

    def ravel(self) -> Traced:
        """Return the numbers in a row."""
        return self.reshape(-1)

    flatten = ravel

    def transpose(self) -> Traced:
        """Return the table with its axes exchanged."""
        return self._then(self.value.T, lambda slopes: slopes.T)

    T = property(transpose)

    def copy(self) -> Traced:
        """Return the same numbers, of which some may be replaced."""
        return self._then(self.value.copy(), lambda slopes: slopes)

    def astype(self, *_: Any, **__: Any) -> Traced:
        """Return the same numbers: they are floats."""
        return self

    def diagonal(self) -> Traced:
        """Return the diagonal."""
        shape, place = self.shape, np.arange(min(self.shape))

        def back(slopes: Array) -> Array:
            out = np.zeros(shape)
            out[place, place] = slopes
            return out

        return self._then(self.value[place, place], back)

    def trace(self) -> Traced:
        """Return the sum of the diagonal."""
        return self.diagonal().sum()

    # Sums and products.
    def sum(self, axis: Any = None, keepdims: bool = False, **_: Any) -> Traced:
        """Return the sum over all numbers or over axes."""
        shape, found = self.shape, np.asarray(self.value).sum(axis=axis, keepdims=True)
        kept = found.shape
        value = found if keepdims else found[()] if not shape else found.reshape(()) if axis is None else found.squeeze(axis)
        return self._then(value, lambda slopes: _stretch(slopes.reshape(kept), shape))

    def mean(self, axis: Any = None, keepdims: bool = False, **_: Any) -> Any:
        """Return the mean over all numbers or over axes."""
        total = self.sum(axis, keepdims)
        return total * (total.size / max(self.size, 1))

    def cumsum(self, axis: int | None = None) -> Traced:
        """Return running sums along an axis."""
        if axis is None:
            return self.ravel().cumsum(0)
        return self._then(np.cumsum(self.value, axis), lambda slopes: np.flip(np.cumsum(np.flip(slopes, axis), axis), axis))

    def dot(self, other: Any) -> Any:
        """Return the matrix product."""
        return _matmul(self, other) if self.ndim and np.ndim(_plain(other)) else self * other

    def max(self, axis: int | None = None, **_: Any) -> Traced:
        """Return the largest number, of all or along an axis."""
        return self._extreme(np.max, axis)

    def min(self, axis: int | None = None, **_: Any) -> Traced:
        """Return the smallest number, of all or along an axis."""
        return self._extreme(np.min, axis)

    def _extreme(self, extreme_of: Any, axis: int | None) -> Traced:
        """Return the extreme numbers; those that are tied share the slope."""
        self.tape.kinks = True
        if axis is None:
            return self.ravel()._extreme(extreme_of, 0)
        found = extreme_of(self.value, axis=axis, keepdims=True)
        tied = np.isclose(self.value, found, rtol=TIED, atol=0.0)
        shares = tied / tied.sum(axis=axis, keepdims=True)
        return self._then(found.squeeze(axis), lambda slopes: shares * np.expand_dims(slopes, axis))

    # Comparisons read values. Whether something is 0 or equal makes no kink; which of two is larger makes one.
    def __eq__(self, other: object) -> Any:
        return self.value == _plain(other)

    def __ne__(self, other: object) -> Any:
        return self.value != _plain(other)

    def __lt__(self, other: Any) -> Any:
        return self._compare(np.less, other)

    def __le__(self, other: Any) -> Any:
        return self._compare(np.less_equal, other)

    def __gt__(self, other: Any) -> Any:
        return self._compare(np.greater, other)

    def __ge__(self, other: Any) -> Any:
        return self._compare(np.greater_equal, other)

    def _compare(self, compare: Any, other: Any) -> Any:
        self.tape.kinks |= not (np.isscalar(_plain(other)) and _plain(other) == 0)  # counts and sums are compared with 0
        return compare(self.value, _plain(other))

    # Arithmetic.
    def __add__(self, other: Any) -> Any:
        return _of_two(np.add, self, other, lambda s, x, y, z: s, lambda s, x, y, z: s)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        return _of_two(np.subtract, self, other, lambda s, x, y, z: s, lambda s, x, y, z: -s)

    def __rsub__(self, other: Any) -> Any:
        return _of_two(np.subtract, other, self, lambda s, x, y, z: s, lambda s, x, y, z: -s)

    def __mul__(self, other: Any) -> Any:
        return _of_two(np.multiply, self, other, lambda s, x, y, z: _times(s, y), lambda s, x, y, z: _times(s, x))

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        return _of_two(np.divide, self, other, lambda s, x, y, z: _times(s, 1 / y), lambda s, x, y, z: _times(-s, z / y))

    def __rtruediv__(self, other: Any) -> Any:
        return _of_two(np.divide, other, self, lambda s, x, y, z: _times(s, 1 / y), lambda s, x, y, z: _times(-s, z / y))

    def __pow__(self, other: Any) -> Any:
        return _of_two(
            np.power, self, other, lambda s, x, y, z: _times(s, y * x ** (y - 1)), lambda s, x, y, z: _times(s, z * np.log(x))
        )

    def __rpow__(self, other: Any) -> Any:
        return _of_two(
            np.power, other, self, lambda s, x, y, z: _times(s, y * x ** (y - 1)), lambda s, x, y, z: _times(s, z * np.log(x))
        )

    def __neg__(self) -> Traced:
        return self._then(-self.value, lambda slopes: -slopes)

    def __pos__(self) -> Traced:
        return self

    def __abs__(self) -> Traced:
        return _of_one("abs", self)

    def __matmul__(self, other: Any) -> Any:
        return _matmul(self, other)

    def __rmatmul__(self, other: Any) -> Any:
        return _matmul(other, self)

    # What NumPy's own functions do with it.
    def __array_ufunc__(self, ufunc: Any, way: str, *inputs: Any, out: Any = None, where: Any = True, **options: Any) -> Any:
        name = ufunc.__name__
        if out is not None or where is not True or options:
            raise NotTracedError(f"np.{name} with options is not traced.")
        if way == "outer" and len(inputs) == 2:
            one, other = inputs
            return getattr(np, name)(one[(..., *(None,) * np.ndim(_plain(other)))], other)
        if way != "__call__":
            raise NotTracedError(f"np.{name}.{way} is not traced.")
        if name in ELEMENTWISE:
            return _of_one(name, *inputs)
        if name in OF_TWO:
            return OF_TWO[name](*inputs)
        raise NotTracedError(f"np.{name} is not traced.")

    def __array_function__(self, function: Any, types: Any, args: Any, options: Any) -> Any:
        known = FUNCTIONS.get(function.__name__)
        if known is None:
            raise NotTracedError(f"np.{function.__name__} is not traced.")
        return known(*args, **options)


def traced_log_ratio(num: Any, den: Any, value: Any) -> Any:
    """Return log(num/den), whose value is known, with its slopes: one step in place of seven."""
    return _of_two(lambda x, y: value, num, den, lambda s, x, y, z: _times(s, 1 / x), lambda s, x, y, z: _times(-s, 1 / y))


def traced_part_log(part: Any, whole: Any, value: Any) -> Any:
    """Return x log(whole/x), whose value is known, with its slopes; where x is 0, it has none."""

    def to_part(s: Any, x: Any, y: Any, z: Any) -> Any:
        return _times(s, np.where(x == 0, 0.0, np.log(y / x) - 1))

    return _of_two(lambda x, y: value, part, whole, to_part, lambda s, x, y, z: _times(s, np.where(x == 0, 0.0, x / y)))


def without_trace(x: Any) -> Any:
    """Return the value of a traced array or number; other things as they are."""
    return x.value if isinstance(x, Traced) else x


def _plain(x: Any) -> Any:
    """Return a value without its trace; objects become floats."""
    if isinstance(x, Traced):
        return x.value
    if isinstance(x, np.ndarray):
        return x if x.dtype.kind in "fb" else x.astype(np.float64)
    return x if isinstance(x, np.generic | float | str | bool) or x is None else float(x)


def _shape(x: Any) -> tuple[int, ...]:
    """Return the shape of an array or number; np.shape takes several times as long."""
    return getattr(x, "shape", ())


def _may_repeat(at: Any) -> bool:
    """Return whether an index may name a place twice: masks, slices and single places do not."""
    parts = at if isinstance(at, tuple) else (at,)
    return any(isinstance(part, list) or (isinstance(part, np.ndarray) and part.dtype != bool) for part in parts)


def _times(slopes: Any, factor: Any) -> Any:
    """Return slopes times a factor; what does not matter stays 0, also where the factor is infinite."""
    found = slopes * factor
    return found if math.isfinite(np.add.reduce(found, axis=None)) else np.where(slopes == 0, 0.0, found)


def _fit(found: Any, shape: tuple[int, ...]) -> Array:
    """Return slopes in the shape of an operand that was stretched."""
    slopes: Array = np.asarray(found, np.float64)
    if slopes.shape == shape:
        return slopes
    if slopes.ndim > len(shape):
        slopes = slopes.sum(axis=tuple(range(slopes.ndim - len(shape))))
    wide = tuple(i for i, size in enumerate(shape) if size == 1 and slopes.shape[i] != 1)
    return _stretch(slopes.sum(axis=wide, keepdims=True) if wide else slopes, shape)


def _stretch(slopes: Array, shape: tuple[int, ...]) -> Array:
    """Return slopes repeated up to a shape; np.broadcast_to takes longer for all but large tables."""
    out = np.empty(shape)
    out[...] = slopes
    return out


def _of_two(function: Any, one: Any, other: Any, back_one: Any, back_other: Any) -> Any:
    """Return a function of two operands; slopes go back by functions of (slopes, one, other, result)."""
    if isinstance(one, list | tuple) or isinstance(other, list | tuple):
        return NotImplemented
    x, y = _plain(one), _plain(other)
    z = function(x, y)
    to_one = (one, lambda slopes: _fit(back_one(slopes, x, y, z), _shape(x)))
    to_other = (other, lambda slopes: _fit(back_other(slopes, x, y, z), _shape(y)))
    if not isinstance(other, Traced):
        return Traced(z, one.tape, to_one)
    return Traced(z, other.tape, to_one, to_other) if isinstance(one, Traced) else Traced(z, other.tape, to_other)


def _power_of(one: Any, other: Any) -> Any:
    def to_one(s: Array, x: Any, y: Any, z: Any) -> Any:
        return _times(s, y * x ** (y - 1))

    return _of_two(np.power, one, other, to_one, lambda s, x, y, z: _times(s, z * np.log(x)))


SLOPES: dict[str, Callable[[Any, Any], Any]] = {  # of functions of one number, from it and from their value
    "sqrt": lambda x, z: 0.5 / z,
    "log": lambda x, z: 1 / x,
    "log2": lambda x, z: 1 / (x * np.log(2)),
    "log10": lambda x, z: 1 / (x * np.log(10)),
    "log1p": lambda x, z: 1 / (1 + x),
    "exp": lambda x, z: z,
    "square": lambda x, z: 2 * x,
    "sin": lambda x, z: np.cos(x),
    "cos": lambda x, z: -np.sin(x),
    "arcsin": lambda x, z: 1 / np.sqrt(1 - x * x),
    "tanh": lambda x, z: 1 - z * z,
    "abs": lambda x, z: np.sign(x),
    "sign": lambda x, z: 0 * z,
}
KINKS = ("abs", "sign")
ELEMENTWISE = {"absolute": "abs", **{name: name for name in SLOPES}}


def _of_one(name: str, x: Traced) -> Traced:
    """Return a function of every number."""
    name = ELEMENTWISE[name]
    x.tape.kinks |= name in KINKS
    z = getattr(np, name)(x.value)
    return x._then(z, lambda slopes: _times(slopes, SLOPES[name](x.value, z)))


def _matmul(one: Any, other: Any) -> Any:
    """Return the matrix product of vectors and tables."""
    a, b = np.ndim(_plain(one)), np.ndim(_plain(other))
    if not 0 < a < 3 or not 0 < b < 3:
        raise NotTracedError("The matrix product of more than two axes is not traced.")

    def to_one(s: Array, x: Array, y: Array, z: Any) -> Array:
        if b == 1:
            return np.multiply.outer(s, y)
        return s @ y.T

    def to_other(s: Array, x: Array, y: Array, z: Any) -> Array:
        if a == 1:
            return np.multiply.outer(x, s)
        return x.T @ s

    return _of_two(np.matmul, one, other, to_one, to_other)


def _choose(condition: Any, one: Any, other: Any) -> Any:
    """Return ``one`` where the condition holds and ``other`` elsewhere."""
    condition = np.asarray(_plain(condition), bool)

    def function(x: Any, y: Any) -> Any:
        return np.where(condition, x, y)

    return _of_two(
        function, one, other, lambda s, x, y, z: np.where(condition, s, 0.0), lambda s, x, y, z: np.where(condition, 0.0, s)
    )


def _larger(one: Any, other: Any) -> Any:
    _kinks(one, other)
    return _choose(_plain(one) >= _plain(other), one, other)


def _smaller(one: Any, other: Any) -> Any:
    _kinks(one, other)
    return _choose(_plain(one) <= _plain(other), one, other)


def _kinks(*xs: Any) -> None:
    for x in xs:
        if isinstance(x, Traced):
            x.tape.kinks = True


def _divide(one: Any, other: Any) -> Any:
    return one / other if isinstance(one, Traced) else Traced.__rtruediv__(other, one)


def _difference(one: Any, other: Any) -> Any:
    return one - other if isinstance(one, Traced) else Traced.__rsub__(other, one)


def _either(function: str) -> Callable[[Any, Any], Any]:
    """Return a function of two operands whose order does not matter."""
    own = getattr(Traced, function)
    return lambda one, other: own(one, other) if isinstance(one, Traced) else own(other, one)


def _compared(function: str, turned: str) -> Callable[[Any, Any], Any]:
    own, other_way = getattr(Traced, function), getattr(Traced, turned)
    return lambda one, other: own(one, other) if isinstance(one, Traced) else other_way(other, one)


OF_TWO: dict[str, Callable[[Any, Any], Any]] = {
    "add": _either("__add__"),
    "subtract": _difference,
    "multiply": _either("__mul__"),
    "divide": _divide,
    "true_divide": _divide,
    "power": _power_of,
    "matmul": _matmul,
    "maximum": _larger,
    "minimum": _smaller,
    "equal": lambda one, other: _plain(one) == _plain(other),
    "not_equal": lambda one, other: _plain(one) != _plain(other),
    "less": _compared("__lt__", "__gt__"),
    "less_equal": _compared("__le__", "__ge__"),
    "greater": _compared("__gt__", "__lt__"),
    "greater_equal": _compared("__ge__", "__le__"),
}
FUNCTIONS: dict[str, Callable[..., Any]] = {
    "sum": lambda x, axis=None, **options: x.sum(axis, **options),
    "mean": lambda x, axis=None, **options: x.mean(axis, **options),
    "cumsum": lambda x, axis=None: x.cumsum(axis),
    "trace": lambda x: x.trace(),
    "diag": lambda x: x.diagonal() if x.ndim == 2 else x[:, None] * np.eye(len(x)),
    "diagonal": lambda x: x.diagonal(),
    "transpose": lambda x: x.transpose(),
    "ravel": lambda x: x.ravel(),
    "reshape": lambda x, shape: x.reshape(shape),
    "dot": lambda one, other: one.dot(other) if isinstance(one, Traced) else _matmul(one, other),
    "outer": lambda one, other: np.multiply.outer(one, other),
    "where": _choose,
    "max": lambda x, axis=None: x.max(axis),
    "amax": lambda x, axis=None: x.max(axis),
    "min": lambda x, axis=None: x.min(axis),
    "amin": lambda x, axis=None: x.min(axis),
    "copy": lambda x: x.copy(),
    "shape": lambda x: x.shape,
    "flip": lambda x, axis=None: x[tuple(slice(None, None, -1 if axis in (None, i) else 1) for i in range(x.ndim))],
    "zeros_like": lambda x, **_: np.zeros(x.shape),
    "ones_like": lambda x, **_: np.ones(x.shape),
}
Traced.context = SimpleNamespace(
    sqrt=np.sqrt,
    log=np.log,
    log1p=np.log1p,
    exp=np.exp,
    sin=np.sin,
    cos=np.cos,
    asin=np.arcsin,
    Abs=np.abs,
    Min=np.minimum,
    Max=np.maximum,
    Pow=np.power,
    Integer=float,
    pi=np.pi,
)


class Slopes(NamedTuple):
    """The value of a function of a table, and how it moves with each cell."""

    value: float
    cells: Array
    kinks: bool  # whether the formula takes the larger or smaller of values, so that slopes jump somewhere
    exact: bool = True  # whether they come from the formula; otherwise from small steps


def gradient(function: Callable[[Any], Any], table: Array) -> Slopes:
    """Return the value of a function of a table, and its slopes in all cells.

    They come from the steps of the formula. Where it does something that cannot be traced, they come from small steps of each
    cell, which takes as many evaluations as there are cells.

    >>> found = gradient(lambda table: table.trace() / table.sum(), np.array([[3.0, 1.0], [0.0, 4.0]]))
    >>> found.value, (found.cells * 64).tolist()
    (0.875, [[1.0, -7.0], [-7.0, 1.0]])
    """
    tape = Tape()
    start = Traced(table, tape)
    try:
        with quiet():
            end = function(start)
            if not isinstance(end, Traced):
                return Slopes(float(end), np.zeros(table.shape), tape.kinks)  # a constant
            if end.shape:
                raise NotTracedError("The value is not one number.")
            return Slopes(float(end.value), _go_back(tape, start, end), tape.kinks)
    except (TypeError, AttributeError, ValueError, NotImplementedError, IndexError):
        return _by_small_steps(function, table)
    finally:
        tape.steps.clear()  # which name each other: without this they would wait for the garbage collector


def _go_back(tape: Tape, start: Traced, end: Traced) -> Array:
    """Return the slopes of the last step in the first, by going back over all steps."""
    end.slopes = np.ones(())
    for step in reversed(tape.steps):
        if step.slopes is None:
            continue
        for source, back in step.sources:
            more = back(step.slopes)
            source.slopes = more if source.slopes is None else source.slopes + more
    return np.zeros(start.shape) if start.slopes is None else np.array(start.slopes)


TIED = 1e-12  # numbers that differ by less, relatively, are the same up to rounding
STEP = 2.0**-17  # the share of a cell that is added and taken away; the error is its square, about 1e-10
LEAST = 2.0**-7  # cells are not taken for smaller than this when a step is chosen


def _by_small_steps(function: Callable[[Any], Any], table: Array) -> Slopes:
    """Return slopes by central differences, or up only where a cell has too little to go down."""
    value, near, out = float(function(table.copy())), table.copy(), np.zeros(table.shape)
    for at in np.ndindex(table.shape):
        step = STEP * max(float(table[at]), LEAST)
        down = step if table[at] >= step else 0.0
        near[at] = table[at] + step
        more = float(function(near.copy()))
        near[at] = table[at] - down
        less = float(function(near.copy())) if down else value
        near[at] = table[at]
        out[at] = (more - less) / (step + down)
    return Slopes(value, out, kinks=False, exact=False)
