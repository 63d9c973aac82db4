"""How an evaluation was made, as plain data for a file, and back; also from version 1 of the format."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ...encode.decisions import ROW_RULES, RowRule
from ...tally.saved_tally import name_in, name_out, number_in, number_out
from .made import Made
from .ordinal import Ordinal, read_ordinal


def made_to_json(made: Made) -> dict[str, Any]:
    """Return what was used as plain data; what was not used is left out."""
    used = {name: getattr(made, name) for name in Made._fields if getattr(made, name) is not Made._field_defaults[name]}
    return {name: WRITERS.get(name, _as_is)(value) for name, value in used.items()}


def made_from_json(data: Mapping[str, Any]) -> Made:
    """Return the record that plain data stand for."""
    return Made(**{name: READERS.get(name, _as_is)(value) for name, value in data.items()})


def made_from_version_1(facts: list[tuple[str, str]]) -> Made:
    """Return the record that the texts of version 1 stand for; some texts cannot be read back."""
    for name, _ in facts:
        if name not in FROM_TEXT:
            raise ValueError(
                f"it was written by version 1 of the format, which keeps {name!r} as a text that cannot be read back. "
                "Evaluate again, and save the result"
            )
    return Made(**{name: FROM_TEXT[name](text) for name, text in facts})


FROM_TEXT: dict[str, Callable[[str], Any]] = {
    "tnorm": str,
    "cost": str,
    "hierarchy": str,
    "unobserved": lambda text: tuple(text.split(", ")),
    "abstained": lambda text: "mask",
    "answers": lambda text: True,
    "ordinal": read_ordinal,
}


def _as_is(value: Any) -> Any:
    return value


def _names_out(names: tuple[Any, ...]) -> list[Any]:
    return [name_out(name) for name in names]


def _names_in(data: list[Any]) -> tuple[Any, ...]:
    return tuple(map(name_in, data))


def _rule_out(rule: Any) -> Any:
    match rule:
        case RowRule():
            return {rule.name: number_out(rule.number)}
        case tuple():
            return {"thresholds": [number_out(x) for x in rule]}
        case str():
            return {"rule": rule}
    return {"threshold": number_out(rule)}


def _rule_in(data: dict[str, Any]) -> Any:
    ((kind, value),) = data.items()
    match kind:
        case str() if kind in ROW_RULES:
            return ROW_RULES[kind](number_in(value))
        case "thresholds":
            return tuple(map(number_in, value))
        case "threshold":
            return number_in(value)
    return value


def _ordinal_out(given: Ordinal) -> dict[str, Any]:
    return {"encoding": given.encoding, "sides": given.sides, "params": {k: number_out(v) for k, v in given.params}}


def _ordinal_in(data: dict[str, Any]) -> Ordinal:
    return Ordinal(data["encoding"], data["sides"], tuple((k, number_in(v)) for k, v in data["params"].items()))


def _value_out(value: Any) -> Any:
    if isinstance(value, str | bool):
        return value
    return {"numbers": [number_out(x) for x in value]} if isinstance(value, tuple) else {"number": number_out(value)}


def _value_in(data: Any) -> Any:
    match data:
        case {"numbers": values}:
            return tuple(map(number_in, values))
        case {"number": value}:
            return number_in(value)
    return data


WRITERS: dict[str, Callable[[Any], Any]] = {
    "decide": _rule_out,
    "abstain": name_out,
    "known": _names_out,
    "unknown": name_out,
    "only": _names_out,
    "ordinal": _ordinal_out,
    "memberships": lambda values: [number_out(x) for x in values],
    "targets": lambda targets: [[name_out(name), made_to_json(made)] for name, made in targets],
    "task": lambda facts: [[name, _value_out(value)] for name, value in facts],
}
READERS: dict[str, Callable[[Any], Any]] = {
    "decide": _rule_in,
    "abstain": name_in,
    "known": _names_in,
    "unknown": name_in,
    "only": _names_in,
    "ordinal": _ordinal_in,
    "unobserved": tuple,
    "memberships": lambda values: tuple(map(number_in, values)),
    "targets": lambda targets: tuple((name_in(name), made_from_json(made)) for name, made in targets),
    "task": lambda facts: tuple((name, _value_in(value)) for name, value in facts),
}
