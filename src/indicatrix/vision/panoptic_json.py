"""COCO's panoptic files: a JSON that lists segments, and pictures with their ids as colours."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from ..algebra.wording import short
from ..storage.atomic_files import refuse_pipe
from .map_files import is_path

FIELDS: tuple[tuple[str, Any, str], ...] = (  # of an annotation
    ("image_id", int | float | str, "a number or a text"),
    ("file_name", str, "the name of its picture"),
    ("segments_info", list, "a list of segments"),
)


def is_coco(given: Any) -> bool:
    """Return whether something is COCO's panoptic JSON or its path, perhaps with a folder of pictures."""
    if isinstance(given, tuple) and len(given) == 2 and is_path(given[1]):
        given = given[0]
    return is_path(given) or (isinstance(given, Mapping) and "annotations" in given)


def read_coco(given: Any, argument: str) -> tuple[dict[Any, Any], dict[Any, bool]]:
    """Return the segments of each image by its id, and whether each category is a thing.

    The pictures lie in the folder that is given, or in the one named like the JSON.
    """
    given, folder = given if isinstance(given, tuple) else (given, None)
    if is_path(given):
        path = Path(given)
        try:
            refuse_pipe(path)
            given = json.loads(path.read_text(encoding="utf-8"))
            folder = path.with_suffix("") if folder is None else folder
        except (OSError, ValueError, RecursionError) as error:
            raise ValueError(f"{argument}={str(path)!r} cannot be read as JSON: {error}") from None
    if not isinstance(given, Mapping) or not isinstance(given.get("annotations"), list):
        raise ValueError(f"{argument} is not COCO's panoptic JSON: it needs a list 'annotations'.")
    images: dict[Any, Any] = {}
    for k, row in enumerate(given["annotations"]):
        place = f"{argument}['annotations'][{k}]"
        missing = [x for x in ("image_id", "file_name", "segments_info") if not isinstance(row, Mapping) or x not in row]
        if missing:
            raise ValueError(f"{place} has no {missing[0]!r}. COCO's panoptic JSON has image_id, file_name and segments_info.")
        for name, kinds, wanted in FIELDS:
            if not isinstance(row[name], kinds):
                raise ValueError(f"{place} has the {name} {short(row[name])}; give {wanted}.")
        if row["image_id"] in images:
            raise ValueError(f"{place} has the image {short(row['image_id'])} for the second time.")
        if folder is None:
            raise ValueError(f"{argument} has no pictures. Give the path of the JSON, or ({argument}, folder of its pictures).")
        images[row["image_id"]] = {"map": Path(folder) / row["file_name"], "segments": row["segments_info"]}
    return images, _categories(given.get("categories", ()), argument)


def _categories(given: Any, argument: str) -> dict[Any, bool]:
    if isinstance(given, str | Mapping) or not isinstance(given, Iterable):
        raise ValueError(f"{argument}['categories'] is {short(given)}; give a list of categories.")
    known: dict[Any, bool] = {}
    for k, row in enumerate(given):
        if not isinstance(row, Mapping) or isinstance(row.get("id"), list | dict | None):
            raise ValueError(f"{argument}['categories'][{k}] is {short(row)}: it needs an 'id', and 'isthing' if it is stuff.")
        if row["id"] in known:
            raise ValueError(f"{argument}['categories'][{k}] has the id {short(row['id'])} for the second time.")
        known[row["id"]] = bool(row.get("isthing", 1))
    return known
