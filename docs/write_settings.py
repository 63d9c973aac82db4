"""Write docs/guides/settings.md: the table of settings, and which of them can be combined."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

from indicatrix.settings.combinations import CONDITIONS, COUNTED, REFUSED
from indicatrix.settings.paper_settings import SETTINGS

PAGE = Path(__file__).parent / "guides" / "settings.md"
INTRODUCTION = """\
# Settings

<!-- Written by `make docs` from settings/paper_settings.py and settings/combinations.py. -->

Every setting is an encoder onto the same algebra: it says which columns there are, which entries were observed and what a
cell counts, and then every measure, average, convention, property and report works in it. The level is the paper's claim
(tab:settings): *derived*, a result holds; *accommodated*, the operators apply and nothing new follows; *partial*, only a part
can be represented; *boundary*, what lies outside the counts. `ix.tasks.SETTINGS` holds this table.
"""
TOGETHER = """\
## What goes together

Every pair of settings was tried: ✓ goes together, a number goes together under the condition below, × is refused with the
reason below. `evaluate()` asks the same table.
"""
SHORT = {
    name: s.arguments[0] for name, s in SETTINGS.items() if s.arguments
}  # a setting that is an argument is shown by its name


def page() -> str:
    """Return the page as Markdown."""
    return "\n".join([INTRODUCTION, _table(), *_examples(), TOGETHER, *_matrix(), ""])


def _table() -> str:
    rows = [f"| {s.row} | {s.level} | `{s.asked}` | {s.limits} |" for s in SETTINGS.values()]
    return "\n".join(["| setting | level | asked for by | limits |", "|---|---|---|---|", *rows, ""])


def _examples() -> list[str]:
    blocks = ["## Examples\n", "```python\n>>> import indicatrix as ix\n\n```\n"]
    by_module: dict[str, list[str]] = {}
    for setting in SETTINGS.values():
        by_module.setdefault(setting.module, []).append(f"**{setting.row}**")
    blocks += [f"{', '.join(rows)}\n\n```python\n{_example(module)}\n\n```\n" for module, rows in by_module.items() if module]
    return blocks


def _example(module: str) -> str:
    """Return the example with which the text of a module ends."""
    text = import_module(f"indicatrix.{module}").__doc__ or ""
    return text.partition(">>> import indicatrix as ix\n")[2].strip()


def _matrix() -> list[str]:
    """Return the lower triangle of all pairs, then conditions and reasons."""
    names = list(COUNTED)
    notes: list[str] = []
    rows = []
    for i, one in enumerate(names):
        cells = [_cell(frozenset((one, other)), notes) for other in names[:i]]
        rows.append(f"| **{_spelled(one)}** | {' | '.join([*cells, *[''] * (len(names) - i - 1)])} |")
    head = f"| | {' | '.join(_spelled(name) for name in names[:-1])} |"
    conditions = [f"{i}. {note}" for i, note in enumerate(notes, 1)]
    reasons: dict[str, list[str]] = {}
    for pair, reason in REFUSED.items():
        one, other = sorted(pair, key=names.index)
        reasons.setdefault(reason, []).append(f"{_spelled(one)} × {_spelled(other)}")
    refused = [f"- {', '.join(pairs)}: {reason}." for reason, pairs in reasons.items()]
    rule = "|---" * len(names) + "|"
    return [head, rule, *rows, "", "Conditions:\n", *conditions, "", "Refused:\n", *refused]


def _cell(pair: frozenset[str], notes: list[str]) -> str:
    if pair in REFUSED:
        return "×"
    if pair not in CONDITIONS:
        return "✓"
    if CONDITIONS[pair] not in notes:
        notes.append(CONDITIONS[pair])
    return str(notes.index(CONDITIONS[pair]) + 1)


def _spelled(name: str) -> str:
    return f"{SHORT[name]}=" if name in SHORT else name


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
