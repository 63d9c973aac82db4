"""The axes of images: their names, and what by= groups them by."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..algebra.wording import listing, short, type_of
from ..encode.weights import check_by


def axes_of_images(images: Any, by: Any, n: int) -> tuple[tuple[str, ...], list[tuple[Any, ...]]]:
    """Return the axes, the image first, and the place of each image on them."""
    if by is not None and not isinstance(by, Mapping):
        raise TypeError(f"by= is {type_of(by)}; give a name for each grouping of the images, by={{'site': sites}}.")
    if by is not None and "image" in by:
        raise ValueError("by= cannot have 'image', because the images are that axis. Name them with images=.")
    named = {"image": range(n) if images is None else images, **(by or {})}
    for axis, ids in named.items():
        argument = "images" if axis == "image" else f"by[{axis!r}]"
        if not hasattr(ids, "__len__") or len(ids) != n:
            raise ValueError(f"{argument}= must have one entry for each of the {n} images.")
    groups = check_by(named, n)
    names = groups["image"][0]
    if len(names) < n:
        seen = set[Any]()
        twice = next(x for x in images if x in seen or seen.add(x))  # type: ignore[func-returns-value]
        raise ValueError(f"images= has {short(twice)} twice. Give every image its own name; group images with by=.")
    columns = [[names[c] for c in codes.tolist()] for names, codes in groups.values()]
    return tuple(groups), list(zip(*columns, strict=True))


def check_sample(sample: str, by: Mapping[str, Any]) -> None:
    """Refuse what images cannot be sampled by."""
    if sample != "image" and sample not in by:
        raise ValueError(f"sample={sample!r} is not an axis of images. There are {listing(('image', *by))}.")


def check_same_images(one: Any, two: Any) -> None:
    """Refuse to compare two evaluations of other images, classes or axes."""
    if (one.images, one.classes, one.by) != (two.images, two.classes, two.by):
        raise ValueError(
            "The two models were not evaluated on the same images and classes. Give both the same images=, classes=."
        )


def join_images(one: Any, two: Any) -> dict[str, Any]:
    """Return the images of two evaluations on the axes that both have; no image may be in both."""
    if shared := [name for name in one.images if name in set(two.images)]:
        raise ValueError(f"Both evaluations have the images {listing(shared)}. Name the images of each batch with images=.")
    return {"images": (*one.images, *two.images), "by": {axis: (*units, *two.by[axis]) for axis, units in one.by.items()}}
