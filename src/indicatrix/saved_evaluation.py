"""Evaluations as plain data for files, and back: counts, names and how they were made, no raw rows."""

from __future__ import annotations

from typing import Any

from .evaluation import Evaluation
from .settings.recipe_json import facts_from_json, facts_to_json
from .storage.formats import FORMATS
from .storage.json_values import fields
from .tally.saved.saved_tally import from_json, to_json

VERSION = FORMATS["indicatrix evaluation"].versions[-1]  # that is written here, and in files of several evaluations


def to_data(ev: Evaluation) -> dict[str, Any]:
    """Return an evaluation as plain data."""
    return {**facts_to_json(ev.kind, ev.named_positive, ev.recipe), "tally": to_json(ev.tally)}


def from_data(version: int, data: dict[str, Any]) -> Evaluation:
    """Return the evaluation that plain data of a version of the format describe."""
    (tally,) = fields(data, ("tally",), "an evaluation")
    return Evaluation(from_json(tally), *facts_from_json(version, data))
