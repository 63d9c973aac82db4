"""Evaluations as plain data for files, and back: counts, names and how they were made, no raw rows.

Records of version 1 of the format are read, too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from .algebra.counts import CELLS
from .encode.decisions import ROW_RULES, RowRule
from .encode.vocabulary import check_classes
from .evaluation import Evaluation
from .settings.options import Recipe
from .settings.ordinal import NAMES, SIDES, Ordinal, ordinal, read_ordinal
from .storage.formats import FORMATS
from .storage.json_values import fields, flag_in, list_in, name_in, name_out, names_in, number_in, number_out, text_in
from .tally.saved.saved_tally import from_json, to_json
from .words.wording import short

KINDS = ("multiclass", "multilabel", "soft", "counts")
FROM_TEXT: dict[str, Callable[[str], Any]] = {
    "tnorm": str,
    "cost": str,
    "hierarchy": str,
    "unobserved": lambda text: tuple(text.split(", ")),
    "abstained": lambda text: "mask",
    "answers": lambda text: True,
    "ordinal": read_ordinal,
}
VERSION = FORMATS["indicatrix evaluation"].versions[-1]  # that is written here, and in files of several evaluations


def recipe_to_json(recipe: Recipe) -> dict[str, Any]:
    """Return what was used as plain data; what was not used is left out."""
    used = {name: getattr(recipe, name) for name in Recipe._fields if getattr(recipe, name) is not Recipe._field_defaults[name]}
    return {name: WRITERS[name](value) if name in WRITERS else value for name, value in used.items()}


def facts_to_json(kind: str, positive: Any, recipe: Recipe) -> dict[str, Any]:
    """Return the kind, the named positive class and the record of an evaluation as plain data."""
    return {"kind": kind, "positive": None if positive is None else [name_out(positive)], "made": recipe_to_json(recipe)}


def facts_from_json(version: int, data: Mapping[str, Any]) -> tuple[str, Any, Recipe]:
    """Return the kind, the named positive class and the record of an evaluation from its file's content."""
    kind, positive, made = fields(data, ("kind", "positive", "made"), "the file")
    if kind not in KINDS:
        raise ValueError(f"its kind is {short(kind)}, not one of {', '.join(KINDS)}")
    named = () if positive is None else names_in(positive, "the positive class")
    if len(named) > 1 or positive == []:
        raise ValueError(f"the positive class is {short(positive)}, not a list of one label")
    return kind, next(iter(named), None), recipe_from_version_1(made) if version == 1 else recipe_from_json(made)


def recipe_from_json(data: Any) -> Recipe:
    """Return the record that plain data stand for."""
    if not isinstance(data, dict):
        raise ValueError(f"how it was made is {short(data)}, not an object")
    unknown = next((name for name in data if name not in Recipe._fields), None)
    if unknown is not None:
        raise ValueError(f"it was made with {unknown!r}, which this release does not know")
    return Recipe(**{name: READERS.get(name, partial(text_in, what=name))(value) for name, value in data.items()})


def recipe_from_version_1(data: Any) -> Recipe:
    """Return the record that the texts of version 1 stand for; some texts cannot be read back."""
    facts = [_pair_in(fact) for fact in list_in(data, "how it was made")]
    for name, _ in facts:
        if name not in FROM_TEXT:
            raise ValueError(
                f"it was written by version 1 of the format, which keeps {name!r} as a text that cannot be read back. "
                "Evaluate again, and save the result"
            )
    return Recipe(**{name: FROM_TEXT[name](text_in(text, name)) for name, text in facts})


def _names_out(names: tuple[Any, ...]) -> list[Any]:
    return [name_out(name) for name in names]


def _pair_in(data: Any) -> tuple[str, Any]:
    """Return a name and its value."""
    if not isinstance(data, list) or len(data) != 2:
        raise ValueError(f"{short(data)} is not a name with a value")
    return text_in(data[0], "a name"), data[1]


def _numbers_in(data: Any, what: str) -> tuple[Any, ...]:
    return tuple(number_in(x, what) for x in list_in(data, what))


def _label_in(data: Any) -> Any:
    (label,) = names_in([data], "labels")
    return label


def _rule_out(rule: Any) -> Any:
    match rule:
        case RowRule():
            return {rule.name: number_out(rule.number)}
        case tuple():
            return {"thresholds": [number_out(x) for x in rule]}
        case str():
            return {"rule": rule}
    return {"threshold": number_out(rule)}


