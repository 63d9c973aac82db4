"""Registry: things by their names and aliases, and the names that nothing else may take."""

from __future__ import annotations

from collections.abc import ItemsView, Iterable, Iterator, KeysView, ValuesView
from importlib import import_module
from typing import Any, TypeVar

from ..public_names import names_of

T = TypeVar("T", bound=Any)  # what is registered has a name and aliases


class Registry(dict[str, T]):
    """Measures by name and alias; a loop sees those of its start, whatever other threads register."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.reserved: set[str] = set()  # names that no further measure may take

    def _now(self) -> dict[str, T]:
        return {name: self[name] for name in list(super().keys()) if name in self}

    def __iter__(self) -> Iterator[str]:
        return iter(self._now())

    def __repr__(self) -> str:
        return f"<{len(dict.fromkeys(self.values()))} measures under {len(self)} names; ix.catalogue() lists them>"

    def keys(self) -> KeysView[str]:  # type: ignore[override]
        """Return the names."""
        return self._now().keys()

    def values(self) -> ValuesView[T]:  # type: ignore[override]
        """Return the measures, once for each of their names."""
        return self._now().values()

    def items(self) -> ItemsView[str, T]:  # type: ignore[override]
        """Return the names with their measures."""
        return self._now().items()

    def register(self, made: T) -> None:
        """Add a measure under its name and aliases; reserved names cannot be replaced."""
        for key in (made.name, *made.aliases):
            if not key.isidentifier():
                raise ValueError(f"A measure's name must be an identifier such as 'my_measure', not {key!r}.")
            if key in self.reserved or (key in self and self[key].name != made.name):
                raise ValueError(f"A measure named {key!r} already exists. Choose another name.")
        former = self.get(made.name)
        for key in () if former is None else (former.name, *former.aliases):
            del self[key]
        for key in (made.name, *made.aliases):
            self[key] = made

    def reserve(self, names: Iterable[str]) -> None:
        """Keep these names: no further measure may take them."""
        self.reserved.update(names)


OF_COUNTS: Registry[Any] = Registry()  # the measures of four counts: here, because formulas have them as terms
OF_OTHERS: Registry[Any] = Registry()  # the measures of other kinds, whose modules stand above the algebra
KINDS = {  # where a kind is defined, as what, and which module registers its measures; in the order of listings
    "counts": ("algebra.count_formula", "COUNTS", "catalogue"),
    "labels": ("catalogue.averages", "LABELS", "catalogue"),
    "sums": ("algebra.sums", "SUMS", "catalogue"),
    "matrix": ("catalogue.matrix_measures", "TABLE", "catalogue.matrices"),
    "ranking": ("scores.areas", "RANKING", "scores.areas"),
    "scores": ("scores.score_functions", "SCORES", "scores.score_functions"),
    "objects": ("vision.image_measures", "OBJECTS", "vision.image_measures"),
    "segments": ("vision.image_measures", "SEGMENTS", "vision.image_measures"),
    "distances": ("vision.image_measures", "DISTANCES", "vision.image_measures"),
    "answers": ("evals.measures", "ANSWERS", "catalogue"),  # whose three measures have their names only among runs
}
LATER = [*dict.fromkeys(module for _, _, module in KINDS.values() if module != "catalogue")]  # those that are not loaded yet
ALIASES = (  # of measures of LATER that the public names do not list: they are taken, and nothing is loaded to know it
    *("average_recall", "panoptic_quality", "segmentation_quality", "recognition_quality"),
    *("hausdorff_distance", "hd95", "average_surface_distance"),
)


def registered(name: str) -> Any:
    """Return the measure of any kind that has a name or an alias; None if there is none.

    >>> str(registered("f1")), str(registered("auc")), registered("nothing")
    ('f1', 'auc', None)
    """
    if name in OF_COUNTS:
        return OF_COUNTS[name]
    while name not in OF_OTHERS and LATER:
        _load_next()
    return OF_OTHERS.get(name)


def every_measure() -> tuple[Any, ...]:
    """Return the measures of all kinds, in the order in which they are registered: those of counts first."""
    while LATER:
        _load_next()
    place = {name: i for i, name in enumerate(KINDS)}
    others = sorted(OF_OTHERS.values(), key=lambda m: place.get(m.reads.name, len(place)))  # whatever was loaded first
    return tuple(dict.fromkeys((*OF_COUNTS.values(), *others)))


def every_name() -> tuple[str, ...]:
    """Return the names and aliases of the measures of all kinds."""
    every_measure()
    return *OF_COUNTS, *OF_OTHERS


def names_of_others() -> set[str]:
    """Return the names of measures of other kinds than counts; scores and images are not loaded for this."""
    while LATER and LATER[0].startswith("catalogue."):
        _load_next()
    return {*OF_OTHERS, *names_of("measures"), *ALIASES}


def _load_next() -> None:
    import_module(f"{__package__.rpartition('.')[0]}.{LATER[0]}")
    LATER.pop(0)
