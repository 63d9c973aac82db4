"""Label maps and masks in any form become one array per image.

They are arrays, lists, iterators, folders or files.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from os import PathLike, fspath
from pathlib import Path
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...encode.plain_forms import plain_bools
from ...encode.vocabulary import family_of
from ...storage.formats import refuse_pipe
from ...words.wording import listing, short, type_of
from .given_columns import name_of_dtype, on_host

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


@dataclass(frozen=True, eq=False)
class Maps:
    """The maps of one side, read one after the other."""

    argument: str
    given: Iterable[Any]
    n: int | None  # None: it is known when all were read
    channels: bool  # floats are possible: one of the axes may hold the classes

    def __iter__(self) -> Iterator[Array]:
        return (_map(image, f"{self.argument}[{i}]", self.channels) for i, image in enumerate(self.given))


def read_sides(y_true: Any, y_pred: Any, channels: bool) -> tuple[Maps, Maps, tuple[str, ...] | None]:
    """Return the maps of both sides, and the names of the images where files have names."""
    names: tuple[str, ...] | None = None
    if is_path(y_true) and is_path(y_pred):
        names, y_true, y_pred = paired_folders(y_true, y_pred)
    true, pred = _maps(y_true, "y_true", channels), _maps(y_pred, "y_pred", channels)
    if true.n is not None and pred.n is not None and true.n != pred.n:
        raise ValueError(f"y_true has {true.n} images and y_pred {pred.n}; give both for the same images.")
    stems = _stems(y_true)
    if names is None and stems is not None:
        _check_order(stems, _stems(y_pred))
        names = stems if len(set(stems)) == len(stems) else tuple(str(path) for path in y_true)
    return true, pred, names


def _stems(given: Any) -> tuple[str, ...] | None:
    """Return the names of files without their endings, None where something else was given."""
    if not isinstance(given, list | tuple) or not given or not all(map(is_path, given)):
        return None
    return tuple(Path(path).stem for path in given)


def _check_order(true: tuple[str, ...], pred: tuple[str, ...] | None) -> None:
    """Refuse two lists of files with the same names in another order: lists are paired by position."""
    if pred is not None and true != pred and sorted(true) == sorted(pred):
        i = next(k for k, (one, two) in enumerate(zip(true, pred, strict=True)) if one != two)
        raise ValueError(f"y_true[{i}] is the file {true[i]!r} and y_pred[{i}] is {pred[i]!r}. Give both in the same order.")


def together(true: Maps, pred: Maps) -> Iterator[tuple[Array, Array]]:
    """Yield both maps of each image, one image at a time."""
    ours, theirs = iter(true), iter(pred)
    done = object()
    k = 0
    while True:
        t, p = next(ours, done), next(theirs, done)
        if t is done and p is done:
            return
        if t is done or p is done:
            longer, shorter = ("y_true", "y_pred") if p is done else ("y_pred", "y_true")
            raise ValueError(f"{shorter} ends after {k} images, and {longer} has more; give both for the same images.")
        yield t, p  # type: ignore[misc]
        k += 1


def _maps(y: Any, argument: str, channels: bool) -> Maps:
    """Return the maps of one side; an argument that may be a single map is an error."""
    if is_path(y):
        raise ValueError(f"{argument} is one path. Give a folder on both sides, or a list of paths.")
    if isinstance(y, bytes | Mapping) or not (isinstance(y, Iterable) or hasattr(y, "__array__")):
        raise TypeError(f"{argument} is {type_of(y)}; give a list of label maps, one array per image.")
    whole = np.asarray(on_host(y, argument)) if hasattr(y, "__array__") else None
    if whole is not None and whole.dtype != object and whole.ndim < 3 and whole.size:
        raise ValueError(
            f"{argument} has {whole.ndim} dimensions; an array needs at least three, the first one for the images. "
            f"For one image give a list of it, [{argument}]."
        )
    if whole is not None and whole.dtype != object:
        _check_kind(whole, name_of_dtype(y, whole), argument, channels)
    given = y if whole is None else whole
    return Maps(argument, given, len(given) if hasattr(given, "__len__") else None, channels)


def _map(image: Any, place: str, channels: bool) -> Array:
    if is_path(image):
        image = read_map(image, place)
    given, image = image, on_host(image, place)
    try:
        array = _one_type(np.asarray(image if hasattr(image, "__array__") else _as_lists(image)), image, place)
    except ValueError:  # lists of different lengths
        raise ValueError(
            f"{place} has rows of different lengths. Give a list of label maps, each with rows of one length."
        ) from None
    if array.ndim == 1 and array.size and not hasattr(image, "__array__"):
        side = place.partition("[")[0]
        raise ValueError(
            f"{place} is a list of labels, one row of a map. For one image give a list of it, [{side}]. For pixels without rows "
            "and columns give one array per image."
        )
    if array.dtype.kind == "f" and not array.size:
        return array.astype(np.intp)
    _check_kind(array, name_of_dtype(given, array), place, channels)
    if array.ndim < 1:
        raise ValueError(f"{place} is a single label; an image is an array of labels. Give a list of label maps.")
    return plain_bools(array)


def _check_kind(array: Array, held: str, place: str, channels: bool) -> None:
    """Refuse what is neither labels nor, where an axis may hold the classes, scores."""
    if array.size and array.dtype.kind not in ("biufUS" if channels else "biuUS"):
        scores = "scores? Name their axis with class_axis=. Class ids? Make them whole numbers"
        reason = scores if array.dtype.kind == "f" else "they are not class ids"
        raise TypeError(f"{place} holds {held} values: {reason}. A label map holds one whole number or text per pixel.")


def _one_type(array: Array, given: Any, place: str) -> Array:
    """Return labels that were Python objects as numbers or as text; a mixture of both is refused."""
    if array.dtype.kind not in "OUS" or (array.dtype.kind in "US" and hasattr(given, "__array__")):
        return array
    objects = np.asarray(given if hasattr(given, "__array__") else _as_lists(given), object)
    families = {family_of(kind) for kind in {*map(type, objects.ravel().tolist())}}
    if len(families) > 1 and families <= {"number", "text", "bytes"}:
        raise TypeError(f"{place} mixes labels of type {' and '.join(sorted(families))}. Convert all labels to one type.")
    return np.asarray(objects.tolist()) if families <= {"number", "text", "bytes"} and objects.size else array


def _as_lists(x: Any) -> Any:
    """Return nested iterables as nested lists; anything else is a label, and is returned as it is."""
    if isinstance(x, str | bytes | Mapping) or not isinstance(x, Iterable) or hasattr(x, "__array__"):
        return x
    return [_as_lists(row) for row in x]


def channels_last(true: Array, pred: Array, axis: int, i: int) -> tuple[Array, Array, tuple[bool, bool]]:
    """Return the two sides of an image with the axis of the classes last, and which of them have it.

    Sides of equally many dimensions both have it; otherwise the one with one more dimension.
    """
    have = (true.ndim >= pred.ndim, pred.ndim >= true.ndim)
    if abs(true.ndim - pred.ndim) > 1:
        raise ValueError(
            f"Image {i} has {true.ndim} dimensions in y_true and {pred.ndim} in y_pred. With class_axis= both have an axis of "
            "classes, or one of them has one dimension more."
        )
    sides = []
    for x, own, argument in ((true, have[0], "y_true"), (pred, have[1], "y_pred")):
        if own and not -x.ndim <= axis < x.ndim:
            raise ValueError(f"{argument}[{i}] has {x.ndim} dimensions, so that class_axis={axis} is not one of them.")
        if not own and x.dtype.kind == "f":
            raise TypeError(
                f"{argument}[{i}] holds {x.dtype} values and no axis of classes. Give labels, or one channel per class."
            )
        sides.append(np.moveaxis(x, axis, -1) if own else x)
    return sides[0], sides[1], have
