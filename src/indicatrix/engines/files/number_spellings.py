"""Spellings of whole numbers: 1 and 1.0 are counted as one label, long before all labels are known."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from .text_classes import whole_number


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
