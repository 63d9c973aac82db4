"""What measures accept when they are called: one unit, a source of units, or two arrays."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .score import Undefined


@dataclass(frozen=True, eq=False, repr=False)
class Door:
    """What a kind of measure takes when it is called.

    Measures of counts, matrices and areas differ only in these fields.
    """

    takes: str  # everything that it takes, in words
    source: str  # what a source is called, and ...
    is_source: Callable[[Any], bool]
    make: Callable[..., Any]  # a source, from two arrays and options
    check: Callable[[Any, dict[str, Any]], None]  # refuses options that mean something else here
    unit: str = ""  # what a unit is called, and ...
    value: str = ""  # ... what the measure of a unit is

    def open(self, caller: Any, args: tuple[Any, ...], options: dict[str, Any]) -> Any:
        """Return the source among the arguments of a call, or the one made of the two arrays."""
        if len(args) == 2:
            if options:
                self.check(caller, options)
            return self.make(*args, **options)
        if len(args) != 1 or not self.is_source(args[0]):
            raise TypeError(f"{caller} takes {self.takes}; {len(args)} arguments were given.")
        _refuse_options(caller, options, self.source)
        return args[0]

    def check_unit(self, caller: Any, average: Any, undefined: Undefined, options: dict[str, Any]) -> None:
        """Refuse an average, a convention or options together with one unit."""
        if average is not None or undefined != "exclude":
            raise TypeError(f"{caller} of {self.unit} is {self.value}; an average and undefined= need {self.source} or labels.")
        _refuse_options(caller, options, self.unit)


def _refuse_options(caller: Any, options: dict[str, Any], what: str) -> None:
    if options:
        raise TypeError(f"{caller} got {', '.join(options)}, which describe labels, together with {what}.")
