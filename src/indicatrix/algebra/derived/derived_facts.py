"""Facts of a measure that follow from its formula.

Derived when first asked for, and checked where they are declared.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .range_and_direction import Direction, Range

FACTS = ("better", "range")
DIRECTIONS = ("higher", "lower", "neither")  # what can be declared; "unknown" is what the formula does not decide
STAND_INS = (0.25, 0.5, 2, 3)  # numbers that are tried for symbols
SIGNS = {"higher": 1, "lower": -1}  # the directions by which values can be put in order


class DerivedFact:
    """A field of a measure that is derived when it is first read, unless a value was given."""

    def __init__(self, derive: Callable[[Any], Any]) -> None:
        self.derive = derive

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, measure: Any, owner: type | None = None) -> Any:
        if measure is None:
            return None  # the default of the field
        known = measure.__dict__
        if self.name in known:
            return known[self.name]
        key = f"_{self.name}"  # apart from what was declared
        if key not in known:
            known[key] = self.derive(measure)
        return known[key]

    def __set__(self, measure: Any, value: Any) -> None:
        if value is not None:
            measure.__dict__[self.name] = value


def declared_facts(measure: Any) -> Mapping[str, Any]:
    """Return the direction and the range, as far as they were declared."""
    return {fact: measure.__dict__[fact] for fact in FACTS if fact in measure.__dict__}


def range_of(measure: Any) -> Range:
    """Return the range that follows from the formula of a measure.

    Without bounds where it depends on a symbol.
    """
    if not measure.reads.formula or is_symbolic(measure):
        from .range_and_direction import Range

        return Range(float("-inf"), float("inf"))
    return _range(measure.function, tuple(sorted(measure.params.items())))


def direction_of(measure: Any) -> Direction:
    """Return which values of a measure are better, as its formula has it.

    For symbols, if some positive numbers agree.
    """
    if not measure.reads.formula:
        from .range_and_direction import Direction

        return Direction("unknown")
    symbols = [name for name, x in measure.params.items() if _is_symbol(x)]
    if not symbols:
        return _direction(measure.function, tuple(sorted(measure.params.items())))
    found = []
    for number in STAND_INS:
        with suppress(ValueError):  # outside of the domain of the parameter
            found.append(direction_of(measure.at(**dict.fromkeys(symbols, number))))
    from .range_and_direction import Direction

    return found[0] if len({one.better for one in found}) == 1 else Direction("unknown")


def check_declared(measure: Any) -> None:
    """Refuse a declared range or direction that counts refute; they are in the error."""
    declared = declared_facts(measure)
    if not measure.reads.formula or not declared or is_symbolic(measure):
        return
    if "range" in declared:
        from .range_and_direction import Range, value_outside

        found = value_outside(measure.function, measure.params, declared["range"])
        if found is not None:
            raise ValueError(
                f"range={tuple(declared['range'])!r} does not hold for {measure}: at {_cells(found[0])} it is {_text(found[1])}. "
                f"Its values lie in {Range(*range_of(measure))}; leave range= out, and it is derived."
            )
    own = direction_of(measure)
    opposite = {"higher": "lower", "lower": "higher"}.get(declared.get("better", ""))
    if own.better == opposite:
        change = own.rise or own.fall
        raise ValueError(
            f"better={declared['better']!r} does not hold for {measure}: correcting errors only "
            f"{'raises' if own.rise else 'lowers'} it, as {change} (tp, fp, fn, tn). Leave better= out, or negate the formula."
        )


def _cells(counts: tuple[int, ...]) -> str:
    return ", ".join(f"{name}={x}" for name, x in zip(("tp", "fp", "fn", "tn"), counts, strict=True))


def _text(value: Any) -> str:
    return f"{float(value):.6g}"


def _is_symbol(x: Any) -> bool:
    return type(x).__module__.partition(".")[0] == "sympy"


def is_symbolic(measure: Any) -> bool:
    """Return whether a parameter of a measure is a symbol, which stands for every number."""
    return any(map(_is_symbol, measure.params.values()))


@lru_cache(maxsize=512)
def _range(formula: Callable[..., Any], params: tuple[tuple[str, Any], ...]) -> Range:
    from .range_and_direction import derive_range

    return derive_range(formula, dict(params))


@lru_cache(maxsize=512)
def _direction(formula: Callable[..., Any], params: tuple[tuple[str, Any], ...]) -> Direction:
    from .range_and_direction import derive_direction

    return derive_direction(formula, dict(params))


def needed_direction(measure: Any, better: str | None = None, *, known: str | None = None) -> str:
    """Return 'higher' or 'lower', for what cannot do without.

    An error asks for better= where the measure has none.

    ``known`` is the direction of the measure, if it is not its own ``better``.

    >>> import indicatrix as ix
    >>> needed_direction(ix.f1), needed_direction(ix.measure("abs(tp - fp)"), "lower")
    ('higher', 'lower')
    """
    own = measure.better if known is None else known
    if better is not None and better not in SIGNS:
        raise ValueError(f"better={better!r} must be 'higher' or 'lower'.")
    if own in SIGNS:
        if better not in (None, own):
            raise ValueError(f"{measure} is better if it is {own}, so better={better!r} is wrong. Leave it out.")
        return str(own)
    if better is None:
        raise ValueError(f"{about_direction(measure, own)} Say which is meant: better='higher' or better='lower'.")
    return better


def directed(measure: Any, better: str | None = None) -> Any:
    """Return a measure that has a direction: its own, or the one that is given where it has none.

    >>> import indicatrix as ix
    >>> directed(ix.measure("abs(tp - fp)"), "lower").better
    'lower'
    """
    found = needed_direction(measure, better)
    return measure if measure.better == found else measure.towards(found)


def about_direction(measure: Any, better: str) -> str:
    """Return the sentence that says why a measure has no direction."""
    if better == "neither":
        return f"Neither higher nor lower values of {measure} are better."
    reason = measure.direction.reason if hasattr(measure, "direction") else ""
    return f"Whether higher or lower values of {measure} are better is not known{f': {reason}' if reason else ''}."
