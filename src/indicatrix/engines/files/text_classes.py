"""Labels of text files: integers or bools if all of them are, which is known only after the last row."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ...compare.paired_counts import on_classes
from ...evaluation import Evaluation
from ..arrow_columns import NUMBER

INTEGER = re.compile(r"0|-?[1-9][0-9]*")  # 01 is text: it may be a code where the zero matters
WHOLE = re.compile(r"(0|-?[1-9][0-9]*)(\.0)?|-0\.0")  # pandas writes 1.0 for 1 if a cell of the column was missing
BOOLS = {text: word == "true" for word in ("true", "false") for text in (word, word.capitalize(), word.upper())}
MOST_DIGITS = 4300  # of an integer: Python reads no longer ones, because this takes too long


def integers(names: Any, where: str = "A label") -> dict[str, int] | None:
    """Return the integer of each text if all texts are plain integers, otherwise None.

    An error begins with ``where``.

    >>> integers(["0", "-12"]), integers(["1", "01"])
    ({'0': 0, '-12': -12}, None)
    """
    names = list(names)
    if not all(isinstance(name, str) and INTEGER.fullmatch(name) for name in names):
        return None
    return {name: _integer(name, where) for name in names}


def _integer(name: str, where: str) -> int:
    if len(name) > MOST_DIGITS:
        raise ValueError(
            f"{where}: {name[:10]}… has {len(name):,} digits, and an integer has at most {MOST_DIGITS:,}. Correct it, or put "
            "a letter before every label if they are names."
        )
    return int(name.removesuffix(".0"))


def label_values(names: Any, where: str = "A label") -> dict[str, int] | dict[str, bool] | None:
    """Return what each text of a label means if all are whole numbers or all are bools; otherwise None.

    1 and 1.0 are the same number; 01, 1.00 and 1e0 are texts, which may be codes. True, true and TRUE are bools, and a file that
    writes them in two ways, or also as 1, is refused. An error begins with ``where``.

    >>> label_values(["1", "0.0", "1.0"]), label_values(["True", "False"]), label_values(["1.0", "a"])
    ({'1': 1, '0.0': 0, '1.0': 1}, {'True': True, 'False': False}, None)
    """
    names = list(names)
    if not all(isinstance(name, str) and (WHOLE.fullmatch(name) or name in BOOLS) for name in names):
        return None
    if not any(name in BOOLS for name in names):
        return {name: _integer(name, where) for name in names}
    first: dict[int, str] = {}
    for name in sorted({*names}):
        one = first.setdefault(BOOLS[name] if name in BOOLS else _integer(name, where), name)
        if one != name and (one in BOOLS or name in BOOLS):
            raise _two_spellings_error(one, name, where)
    return {name: BOOLS[name] for name in names} if all(name in BOOLS for name in names) else None


def whole_number(text: Any) -> int | None:
    """Return the number in the text of a label that is written as 1 or 1.0; None for other labels.

    >>> whole_number("-1.0"), whole_number("01"), whole_number("a")
    (-1, None, None)
    """
    plain = isinstance(text, str) and len(text) <= MOST_DIGITS and WHOLE.fullmatch(text)
    return _integer(text, "A label") if plain else None


def check_spellings(names: Any, where: str) -> None:
    """Refuse labels that stay texts because some are, but write one number in two ways: 1, 1.0 and cat."""
    first: dict[int, str] = {}
    for name in sorted(name for name in names if whole_number(name) is not None):
        one = first.setdefault(int(name.removesuffix(".0")), name)
        if one != name:
            raise _two_spellings_error(one, name, where)


def _two_spellings_error(one: str, other: str, where: str) -> ValueError:
    return ValueError(
        f"{where}: {one!r} and {other!r} look like the same label, written in two ways, and they would be two classes. Write "
        "it in the same way in all rows and columns."
    )


def decimal(text: str) -> float | str:
    """Return the number in a text, or the text itself if it is not a finite number.

    >>> decimal("1.50"), decimal("inf"), decimal("a")
    (1.5, 'inf', 'a')
    """
    found = float(text) if NUMBER.fullmatch(text) else None
    return text if found is None or not math.isfinite(found) else found


def values_for_text(ev: Evaluation, spelled: Mapping[str, Sequence[str]] | None = None, name: str = "") -> Evaluation:
    """Return the evaluation with integers or bools as classes, and integers as groups, if all texts are.

    This is known only after the last row. The counts do not depend on the names of the classes. ``spelled`` has, for a class that
    was counted under another name, the texts in the file. ``name`` is the file, for errors.

    >>> import indicatrix as ix
    >>> ev = ix.evaluate(["10", "2"], ["10", "10"])
    >>> ev.classes, values_for_text(ev).classes
    (('10', '2'), (2, 10))
    """
    where = f"{name}, a label"
    meaning: dict[Any, Any] | None = label_values(ev.classes, where)
    if meaning is None and spelled:
        check_spellings((text for c in ev.classes for text in spelled.get(c, ())), where)
        meaning = {c: spelled[c][0] if c in spelled else c for c in ev.classes}
    if meaning:
        # Given classes keep their order; classes found in the data are sorted, now as numbers.
        order = list(meaning.values()) if not ev.tally.open else sorted(meaning.values())
        positive = meaning.get(ev.named_positive, ev.named_positive)
        ev = replace(on_classes(ev, tuple(order), meaning), named_positive=positive)
    for axis in ev.tally.by:
        ev = group_integers(ev, axis, name)
    return ev


def refuse_numbers_as_labels(ev: Evaluation, true: str, pred: str, name: str) -> None:
    """Refuse a column of numbers such as 0.9 that has no label in common with the other column.

    These are scores: in memory their type would tell. Texts of numbers that both columns have are labels, such as ratings.
    ``name`` is the file.
    """
    counts = ev.aggregate("class")
    actual, claimed = ({c for c, n in zip(ev.classes, side, strict=True) if n > 0} for side in (counts.tpos, counts.ppos))
    if not (actual and claimed) or actual & claimed:
        return
    for labels, column, other in ((claimed, pred, true), (actual, true, pred)):
        numbers = {text: decimal(text) if isinstance(text, str) else text for text in labels}
        odd = sorted(text for text, x in numbers.items() if isinstance(x, float) and not x.is_integer())  # 1.00 is the label 1
        if odd and all(isinstance(x, float) for x in numbers.values()):
            raise ValueError(
                f"{name}: column {column!r} holds numbers such as {odd[0]}, and column {other!r} none of them: these look like "
                "scores. Name their column with score=; or give classes= if they are labels."
            )


def group_integers(ev: Evaluation, axis: str, name: str) -> Evaluation:
    """Return the evaluation with integers for the groups of an axis, if all are texts of plain integers."""
    tally, i = ev.tally, ev.tally.by.index(axis)
    meaning = integers({key[i] for key in tally.parts}, f"{name}, column {axis!r}")
    if not meaning:
        return ev
    return replace(ev, tally=tally.with_group_names(axis, meaning))


def label_like(text: str, like: Any) -> Any:
    """Return the label that a text means, given a label of the file.

    >>> label_like("1", 0), label_like("1", "a"), label_like("true", False), label_like("1.5", 2.0)
    (1, '1', True, 1.5)
    """
    if isinstance(like, bool):
        return {"true": True, "1": True, "false": False, "0": False}.get(text.lower(), text)
    if isinstance(like, int | float):
        whole = whole_number(text)
        return whole if whole is not None else decimal(text) if isinstance(like, float) else text
    return text


class NumberSpellings:
    """The name under which each label is counted: one for all spellings of a whole number.

    If all labels turn out to be numbers, that is what they mean; otherwise each gets its own text back, which works as long as it
    has only one. Only the distinct labels of a batch are looked up. ``preferred`` are texts that options name, so that an option
    finds its label.

    >>> spellings = NumberSpellings(())
    >>> [spellings.name(text) for text in ("1.0", "1", "cat")], spellings.of_names
    (['1', '1', 'cat'], {'1': ['1.0', '1']})
    """

    def __init__(self, preferred: Iterable[str]) -> None:
        self._names: dict[str, str] = {}  # of every text that occurred
        self._numbers: dict[int, str] = {}  # the name of every number
        for text in preferred:
            if (number := whole_number(text)) is not None:
                self._numbers.setdefault(number, text)

    def name(self, text: str) -> str:
        """Return the name under which a label is counted."""
        found = self._names.get(text)
        if found is None:
            number = whole_number(text)
            found = text if number is None else self._numbers.setdefault(number, str(number))
            self._names[text] = found
        return found

    @property
    def of_names(self) -> dict[str, list[str]]:
        """The texts of each whole number, by the name under which it is counted."""
        found: dict[str, list[str]] = {}
        for text, name in self._names.items():
            if whole_number(text) is not None:
                found.setdefault(name, []).append(text)
        return found

    @property
    def texts(self) -> list[str]:
        """The texts of whole numbers that occurred."""
        return [text for texts in self.of_names.values() for text in texts]

    def load(self, texts: Iterable[str]) -> None:
        """Take up texts that occurred before."""
        for text in texts:
            self.name(text)


def texts_in(value: Any) -> Iterator[str]:
    """Yield the texts in an option: itself, or what a list or a mapping holds.

    >>> [*texts_in({"1.0": ["a", 2]})]
    ['1.0', 'a']
    """
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        yield from texts_in([*value, *value.values()])
    elif isinstance(value, list | tuple | set | frozenset):
        for one in value:
            yield from texts_in(one)
