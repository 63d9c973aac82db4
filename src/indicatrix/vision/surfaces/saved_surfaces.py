"""Surface evaluations as JSON: the sorted distances of each image and class."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...storage.json_values import array_in, array_out, fields, number_in, number_out
from ..images.image_axes import axes_in, axes_out, truths_in
from .outline_distances import SurfacePair
from .surface_elements import check_elements, check_one_sided
from .surface_evaluation import SurfaceEvaluation

SIDES = ("to_prediction", "to_truth")


def to_data(result: SurfaceEvaluation) -> dict[str, Any]:
    """Return an evaluation as plain data; the distances of all pairs follow each other."""
    one_sided, elements = result.one_sided, result.elements
    found = [(i, k, pair) for i, row in enumerate(result.pairs) for k, pair in enumerate(row) if pair is not None]
    lengths = [[len(pair.to_prediction), len(pair.to_truth)] for _, _, pair in found]
    facts: dict[str, Any] = {
        **axes_out(result),
        "truths": list(result.truths),
        "one_sided": one_sided if isinstance(one_sided, str) else number_out(float(one_sided)),
        "elements": elements,
        "image": array_out(np.array([i for i, _, _ in found], np.int64)),
        "class": array_out(np.array([k for _, k, _ in found], np.int64)),
        "diagonal": array_out(np.array([pair.diagonal for _, _, pair in found], np.float64)),
        "lengths": array_out(np.array(lengths, np.int64).reshape(-1, 2)),
    }
    for k, side in enumerate(SIDES):
        facts[side] = array_out(_together(pair.sides[k][0] for _, _, pair in found))
        facts[f"sizes {side}"] = array_out(_together(pair.sides[k][1] for _, _, pair in found)) if elements == "areas" else None
    return facts


def _together(some: Iterable[Array]) -> Array:
    return np.concatenate([np.zeros(0), *some]).astype(np.float64)


def from_data(version: int, data: dict[str, Any]) -> SurfaceEvaluation:
    """Return the evaluation that plain data of a version of the format describe."""
    axes = axes_in(data)
    one_sided, elements, image, column, diagonal, lengths = fields(
        data, ("one_sided", "elements", "image", "class", "diagonal", "lengths"), "the file"
    )
    word = one_sided in ("inf", "diagonal")
    settings = check_one_sided(one_sided if word else number_in(one_sided, "one_sided")), check_elements(elements)
    at = [array_in(x, name, (None,)) for x, name in ((image, "image"), (column, "class"))]
    n, shape = len(at[0]), (len(axes[1]), len(axes[0]))
    across, many = array_in(diagonal, "diagonal", (n,)), array_in(lengths, "lengths", (n, 2))
    for one, name, end in (*zip(at, ("image", "class"), shape, strict=True), (many, "lengths", np.inf)):
        if one.dtype.kind != "i" or len(one) != n or ((one < 0) | (one >= end)).any():
            raise ValueError(f"{name} holds a number that does not fit the {shape[0]} images and {shape[1]} classes")
    sides = [_side(data, side, many[:, k], settings[1] == "areas") for k, side in enumerate(SIDES)]
    table: list[list[SurfacePair | None]] = [[None] * shape[1] for _ in range(shape[0])]
    rows = zip(*(x.tolist() for x in (*at, across)), *sides, strict=True)
    for i, k, far, (one, ones), (two, twos) in rows:
        if table[i][k] is not None:
            raise ValueError(f"image {i} has the distances of class {k} twice")
        sizes = None if ones is None or twos is None or not len(ones) + len(twos) else (ones, twos)
        table[i][k] = SurfacePair(one, two, far, sizes)
    return SurfaceEvaluation(*axes, tuple(map(tuple, table)), truths_in(version, data, shape[0]), *settings)


def _side(data: dict[str, Any], side: str, lengths: Array, sized: bool) -> Sequence[tuple[Array, Array | None]]:
    """Return the distances of one direction, and how much each counts, of each pair."""
    ends = np.cumsum(lengths)
    total = int(ends[-1]) if len(ends) else 0
    distances, sizes = fields(data, (side, f"sizes {side}"), "the file")
    own = np.split(array_in(distances, side, (total,)), ends[:-1])
    if any((one < 0).any() or (one[1:] < one[:-1]).any() for one in own):
        raise ValueError(f"{side} holds distances that are negative or not sorted")
    if (sizes is not None) != sized:
        raise ValueError(f"elements of {'areas have' if sized else 'pixels have no'} sizes")
    if not sized:
        return [(one, None) for one in own][: len(ends)]
    counted = array_in(sizes, f"the sizes {side}", (total,))
    if not (np.isfinite(counted) & (counted > 0)).all():
        raise ValueError(f"the sizes {side} are not all finite and above 0")
    return [*zip(own, np.split(counted, ends[:-1]), strict=True)][: len(ends)]
