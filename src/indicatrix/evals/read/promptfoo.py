"""Results of promptfoo: promptfoo eval --output results.json, or .jsonl."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from ..logs import Answer, Log, facts, plain_values

ERROR = 2  # the reason of a failure that says nothing about the answer


def results_of(data: Any) -> list[Any]:
    """Return the results of a file.

    They are within its summary (--output), in the file itself (shared), or lines.
    """
    own = data.get("results") if isinstance(data, dict) else data
    own = own.get("results") if isinstance(own, dict) else own
    return own if isinstance(own, list) else []


def read_promptfoo(path: Path, data: Any) -> Iterator[Log]:
    """Yield a log for each provider and prompt, which stand for models."""
    whole = data if isinstance(data, dict) else {}
    prompts: dict[str, dict[Any, list[Answer]]] = {}
    for one in results_of(data):
        prompts.setdefault(_provider(one), {}).setdefault(_prompt(one), []).append(_row(one))
    summary, task = whole.get("results"), (whole.get("config") or {}).get("description") or path.stem
    created = summary.get("timestamp") if isinstance(summary, dict) else None
    version = (whole.get("metadata") or {}).get("promptfooVersion")
    about = facts("promptfoo", whole.get("evalId") or whole.get("id") or str(path), version, created)
    for provider, own in prompts.items():
        for number, (prompt, rows) in enumerate(own.items()):
            name = f" (prompt {prompt + 1 if isinstance(prompt, int) else number + 1})" if len(own) > 1 else ""
            yield Log(task, provider + name, rows, about)


def _provider(one: Mapping[str, Any]) -> str:
    provider = one["provider"]
    return str(provider.get("label") or provider["id"]) if isinstance(provider, dict) else str(provider)


def _prompt(one: Mapping[str, Any]) -> Any:
    """Return which prompt was used: its number, or its text where there is none (version 2)."""
    prompt = one.get("prompt")
    return one.get("promptIdx", prompt.get("label") if isinstance(prompt, dict) else prompt)


def _row(one: Mapping[str, Any]) -> Answer:
    """Return the row of a test.

    One that was repeated has the same variables, description and attack, and one whose call failed has no score.
    """
    scores: dict[str, Any] = {"success": one["success"], "score": one["score"], **(one.get("namedScores") or {})}
    test = one.get("testCase") or {}
    given, about = one.get("vars") or test.get("vars") or {}, test.get("metadata") or {}
    attack = {k: about[k] for k in ("pluginId", "strategyId") if about.get(k)}  # of red teams
    response = one.get("response", one.get("providerResponse"))
    said = response.get("output") if isinstance(response, dict) else None
    known = {**given, **attack, **({"": test["description"]} if test.get("description") else {})}
    return Answer(
        json.dumps(known, sort_keys=True, ensure_ascii=False) if known else one.get("testIdx", 0),
        dict.fromkeys(scores) if one.get("failureReason") == ERROR else scores,
        said=said if isinstance(said, str) else None,
        columns=plain_values({**attack, **given}),
    )
