"""The experiments in their order, and the choice among them."""

from __future__ import annotations

import pkgutil
import re
from collections.abc import Iterable
from difflib import get_close_matches
from fnmatch import fnmatchcase
from importlib import import_module

from . import errata, sections
from .record import EXPERIMENTS, Experiment


def experiments(only: Iterable[str] = ()) -> list[Experiment]:
    """Return all experiments, or those named: first the paper's in its order, then the errata in theirs.

    A name is a label, "tab:floors" or "A2", its last part, "floors", or a pattern, "fig:*".

    >>> [e.label for e in experiments(["floors"])], experiments()[0].label
    (['tab:floors', 'fig:floors'], 'tab:measures')
    """
    for name in (*(f"sections.{m}" for m in sections.MODULES), *(f"errata.{m}" for m in errata_modules())):
        import_module(f"{__package__}.{name}")
    ordered = sorted(EXPERIMENTS.values(), key=_place)
    only = tuple(only)
    for name in only:
        if not any(_matches(name, e.label) for e in ordered):
            labels = [e.label for e in ordered]
            near = get_close_matches(name, dict.fromkeys([*labels, *(x.rpartition(":")[2] for x in labels)]), 3)
            hint = f" Close to it: {', '.join(near)}." if near else ""
            raise ValueError(f"No experiment is called {name!r}.{hint} --list shows all {len(ordered)}.")
    return [e for e in ordered if not only or any(_matches(name, e.label) for name in only)]


def errata_modules() -> list[str]:
    """Return the modules of the errata in the order of their labels: a2 before a10."""
    return sorted((m.name for m in pkgutil.iter_modules(errata.__path__)), key=_natural)


def part(experiment: Experiment) -> str:
    """Return which part an experiment belongs to: "paper" or "errata"."""
    return "errata" if experiment.run.__module__.startswith(errata.__name__) else "paper"


def _place(experiment: Experiment) -> tuple[int, list[int | str]]:
    module = experiment.run.__module__.rpartition(".")[2]
    if part(experiment) == "paper":
        return 0, [sections.MODULES.index(module)]
    return 1, _natural(module)


def _natural(name: str) -> list[int | str]:
    return [int(x) if x.isdigit() else x for x in re.split(r"(\d+)", name)]


def _matches(name: str, label: str) -> bool:
    return name in (label, label.rpartition(":")[2]) or fnmatchcase(label, name)
