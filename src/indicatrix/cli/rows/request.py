"""What the options of ``indicatrix evaluate`` ask for, read before any file is opened."""

from __future__ import annotations

import codecs
import csv
import math
import re
from dataclasses import dataclass
from typing import Any

from ...engines.arrow_columns import NUMBER

MISSING = {"error": "error", "mask": "mask", "abstain": "abstain", "mask,abstain": ("mask", "abstain")}


@dataclass(frozen=True)
class Request:
    """The options: how rows become an evaluation, and which scores to show."""

    true: str | None = None
    pred: str | None = None
    score: str | None = None
    decide: Any = None
    multilabel: str | None = None
    separator: str | None = None
    classes: tuple[str, ...] | None = None
    positive: str | None = None
    by: tuple[str, ...] = ()
    weight: str | None = None
    missing: Any = "error"
    measures: tuple[Any, ...] = ()
    averages: tuple[str, ...] = ()
    undefined: Any = "exclude"
    interval: float | None = None
    prevalence: Any = None  # the share of the positive class where the classifier is used, or shares by the names of classes
    sampled: str | None = None

    @property
    def selects(self) -> bool:
        """Whether measures or averages are given, so that only their scores are shown."""
        return bool(self.measures or self.averages)


def interval_of(text: str | None) -> float | None:
    """Return the level that ``--interval`` names, as a share or in percent.

    >>> interval_of("0.9"), interval_of("95%"), interval_of(None)
    (0.9, 0.95, None)
    """
    if text is None:
        return None
    try:
        level = float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    except ValueError:
        level = 0.0
    if not 0 < level < 1:
        raise ValueError(f"--interval {text} must be a level between 0 and 1, such as 0.95 or 95%.")
    return level


def prevalence_of(text: str | None) -> float | dict[str, float] | None:
    """Return the share, or the shares of classes, that ``--prevalence`` names.

    >>> prevalence_of("0.02"), prevalence_of("2%"), prevalence_of("cat=0.2,dog=0.8"), prevalence_of(None)
    (0.02, 0.02, {'cat': 0.2, 'dog': 0.8}, None)
    """
    if text is None:
        return None
    try:
        if "=" not in text:
            return _share(text)
        parts = [part.rpartition("=") for part in text.split(",")]
        return {name.strip(): _share(share) for name, _, share in parts}
    except ValueError:
        raise ValueError(
            f"--prevalence {text} must be the share of the positive class, such as 0.02 or 2%, or the share of each class, such "
            "as cat=0.2,dog=0.8. A range of shares is for ev.interval in Python."
        ) from None


def _share(text: str) -> float:
    share = float(text.strip().removesuffix("%")) / (100 if text.strip().endswith("%") else 1)
    if not 0 <= share <= 1:
        raise ValueError
    return share


def delimiter_of(text: str | None) -> str | None:
    r"""Return the character that ``--delimiter`` stands for.

    >>> delimiter_of("tab"), delimiter_of(";")
    ('\t', ';')
    """
    if text is None:
        return None
    character = "\t" if text in ("tab", "\\t") else text
    if len(character) != 1 or character in '"\r\n':
        raise ValueError(f"--delimiter {text!r} is not one character. Use , or ; or tab, for example.")
    return character


def separator_of(text: str | None) -> str | None:
    r"""Return the text that ``--separator`` puts between the labels of one cell.

    >>> separator_of("tab"), separator_of(";"), separator_of(", ")
    ('\t', ';', ', ')
    """
    if text == "":
        raise ValueError("--separator is empty. Name what stands between two labels of a cell: --separator ';', for example.")
    return "\t" if text in ("tab", "\\t") else text


def encoding_of(text: str) -> str:
    """Return the encoding; refuse one that Python does not know."""
    try:
        "".encode(text)
        codecs.lookup(text)
    except LookupError:
        raise ValueError(f"--encoding {text!r} is unknown. Use utf-8, utf-16, cp1252 or latin-1, for example.") from None
    return text


def decide_of(text: str | None) -> Any:
    """Return the rule that turns scores into decisions.

    >>> decide_of("argmax"), decide_of("0.5"), decide_of("top3"), decide_of("reject_below(0.7)"), decide_of("hit_in_top(2)")
    ('argmax', 0.5, top_k(3), reject_below(0.7), hit_in_top(2))
    """
    if text is None or text == "argmax":
        return text
    from ...encode.decisions import ROW_RULES

    top = re.fullmatch(r"top[_ ]?(\d+)", text)
    named = re.fullmatch(r"(\w+)\((.+)\)", f"top_k({top[1]})" if top else text)
    number = _number(named[2] if named else text)
    if number is None or not math.isfinite(number) or (named and named[1] not in ROW_RULES):
        possible = ", ".join(f"'{name}(…)'" for name in ROW_RULES)
        raise ValueError(
            f"--decide {text!r} is not a rule. Use argmax, a threshold such as 0.5, top3, or a rule of rows: {possible}."
        )
    return ROW_RULES[named[1]](int(number) if number.is_integer() else number) if named else number


def undefined_of(text: str) -> Any:
    """Return the convention for undefined values: a word, or the number that replaces them."""
    if text in ("exclude", "nan", "raise"):
        return text
    number = _number(text)
    if number is None or not math.isfinite(number):
        raise ValueError(f"--undefined {text!r} is not a convention. Use exclude, nan, raise or a number such as 0.")
    return int(number) if number.is_integer() else number


def split_names(text: str) -> tuple[str, ...]:
    """Return the names in a list with commas; a name that contains a comma is quoted.

    >>> split_names('ant, "cat, wild"')
    ('ant', 'cat, wild')
    """
    return tuple(name.strip() for name in next(csv.reader([text], skipinitialspace=True), []) if name.strip())


def classes_of(text: str | None) -> tuple[str, ...] | None:
    """Return the classes in their order; None if the file decides them."""
    names = None if text is None else split_names(text)
    if names == ():
        raise ValueError(f"--classes {text!r} does not name a class. Write names with commas between them, or leave it out.")
    return names


def _number(text: str) -> float | None:
    return float(text) if NUMBER.fullmatch(text) else None
