"""Columns: objects as a caller gives them, with words for where each stands.

So an error names the image and the index.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...encode.device_arrays import detach, to_host
from ...encode.factorize import objection, plain_label
from ...encode.plain_forms import is_missing
from ...encode.vocabulary import family_of
from ...words.wording import listing, short

FARTHEST = 1e150  # of coordinates: areas are products of two, and floats hold them up to 1e308 and down to 1e-308
KINDS = ("boxes", "masks", "oriented", "keypoints")


@dataclass(frozen=True, eq=False)
class Columns:
    """Truth or predictions: the image, the class and the shape of each object, and what else is known."""

    side: str  # the name of the argument
    image: Sequence[Any]  # the name of the image of each object
    label: Sequence[Any]
    shape: Any  # what the kind of shape needs: an array, or a list of masks
    place: Callable[[int], str]  # where an object stands, for messages: "truth[3]"
    area: Any = None
    crowd: Any = None
    ignore: Any = None
    score: Any = None
    boxes: Any = None  # around keypoints
    more: Mapping[str, Any] = field(default_factory=dict)

    @property
    def n(self) -> int:
        """The number of objects."""
        return len(self.image)

    def where(self, i: int) -> str:
        """Return where an object stands, with its image."""
        return f"{self.place(i)} (image {short(self.image[i])})"

    def numbers(self, values: Any, name: str, *, width: int | None = None) -> Array:
        """Return numbers, one for each object or a row of them, finite; else an error names the object."""
        shape = (self.n,) if width is None else (self.n, width)
        array = numbers_or_none(values)
        if array is not None and not array.size and not self.n:
            return np.zeros(shape)
        if array is None or array.shape != shape:
            raise self._wrong_shape(values, name, width)
        bad = ~np.isfinite(array)
        if bad.any():
            i = int(np.argwhere(bad)[0][0])
            raise ValueError(f"{self.where(i)}: {name} is {short(array[i].tolist())}; every number must be finite.")
        return array

    def check_range(self, lengths: Array, name: str, *, least: float = 0.0) -> None:
        """Refuse coordinates or sizes, a row per object, whose products floats do not hold."""
        sizes = np.abs(lengths)
        bad = ((sizes > FARTHEST) | ((sizes != 0) & (sizes < least))).any(axis=1)
        if bad.any():
            i = int(bad.argmax())
            raise ValueError(
                f"{self.where(i)}: {name} {short(lengths[i].tolist())}. Areas of such lengths leave the range of floats. "
                "Multiply all coordinates by a constant."
            )

    def _wrong_shape(self, values: Any, name: str, width: int | None) -> ValueError:
        wanted = "a number" if width is None else f"{width} numbers"
        for i, value in enumerate(values if len(values) == self.n else ()):
            array = numbers_or_none(value)
            if array is None or array.shape != (() if width is None else (width,)):
                return ValueError(f"{self.where(i)}: {name} is {short(value)}; give {wanted}.")
        return ValueError(f"{self.side}: {name} has shape {np.shape(values)}; give {wanted} for each of {self.n} objects.")

    def flags(self, values: Any, name: str) -> Array:
        """Return whether something is so for each object; by default, it never is."""
        if values is None:
            return np.zeros(self.n, bool)
        array = self.numbers(values, name)
        if not ((array == 0) | (array == 1)).all():
            i = int(((array != 0) & (array != 1)).argmax())
            raise ValueError(f"{self.where(i)}: {name} is {array[i]:g}; give False or True (0 or 1).")
        return array.astype(bool)

    def check_labels(self) -> None:
        """Refuse a class without a name, or with a list for a name, where it stands."""
        for i, label in enumerate(self.label):
            if label is None or isinstance(label, list | dict | set) or hasattr(label, "__array__") or label != label:
                raise ValueError(f"{self.where(i)}: the class is {short(label)}; a class is a number or a text.")

    def codes(self, values: Sequence[Any], names: Sequence[Any], what: str, advice: str) -> Array:
        """Return the position of each value among names; an unknown one is an error."""
        place = {name: k for k, name in enumerate(names)}
        try:
            return np.fromiter((place[value] for value in values), np.intp, len(values))
        except KeyError as unknown:
            name = unknown.args[0]
            i = next(k for k, value in enumerate(values) if value == name)
            raise ValueError(
                f"{self.where(i)}: the {what} {short(name)} is not among the {len(names)} of the truth: {listing(tuple(names))}. "
                f"{advice}"
            ) from None
        except TypeError:
            raise TypeError(f"{self.side}: a {what} must be a number or a text.") from None


def numbers_or_none(values: Any) -> Array | None:
    """Return an array of numbers, or None where there is something else.

    >>> numbers_or_none([1, "x"]) is None
    True
    """
    try:
        array = np.asarray(values)
        return None if array.dtype.kind == "c" else array.astype(np.float64, copy=False)
    except (TypeError, ValueError):
        return None


def on_host(values: Any, place: str) -> Any:
    """Return a tensor of any device and precision as an array, and anything else as it is.

    An array that hides some of its values is an error: what lies under its mask is not data.
    """
    if isinstance(values, np.ma.MaskedArray):
        hidden = np.ma.getmaskarray(values)
        if hidden.any():
            at = ", ".join(map(str, np.argwhere(hidden)[0].tolist()))
            raise ValueError(
                f"{place}[{at}] is missing: this masked array hides {int(hidden.sum())} of {hidden.size} values. Fill them, with "
                "a label that ignore= names where there is one."
            )
        return values.data
    return to_host(detach(values)) if hasattr(values, "data_ptr") else values


def name_of_dtype(given: Any, read: Array) -> str:
    """Return the name of the type of numbers as the caller knows it; bfloat16 is read as float32.

    >>> name_of_dtype([1.5], np.array([1.5]))
    'float64'
    """
    return str(getattr(given, "dtype", read.dtype)).removeprefix("torch.")


def plain(values: Any) -> list[Any]:
    """Return labels or names as a list of plain Python values.

    >>> plain(np.array([1, 2]))
    [1, 2]
    """
    return [*values.tolist()] if hasattr(values, "tolist") else [x.item() if hasattr(x, "item") else x for x in values]


def check_ignore(ignore: Any, classes: Any, several: str) -> Any:
    """Return the label of pixels that are not observed.

    ``several`` says, in the error of a list, how to hide pixels of several labels.

    >>> import numpy as np
    >>> check_ignore(np.int64(255), None, "")
    255
    """
    if ignore is None:
        return None
    if isinstance(ignore, list | tuple | set | frozenset | dict) or getattr(ignore, "ndim", 0) > 0:
        raise ValueError(f"ignore={short(ignore)} must be one label. To hide pixels of several labels, {several}.")
    ignore = plain_label(ignore)
    if is_missing(ignore) or objection(ignore):
        raise ValueError(f"ignore={short(ignore)} is not a label. Give the label of the pixels to leave out.")
    if ignore in list(classes or ()):
        raise ValueError(f"ignore={short(ignore)} is among classes=. Its pixels are not observed: leave it out of classes=.")
    return ignore


def check_type(ignore: Any, held: set[str], place: str) -> None:
    """Refuse a label that no pixel of a place can have, because the labels there are of other types.

    >>> check_type(255, {"number"}, "image 0")
    """
    if ignore is not None and held and (mine := family_of(type(ignore))) not in held:
        raise TypeError(
            f"ignore={short(ignore)} is of type {mine} and the labels are of type {' and '.join(sorted(held))}: "
            f"no pixel of {place} can have it. Give it in the type of the maps."
        )
