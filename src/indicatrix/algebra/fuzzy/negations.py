"""Negations: the soft NOT of a membership, with two families (eq:fuzzy_fp, eq:fuzzy_fn).

Families of functions by name: a member's text stands for the member, and no code is evaluated.
"""

from __future__ import annotations

import ast
import inspect
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from numbers import Real
from typing import Any

import numpy as np

from ...words.call_mistakes import answers_mistakes
from ...words.wording import short
from ..arrays import is_array, namespace, quiet
from ..formula import syntax_of
from ..numbers.functions import maximum, minimum

GRID = tuple(k / 16 for k in range(17))  # where a caller's own function is tried


@answers_mistakes
@dataclass(frozen=True)
class Negation:
    """A negation N(x), element-wise on numbers, fractions and arrays: N(0) = 1, N(1) = 0, never rising.

    Attributes
    ----------
    name : str
        The name.
    function : callable
        N(x) and the parameters by keyword.
    params : mapping
        The parameters with their values.
    doc : str
        What it is, in a line.

    Examples
    --------
    >>> import indicatrix as ix
    >>> ix.algebra.negation("standard")(0.25), ix.algebra.negation("sugeno(s=1)")(0.5)
    (0.75, 0.3333333333333333)
    """

    name: str
    function: Callable[..., Any]
    params: Mapping[str, Any] = field(default_factory=dict, hash=False)
    doc: str = field(default="", compare=False)

    def __call__(self, x: Any) -> Any:
        """Return N(x), the fuzzy "not"; arrays keep their floating type, and 0 and 1 are exchanged exactly."""
        if isinstance(x, np.generic):
            x = x.item()
        if is_array(x) and x.dtype != object and not namespace(x).isdtype(x.dtype, "real floating"):
            x = namespace(x).astype(x, namespace(x).float64)  # crisp labels may be integers or booleans
        return self.function(x, **self.params)

    def __repr__(self) -> str:
        return member_text(self.name, self.params)

    def __reduce__(self) -> Any:  # a lambda cannot be pickled, but its name can
        return (negation, (repr(self),)) if self.name in NEGATIONS else super().__reduce__()


def _within(value: Any, x: Any) -> Any:
    return minimum(maximum(value, x * 0), x * 0 + 1)  # rounding must not leave [0, 1]


def _sugeno(x: Any, s: Any) -> Any:
    s = Fraction(s) if isinstance(x, Fraction) else float(s) if not isinstance(x, int) else s
    return _within((1 - x) / (1 + s * x), x)


def _yager(x: Any, w: Any) -> Any:
    if not is_array(x):
        return float(_yager(np.asarray([float(x)]), w)[0])
    xp, w = namespace(x), float(w)
    with quiet():
        # 1 - x**w without cancellation near 1: -expm1(w log x); log 0 is -inf, and -expm1(-inf) is 1.
        return _within((-xp.expm1(w * xp.log(x))) ** (1 / w), x)


standard = Negation("standard", lambda x: 1 - x, doc="1 - x")


def _parameter(name: str, letter: str, value: Any, low: float) -> Any:
    value = check_parameter(name, letter, value)
    if not low < float(value) < math.inf:
        raise ValueError(f"{name}({letter}={value}): {letter} must be greater than {low:g} and finite.")
    return value


def sugeno(s: Any) -> Negation:
    """Return Sugeno's negation (1 - x)/(1 + s x), s > -1; at s=0 the standard one.

    >>> sugeno(s=0), sugeno(s=1)(Fraction(1, 2))
    (standard, Fraction(1, 3))
    """
    s = _parameter("sugeno", "s", s, -1)
    return Negation("sugeno", _sugeno, {"s": s}, "(1 - x)/(1 + s x)") if s else standard


def yager(w: Any) -> Negation:
    """Return Yager's negation (1 - x^w)^(1/w), w > 0; at w=1 the standard one.

    >>> yager(w=1), round(yager(w=2)(0.6), 12)
    (standard, 0.8)
    """
    w = _parameter("yager", "w", w, 0)
    return Negation("yager", _yager, {"w": w}, "(1 - x^w)^(1/w)") if w != 1 else standard


NEGATIONS: dict[str, Negation | Callable[..., Negation]] = {"standard": standard, "sugeno": sugeno, "yager": yager}


