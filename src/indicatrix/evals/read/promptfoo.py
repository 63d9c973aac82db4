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
    first = next(iter(_results(data)), None) if isinstance(data, dict) and "results" in data else data
    return isinstance(first, dict) and {"success", "score", "provider"} <= first.keys()


def _results(data: Any) -> list[Any]:
    """Return the results of a file.

    They are within its summary (--output), in the file itself (shared), or lines.
    """
    own = data.get("results") if isinstance(data, dict) else data
    own = own.get("results") if isinstance(own, dict) else own
    return own if isinstance(own, list) else []


def read_promptfoo(path: Path, data: Any) -> Iterator[Log]:
    """Yield a log for each provider and prompt, which stand for models."""
    whole = data if isinstance(data, dict) else {}
    meta, config = whole.get("metadata") or {}, whole.get("config") or {}
    task = config.get("description") or path.stem
    prompts: dict[str, dict[Any, list[dict[str, Any]]]] = {}
    for one in _results(data):
        prompts.setdefault(_provider(one), {}).setdefault(_prompt(one), []).append(_row(one))
    summary = whole.get("results")
    about = {
        "library": "promptfoo",
        "version": meta.get("promptfooVersion") or "unknown",
        "created": (summary.get("timestamp") or "") if isinstance(summary, dict) else "",
        "origin": frozenset((whole.get("evalId") or whole.get("id") or str(path),)),
    }
    for provider, own in prompts.items():
        for number, (prompt, rows) in enumerate(own.items()):
            name = f" (prompt {prompt + 1 if isinstance(prompt, int) else number + 1})" if len(own) > 1 else ""
            yield Log(task, provider + name, rows, about=about)


def _provider(one: Mapping[str, Any]) -> str:
    provider = one["provider"]
    return str(provider.get("label") or provider["id"]) if isinstance(provider, dict) else str(provider)


def _prompt(one: Mapping[str, Any]) -> Any:
    """Return which prompt was used: its number, or its text where there is none (version 2)."""
    prompt = one.get("prompt")
    return one.get("promptIdx", prompt.get("label") if isinstance(prompt, dict) else prompt)


def _row(one: Mapping[str, Any]) -> dict[str, Any]:
    """Return the row of a test.

    One that was repeated has the same variables, description and attack, and one whose call failed has no score.
    """
    failed = one.get("failureReason") == ERROR
    scores: dict[str, Any] = {"success": one["success"], "score": one["score"], **(one.get("namedScores") or {})}
    test = one.get("testCase") or {}
    given, about = one.get("vars") or test.get("vars") or {}, test.get("metadata") or {}
    attack = {k: about[k] for k in ("pluginId", "strategyId") if about.get(k)}  # of red teams
    response = one.get("response", one.get("providerResponse"))
    said = response.get("output") if isinstance(response, dict) else None
    known = {**given, **attack, **({"": test["description"]} if test.get("description") else {})}
    return {
        "question": json.dumps(known, sort_keys=True, ensure_ascii=False) if known else one.get("testIdx", 0),
        "scores": dict.fromkeys(scores) if failed else scores,
        "said": said if isinstance(said, str) else None,
        "columns": {k: v for k, v in {**attack, **given}.items() if not isinstance(v, list | dict)},
    }