def _rule_in(data: Any) -> Any:
    if not isinstance(data, dict) or len(data) != 1:
        raise ValueError(f"decide: {short(data)} is not a rule")
    ((kind, value),) = data.items()
    match kind:
        case str() if kind in ROW_RULES:
            return ROW_RULES[kind](number_in(value, kind))
        case "thresholds":
            return _numbers_in(value, "the thresholds")
        case "threshold":
            return number_in(value, "the threshold")
        case "rule" if value == "argmax":
            return value
    raise ValueError(f"decide: {short(data)} is not a rule")


def _ordinal_out(given: Ordinal) -> dict[str, Any]:
    return {"encoding": given.encoding, "sides": given.sides, "params": {k: number_out(v) for k, v in given.params}}


def _ordinal_in(data: Any) -> Ordinal:
    encoding, sides, params = fields(data, ("encoding", "sides", "params"), "ordinal")
    if sides not in SIDES or not isinstance(params, dict):
        raise ValueError(f"ordinal: {short(data)} is not an encoding")
    numbers = {name: number_in(value, name) for name, value in params.items()}
    if text_in(encoding, "the encoding") in NAMES:
        return ordinal(encoding, sides=sides, **numbers)
    return Ordinal(encoding, sides, tuple(numbers.items()))  # the caller's own function, of which the name is kept


def _value_out(value: Any) -> Any:
    if isinstance(value, str | bool | bytes):
        return name_out(value)
    return {"numbers": [number_out(x) for x in value]} if isinstance(value, tuple) else {"number": number_out(value)}


def _value_in(data: Any) -> Any:
    match data:
        case {"numbers": values} if len(data) == 1:
            return _numbers_in(values, "a task")
        case {"number": value} if len(data) == 1:
            return number_in(value, "a task")
        case str() | bool() | {"bytes": _}:
            return name_in(data)
    raise ValueError(f"{short(data)} is not a value of a task")


def _targets_in(data: Any) -> tuple[tuple[Any, Recipe], ...]:
    pairs = list_in(data, "the targets")
    if any(not isinstance(pair, list) or len(pair) != 2 for pair in pairs):
        raise ValueError(f"the targets are {short(data)}, not pairs of a name and how it was made")
    names = names_in([name for name, _ in pairs], "the targets")
    return tuple(zip(names, (recipe_from_json(made) for _, made in pairs), strict=True))


def _unobserved_in(data: Any) -> tuple[str, ...]:
    cells = tuple(text_in(x, "a cell") for x in list_in(data, "the cells not observed"))
    if not set(cells) <= set(CELLS):
        raise ValueError(f"the cells not observed are {short(data)}, and the cells are {', '.join(CELLS)}")
    return cells


WRITERS: dict[str, Callable[[Any], Any]] = {
    "decide": _rule_out,
    "abstain": name_out,
    "known": _names_out,
    "unknown": name_out,
    "only": _names_out,
    "ordinal": _ordinal_out,
    "memberships": lambda values: [number_out(x) for x in values],
    "targets": lambda targets: [[name_out(name), recipe_to_json(recipe)] for name, recipe in targets],
    "task": lambda facts: [[name, _value_out(value)] for name, value in facts],
}
READERS: dict[str, Callable[[Any], Any]] = {  # of the fields of the record that are not texts
    "decide": _rule_in,
    "abstain": _label_in,
    "known": lambda names: check_classes(names_in(names, "the known classes"), "known"),
    "unknown": _label_in,
    "ordinal": _ordinal_in,
    "memberships": lambda values: _numbers_in(values, "the memberships"),
    "targets": _targets_in,
    "unobserved": _unobserved_in,
    "only": lambda names: check_classes(names_in(names, "the selected classes"), "only"),
    "answers": lambda flag: flag_in(flag, "answers"),
    "task": lambda facts: tuple((name, _value_in(value)) for name, value in map(_pair_in, list_in(facts, "the task"))),
}


def to_data(ev: Evaluation) -> dict[str, Any]:
    """Return an evaluation as plain data."""
    return {**facts_to_json(ev.kind, ev.named_positive, ev.recipe), "tally": to_json(ev.tally)}


def from_data(version: int, data: dict[str, Any]) -> Evaluation:
    """Return the evaluation that plain data of a version of the format describe."""
    (tally,) = fields(data, ("tally",), "an evaluation")
    return Evaluation(from_json(tally), *facts_from_json(version, data))
