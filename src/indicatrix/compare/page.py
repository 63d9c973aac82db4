"""The report page of a comparison: several classifiers, their counts and their differences."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

from ..report.page.of_counts import COMPARISON
from ..report.page.sections import OF_CLASSIFIERS
from ..report.summary import usual_columns, usual_measures
from ..scores.thresholds.page_columns import ScoresAlone
from ..theory.page import page_subject, write_page
from ..words.wording import listing, number_of


def write_comparison_page(
    made: Any, path: str | os.PathLike[str] | None, measures: Iterable[Any] | None, averages: Iterable[str] | None, title: str
) -> str | None:
    """Return the page of a comparison, or write it to a file."""
    if not made.evaluations and made.joint is None:
        raise ValueError(
            "The page shows evaluations, and this compares other things; runs of language models have runs.to_html(path)."
        )
    each: tuple[Any, ...] = made.evaluations
    swept: tuple[Any, ...] = made.joint.sweeps if made.joint is not None else ()
    about = each[0] if each else ScoresAlone(swept[0].kind, tuple(swept[0].classes), swept[0].n)
    keys = [row.key for row in made.rows if row.key is not None]
    compared = [m for m, _ in keys if m.reads.formula]
    if measures is None:
        measures = dict.fromkeys((*compared, *usual_measures(about)))
    if averages is None:
        known = [a for a in usual_columns(about) if all(a in usual_columns(ev) for ev in each)] if each else []
        averages = dict.fromkeys((*(a for m, a in keys if isinstance(a, str) and m in compared), *known))
    subject = page_subject(
        about,
        measures,
        tuple(averages),
        "exclude" if made.undefined == "raise" else made.undefined,
        level=next((i.level for row in made.rows for i in row.intervals if i is not None), 0.95),
        title=title,
        facts=_facts(made),
    )
    return write_page(subject.with_extra(COMPARISON, made), path, OF_CLASSIFIERS)


def _facts(made: Any) -> tuple[str, ...]:
    who = f"{number_of(len(made.names), 'classifier')}: {listing(made.names)}."
    if made.joint is not None:
        return who, f"They were given the same {number_of(made.joint.n, 'example')}."
    sizes = {name: ev.n for name, ev in zip(made.names, made.evaluations, strict=True)}
    if len(set(sizes.values())) == 1:
        return who, f"Each was evaluated by itself, on {number_of(next(iter(sizes.values())), 'example')}."
    return who, f"Examples: {', '.join(f'{listing((name,))} {n:,}' for name, n in sizes.items())}."
