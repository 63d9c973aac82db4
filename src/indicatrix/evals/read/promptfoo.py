"""Results of promptfoo: promptfoo eval --output results.json, or .jsonl."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from ..logs import Log

ERROR = 2  # the reason of a failure that says nothing about the answer


def is_promptfoo(path: Path, data: Any) -> bool:
    """Return whether a file has results of promptfoo; ``data`` is its JSON, or the first line of it."""
    if isinstance(data, dict) and isinstance(data.get("results"), dict):
        data = next(iter(data["results"].get("results") or ()), None)
    return isinstance(data, dict) and {"success", "score", "provider"} <= data.keys()


def read_promptfoo(path: Path, data: Any) -> Iterator[Log]:
    """Yield a log for each provider and prompt, which stand for models."""
    whole = data if isinstance(data, dict) else {}
    results = (whole.get("results") or {}).get("results") if whole else data
    meta, config = whole.get("metadata") or {}, whole.get("config") or {}
    task = config.get("description") or path.stem
    by_model: dict[str, list[dict[str, Any]]] = {}
    rows = [dict(one) for one in results or ()]
    several = len({one.get("promptIdx", 0) for one in rows}) > len({_provider(one) for one in rows})
    for one in rows:
        name = _provider(one) + (f" (prompt {one.get('promptIdx', 0) + 1})" if several else "")
        by_model.setdefault(name, []).append(_row(one))
    about = {
        "library": "promptfoo",
        "version": meta.get("promptfooVersion") or "unknown",
        "created": (whole.get("results") or {}).get("timestamp", ""),
        "origin": frozenset((whole.get("evalId") or str(path),)),
    }
    for model, own in by_model.items():
        yield Log(task, model, own, about=about)


def _provider(one: Mapping[str, Any]) -> str:
    provider = one["provider"]
    return str(provider.get("label") or provider["id"]) if isinstance(provider, dict) else str(provider)


def _row(one: Mapping[str, Any]) -> dict[str, Any]:
    """Return the row of a test.

    One that was repeated has the same variables, and one whose call failed has no score.
    """
    failed = one.get("failureReason") == ERROR
    scores: dict[str, Any] = {"success": one["success"], "score": one["score"], **(one.get("namedScores") or {})}
    given, what = one.get("vars") or {}, (one.get("testCase") or {}).get("description")
    response = one.get("response")
    said = response.get("output") if isinstance(response, dict) else None
    known = {**given, "": what} if what else given
    return {
        "question": json.dumps(known, sort_keys=True, ensure_ascii=False) if known else one.get("testIdx", 0),
        "scores": dict.fromkeys(scores) if failed else scores,
        "said": said if isinstance(said, str) else None,
        "columns": {k: v for k, v in given.items() if not isinstance(v, list | dict)},
    }
