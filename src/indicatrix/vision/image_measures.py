"""Measures of images: of matched objects, of matched segments, and of the distances between outlines."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from inspect import signature
from typing import Any

import numpy as np

from ..algebra.arrays import Array, quiet
from ..algebra.average import Average
from ..algebra.kind import OF_OTHERS, Kind
from ..algebra.measure import Measure
from ..algebra.numbers.functions import ratio
from ..catalogue.averages import SUPPORT
from ..catalogue.listing import facts, section, written
from ..public_names import load_public, place
from ..scores.areas import RANKING
from ..scores.curves.precision_areas import check_interpolation
from ..scores.score_input import check_options
from .images.image_scores import meaning
from .match.matches import check_ious, check_most
from .match.ranked_objects import average_precision, average_recall
from .surfaces import outline_distances as surfaces

FAR = float("inf")
PARAMETERS = {
    "iou": "The least overlap of a match; several are averaged. None: those of the result.",
    "area": "The area range: a name such as 'small', or two numbers. None: all.",
    "max_detections": "How many predictions of an image and a class take part. None: as many as in the result.",
    "interpolation": "As in ``ix.average_precision``.",
    "only": "Which classes: 'things' or 'stuff' of panoptic results, or a group of LVIS's frequencies. None: all.",
    "percentile": "The percentile of the distances; 100 is the largest.",
    "pooled": "Whether the percentile is that of the distances of both directions together.",
    "directions": "'both', 'each', 'to_truth' or 'to_prediction'.",
    "tolerance": "The distance that does not matter, in units of the spacing.",
}


@dataclass(frozen=True)
class ImageFacts:
    """What only measures of images have: how intervals are found."""

    ways: tuple[str, ...] = ("bca", "percentile", "jackknife", "delta")  # the methods of intervals, the usual one first
    draws: int = 2000
    whole: Measure | None = None  # what it divides by, of a share of objects

    @property
    def usual(self) -> str:
        """The method that is used if none is named."""
        return self.ways[0]


def panoptic_quality(tp: Array, fp: Array, fn: Array, overlap: Array) -> Array:
    """Return the panoptic quality: segmentation quality times recognition quality."""
    with quiet():
        return np.asarray(ratio(overlap, tp + (fp + fn) / 2))


def segmentation_quality(tp: Array, fp: Array, fn: Array, overlap: Array) -> Array:
    """Return the segmentation quality: the mean IoU of the matches."""
    del fp, fn
    with quiet():
        return np.asarray(ratio(overlap, tp))


def recognition_quality(tp: Array, fp: Array, fn: Array, overlap: Array) -> Array:
    """Return the recognition quality: the F1 of matches, false and missed segments."""
    del overlap
    with quiet():
        return np.asarray(ratio(tp, tp + (fp + fn) / 2))


def help_on_image_measure(measure: Measure) -> str:
    """Return the docstring of a measure of images: its own text, its facts, and what a call takes."""
    text, _, examples = written(measure.function).partition(">>>")
    one, two = measure.reads.names
    given = [
        (
            f"{one}, {two}",
            f"What the result is made of, as ``{measure.reads.like().__name__}`` takes it; or {measure.reads.source}.",
        ),
        ("average : str", "'macro', 'weighted', 'micro', 'image' or an axis of by=, as far as it exists there."),
        ("undefined : str or number, default 'exclude'", "What an undefined value does: 'exclude', a number, 'nan' or 'raise'."),
        *((f"{name}, default {value!r}", PARAMETERS[name]) for name, value in measure.params.items()),
    ]
    returns = "Returns\n-------\nScore\n    A float that records how 0/0 was handled; with interval= an Interval."
    shown = [f"Examples\n--------\n>>>{examples}"] if examples else []
    return "\n\n".join([text.strip(), facts(measure), section("Parameters", given), returns, *shown])


def _check_parameter(measure: Measure, name: str, value: Any) -> None:
    check = measure.domain.get(name)
    if check is not None and value is not None:
        check(value)


def _kind(name: str, what: str, maker: str, names: tuple[str, str], ways: ImageFacts) -> Kind:
    """Return a kind of measure of images; ``maker`` is the public function that makes their source."""

    def check(measure: Measure, options: dict[str, Any]) -> None:
        taken = [*signature(load_public(maker)).parameters][2:]
        check_options(measure.name, options, (*measure.params, *measure.reads.of_calls, *taken))

    return replace(
        RANKING,
        name=name,
        what=what,
        takes=f"{names[0]} and {names[1]}, or a result of {place(maker)}",
        names=names,
        source=f"a result of {place(maker)}",
        is_source=lambda x: getattr(x, "reads", "") == name,
        make=lambda *given, **options: load_public(maker)(*given, **options),
        like=lambda: load_public(maker),
        check_options=check,
        is_unit=lambda x: False,
        unit="images",
        value="one number",
        apply=lambda measure, units: units.values() if units.per else float(units.values()),
        meaning=meaning,
        pools_classes=False,
        check_parameter=_check_parameter,
        help=("vision.image_measures", "help_on_image_measure"),
        facts=lambda: ways,
        examples=tuple,
    )


HALVES = ImageFacts(("halves", "bootstrap", "percentile", "jackknife", "delta"), 500)
SLOPES = ImageFacts(("delta", "bca", "percentile", "jackknife"))  # which cover as often as draws, or more often
SHARE = replace(HALVES, whole=SUPPORT)
OBJECTS = _kind("objects", "matched objects", "detection", ("truth", "predictions"), HALVES)
SEGMENTS = _kind("segments", "matched segments", "panoptic", ("truth", "predictions"), SLOPES)
PAIRS = {"pairs": Average(("image", "class"))}  # the plain mean over pairs of surfaces, one for each image and class
DISTANCES = replace(
    _kind("distances", "distances between outlines", "surface_distances", ("y_true", "y_pred"), ImageFacts()), own_averages=PAIRS
)

_WHERE: dict[str, Any] = {"iou": None, "area": None, "max_detections": None, "only": None}
_MATCHED: dict[str, Any] = {"group": "objects", "source": "lin2014", "reads": OBJECTS}
_OVERLAPS: dict[str, Any] = {"group": "segments", "source": "kirillov2019", "reads": SEGMENTS, "params": {"only": None}}
_CHECKS = {"iou": check_ious, "max_detections": check_most, "interpolation": check_interpolation}


def _distance(name: str, function: Callable[..., Any], source: str, aliases: tuple[str, ...] = (), **facts: Any) -> Measure:
    params = function.__kwdefaults__ or {}
    own: dict[str, Any] = {"better": "lower", "range": (0, FAR), "group": "distances", "domain": surfaces.CHECKS, **facts}
    return Measure(name, function, aliases=aliases, source=source, params=params, reads=DISTANCES, **own)


IMAGE_MEASURES: dict[str, Measure] = {
    measure.name: measure
    for measure in (
        Measure(
            "ap",
            average_precision,
            "higher",
            (0, 1),
            params={**_WHERE, "interpolation": "coco"},
            domain=_CHECKS,
            **_MATCHED,
        ),
        Measure(
            "ar", average_recall, "higher", (0, 1), ("average_recall",), params=_WHERE, domain=_CHECKS, facts=SHARE, **_MATCHED
        ),
        Measure("pq", panoptic_quality, "higher", (0, 1), ("panoptic_quality",), **_OVERLAPS),
        Measure("sq", segmentation_quality, "higher", (0, 1), ("segmentation_quality",), **_OVERLAPS),
        Measure("rq", recognition_quality, "higher", (0, 1), ("recognition_quality",), **_OVERLAPS),
        _distance("hausdorff", surfaces.hausdorff, "huttenlocher1993", ("hausdorff_distance",)),
        _distance("hausdorff95", surfaces.hausdorff95, "huttenlocher1993", ("hd95",)),
        _distance("assd", surfaces.average_distance, "heimann2009", ("average_surface_distance",)),
        _distance("surface_dice", surfaces.surface_dice, "nikolov2021", better="higher", range=(0, 1)),
    )
}
for _one in IMAGE_MEASURES.values():
    OF_OTHERS.register(_one)
    OF_OTHERS.reserve((_one.name, *_one.aliases))
ap, ar, pq, sq, rq = (IMAGE_MEASURES[name] for name in ("ap", "ar", "pq", "sq", "rq"))
hausdorff, hausdorff95 = IMAGE_MEASURES["hausdorff"], IMAGE_MEASURES["hausdorff95"]
assd, surface_dice = IMAGE_MEASURES["assd"], IMAGE_MEASURES["surface_dice"]
