"""What a comparison shows: plots, and the report page.

Plots: numbers that it holds, handed to the functions of ``plots``. The page: several classifiers, their counts and their
differences.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .. import plots
from ..report.page.of_counts import COMPARISON
from ..report.page.sections import OF_CLASSIFIERS
from ..report.summary import usual_columns, usual_measures
from ..scores.thresholds.page_columns import ScoresAlone
from ..theory.page import page_subject, write_page
from ..words.call_mistakes import answers_mistakes, choose_one
from ..words.wording import listing, number_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@answers_mistakes
@dataclass(frozen=True, repr=False)
class ComparisonPlots:
    """The plots of a comparison: ``.forest()``, ``.ranks()`` and ``.agreement()``.

    Each takes ``ax=`` and returns the axes. They need matplotlib: pip install 'indicatrix[plots]'.

    Attributes
    ----------
    comparison : Comparison
        What is drawn.
    """

    comparison: Any

    def forest(self, *, ax: Axes | None = None) -> Axes:
        """Return axes with the differences between the classifiers and their intervals.

        Parameters
        ----------
        ax : Axes, optional
            Where to draw. Default: a new figure.

        Returns
        -------
        Axes
            The axes with the plot.

        Examples
        --------
        >>> import indicatrix as ix
        >>> both = ix.compare([0, 1] * 50, {"lr": [0, 1, 1, 0] * 25, "rf": [0, 1, 0, 0] * 25}, "f1", "macro")
        >>> both.plot.forest().get_xlabel()
        'difference, 95% intervals'
        """
        differences = self.comparison.differences
        drawn = plots.forest(differences, ax=ax)
        if differences:
            drawn.set_xlabel(f"difference, {100 * differences[0].level:.4g}% intervals")
        return drawn

    def ranks(self, *, ax: Axes | None = None) -> Axes:
        """Return axes with the rank of each classifier by each score.

        Parameters
        ----------
        ax : Axes, optional
            Where to draw. Default: a new figure.

        Returns
        -------
        Axes
            The axes with the plot.

        Examples
        --------
        >>> import indicatrix as ix
        >>> y = ["a", "b", "b", "c"]
        >>> both = ix.compare({"lr": ix.evaluate(y, y), "rf": ix.evaluate(y, ["a", "b", "b", "a"])}, "f1", ["micro", "macro"])
        >>> [text.get_text() for text in both.plot.ranks().texts]
        ['1', '2', '1', '2']
        """
        rows = self.comparison.rows
        return plots.ranks([row.ranks for row in rows], [row.name for row in rows], self.comparison.names, ax=ax)

    def agreement(self, *, ax: Axes | None = None) -> Axes:
        """Return axes with Kendall's tau between the orders of the classifiers by every two scores.

        Parameters
        ----------
        ax : Axes, optional
            Where to draw. Default: a new figure.

        Returns
        -------
        Axes
            The axes with the plot.

        Examples
        --------
        >>> import indicatrix as ix
        >>> y = ["a"] * 8 + ["b"] * 2
        >>> lr, rf = ix.evaluate(y, ["a"] * 10), ix.evaluate(y, ["a"] * 5 + ["b"] * 5)
        >>> both = ix.compare({"lr": lr, "rf": rf}, "recall", ["micro", "macro"])
        >>> [text.get_text() for text in both.plot.agreement().texts]
        ['1.00', '-1.00', '-1.00', '1.00']
        """
        drawn: Axes = self.comparison.agreement().plot(ax=ax)
        return drawn

    def __call__(self, *args: Any, **options: Any) -> Any:
        """Refuse a call, and say which plots there are."""
        raise TypeError(choose_one("comparison.plot", self))

    def __getattr__(self, name: str) -> Any:
        """Refuse a plot that does not exist, and say which do."""
        raise AttributeError(f"comparison.plot has no {name}. {choose_one('comparison.plot', self)}")

    def __repr__(self) -> str:
        return f"<plots of {self.comparison!r}: forest, ranks, agreement>"


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
