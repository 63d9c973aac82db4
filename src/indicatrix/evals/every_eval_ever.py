"""Export in the schema of Every Eval Ever.

A record for each model and task, its scores with standard error and interval.

https://github.com/evaleval/every_eval_ever, eval.schema.json, version 0.3.0.
"""

from __future__ import annotations

import json
import math
import os
import re
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from uuid import uuid4

from .answers import Answers
from .scores import interval_of_answers, score_of, standard_error

SCHEMA = "0.3.0"
RELATIONSHIPS = ("first_party", "third_party", "collaborative", "other")
UNKNOWN = {"deployment_type": "unknown", "model_availability": "unknown"}  # logs do not say it, and the schema asks
UNSAFE = re.compile(r"[^\w.\-]+")


def write_records(
    answers: Sequence[Answers],
    folder: str | os.PathLike[str],
    organization: str,
    *,
    relationship: str = "third_party",
    level: float = 0.95,
    clusters: Any = None,
) -> list[str]:
    """Write a record for each model and task, and return the paths."""
    if relationship not in RELATIONSHIPS:
        raise ValueError(f"relationship={relationship!r} is not one of {', '.join(map(repr, RELATIONSHIPS))}.")
    if not (isinstance(organization, str) and organization):
        raise TypeError(f"organization={organization!r} must be the name of who ran the evaluations.")
    written = []
    for task, model in dict.fromkeys((one.task, one.model) for one in answers):
        own = [one for one in answers if (one.task, one.model) == (task, model)]
        record = record_of(own, organization, relationship, level, clusters)
        developer, _, name = model.rpartition("/")
        place = Path(folder, *(_safe(part) for part in (task, developer or "unknown", name)))
        place.mkdir(parents=True, exist_ok=True)
        path = place / f"{uuid4()}.json"
        path.write_text(json.dumps(record, indent=2, ensure_ascii=False, allow_nan=False), encoding="utf-8")
        written.append(str(path))
    return written


def record_of(own: list[Answers], organization: str, relationship: str, level: float, clusters: Any) -> dict[str, Any]:
    """Return the record of one model and task."""
    task, model, about, now = own[0].task, own[0].model, own[0].about, f"{time.time():.3f}"
    developer = model.rpartition("/")[0].rpartition("/")[2]
    who = {"source_organization_name": organization, "evaluator_relationship": relationship}
    return _known(
        schema_version=SCHEMA,
        evaluation_id=f"{task}/{model}/{now}",
        retrieved_timestamp=now,
        source_metadata={"source_type": "evaluation_run", **who},
        eval_library={"name": about["library"], "version": str(about["version"])},
        model_info=_known(name=model, id=model, developer=developer, additional_details=UNKNOWN),
        evaluation_results=[_result(one, level, clusters) for one in own],
        evaluation_timestamp=str(about["created"]),
    )


def _result(one: Answers, level: float, clusters: Any) -> dict[str, Any]:
    """Return the score of one scorer."""
    score = score_of(one, "mean_score", "exclude")
    if not math.isfinite(score):
        raise ValueError(
            f"No answer of {one.model!r} to {one.task!r} has a score of {one.scorer!r}, so there is nothing to export."
        )
    found = interval_of_answers(one, "mean_score", level, None, clusters, "exclude")
    ends = {"lower": found.low, "upper": found.high, "confidence_level": level, "method": found.method}
    way = "analytic" if clusters is None else "clustered"
    error: dict[str, Any] = {"value": standard_error(one, score, clusters), "method": way}
    low, high = one.span if math.isfinite(one.span[0]) else (float(one.seen.min()), float(one.seen.max()))
    uncertainty = _known(
        num_samples=int((one.tries > 0).sum()),
        standard_error=error if math.isfinite(error["value"]) else None,
        confidence_interval=ends if math.isfinite(found.low) else None,
    )
    config = {"lower_is_better": one.better == "lower", "score_type": "binary" if one.right_or_wrong else "continuous"}
    return {
        "evaluation_name": f"{one.task}: {one.scorer}",
        "source_data": {"dataset_name": str(one.about["dataset"] or one.task), "source_type": "other"},
        "metric_config": {"metric_name": one.scorer, **config, "min_score": low, "max_score": high},
        "score_details": {"score": float(score), "uncertainty": uncertainty},
    }


def _known(**parts: Any) -> dict[str, Any]:
    """Return the parts of a record that are known."""
    return {name: part for name, part in parts.items() if part not in (None, "")}


def _safe(part: str) -> str:
    """Return a name of a task or a model as the name of a folder.

    >>> _safe("a|b/c"), _safe("..")
    ('a_b_c', '_')
    """
    name = UNSAFE.sub("_", part)
    return "_" if not name.strip(".") else name
