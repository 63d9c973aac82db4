"""The classes, images and other axes of an evaluation of images as JSON, and back."""

from __future__ import annotations

from typing import Any

from ..encode.vocabulary import check_classes
from ..storage.json_values import dict_in, fields, list_in, name_in, name_out, names_in, text_in

Axes = tuple[tuple[Any, ...], tuple[Any, ...], dict[str, tuple[Any, ...]]]


def axes_out(result: Any) -> dict[str, Any]:
    """Return the classes, images and other axes of an evaluation or a scene as plain data."""
    return {
        "classes": [name_out(name) for name in result.classes],
        "images": [name_out(name) for name in result.images],
        "by": {axis: [name_out(unit) for unit in units] for axis, units in result.by.items()},
    }


def axes_in(data: dict[str, Any]) -> Axes:
    """Return the classes, the images and the other axes that plain data describe."""
    classes, images, by = fields(data, ("classes", "images", "by"), "the file")
    named = check_classes(names_in(classes, "the classes")), names_in(images, "the images")
    axes = {axis: tuple(map(name_in, list_in(units, f"the axis {axis!r}"))) for axis, units in dict_in(by, "by").items()}
    if any(len(units) != len(named[1]) for units in axes.values()):
        raise ValueError(f"an axis of by has another length than the {len(named[1])} images")
    return *named, axes


def truths_in(version: int, data: dict[str, Any], images: int) -> tuple[str, ...]:
    """Return the fingerprints of the truths of images, which version 1 of the formats does not have."""
    if version == 1:
        return ("",) * images
    (given,) = fields(data, ("truths",), "the file")
    truths = tuple(text_in(one, "the fingerprint of a truth") for one in list_in(given, "the truths"))
    if len(truths) != images:
        raise ValueError(f"it has the truths of {len(truths)} images, and there are {images}")
    return truths
