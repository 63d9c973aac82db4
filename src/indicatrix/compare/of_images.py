"""Results of images side by side: all models have the same images, so every difference is paired."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ..algebra.average import score_name
from ..algebra.measure import Measure
from ..algebra.measure_names import resolve
from ..inference.paired.tests import Answer
from ..vision.images.image_intervals import paired_answer
from .comparison import Comparison
from .differences import DifferenceTests, differences_of
from .given_evaluations import is_of_images
from .marks import mark_best
from .row import Row


def compare_images(named: Mapping[str, Any], measures: Any, averages: Any, undefined: Any, asked: DifferenceTests) -> Comparison:
    """Return the scores of models on the same images, with intervals and tested differences."""
    names, first = tuple(named), next(filter(is_of_images, named.values()))
    asked.check(names)
    for source in named.values():
        first.check_comparable(source)
    several = (first.usual,) if measures is None else (measures,)
    found = [resolve(m) for some in several for m in (some if _many(some) else (some,))]
    keys = [(m, a) for m in found for a in (averages if _many(averages) else (averages or "macro",))]
    rows = tuple(_row(tuple(named.values()), key, undefined, asked) for key in keys)

    def answer(row: Row, i: int, j: int) -> tuple[Answer, str, str]:
        assert row.key is not None
        one, two = names[i], names[j]
        options: dict[str, Any] = {"level": asked.level, "margin": asked.margin, "clusters": asked.clusters}
        options |= {"method": asked.method, "seed": asked.seed or 0, "undefined": undefined}
        return paired_answer(named[one], named[two], *row.key, names=(one, two), **options)[1:]

    differences = differences_of(names, rows, asked, answer)
    return Comparison(names, mark_best(rows, names, differences), (), undefined, differences=differences)


def _many(given: Any) -> bool:
    return isinstance(given, Iterable) and not isinstance(given, str | Measure)


def _row(sources: tuple[Any, ...], key: tuple[Measure, Any], undefined: Any, asked: DifferenceTests) -> Row:
    """Return a score of every model, with its interval."""
    values = tuple(source.score(*key, undefined=undefined) for source in sources)
    options: dict[str, Any] = {"level": asked.level, "clusters": asked.clusters, "undefined": undefined, "seed": asked.seed or 0}
    intervals = tuple(source.interval(*key, **options) for source in sources)
    return Row(score_name(key[0], values[0].average), values, key[0].better, key, intervals)
