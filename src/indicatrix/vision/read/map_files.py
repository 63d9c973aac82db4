"""Files of label maps: folders, lists of paths, NumPy's files and pictures."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from os import PathLike, fspath
from pathlib import Path
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...storage.files import refuse_pipe
from ...words.wording import listing, short

PICTURES = (".png", ".tif", ".tiff", ".bmp", ".gif")
ENDINGS = (".npy", *PICTURES)


def is_path(x: Any) -> bool:
    """Return whether something names a file or a folder."""
    return isinstance(x, str | PathLike)


def files_of_folder(folder: Any, argument: str) -> dict[str, Path]:
    """Return the label maps in a folder by their names without ending, in order."""
    place = Path(folder)
    if not place.is_dir():
        raise ValueError(
            f"{argument}={fspath(folder)!r} is not a folder. Give a folder of label maps, a list of their paths, or arrays."
        )
    found: dict[str, Path] = {}
    for path in sorted(place.iterdir()):
        if path.suffix.lower() in ENDINGS:
            if path.stem in found:
                raise ValueError(f"{argument}: {path.name} and {found[path.stem].name} are two files of one image.")
            found[path.stem] = path
    if not found:
        raise ValueError(f"{argument}={fspath(folder)!r} holds no label maps. Their names end in {', '.join(ENDINGS)}.")
    return found


def paired_folders(true: Any, pred: Any) -> tuple[tuple[str, ...], list[Path], list[Path]]:
    """Return the names of the images of two folders, and their files on both sides."""
    sides = files_of_folder(true, "y_true"), files_of_folder(pred, "y_pred")
    for here, there, argument in ((0, 1, "y_pred"), (1, 0, "y_true")):
        missing = [name for name in sides[here] if name not in sides[there]]
        if missing:
            raise ValueError(
                f"{argument} has no file for the images {listing(missing)}. Give one file for each image on both sides."
            )
    names = tuple(sides[0])
    return names, [sides[0][name] for name in names], [sides[1][name] for name in names]


def read_map(path: Any, place: str) -> Array:
    """Return the label map in a file: one number per pixel."""
    path = Path(path)
    if not path.is_file():
        raise FileNotFoundError(f"{place}: there is no file {str(path)!r}.")
    ending = path.suffix.lower()
    if ending == ".npy":
        return read_array(path, place)
    if ending not in PICTURES:
        raise ValueError(f"{place}: {path.name} does not end in {', '.join(ENDINGS)}. Read it yourself and give the array.")
    array = read_picture(path, place)
    if array.ndim != 2:
        raise ValueError(
            f"{place}: {path.name} has {array.shape[-1]} colors per pixel, and a label map one number. Images of COCO's "
            "panoptic task are for ix.panoptic; of other colors, make labels first."
        )
    return array


def read_array(path: Path, place: str) -> Array:
    """Return the array in a file of NumPy; its header may be damaged, and say that there are terabytes."""
    try:
        described = np.load(path, mmap_mode="r", allow_pickle=False)  # refuses a header that says more than the file holds
        del described
        return np.asarray(np.load(path, allow_pickle=False))
    except MemoryError:
        raise
    except Exception as error:  # a header is Python text, so that damage has errors of every kind
        raise ValueError(f"{place}: {path.name} is not a NumPy array of numbers: {error or type(error).__name__}") from None


def read_picture(path: Path, place: str) -> Array:
    """Return the pixels of a picture; a palette is not applied, its numbers are the labels."""
    try:
        from PIL import Image
    except ImportError:  # pragma: no cover - Pillow is there in the tests
        raise ImportError(f"{place}: pictures need Pillow: pip install pillow. Or save the maps with numpy.save.") from None
    try:
        with Image.open(path) as picture:
            return np.array(picture)
    except Image.DecompressionBombError as error:
        raise ValueError(
            f"{place}: {path.name} is larger than Pillow reads, or says so: {error} Read it yourself, and give the array."
        ) from None
    except MemoryError:
        raise
    except Exception as error:  # the decoders of Pillow have errors of every kind
        raise ValueError(f"{place}: {path.name} cannot be read as a picture: {error or type(error).__name__}") from None


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