@answers_mistakes
def negation(spec: Negation | str | Callable[[Any], Any]) -> Negation:
    """Return the negation of a name, with a parameter or without, or of a function.

    Parameters
    ----------
    spec : str, Negation or callable
        A name of ``ix.algebra.NEGATIONS``, a name with a parameter such as "sugeno(s=2)" or "yager(w=2)", or a function of a
        membership.

    Returns
    -------
    Negation
        Call it on a membership; ``negation=`` of ``evaluate`` takes it.

    Examples
    --------
    >>> import indicatrix as ix
    >>> ix.algebra.negation("yager(w=2)"), ix.algebra.negation(lambda x: (1 - x) ** 2)(0.5)
    (yager(w=2), 0.25)
    """
    if isinstance(spec, Negation):
        return spec
    if isinstance(spec, str):
        found: Negation = read_member(spec, NEGATIONS, "a negation")
        return found
    if not callable(spec):
        raise TypeError(f"{spec!r} is not a negation. Use {choices_of(NEGATIONS)}, or a function of one membership.")
    name = getattr(spec, "__name__", type(spec).__name__)
    name = f"{spec.__module__}.{name}" if name in NEGATIONS else name  # reports must tell it from the library's
    own = Negation(name, spec, doc=inspect.getdoc(spec) or "")
    try:
        values = [float(v) for v in np.asarray(own(np.array(GRID)))]
    except (TypeError, ValueError) as error:
        raise TypeError(f"{name} is not a negation, a function of an array of memberships: {error}.") from None
    if values[0] != 1 or values[-1] != 0 or any(not 0 <= b <= a <= 1 for a, b in pairwise(values)):
        raise ValueError(f"{name} is not a negation: N(0) must be 1, N(1) must be 0, and N may not rise or leave [0, 1].")
    return own


Registry = Mapping[str, Any]  # a name -> a member, or a function of one parameter that returns one


def is_family(entry: Any) -> bool:
    """Return whether an entry of a registry is a function of one parameter, rather than a member.

    >>> is_family(lambda s: s), is_family(None)
    (True, False)
    """
    return inspect.isfunction(entry)


def parameter_of(family: Callable[..., Any]) -> str:
    """Return the name of the parameter of a family.

    >>> parameter_of(lambda s: s)
    's'
    """
    return next(iter(inspect.signature(family).parameters))


def choices_of(registry: Registry) -> str:
    """Return the names of a registry as they are written, families with an example of their parameter.

    >>> choices_of({"plain": 1, "wide": lambda s: s})
    'plain, wide(s=2)'
    """
    return ", ".join(f"{name}({parameter_of(x)}=2)" if is_family(x) else name for name, x in registry.items())


def member_text(name: str, params: Mapping[str, Any]) -> str:
    """Return the text of a member, which ``read_member`` reads.

    >>> member_text("plain", {}), member_text("wide", {"s": Fraction(1, 3)})
    ('plain', 'wide(s=1/3)')
    """
    given = ", ".join(f"{key}={value}" for key, value in params.items())
    return f"{name}({given})" if given else name


def read_member(text: str, registry: Registry, what: str) -> Any:
    """Return the member of a registry that a text stands for, such as "wide(s=2)".

    >>> read_member("wide(s=1/3)", {"wide": lambda s: s}, "a width")
    Fraction(1, 3)
    """
    try:
        tree: Any = syntax_of(text)
    except SyntaxError:
        tree = None
    match tree:
        case ast.Name(id=name) if name in registry and not is_family(registry[name]):
            return registry[name]
        case ast.Call(func=ast.Name(id=name), args=[], keywords=[ast.keyword(arg=key, value=node)]) if (
            (family := registry.get(name)) and is_family(family) and key == parameter_of(family)
        ):
            return family(_number(node, text))
    raise ValueError(f"{short(text)} is not the name of {what}. Use {choices_of(registry)}.")


def check_parameter(family: str, param: str, value: Any) -> Any:
    """Return the parameter of a family as a Python number; what is not a number is refused."""
    if isinstance(value, bool) or not isinstance(value, Real):
        raise TypeError(f"{family}({param}={value!r}): {param} must be a number, e.g. {family}({param}=2).")
    return value.item() if isinstance(value, np.generic) else value


def _number(node: ast.expr, text: str) -> Any:
    match node:
        case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
            return number
        case ast.Name(id="inf"):
            return math.inf
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_number(operand, text)
        case ast.BinOp(left=ast.Constant(value=int() as over), op=ast.Div(), right=ast.Constant(value=int() as under)) if under:
            return Fraction(over, under)  # this is how an exact parameter is printed
    raise ValueError(f"The parameter in {short(text)} must be a number such as 2, -0.5, 1/3 or inf.")
