"""Objects from COCO's files: annotations and results, as paths or as what ``json.load`` returns."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...storage.formats import refuse_pipe
from ...words.wording import listing, short, type_of
from .given_columns import Columns

FIELDS = {"boxes": "bbox", "masks": "segmentation", "oriented": "bbox", "keypoints": "keypoints"}
TABLES = ("images", "annotations", "categories")
FREQUENCIES = ("r", "c", "f")
LISTS = ("neg_category_ids", "not_exhaustive_category_ids")  # of an image of LVIS


@dataclass(frozen=True, eq=False)
class CocoFiles:
    """True objects and results that were read, with the images and the classes."""

    truth: Columns
    predictions: Columns
    images: tuple[Any, ...]
    sizes: Mapping[Any, tuple[int, int]]
    ids: tuple[Any, ...]  # of the classes
    classes: tuple[Any, ...]  # their names
    negative: Mapping[Any, Sequence[Any]] | None = None  # classes that an image surely has not (LVIS)
    partial: Mapping[Any, Sequence[Any]] | None = None  # classes of which an image may have more objects (LVIS)
    frequency: tuple[str, ...] | None = None


def is_coco(truth: Any) -> bool:
    """Return whether the truth is a path or looks like COCO's annotations."""
    return isinstance(truth, str | os.PathLike) or (isinstance(truth, Mapping) and any(name in truth for name in TABLES))


def read_coco(truth: Any, predictions: Any, kind: str, *, federated: bool = False) -> CocoFiles:
    """Return what is in COCO's annotations and in a list of results."""
    given = _load(truth, "truth")
    if not isinstance(given, Mapping) or any(not isinstance(given.get(name), list) for name in TABLES):
        has = f"a dict with {listing(tuple(given))}" if isinstance(given, Mapping) else type_of(given)
        raise ValueError(f"truth is not COCO's JSON: it is {has}. Annotations are a dict with the lists {', '.join(TABLES)}.")
    images = _column(given["images"], "id", "truth['images']")
    ids = _column(given["categories"], "id", "truth['categories']")
    for name, values in (("images", images), ("categories", ids)):
        _check_ids(values, name)
        if len(set(values)) < len(values):
            twice = next(x for k, x in enumerate(values) if x in values[:k])
            raise ValueError(f"truth[{name!r}] has the id {short(twice)} twice. Every id must be there once.")
    categories = sorted(given["categories"], key=lambda row: row["id"])
    names = tuple(row.get("name", row["id"]) for row in categories)
    for row, name in zip(categories, names, strict=True):
        if not isinstance(name, Real | str):
            raise ValueError(f"The category {short(row['id'])} has the name {short(name)}; a name is a text or a number.")
    results = _results(_load(predictions, "predictions"))
    return CocoFiles(
        _truth_columns(given["annotations"], kind),
        _result_columns(results, kind),
        tuple(sorted(images)),
        _sizes(given["images"]),
        tuple(row["id"] for row in categories),
        names if len(set(names)) == len(names) else tuple(row["id"] for row in categories),
        *_federated_lists(given, categories, federated),
    )


def _sizes(rows: Sequence[Any]) -> dict[Any, tuple[int, int]]:
    """Return the height and the width of each image that has them."""
    sizes = {}
    for i, row in enumerate(rows):
        if "height" not in row or "width" not in row:
            continue
        size = row["height"], row["width"]
        if not all(isinstance(side, int | float | np.integer) and side > 0 and side % 1 == 0 for side in size):
            raise ValueError(
                f"truth['images'][{i}] has the height {short(size[0])} and the width {short(size[1])}; give pixels, or neither."
            )
        sizes[row["id"]] = int(size[0]), int(size[1])
    return sizes


def _check_ids(ids: Sequence[Any], name: str) -> None:
    kind = str if ids and isinstance(ids[0], str) else Real
    odd = next((i for i, x in enumerate(ids) if not isinstance(x, kind)), None)
    if odd is not None:
        raise ValueError(f"truth[{name!r}][{odd}] has the id {short(ids[odd])}. All ids must be numbers, or all must be texts.")


def _federated_lists(given: Mapping[str, Any], categories: Sequence[Any], federated: bool) -> tuple[Any, Any, Any]:
    if not federated:
        return None, None, None
    for i, row in enumerate(given["images"]):
        for name in LISTS:
            if name not in row:
                raise ValueError(f"truth['images'][{i}] has no {name!r}, which federated=True needs, as in LVIS.")
    negative, partial = ({row["id"]: row[name] for row in given["images"]} for name in LISTS)
    return negative, partial, _frequencies(categories)


def _frequencies(categories: Sequence[Any]) -> tuple[str, ...]:
    """Return the frequency group of each category, "" where no category has one."""
    if not any("frequency" in row for row in categories):
        return ("",) * len(categories)
    for row in categories:
        if row.get("frequency") not in FREQUENCIES:
            raise ValueError(
                f"The category {short(row['id'])} of truth['categories'] has the frequency {short(row.get('frequency'))}. "
                "federated=True needs 'r', 'c' or 'f' (rare, common, frequent) for each category, or for none."
            )
    return tuple(row["frequency"] for row in categories)


