"""The evaluation harness (lm-eval).

Scores of questions are in samples_TASK_DATE.jsonl, their means in results_DATE.json.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from ..logs import Log

SAMPLES = re.compile(r"samples_(?P<task>.+)_(?P<date>\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d+)")
DIFFERENT = 1e-6  # by which a standard error may differ from that of right and wrong answers: it is written in floats


def is_samples(path: Path, data: Any) -> bool:
    """Return whether a file has the samples of the harness; ``data`` is its first line."""
    return isinstance(data, dict) and {"doc_id", "metrics", "filter"} <= data.keys()


def is_results(path: Path, data: Any) -> bool:
    """Return whether a file has the results of the harness."""
    return isinstance(data, dict) and "results" in data and "configs" in data and "n-samples" in data


def read_samples(path: Path, rows: Any) -> Iterator[Log]:
    """Yield the log of a file of samples; the results next to it know the model."""
    named = SAMPLES.fullmatch(path.stem)
    task, date = (named["task"], named["date"]) if named else (path.stem.removeprefix("samples_"), "")
    beside = path.with_name(f"results_{date}.json")
    results = json.loads(beside.read_text(encoding="utf-8")) if beside.is_file() else {}
    model = results.get("model_name") or path.parent.name.replace("__", "/")
    yield Log(task, model, _rows(rows), _better(results, task), _about(results, f"{path.parent.name}/{task}/{date}", task))


def _rows(rows: Any) -> Iterator[dict[str, Any]]:
    """Yield a row for each question and filter.

    What a metric needs for a whole corpus, such as BLEU, has no score of its own.
    """
    for row in rows:
        filter = "" if row["filter"] == "none" else f",{row['filter']}"
        scores = {f"{name}{filter}": row.get(name) for name in row["metrics"]}
        doc, said = row.get("doc"), row.get("filtered_resps") or [None]
        yield {
            "question": row["doc_id"],
            "scores": {name: None if isinstance(value, list | dict) else value for name, value in scores.items()},
            "target": row.get("target"),
            "said": said[0] if isinstance(said[0], str) else None,
            "columns": {k: v for k, v in doc.items() if not isinstance(v, list | dict)} if isinstance(doc, dict) else {},
        }


def read_results(path: Path, data: Any) -> Iterator[Log]:
    """Yield the logs of results without samples.

    Shares of right answers tell how many there were, other means tell nothing.
    """
    date = path.stem.removeprefix("results_")
    for task, found in data["results"].items():
        if list(path.parent.glob(f"samples_{task}_{date}.jsonl")):
            continue  # which say the same, question by question
        n = (data["n-samples"].get(task) or {}).get("effective") or 0
        shares = {}
        for key, value in found.items():
            metric, _, filter = key.partition(",")
            error = found.get(f"{metric}_stderr,{filter}")
            if filter and not metric.endswith("_stderr") and _is_share(value, error, n):
                shares[metric if filter == "none" else key] = round(value * n)
        if n and not shares:
            raise ValueError(
                f"{path} has means of {task!r}, but not what each question scored. Run lm_eval with --log_samples, and give the "
                "folder of its output."
            )
        rows = ({"question": i, "scores": {name: float(i < right) for name, right in shares.items()}} for i in range(n))
        yield Log(
            task, data.get("model_name") or path.parent.name, rows, _better(data, task), _about(data, date, task), named=False
        )


def _is_share(value: Any, error: Any, n: int) -> bool:
    """Return whether a mean with this standard error is the share of right ones among n answers."""
    if not (isinstance(value, float) and isinstance(error, float) and n > 1 and 0 <= value <= 1):
        return False
    return math.isclose(error, math.sqrt(value * (1 - value) / (n - 1)), abs_tol=DIFFERENT)


def _better(results: Mapping[str, Any], task: str) -> dict[str, str]:
    known = (results.get("higher_is_better") or {}).get(task) or {}
    filters = [f["name"] for f in ((results.get("configs") or {}).get(task) or {}).get("filter_list") or ()]
    names = {f"{metric}{f}": up for metric, up in known.items() for f in ("", *(f",{name}" for name in filters))}
    return {name: "lower" for name, up in names.items() if up is False}


def _about(results: Mapping[str, Any], origin: str, task: str) -> dict[str, Any]:
    config = (results.get("configs") or {}).get(task) or {}
    version = results.get("lm_eval_version") or "unknown"
    return {
        "library": "lm_eval",
        "version": version,
        "created": results.get("date", ""),
        "origin": frozenset((origin,)),
        "dataset": config.get("dataset_path") or "",
    }
