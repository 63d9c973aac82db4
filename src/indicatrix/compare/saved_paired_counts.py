"""Paired counts as plain data for files, and back: counts and class names, no raw rows."""

from __future__ import annotations

from typing import Any

from ..inference.paired.joint_labels import cells_in, labels_in
from ..inference.paired.of_joint_counts import JointCorrected
from ..saved_evaluation import VERSION as EVALUATIONS
from ..saved_evaluation import from_data as evaluation_in
from ..saved_evaluation import to_data as evaluation_out
from ..storage.json_values import fields, list_in, text_in
from .paired_counts import PairedCounts


def to_data(joint: PairedCounts) -> dict[str, Any]:
    """Return a joint as plain data."""
    if joint.sweeps or joint.counts is None:
        raise ValueError("Scores of each example are raw data, which a file of counts does not hold. Save decisions only.")
    evaluations = [evaluation_out(ev) for ev in joint.evaluations]
    facts = {"names": list(joint.names), "tallies": EVALUATIONS, "evaluations": evaluations}
    return {**facts, "counts": joint.counts.to_json()}


def from_data(version: int, data: dict[str, Any]) -> PairedCounts:
    """Return the joint that plain data of a version of the format describe."""
    names, tallies, evaluations, counts = fields(data, ("names", "tallies", "evaluations", "counts"), "the file")
    called = tuple(text_in(name, "a name") for name in list_in(names, "the names"))
    made = [evaluation_in(tallies, one) for one in list_in(evaluations, "the evaluations")]
    if len(made) != len(called) or len(set(called)) < 2:
        raise ValueError(f"there are {len(made)} evaluations for {len(set(called))} names")
    (kind,) = fields(counts, ("kind",), "the joint counts")
    m = len(PairedCounts(called, tuple(made), None).aligned[0].classes)
    if kind == "corrected":
        return PairedCounts(called, tuple(made), JointCorrected())
    if kind not in ("labels", "cells"):
        raise ValueError(f"the joint counts are of the kind {kind!r}, not labels, cells or corrected")
    return PairedCounts(called, tuple(made), (labels_in if kind == "labels" else cells_in)(counts, len(called), m))
