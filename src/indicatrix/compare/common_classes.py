"""Evaluations on the classes of all of them, so that their averages are comparable."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ..encode.vocabulary import family_of, vocabulary
from ..evaluation import Evaluation


def on_all_classes(evaluations: Sequence[Evaluation], names: Sequence[str], what: str = "evaluations") -> list[Evaluation]:
    """Return the evaluations on the classes of all of them, so that macro averages are comparable.

    Classes that one of them has in full keep its order. Errors use the names, and ``what`` they are names of.
    """
    sets = sorted({ev.classes for ev in evaluations}, key=len, reverse=True)
    if len({frozenset(s) for s in sets}) < 2:
        return [*evaluations]
    every = {c for s in sets for c in s}
    if len({family_of(type(c)) for c in every}) > 1:
        each = zip(names, evaluations, strict=True)
        types = ", ".join(f"{name}: {family_of(type(ev.classes[0]))}" for name, ev in each if ev.classes)
        raise ValueError(
            f"These {what} have labels of different types and cannot be compared ({types}). Use one type of label in all {what}."
        )
    classes = next((s for s in sets if set(s) == every), None) or vocabulary(every, "classes")
    return [ev if ev.kind == "counts" else on_classes(ev, classes) for ev in evaluations]


def on_classes(ev: Evaluation, classes: tuple[Any, ...], meaning: Mapping[Any, Any] | None = None) -> Evaluation:
    """Return the evaluation on these classes, which include its own; further classes have no examples.

    ``meaning`` gives its own classes other names.
    """
    own = ev.classes if meaning is None else tuple(meaning[c] for c in ev.classes)
    tally = ev.tally.with_names(own)
    made = replace(ev, tally=replace(tally if own == classes else tally.widen(classes), _pooled=[]))
    return made if meaning is not None else made._with_scores(ev.scored)