def _load(given: Any, side: str) -> Any:
    """Return what a JSON file holds, or what was given if that is not a path."""
    if not isinstance(given, str | os.PathLike):
        return given
    refuse_pipe(given, f"{side}: ")
    try:
        with open(given, encoding="utf-8") as file:
            return json.load(file)
    except FileNotFoundError:
        raise FileNotFoundError(f"{side}: there is no file {os.fspath(given)!r}.") from None
    except IsADirectoryError:
        raise ValueError(f"{side}: {os.fspath(given)!r} is a folder. Give the path of COCO's JSON file.") from None
    except (ValueError, RecursionError) as error:  # neither JSON nor UTF-8, or nested too deeply
        raise ValueError(f"{side}: the file {os.fspath(given)!r} is not JSON: {error}.") from None


def _results(given: Any) -> Sequence[Any]:
    if isinstance(given, Mapping) and isinstance(given.get("annotations"), list):
        given = given["annotations"]
    wanted = "a list of COCO's results, dicts with image_id, category_id and score"
    if isinstance(given, str | bytes | Mapping) or not isinstance(given, Sequence):
        raise ValueError(f"predictions must be {wanted}; it is {type_of(given)}.")
    if not all(issubclass(kind, Mapping) for kind in {*map(type, given)}):
        i = next(k for k, row in enumerate(given) if not isinstance(row, Mapping))
        raise ValueError(f"predictions[{i}] is {short(given[i])}; predictions must be {wanted}.")
    return given


def _column(rows: Sequence[Any], name: str, place: str) -> list[Any]:
    try:
        return [row[name] for row in rows]
    except (KeyError, TypeError, IndexError):
        i = next(k for k, row in enumerate(rows) if not isinstance(row, Mapping) or name not in row)
        has = listing(tuple(rows[i])) if isinstance(rows[i], Mapping) else type_of(rows[i])
        why = "Others have it" if name == "area" else "This is not COCO's JSON for this kind of shape"
        raise ValueError(f"{place}[{i}] has no {name!r}; it has {has}. {why}.") from None


def _names(rows: Sequence[Any], name: str, place: str) -> list[Any]:
    """Return a column of ids, each a number or a text."""
    ids = _column(rows, name, place)
    if not {*map(type, ids)}.isdisjoint((list, dict)):
        i = next(k for k, one in enumerate(ids) if isinstance(one, list | dict))
        raise ValueError(f"{place}[{i}] has the {name} {short(ids[i])}; an id is a number or a text.")
    return ids


def _truth_columns(rows: Sequence[Any], kind: str) -> Columns:
    place = "truth['annotations']"
    image, label = (_names(rows, name, place) for name in ("image_id", "category_id"))
    crowd = [row.get("iscrowd", 0) for row in rows]
    area = _column(rows, "area", place) if any("area" in row for row in rows) else None  # given for all, or for none
    ignore: Any = crowd  # COCO's program reads no other flag
    boxes = None
    shape = _column(rows, FIELDS[kind], place)
    if kind == "keypoints":
        boxes = _column(rows, "bbox", place)
        ignore = [
            bool(flag) or _visible(row, f"{place}[{i}]") == 0 for i, (flag, row) in enumerate(zip(crowd, rows, strict=True))
        ]
    return Columns(
        "truth",
        image,
        label,
        shape,
        lambda i: f"{place}[{i}]",
        area,
        crowd,
        ignore,
        boxes=boxes,
        more={"ignore": [row.get("ignore", 0) for row in rows]},  # LVIS's flag, which COCO's program does not read
    )


def _visible(row: Mapping[str, Any], place: str) -> int:
    """Return how many keypoints of an object are labeled."""
    try:
        return int(row["num_keypoints"] if "num_keypoints" in row else sum(v > 0 for v in row["keypoints"][2::3]))
    except (TypeError, ValueError):
        given = "num_keypoints" if "num_keypoints" in row else "keypoints"
        raise ValueError(
            f"{place} (image {short(row['image_id'])}): {given} is {short(row[given])}; give "
            f"{'their number' if given == 'num_keypoints' else 'x, y and visibility of each point'}."
        ) from None


def _result_columns(rows: Sequence[Any], kind: str) -> Columns:
    image, label = (_names(rows, name, "predictions") for name in ("image_id", "category_id"))
    score = _column(rows, "score", "predictions")
    return Columns(
        "predictions", image, label, _column(rows, FIELDS[kind], "predictions"), lambda i: f"predictions[{i}]", score=score
    )


def class_table(lists: Mapping[Any, Sequence[Any]], images: Sequence[Any], ids: Sequence[Any]) -> Array:
    """Return which classes are in the list of each image, as a table of images and classes."""
    column = {name: k for k, name in enumerate(ids)}
    table = np.zeros((len(images), len(ids)), bool)
    for i, image in enumerate(images):
        table[i, [column[name] for name in lists[image] if name in column]] = True
    return table
