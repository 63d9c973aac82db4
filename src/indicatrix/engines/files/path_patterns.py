"""Patterns of paths, compared one name after the other, so that no pattern takes long.

``*``, ``?`` and ``[a-c]`` stay inside one name, ``**`` is any number of folders. A pattern that fits a folder means all files
below it. What begins with a dot is hidden, as in a shell: it must be written in the pattern.
"""

from __future__ import annotations

import fnmatch
import re
from dataclasses import dataclass
from typing import NamedTuple

STAR = re.compile(r"[*?\[]")
BRACKETS = re.compile(r"\[!?\]?[^\]]*\]")
FOLDERS = "**"


class Place(NamedTuple):
    """How much of a pattern the names of a path fit."""

    part: int  # the next part of the pattern; one after the last part: all of it fits; two: a folder before did
    marked: bool = False  # an underscore begins a name that no part of the pattern names


Places = frozenset[Place]


@dataclass(frozen=True)
class PathPattern:
    """The parts of a pattern, between slashes; without any part it is the folder itself.

    >>> pattern = PathPattern.of("site=*/**/[ab].csv")
    >>> pattern.fits(["site=3", "b.csv"]), pattern.fits(["site=3", "may", "c.csv"])
    (frozenset({Place(part=3, marked=False)}), frozenset())
    """

    parts: tuple[re.Pattern[str] | None, ...]  # None is any number of folders

    @classmethod
    def of(cls, text: str) -> PathPattern:
        """Return the pattern of a text."""
        names = [name for name in text.split("/") if name]
        return cls(tuple(None if name == FOLDERS else _compile(name, text) for name in names))

    @property
    def start(self) -> Places:
        """The places before the first name."""
        return self._reach({Place(0)})

    def step(self, places: Places, name: str) -> Places:
        """Return the places after one more name of a path."""
        after, n = set[Place](), len(self.parts)
        for part, marked in places:
            below = part >= n
            if below or self.parts[part] is None:
                if not name.startswith("."):
                    after.add(Place(n + 1 if below else part, marked or name.startswith("_")))
            elif self.parts[part].fullmatch(name):  # type: ignore[union-attr]
                after.add(Place(part + 1, marked))
        return self._reach(after)

    def fits(self, names: list[str]) -> Places:
        """Return the last places of a path: where all of the pattern fits it, or one of its folders."""
        places = self.start
        for name in names:
            places = self.step(places, name)
        return self.ends(places)

    def ends(self, places: Places) -> Places:
        """Return the places at which all of the pattern fits."""
        return frozenset(place for place in places if place.part >= len(self.parts))

    def _reach(self, places: set[Place]) -> Places:
        """Return the places with those that no folder away are reached: ** also means none."""
        new = places
        while new:
            new = {Place(p + 1, m) for p, m in new if p < len(self.parts) and self.parts[p] is None} - places
            places |= new
        return frozenset(places)


def _compile(name: str, pattern: str) -> re.Pattern[str]:
    """Return the expression of a pattern of one name; its time does not grow with the number of stars."""
    for brackets in BRACKETS.finditer(name):
        for low, high in re.findall(r"(.)-(.)", brackets[0][1:-1].removeprefix("!")):
            if low > high:
                raise ValueError(f"The pattern {pattern} has the range {low}-{high}, which is empty. Write [{high}-{low}].")
    hidden = "" if name.startswith(".") else r"(?!\.)"
    return re.compile(hidden + fnmatch.translate(name))
