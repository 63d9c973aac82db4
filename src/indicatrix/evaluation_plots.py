"""What an evaluation draws: numbers from its own methods, handed to the functions of ``plots``."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from . import plots
from .algebra.arrays import as_weight
from .algebra.average import AVERAGES, measure_name, score_name
from .algebra.derived.derived_facts import needed_direction
from .algebra.ends import check_level
from .algebra.measure import Measure
from .algebra.measure_names import find
from .inference.intervals.of_score import level_of
from .report.grid import label as name_label
from .theory.formula.measure_notes import floor
from .theory.result.findings import EXAMINED
from .words.call_mistakes import answers_mistakes, choose_one
from .words.wording import check_at_most, listing

MOST_POINTS = 10_000  # of a line

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@answers_mistakes
@dataclass(frozen=True, repr=False)
class EvaluationPlots:
    """The plots of an evaluation: ``ev.plot.confusion()``, ``ev.plot.classes("f1")`` and others.

    Each takes ``ax=`` and returns the axes. They need matplotlib: pip install 'indicatrix[plots]'.

    Attributes
    ----------
    ev : Evaluation
        What is drawn.
    """

    ev: Any

    def confusion(self, normalize: str | None = None, *, ax: Axes | None = None) -> Axes:
        """Return axes with the confusion matrix: rows true, shaded by shares of each true class.

        Parameters
        ----------
        normalize : str, optional
            What is written in the cells: shares of each "true" class, of each "pred" class, or of "all" examples.
            Default: counts.
        ax : Axes, optional
            Where to draw. Default: a new figure.

        Returns
        -------
        Axes
            The axes with the plot.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ax = ix.evaluate(["ant", "bee", "bee"], ["ant", "bee", "ant"]).plot.confusion()
        >>> [text.get_text() for text in ax.texts]
        ['1', '0', '1', '1']
        """
        titles = {None: "", "true": "shares of each true class", "pred": "shares of each predicted class", "all": "shares of all"}
        written = self.ev.confusion_matrix(normalize)
        shares = self.ev.confusion_matrix(normalize or "true")
        size = f"{self.ev.n:,} {'example' if self.ev.n == 1 else 'examples'}"
        title = f"Confusion matrix, {titles[normalize] if normalize else size}"
        return plots.confusion(written, self.ev.classes, shares=shares, title=title, ax=ax)

    def classes(self, measure: str | Measure = "f1", *, interval: float | bool = True, ax: Axes | None = None) -> Axes:
        """Return axes with the value of each class, its interval, and the micro and macro averages.

        Parameters
        ----------
        measure : str or Measure, default 'f1'
            A measure, its name, or a formula.
        interval : float or bool, default True
            The level of the intervals, or False for none.
        ax : Axes, optional
            Where to draw. Default: a new figure.

        Returns
        -------
        Axes
            The axes with the plot.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ax = ix.evaluate(["ant", "bee", "bee"], ["ant", "bee", "ant"]).plot.classes("recall", interval=False)
        >>> [float(bar.get_width()) for bar in ax.patches]
        [1.0, 0.5]
        """
        found = find(measure)
        values = self._values(found, interval)
        name = measure_name(found, ["macro"])
        averages = {a: self.ev.score(found, a) for a in ("macro", "micro") if not found.averages or a in found.averages}
        return plots.units(values, averages=averages, name=name, title=f"{name} of each class", ax=ax)

    def _values(self, measure: Measure, interval: float | bool) -> Any:
        """Return the values of the classes, with intervals where they can be had."""
        if not interval or not self.ev.classes:
            return self.ev.values(measure)
        level = level_of(interval)
        check_level(level)
        try:
            return self.ev.values(measure, interval=level)
        except ValueError:  # counts that no interval follows from
            return self.ev.values(measure)

    def gap(self, measure: str | Measure = "f1", per: str = "class", *, ax: Axes | None = None) -> Axes:
        """Return axes with the steps from macro to micro: skew, curvature and the rest.

        Parameters
        ----------
        measure : str or Measure, default 'f1'
            A measure, its name, or a formula.
        per : str, default 'class'
            The axis whose units macro is the mean of.
        ax : Axes, optional
            Where to draw. Default: a new figure.

        Returns
        -------
        Axes
            The axes with the plot.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ax = ix.from_confusion([[110, 10, 10], [20, 40, 5], [25, 5, 50]]).plot.gap("recall")
        >>> ax.get_title(loc="left")
        'recall: from macro to micro'
        """
        drawn: Axes = self.ev.gap(measure, per).plot(ax=ax)
        return drawn

    def prior_sensitivity(
        self,
        measure: str | Measure = "f1",
        label: Any = None,
        *,
        averages: Iterable[str] = ("micro", "macro", "weighted"),
        points: int = 25,
        ax: Axes | None = None,
    ) -> Axes:
        """Return axes with averages of a measure if one class were more or less frequent than it is.

        The other classes keep their sizes relative to each other, and every class its rates.

        Parameters
        ----------
        measure : str or Measure, default 'f1'
            A measure, its name, or a formula.
        label : label, optional
            The class whose share changes. Default: the positive class, or the most frequent one if there is none.
        averages : iterable of str, default ('micro', 'macro', 'weighted')
            The averages that are drawn.
        points : int, default 25
            At how many shares.
        ax : Axes, optional
            Where to draw. Default: a new figure.

        Returns
        -------
        Axes
            The axes with the plot.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ax = ix.from_confusion([[90, 10], [2, 8]], classes=["well", "ill"]).plot.prior_sensitivity("recall", "ill", points=3)
        >>> ax.get_xlabel()
        'share of class ill'
        """
        found = find(measure)
        counts = self.ev.aggregate("class")
        sizes = as_weight(counts.tpos).astype(float)
        label = self._class_to_change(label, sizes)
        place = self.ev.classes.index(label)
        # Labels that do not exclude one another have a prevalence each; classes share the examples.
        exclusive = self.ev.kind == "multiclass"
        parts = sizes / (sizes.sum() if exclusive else as_weight(counts.n).astype(float))
        check_at_most("points", points, MOST_POINTS, "A line on a screen shows a few hundred.")
        shares = np.linspace(0.02, 0.98, points)
        priors = [_move(parts, place, share, exclusive) for share in shares]
        drawn = {
            score_name(found, a): [float(v) for v in self.ev.prior_sensitivity(found, *priors, average=a).values[1:]]
            for a in averages
        }
        now = float(parts[place])
        return plots.prior_sensitivity(
            shares, drawn, now=now, name=label, title=f"{found} if {short_of(label)} were more or less frequent", ax=ax
        )

    def _class_to_change(self, label: Any, sizes: Any) -> Any:
        if not self.ev.classes:
            raise ValueError("There are no classes here, so no share can change. Evaluate some examples first.")
        if label is None:
            return self.ev.positive if self.ev.positive in self.ev.classes else self.ev.classes[int(np.argmax(sizes))]
        if label not in self.ev.classes:
            raise ValueError(f"{label!r} is not a class; the classes are {listing(self.ev.classes)}.")
        return label

    def floors(self, measures: Sequence[str | Measure] = EXAMINED, average: str = "micro", *, ax: Axes | None = None) -> Axes:
        """Return axes with scores on their range, which starts at what always being wrong scores.

        Parameters
        ----------
        measures : sequence of str or Measure, optional
            Measures, their names, or formulas.
        average : str, default 'micro'
            'micro', 'macro' or 'exemplar'.
        ax : Axes, optional
            Where to draw. Default: a new figure.

        Returns
        -------
        Axes
            The axes with the plot.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ax = ix.from_confusion([[8, 1, 1], [0, 9, 1], [2, 0, 8]]).plot.floors(["specificity", "f1"])
        >>> [text.get_text() for text in ax.texts]
        ['0.500', '0.917', '0.000', '0.833']
        """
        if self.ev.kind != "multiclass":
            raise ValueError(f"Floors are for one class per example; these data are {self.ev.kind}.")
        if len(self.ev.classes) < 2:
            what = f"there is one, {self.ev.classes[0]!r}" if self.ev.classes else "there are no classes"
            raise ValueError(
                f"Floors need two classes or more, because with one class no prediction can be wrong; here {what}. Name all "
                "classes with classes=."
            )
        found = [find(m) for m in measures]
        sizes = [int(x) for x in as_weight(self.ev.aggregate("class").tpos)]
        given = {"sizes": sizes} if AVERAGES[average].per == ("class",) else {}
        worst = [float(floor(m, len(self.ev.classes), average=average, **given)) for m in found]
        values = [float(self.ev.score(m, average)) for m in found]
        best = [float(m.range[needed_direction(m) == "higher"]) for m in found]
        title = f"{average} scores, from what always being wrong scores"
        return plots.floors([str(m) for m in found], values, worst, best=best, title=title, ax=ax)

    def groups(
        self, measure: str | Measure, axis: str, *, average: str | None = None, level: float = 0.95, ax: Axes | None = None
    ) -> Axes:
        """Return axes with a measure in each group of a ``by`` axis, intervals, and the largest gap.

        Parameters
        ----------
        measure : str or Measure
            A measure, its name, or a formula.
        axis : str
            The name of a by= axis.
        average : str, optional
            The score inside each group. Default: that of the positive class, or of all classes pooled if there is none.
        level : float, default 0.95
            In which share of samples the intervals are to cover the true values.
        ax : Axes, optional
            Where to draw. Default: a new figure.

        Returns
        -------
        Axes
            The axes with the plot.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ev = ix.evaluate([1] * 60, [1] * 34 + [0] * 26, by={"site": ["x"] * 30 + ["y"] * 30})
        >>> ax = ev.plot.groups("recall", "site")
        >>> [text.get_text() for text in ax.texts]
        ['1.000 [0.905, 1.000]', '0.13 [0.04, 0.29]']
        """
        drawn: Axes = self.ev.compare_groups(measure, axis, average=average, level=level).plot(ax=ax)
        return drawn

    def __call__(self, *args: Any, **options: Any) -> Any:
        """Refuse a call, and say which plots there are."""
        raise TypeError(choose_one("ev.plot", self))

    def __getattr__(self, name: str) -> Any:
        """Refuse a plot that does not exist, and say which do."""
        raise AttributeError(f"ev.plot has no {name}. {choose_one('ev.plot', self)}")

    def __repr__(self) -> str:
        return f"<plots of {self.ev!r}: confusion, classes, gap, drift, floors, groups>"


def short_of(name: Any) -> str:
    """Return a label for a title."""
    return name_label(name, 24)


def _move(parts: Any, place: int, share: float, exclusive: bool) -> list[float]:
    """Return the priors at which one class has this share.

    With exclusive classes, the others share the rest as they did.
    """
    if not exclusive:
        return [float(share) if k == place else float(p) for k, p in enumerate(parts)]
    rest = 1 - parts[place]
    others = parts * (1 - share) / rest if rest > 0 else np.full(len(parts), (1 - share) / max(len(parts) - 1, 1))
    others[place] = 1 - (others.sum() - others[place]) if len(parts) > 1 else 1.0
    return [float(p) for p in others]
