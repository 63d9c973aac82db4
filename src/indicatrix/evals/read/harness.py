"""The evaluation harness (lm-eval).

Scores of questions are in samples_TASK_DATE.jsonl, their means in results_DATE.json.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from ..logs import Answer, Log, facts, plain_values, task_and_date

DIFFERENT = 1e-6  # by which a standard error may differ from that of right and wrong answers: it is written in floats


def read_samples(path: Path, rows: Any) -> Iterator[Log]:
    """Yield the log of a file of samples; the results next to it know the model."""
    task, date = task_and_date(path, "samples")
    beside = path.with_name(f"results_{date}.json")
    results = json.loads(beside.read_text(encoding="utf-8")) if beside.is_file() else {}
    model = results.get("model_name") or path.parent.name.replace("__", "/")
    yield _log(results, task, model, _rows(rows), f"{path.parent.name}/{task}/{date}")


def _rows(rows: Any) -> Iterator[Answer]:
    """Yield a row for each question and filter.

    What a metric needs for a whole corpus, such as BLEU, has no score of its own.
    """
    for row in rows:
        filter = "" if row["filter"] == "none" else f",{row['filter']}"
        own, (said, *_) = plain_values(row), row.get("filtered_resps") or [None]
        scores = {f"{name}{filter}": own.get(name) for name in row["metrics"]}
        said = said if isinstance(said, str) else None
        yield Answer(row["doc_id"], scores, row.get("target"), said, plain_values(row.get("doc")))


def read_results(path: Path, data: Any) -> Iterator[Log]:
    """Yield the logs of results without samples.

    Shares of right answers tell how many there were, other means tell nothing.
    """
    date = path.stem.removeprefix("results_")
    for task, found in data["results"].items():
        if list(path.parent.glob(f"samples_{task}_{date}.jsonl")):
            continue  # which say the same, question by question
        n = _said_of(data, "n-samples", task).get("effective") or 0
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
        rows = (Answer(i, {name: float(i < right) for name, right in shares.items()}) for i in range(n))
        yield _log(data, task, data.get("model_name") or path.parent.name, rows, date, named=False)


def _is_share(value: Any, error: Any, n: int) -> bool:
    """Return whether a mean with this standard error is the share of right ones among n answers."""
    if not (isinstance(value, float) and isinstance(error, float) and n > 1 and 0 <= value <= 1):
        return False
    return math.isclose(error, math.sqrt(value * (1 - value) / (n - 1)), abs_tol=DIFFERENT)


def _log(results: Mapping[str, Any], task: str, model: str, rows: Iterable[Answer], origin: str, *, named: bool = True) -> Log:
    """Return the log of a task, with what the results say about it."""
    config = _said_of(results, "configs", task)
    about = facts("lm_eval", origin, results.get("lm_eval_version"), results.get("date"), config.get("dataset_path"))
    filters = ("", *(f",{one['name']}" for one in config.get("filter_list") or ()))
    higher = _said_of(results, "higher_is_better", task)
    better = {f"{metric}{filter}": "lower" for metric, up in higher.items() if up is False for filter in filters}
    return Log(task, model, rows, about, better, named)


def _said_of(results: Mapping[str, Any], part: str, task: str) -> dict[str, Any]:
    return (results.get(part) or {}).get(task) or {}
