"""What a comparison draws: numbers that it holds, handed to the functions of ``plots``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .. import plots
from ..words.call_mistakes import answers_mistakes, choose_one

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
