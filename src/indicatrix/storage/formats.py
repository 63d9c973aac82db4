"""What is saved, and how: one table of formats, one save and one load for everything that adds.

A result becomes plain data, and plain data become a file; the module that the table names does the first, in the room that owns
the class, and ``checked_files`` the second. It is imported when such a result is saved or loaded. A result that is made of
evaluations is saved, and added, part by part.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import fields as fields_of
from importlib import import_module
from typing import Any, NamedTuple

from ..public_names import load_public
from ..words.call_mistakes import answers_mistakes
from ..words.wording import series, short
from .files import read_file, write_file
from .json_values import fields, number_in, number_out

CHECKPOINT = "indicatrix checkpoint"  # a file of a run, which only the same run goes on from


class Format(NamedTuple):
    """One kind of result, as its files hold it."""

    kind: str  # the public name of the class
    what: str  # what messages call it
    codec: str | None  # the module that has ``to_data(result)`` and ``from_data(version, data)``; None: see ``_parts_of``
    versions: tuple[int, ...] = (1,)  # of the format that are read; the last one is written


FORMATS: Mapping[str, Format] = {  # by the name that stands in the file
    # Version 1 kept how an evaluation was made as texts, 2 every class of every group, 3 all numbers of large arrays as text.
    "indicatrix evaluation": Format("Evaluation", "evaluation", "saved_evaluation", (1, 2, 3, 4)),
    "indicatrix joint counts": Format("PairedCounts", "joint", "compare.saved_paired_counts"),
    "indicatrix comparison": Format("Comparison", "comparison", "compare.saved_comparison"),
    "indicatrix binned scores": Format("Sweep", "sweep", "scores.thresholds.saved_sweep"),  # as earlier versions called some
    # Version 1 had no columns of bins.
    "indicatrix sweep": Format("Sweep", "sweep", "scores.thresholds.saved_sweep", (1, 2)),
    "indicatrix detection": Format("DetectionEvaluation", "detection", "vision.detection.saved_detections"),
    # Version 1 of these two did not keep which truth each image has.
    "indicatrix panoptic": Format("PanopticEvaluation", "panoptic evaluation", "vision.panoptic.panoptic_evaluation", (1, 2)),
    "indicatrix surface distances": Format(
        "SurfaceEvaluation", "surface evaluation", "vision.surfaces.surface_evaluation", (1, 2)
    ),
    "indicatrix multi-instance": Format("MultiInstance", "multi-instance result", None),
    "indicatrix one-vs-all": Format("OneVsAll", "one-vs-all result", None),
    "indicatrix one-vs-one": Format("OneVsOne", "one-vs-one result", None),
    "indicatrix positive-unlabelled": Format("PositiveUnlabeled", "positive-unlabeled result", None),  # as it was spelled once
    "indicatrix positive-unlabeled": Format("PositiveUnlabeled", "positive-unlabeled result", None),
    "indicatrix prediction sets": Format("PredictionSets", "result of prediction sets", None),
    "indicatrix gate": Format("Gate", "gate", "inference.planning.gate"),
    "indicatrix sequences": Format("Sequences", "result of sequences", None),
}
NAMES = {form.kind: name for name, form in FORMATS.items()}  # of several formats of a class the last one is written


def save(result: Any, path: str | os.PathLike[str]) -> None:  # noqa: D417 - classes take it as a method
    """Write the result to a JSON file; it holds counts and class names, no raw rows.

    Parameters
    ----------
    path : str or path
        The file. It is written completely or not at all.

    Examples
    --------
    >>> import os, tempfile
    >>> import indicatrix as ix
    >>> path = os.path.join(tempfile.mkdtemp(), "monday.json")
    >>> result = ix.tasks.one_vs_one(["a", "b"], {("a", "b"): ["a", "a"]})
    >>> result.save(path)
    >>> ix.load(path) == result
    True
    """
    write_file(path, with_format(result))


@answers_mistakes
def load(path: str | os.PathLike[str]) -> Any:
    """Return what is saved in a file: an evaluation, a comparison, a sweep or another result.

    Parameters
    ----------
    path : str or path
        A file that a ``save`` of this library wrote, in this or an earlier version.

    Returns
    -------
    Evaluation, PairedCounts, Comparison, Sweep, DetectionEvaluation or another result
        Equal to what was saved.

    Examples
    --------
    >>> import os, tempfile
    >>> import indicatrix as ix
    >>> path = os.path.join(tempfile.mkdtemp(), "monday.json")
    >>> ix.evaluate([0, 1, 1], [0, 1, 0]).save(path)
    >>> ix.load(path).score("recall")
    0.5
    >>> ix.inference.paired_counts([0, 1, 1], {"lr": [0, 1, 0], "rf": [0, 1, 1]}).save(path)
    >>> ix.load(path)
    <PairedCounts: 3 examples of lr and rf>
    """
    versions = {name: form.versions for name, form in FORMATS.items()}
    return read_file(path, versions, "result", from_data, _who_reads)


def load_as(kind: str, path: str | os.PathLike[str]) -> Any:
    """Return the result of one class that is saved in a file; one of another class is refused."""
    return read_file(path, _versions_of(kind), FORMATS[NAMES[kind]].what, from_data)


def _versions_of(kind: str) -> dict[str, tuple[int, ...]]:
    """Return the formats of a class, and the versions of each."""
    return {name: form.versions for name, form in FORMATS.items() if form.kind == kind}


def _who_reads(name: str) -> str:
    """Return what reads a file of a format that ``load`` does not."""
    if name == CHECKPOINT:
        return "from which ix.evaluate_file(…, checkpoint=path) goes on"
    return "which this release does not know; a newer one may have written it"


def to_data(result: Any) -> dict[str, Any]:
    """Return a result as plain data, without the name of the format and its version."""
    codec = FORMATS[NAMES[type(result).__name__]].codec
    return _parts_of(result) if codec is None else _module(codec).to_data(result)


def from_data(name: str, version: int, data: dict[str, Any]) -> Any:
    """Return the result that plain data of a format and a version describe; other data are a ValueError."""
    form = FORMATS[name]
    return _from_parts(load_public(form.kind), data) if form.codec is None else _module(form.codec).from_data(version, data)


def with_format(result: Any) -> dict[str, Any]:
    """Return a result as plain data that say what they are, for a part of a file or for another file."""
    name = NAMES[type(result).__name__]
    return {"format": name, "version": FORMATS[name].versions[-1], **to_data(result)}


def from_format(kind: str, data: Any, what: str) -> Any:
    """Return the result of a class that plain data describe which say that they are one."""
    known, form = _versions_of(kind), FORMATS[NAMES[kind]]
    name = data.get("format") if isinstance(data, Mapping) else None
    if not isinstance(name, str) or data.get("version") not in known.get(name, ()):
        raise ValueError(f"{what} is {short(data)}, not a saved {form.what} of version {series(form.versions, 'or')}")
    return from_data(name, data["version"], dict(data))


def _module(codec: str) -> Any:
    return import_module(f"..{codec}", __package__)


def _parts_of(result: Any) -> dict[str, Any]:
    """Return a result that is made of evaluations, of which some may be missing, and of numbers."""
    return {field.name: _part_out(getattr(result, field.name)) for field in fields_of(result)}


def _part_out(part: Any) -> Any:
    if part is None or type(part).__name__ not in NAMES:
        return None if part is None else number_out(part)
    return with_format(part)


def _from_parts(kind: type, data: dict[str, Any]) -> Any:
    """Return the result of a class that is made of evaluations and numbers."""
    of_class = fields_of(kind)
    given = fields(data, tuple(field.name for field in of_class), "the file")
    parts = zip(of_class, given, strict=True)
    return kind(**{own.name: None if part is None and own.default is None else _part_in(own, part) for own, part in parts})


def _part_in(own: Any, part: Any) -> Any:
    what = f"{own.name!r} of the file"
    if own.type != "Any":  # evaluations stand above the classes that are made of them, whose fields therefore say Any
        return number_in(part, what)
    return from_format("Evaluation", part, what)


def add_parts(one: Any, other: Any) -> Any:
    """Return the result of two batches; a class takes it as its ``__add__``.

    A part that may be missing says in the metadata of its field what it is called.
    """
    if type(one) is not type(other):
        return NotImplemented
    first, *_ = every = fields_of(one)
    parts = []
    for field in every:
        mine, theirs = (getattr(result, field.name) for result in (one, other))
        if "called" in field.metadata and (mine is None) != (theirs is None):
            raise ValueError(
                f"Only one of the two has {field.metadata['called']}. Give {field.name}= for both batches, or add .{first.name} "
                "alone."
            )
        parts.append(None if mine is None else mine + theirs)
    return type(one)(*parts)


def add_to_zero(result: Any, other: object) -> Any:
    """Return the result itself, so that ``sum()`` works; a class takes it as its ``__radd__``."""
    return result if isinstance(other, int) and other == 0 else NotImplemented
