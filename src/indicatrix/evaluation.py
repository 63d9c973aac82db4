"""Evaluation: a tally with the methods users want, each one line onto a function below."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from .algebra.arrays import Array
from .algebra.average import MICRO_AND_MACRO, Name, counts_of_units
from .algebra.counts import Counts, check_axes
from .algebra.ends import check_level
from .algebra.measure import MEASURES, Measure
from .algebra.measure_names import asked_units, measure_of_counts, resolve, split_score, split_scores
from .algebra.score import Undefined, stand_in_for_undefined
from .algebra.source_score import values_within_groups
from .algebra.sums import units_meant
from .algebra.values import Values, to_pandas, to_polars
from .catalogue.listing import measure_and_average
from .encode.vocabulary import check_classes
from .settings.options import PLAIN, Recipe, coverage, need_all_cells, need_examples, read_by
from .tally.regrouped import normalize_confusion, values_in_blocks
from .tally.states.group_counts import CrossTable
from .tally.tally import MANY, MANY_GROUPED, Tally
from .words.call_mistakes import answers_mistakes
from .words.wording import did_you_mean, listing, short, type_of

if TYPE_CHECKING:
    from .evaluation_plots import EvaluationPlots
    from .inference.groups.group_comparison import GroupComparison
    from .inference.intervals.interval import Interval
    from .inference.slices.weakest import WeakestSlices
    from .report.text import ScoreTable
    from .scores.curves.curve import Curve
    from .scores.scored import Scored
    from .scores.thresholds.sweep import Sweep
    from .tasks.folds import Folds
    from .tasks.positive_unlabeled import Bounds
    from .theory.result.checklist import Checklist
    from .theory.result.coinciding_scores import CoincidingScores
    from .theory.result.dominance import Dominance
    from .theory.result.findings import Finding
    from .theory.result.gap import Gap
    from .theory.result.prior_free import SkewConditions
    from .theory.result.priors import PriorSensitivity
    from .theory.result.redundancy import Redundancy

SEVERAL_LABELS = "examples may have several labels; ev.aggregate('class') has tp, fp, fn and tn of each class"
OF_SCORES = "ev.roc(), ev.pr() and ev.best('f1') read scores, and ev.sweep() has all thresholds."
OTHER_ATTRIBUTES = {  # what people look for, and where it is
    "support": "The examples of each class are ev.aggregate('class').tpos.",
    "summary": "ev.report() is the text.",
    "to_json": "ev.save(path) writes its counts as JSON for ix.load, and ev.to_dict() has the scores.",
    **dict.fromkeys(("to_csv", "to_dataframe", "to_frame"), "ev.to_pandas() is a data frame of the scores, which has to_csv."),
    **dict.fromkeys(("to_latex", "to_markdown"), "ev.to_pandas() is a data frame of the scores, which has both."),
    "compare": "ix.compare({'a': ev1, 'b': ev2}) compares evaluations.",
    **dict.fromkeys(("roc_curve", "pr_curve", "curves", "threshold"), OF_SCORES),
    **dict.fromkeys(
        ("det", "lift", "eer", "at_rate", "cost_curve", "risk_coverage"), "ev.sweep() has all curves and rates of the scores."
    ),
    **dict.fromkeys(("ci", "confidence_interval", "bootstrap"), "ev.interval('f1', 'macro') is a score with its interval."),
    **dict.fromkeys(
        ("groups", "by_group", "fairness"), "ev.compare_groups('recall', 'group') compares the groups of by={'group': …}."
    ),
    **dict.fromkeys(("labels", "names"), "ev.classes has the classes."),
    **dict.fromkeys(("metrics", "scores", "measures"), "ev.table() has the usual scores, and ev.score('f1', 'macro') any other."),
    **dict.fromkeys(("cm", "matrix"), "ev.confusion is the confusion matrix."),
    **dict.fromkeys(("explain", "recommend"), "ev.findings() says what the theory says about these scores."),
}
# What a score of plain labels does not need is imported where it is used, so that importing the library stays fast.


@answers_mistakes(but=("__init__",))  # it answers labels itself, and is called for every measure
@dataclass(frozen=True, eq=False, repr=False, slots=True)
class Evaluation:
    """The evaluation of predictions: scores, tables, intervals, comparisons, plots and the report.

    ``ix.evaluate`` makes it. It keeps counts, not rows, so any measure can be computed from it later. Evaluations can be added,
    compared, saved and loaded. ``ix.Evaluation()`` is empty, and adding it changes nothing: loops over batches start with it.

    Attributes
    ----------
    tally : Tally
        The counts.
    kind : str
        "multiclass", "multilabel", "soft" or "counts".
    named_positive : label or None
        The class that positive= named.
    recipe : Recipe
        How labels became counts: the arguments that changed them.
    bad_rows : BadRows or None
        What ``ix.evaluate_file(…, bad="count")`` left out: how many rows, and where the first of them stand.
    scored : Scored or None
        The scores that labels were decided from, by reference: areas, losses and rankings read them.
    rows : KeptRows or None
        The labels, by reference: ``weakest`` counts them again in other groups. Files and sums of evaluations have none.

    Examples
    --------
    >>> import indicatrix as ix
    >>> ev = ix.evaluate(["cat", "ant", "cat", "cat"], ["cat", "ant", "ant", "cat"])
    >>> ev.score("f1", "macro"), ev.confusion.tolist()
    (0.7333333333333334, [[1, 0], [1, 2]])
    >>> total = ix.Evaluation()
    >>> for y_true, y_pred in [(["cat", "ant"], ["cat", "ant"]), (["cat", "cat"], ["ant", "cat"])]:
    ...     total += ix.evaluate(y_true, y_pred)
    >>> total == ev
    True
    """

    tally: Tally = field(default_factory=lambda: Tally((), {}, 0))
    kind: str = "multiclass"  # or "multilabel", "soft", "counts"
    named_positive: Any = None
    recipe: Recipe = PLAIN
    bad_rows: Any = None  # what a reader of files left out; it is not saved
    scored: Any = field(default=None, init=False)  # the scores that labels were decided from, as far as there are any
    rows: Any = field(default=None, init=False)  # the labels, by reference, which can be counted again in other groups

    @property
    def classes(self) -> tuple[Any, ...]:
        """The classes, in order."""
        return self.tally.classes

    @property
    def n(self) -> int:
        """The number of examples."""
        return self.tally.n

    @property
    def ordered(self) -> bool:
        """Whether the order of the classes has a meaning: it was given, or they are consecutive integers."""
        names = self.classes
        whole = all(isinstance(c, int) for c in names)
        return self.tally.ordered or (whole and (not names or names == tuple(range(names[0], names[-1] + 1))))

    @property
    def confusion(self) -> Array:
        """The m x m confusion matrix, rows true."""
        if self.unobserved:
            need_all_cells(self, "A confusion matrix", but=("tn",))
        if not isinstance(self.tally.pooled, CrossTable):
            m, reason = len(self.classes), "a mask of entries leaves the pairs of classes unknown"
            if self.recipe.targets:
                reason = "several targets are counted together; evaluate each of them alone to have it"
            elif self.kind != "multiclass":
                reason = SEVERAL_LABELS if self.kind != "counts" else "only counts per class were given"
            elif self.recipe.uses("cost"):
                reason = "cells are weighted by costs; evaluate without cost= to have it"
            elif m > (MANY_GROUPED if self.tally.by else MANY):
                reason = f"with {m} classes it is kept only on request; evaluate with confusion=True"
            raise ValueError(f"There is no confusion matrix: {reason}.")
        return self.tally.confusion

    @answers_mistakes(
        hints={
            "labels": "fix the classes where you evaluate, with ix.evaluate(…, classes=…)",
            "sample_weight": "give the weights where you evaluate, with ix.evaluate(…, sample_weight=…)",
        }
    )
    def confusion_matrix(self, normalize: str | None = None, *, undefined: Undefined = "nan") -> Array:
        """Return the m x m confusion matrix, rows true, as counts or as shares.

        Parameters
        ----------
        normalize : str, optional
            "true": shares of each true class, the rows sum to 1. "pred": shares of each predicted class, the columns sum to 1.
            "all": shares of all examples. None: counts, as ``ev.confusion``.
        undefined : str or number, default 'nan'
            What stands in the row or column of a class without examples, where 0 is divided by 0: "nan", a number such as 0, or
            "raise" for an error.

        Returns
        -------
        array
            The matrix in the order of ``ev.classes``. Examples without a class on one side are not in it.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ev = ix.evaluate(["ant", "bee", "bee", "bee"], ["ant", "bee", "bee", "ant"])
        >>> ev.confusion_matrix().tolist(), ev.confusion_matrix("pred").tolist()
        ([[1, 0], [1, 2]], [[0.5, 0.0], [0.5, 1.0]])
        """
        if normalize is None:
            return self.confusion
        return normalize_confusion(self.confusion, normalize, undefined)

    @property
    def axes(self) -> tuple[str, ...]:
        """The axes that ``per=`` can keep and ``average=`` can run along."""
        return self.tally.axes

    @property
    def positive(self) -> Any:
        """The positive class: the named one, 1 of labels 0/1, or the only column; otherwise None."""
        if self.named_positive is not None:
            return self.named_positive
        if self.kind == "multiclass":
            numbers = all(isinstance(c, int | float) and c in (0, 1) for c in self.classes)
            return (True if self.classes and all(isinstance(c, bool) for c in self.classes) else 1) if numbers else None
        return self.classes[0] if len(self.classes) == 1 else None

    def binary(self, per: tuple[str, ...] = ()) -> Counts:
        """Return the counts of the positive class, keeping the groups of the ``by`` axes in ``per``.

        If the class neither occurs nor is predicted, all examples are true negatives.

        Parameters
        ----------
        per : tuple of str, default ()
            The by= axes whose groups are kept. The others are summed.

        Returns
        -------
        Counts
            The counts of one class.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ix.evaluate([0, 1, 1, 0], [0, 1, 0, 0]).binary()
        Counts(tp=1, fp=0, fn=1, tn=2)
        """
        positive = self.positive
        if positive in self.classes:
            return self.aggregate((*per, "class") if per else "class").at(**{"class": positive})
        if per:  # at most one class, of which every observed example is one entry
            groups = self.tally.aggregate(per)
            nothing = 0 * groups.n
            return self._hide_unobserved(
                Counts(nothing, nothing, nothing, groups.n, per=groups.per, names=groups.names, signed=True)
            )
        rows = self.tally.aggregate("example")
        observed = (rows.n > 0) * (1 if rows.times is None else rows.times)
        seen = observed.sum() if observed.size else 0
        return self._hide_unobserved(Counts(0, 0, 0, seen.item() if hasattr(seen, "item") else seen, signed=True))

    def aggregate(self, per: str | tuple[str, ...] = ()) -> Counts:
        """Return the counts, keeping the axes in ``per`` and summing over all others.

        Along "example" an evaluation keeps the distinct rows of counts, sorted, and ``times``, how often each occurs;
        ``ix.tasks.per_example`` has the order of the data.

        Parameters
        ----------
        per : str or tuple of str, default ()
            The axes to keep: "class", "example", "target", any by= axis, or several of them. The others are summed.

        Returns
        -------
        Counts
            The counts of each unit, with ``.names``.

        Examples
        --------
        >>> import indicatrix as ix
        >>> counts = ix.evaluate(["ant", "cat", "cat"], ["ant", "ant", "cat"]).aggregate("class")
        >>> counts.names, counts.tp.tolist(), counts.fn.tolist()
        ((('ant', 'cat'),), [1, 1], [0, 1])
        """
        counts = self.tally.aggregate(per)
        return self._hide_unobserved(counts) if self.recipe.unobserved else counts

    def units(self, measure: str | Measure, per: str | tuple[str, ...] = (), *, positive: bool = False) -> Any:
        """Return the statistic that a measure reads, for each unit of some axes; for counts, ``aggregate``.

        Parameters
        ----------
        measure : str or Measure
            The measure that reads it, or its name.
        per : str or tuple of str, default ()
            The axes to keep.
        positive : bool, default False
            Whether only the positive class is read.

        Returns
        -------
        Counts, or another statistic
            What ``measure.values`` takes.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ev = ix.evaluate([0, 1, 1, 0], [0.1, 0.9, 0.4, 0.6], decide=0.5)
        >>> ev.units("f1", positive=True), ix.auc.values(ev.units("auc", positive=True))
        (Counts(tp=1, fp=1, fn=1, tn=1), 0.75)
        """
        measure, per = asked_units(measure, per)
        kind = measure.reads
        if kind.counted:
            return kind.of_labels(self, per, positive)  # type: ignore[misc]
        return units_meant(self, measure, per, positive=positive)

    @property
    def unobserved(self) -> tuple[str, ...]:
        """The cells that the data cannot show, of "tp", "fp", "fn", "tn"; usually empty."""
        return self.recipe.unobserved

    def _hide_unobserved(self, counts: Counts) -> Counts:
        """Return counts with nan for cells that the data cannot show: measures that read them are undefined."""
        return counts.without(*self.recipe.unobserved, masked=self.tally.hidden != (0, 0)) if self.recipe.unobserved else counts

    @property
    def coverage(self) -> float:
        """The share of the observed examples for which something was predicted."""
        return coverage(self)

    def answered(self) -> Evaluation:
        """Return the evaluation of the examples with a predicted class; the others count as not observed.

        It has the counts of evaluate(…, abstained="mask").

        Returns
        -------
        Evaluation
            The same classes, fewer observed examples.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ev = ix.evaluate(["a", "b", "b"], ["a", None, "b"], missing="abstain")
        >>> ev.score("recall", "micro"), ev.answered().score("recall", "micro"), ev.coverage
        (0.6666666666666666, 1.0, 0.6666666666666666)
        >>> ix.evaluate([{"a"}, {"a", "b"}], [{"a"}, set()]).answered().score("recall", "micro")
        1.0
        """
        return replace(self, tally=self.tally.answered())

    def only(self, classes: Iterable[Any], *, absent: str = "error") -> Evaluation:
        """Return the evaluation of some classes, in this order; other labels count as no class.

        This is what ``labels=`` does in scikit-learn. Where examples may have several labels, the counts of single examples are
        lost, so there is no exemplar average: evaluate these columns for it.

        Parameters
        ----------
        classes : iterable
            The classes to keep.
        absent : str, default 'error'
            What a class does that the evaluation does not have: "error", or "add" for a class without examples.

        Returns
        -------
        Evaluation
            The counts of these classes.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ev = ix.evaluate(["cat", "elk", "ant"], ["cat", "cat", "unknown"], known=["ant", "cat"])
        >>> ev.score("f1", "macro"), ev.only(["ant", "cat"]).score("f1", "macro")
        (0.2222222222222222, 0.3333333333333333)
        >>> ev.only(["cat", "dog"], absent="add").confusion.tolist()
        [[1, 0], [0, 0]]
        """
        if absent not in ("error", "add"):
            raise ValueError(f"absent={absent!r} is unknown. Use 'error', or 'add' for classes without examples.")

        if isinstance(classes, str | bytes):
            raise TypeError(f"only({short(classes)}) is one text; give a list of classes: only([{short(classes)}]).")
        names = check_classes(classes)
        if not names:
            raise ValueError(f"only() needs at least one class; the classes are {listing(self.classes)}.")
        added = tuple(name for name in names if name not in self.classes)
        if added and self.tally.targets is not None:
            raise ValueError(f"{added[0]!r} is not a class of any {self.tally.grouping}, and here every class belongs to one.")
        if added and absent == "error":
            raise ValueError(
                f"{added[0]!r} is not a class; the classes are {listing(self.classes)}. "
                "absent='add' adds classes without examples."
            )
        positive = self.named_positive if self.named_positive in names else None
        tally = (self.tally.widen((*self.classes, *added)) if added else self.tally).only(names)
        kind = self.kind if isinstance(tally.pooled, CrossTable) else "counts"
        return replace(self, tally=tally, kind=kind, named_positive=positive, recipe=self.recipe._replace(only=names))

    def split(self, axis: str) -> dict[Any, Evaluation]:
        """Return the evaluation of each group of a ``by`` axis, by name.

        Parameters
        ----------
        axis : str
            The name of a by= axis.

        Returns
        -------
        dict
            The name of each group with its evaluation.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ev = ix.evaluate([0, 1, 1, 0], [0, 1, 0, 0], by={"site": ["x", "x", "y", "y"]})
        >>> {site: float(part.score("recall", "macro")) for site, part in ev.split("site").items()}
        {'x': 1.0, 'y': 0.5}
        """
        return self._split(axis)

    def _split(self, axis: str, names: Sequence[Any] | None = None) -> dict[Any, Evaluation]:
        """Return the evaluation of each group of a ``by`` axis, or of some of them."""
        parts = {name: replace(self, tally=tally) for name, tally in self.tally.split(axis, names).items()}
        if self.scored is None:
            return parts
        scores = self.scored.split(axis)
        return {name: part._with_scores(scores(name)) for name, part in parts.items()}

    def _cross(self, axes: tuple[str, ...], name: str) -> Evaluation:
        """Return the evaluation with one axis for several: its groups are the combinations that occur."""
        made = replace(self, tally=self.tally.cross(axes, name))
        return made if self.scored is None else made._with_scores(self.scored.cross(axes, name))

    def folds(
        self,
        measure: str | Measure,
        average: str | None = None,
        *,
        axis: str = "fold",
        undefined: Undefined = "exclude",
    ) -> Folds:
        """Return the pooled and the averaged value over folds, the weights and the gap.

        Parameters
        ----------
        measure : str or Measure
            A measure, its name, or a formula.
        average : str, optional
            How the values of the units become one number: 'micro', 'macro', 'weighted' or another of ``ix.algebra.AVERAGES``, or
            the name of a by= axis. Optional where there is a positive class.
        axis : str, default 'fold'
            The name of a by= axis.
        undefined : str or number, default 'exclude'
            What an undefined value does: 'exclude' leaves it out of the average, a number replaces it, 'nan' keeps it,
            'raise' is an error.

        Returns
        -------
        Folds
            ``.pooled``, ``.averaged``, ``.values`` of the folds, ``.gap`` and ``.std``.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ev = ix.evaluate([1, 1, 1, 1, 0, 0, 0], [1, 1, 1, 0, 0, 1, 1], by={"fold": [1, 1, 2, 2, 1, 2, 2]})
        >>> f = ev.folds("precision")
        >>> f.pooled, f.averaged, f.values.tolist()
        (0.6, 0.6666666666666666, [1.0, 0.3333333333333333])
        """
        from .tasks.folds import folds

        measure, average = split_score(measure, average)
        return folds(read_by(self, resolve(measure)), measure, average, axis=axis, undefined=undefined)

    def cost(
        self,
        costs: Any,
        *,
        average: str = "micro",
        side: str = "true",
        undefined: Undefined = "exclude",
        abstain_cost: Any = None,
        interval: float | bool | None = None,
        clusters: str | None = None,
    ) -> Any:
        """Return the cost under a cost matrix: per example, per class, or in total.

        Parameters
        ----------
        costs : array-like, DataFrame, Taxonomy or str
            The cost matrix, rows true; or "zero_one", "absolute" or "squared".
        average : str, default 'micro'
            "micro" is the cost per example, "total" the sum, "macro" the mean over classes, the name of a by= axis the mean
            over its groups.
        side : str, default 'true'
            Whether "macro" takes classes by the "true" or the "predicted" label.
        undefined : str or number, default 'exclude'
            What an undefined value does: 'exclude' leaves it out of the average, a number replaces it, 'nan' keeps it,
            'raise' is an error.
        abstain_cost : number or array-like, optional
            What a prediction without a class costs: one number, or one per true class.
        interval : float or bool, optional
            A level such as 0.95, or True for it: then the result is an interval.
        clusters : str, optional
            A ``by`` axis whose groups were sampled as a whole, such as patients with several images each; the interval counts it.

        Returns
        -------
        Score or Interval
            A float that also holds the values it was averaged from, and how undefined ones were handled.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ix.from_confusion([[80, 20], [10, 90]]).cost([[0, 1], [4, 0]], interval=True)
        0.3 [0.198, 0.449] (95%, score)
        >>> ev = ix.evaluate(["ill", "well", "well"], ["well", "ill", "well"])
        >>> ev.cost([[0, 5], [1, 0]]), ev.cost([[0, 5], [1, 0]], average="total")
        (2.0, 6.0)
        """
        from .tasks.cost import cost_of

        need_examples(self, "A cost")
        asked: dict[str, Any] = {"abstain_cost": abstain_cost, "interval": interval, "clusters": clusters}
        return cost_of(self, costs, average=average, side=side, undefined=undefined, **asked)

    def score(self, measure: str | Measure, average: Name | None = None, *, undefined: Undefined = "exclude") -> Any:
        """Return the measure under an average: a float that records how 0/0 was handled.

        The name of a ``by`` axis is the mean over its groups. Each group has the score of the positive class; without one, its
        classes are pooled. A tuple names the score inside each group: ("site", "macro") is the mean of the sites' macro scores.

        Parameters
        ----------
        measure : str or Measure
            A measure, its name, or a formula.
        average : str or tuple, optional
            How the values of the units become one number: 'micro', 'macro', 'weighted' or another of ``ix.algebra.AVERAGES``, or
            the name of a by= axis. Optional where there is a positive class. A tuple names the score inside each
            group: ('site', 'macro').
        undefined : str or number, default 'exclude'
            What an undefined value does: 'exclude' leaves it out of the average, a number replaces it, 'nan' keeps it,
            'raise' is an error.

        Returns
        -------
        Score
            A float that also holds the values it was averaged from, and how undefined ones were handled.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ev = ix.evaluate(list("aabbab"), list("abbbaa"), by={"site": [1, 1, 1, 2, 2, 2]})
        >>> ev.score("recall", "site"), ev.score("recall", ("site", "macro"))
        (0.6666666666666666 (site recall, pooled within each site), 0.75)
        """
        found, average = measure_and_average(measure, average)
        return found.score(self, average, undefined)

    def exact(self, measure: str | Measure, average: Name | None = None) -> Any:
        """Return a score in exact arithmetic: a Fraction, or fifty digits where it is irrational.

        Undefined units are left out.

        Parameters
        ----------
        measure : str or Measure
            A measure, its name, or a formula.
        average : str or tuple, optional
            How the values of the units become one number: 'micro', 'macro', 'weighted' or another of ``ix.algebra.AVERAGES``, or
            the name of a by= axis. Optional where there is a positive class. A tuple names the score inside each
            group: ('site', 'macro').

        Returns
        -------
        Fraction or mpf
            The exact value; nan where it is undefined.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ix.from_confusion([[110, 10, 10], [20, 40, 5], [25, 5, 50]]).exact("recall", "macro")
        Fraction(217, 312)
        """
        from .theory.result.exact_scores import exact_average

        need_all_cells(self, "An exact score")
        measure, average = split_score(measure, average)
        found = measure_of_counts(measure)
        score = self.score(found, average)  # also refuses what cannot be averaged
        return exact_average(self, score.measure, score.average)

    def values(
        self,
        measure: str | Measure,
        per: str | tuple[str, ...] = "class",
        *,
        average: Name | None = None,
        interval: float | bool | str | None = None,
        undefined: Undefined = "nan",
        pooled: bool = False,
        clusters: str | None = None,
    ) -> Values:
        """Return the value of each unit of an axis, as an array with ``.names``.

        The groups of a ``by`` axis have the values of the positive class; without one, their classes are pooled. ``average``
        names another score inside each group: average="macro" is each group's macro score. Along "example" these are the
        values of the distinct rows, with ``.times``; ``ix.tasks.per_example`` has one for each example. A function of the whole
        confusion matrix has a value for each group.

        Parameters
        ----------
        measure : str or Measure
            A measure, its name, or a formula.
        per : str or tuple of str, default 'class'
            The axes to keep: "class", "example", "target", any by= axis, or several of them.
        average : str, optional
            The score inside each group. Default: that of the positive class, or of all classes pooled if there is none.
        interval : float, bool or str, optional
            A level such as 0.95, or True for it: then ``.low``, ``.high`` and ``.intervals`` say how sure each value is.
            "simultaneous": all intervals together cover their values in 95% of samples.
        undefined : str or number, default 'nan'
            What stands for an undefined value: "nan" leaves it as it is, a number such as 0 replaces it, "raise" is an error.
        pooled : bool, default False
            Whether the values of groups are drawn towards those of all groups, small ones most (empirical Bayes), so that the
            worst of them is not the luckless one. For at least four groups of by= axes.
        clusters : str, optional
            A ``by`` axis whose groups were sampled as a whole, such as patients with several images each; the intervals count it.

        Returns
        -------
        Values
            An array with ``.names``; nan where a value is undefined. ``.worst()`` is the worst unit, with an interval that counts
            the choice.

        Examples
        --------
        >>> import indicatrix as ix
        >>> v = ix.evaluate(["cat", "ant", "cat"], ["cat", "ant", "ant"]).values("recall")
        >>> dict(zip(v.names, v.tolist()))
        {'ant': 1.0, 'cat': 0.5}
        >>> ev = ix.evaluate([0, 1, 1, 0, 1], [0, 1, 0, 0, 1], by={"site": ["x", "x", "x", "y", "y"]})
        >>> ev.values("recall", per="site").tolist(), ev.values("recall", per="site", average="macro").tolist()
        ([0.5, 1.0], [0.75, 1.0])
        >>> ix.from_confusion([[40, 10], [5, 45]], classes=["ant", "bee"]).values("recall", interval=True)
        Values('ant': 0.8 [0.672, 0.894], 'bee': 0.9 [0.792, 0.962])
        >>> ix.from_confusion([[40, 10], [5, 45]], classes=["ant", "bee"]).values("recall", interval="simultaneous")
        Values('ant': 0.8 [0.653, 0.905], 'bee': 0.9 [0.774, 0.969]; all at once)
        """
        axes = check_axes(per, self.axes, self.tally.by)
        measure, average = split_score(measure, average)
        found = resolve(measure)
        if clusters is not None:
            from .inference.intervals.of_values import check_clusters_of_values

            check_clusters_of_values(clusters, axes, interval, pooled)
        if pooled:
            from .inference.groups.pooled import pooled_values

            return pooled_values(self, found, axes, average, interval, undefined)
        if not found.reads.averaged:
            return self._matrix_values(found, axes, average, (interval, clusters), undefined)
        if not found.reads.counted:
            from .inference.intervals.of_values import values_of_scores

            return values_of_scores(self, found, axes, average, (interval, clusters), undefined)
        if axes and set(axes) <= set(self.tally.by):  # groups of examples
            found = found.meant_for(self, average)
            if average is None and found.averages:
                average = found.averages[0]  # its counts must not be pooled
        if interval:
            from .inference.intervals.of_values import unit_intervals

            plain = self.values(found, axes, average=average, undefined=undefined)
            intervals = unit_intervals(self, found, axes, average, (interval, clusters))
            names = plain.names if plain.ndim > 1 else (plain.names,)
            return Values.of(plain, names, plain.times, per=plain.per, intervals=intervals)
        if average is not None:
            inside, names = values_within_groups(found, self, axes, average)
            return Values.of(stand_in_for_undefined(inside, undefined), names, per=axes)
        many = values_in_blocks(self.tally, axes, lambda counts: found.values(self._hide_unobserved(counts)))
        if many is not None:
            units = self.tally.units_of(axes)
            return Values.of(stand_in_for_undefined(many, undefined), tuple(units[axis] for axis in axes), per=axes)
        counts = counts_of_units(self, axes)
        values = stand_in_for_undefined(found.values(counts), undefined)
        return Values.of(values, counts.names, counts.times, per=counts.per)

    def _matrix_values(
        self,
        measure: Measure,
        axes: tuple[str, ...],
        average: Any,
        asked: tuple[float | bool | str | None, str | None],
        undefined: Undefined,
    ) -> Values:
        """Return the value of a function of the whole confusion matrix for each group."""
        from .inference.intervals.of_values import matrix_values, unit_intervals

        values, names = matrix_values(self, measure, axes)
        if average is not None:
            raise ValueError(f"{measure} reads the whole confusion matrix of each group and has no averages; leave average out.")
        intervals = unit_intervals(self, measure, axes, None, asked) if asked[0] else None
        return Values.of(stand_in_for_undefined(values, undefined), names, per=axes, intervals=intervals)

    def interval(
        self,
        measure: str | Measure,
        average: Name | None = None,
        *,
        level: float = 0.95,
        method: str | None = None,
        seed: int | None = None,
        undefined: Undefined = "exclude",
        clusters: str | None = None,
        stratified: bool = False,
        draws: int = 2000,
        prevalence: Any = None,
        sampled: str | None = None,
    ) -> Interval:
        """Return a score with an interval for its true value, from the counts alone.

        The true value is the score on all data of which these are a sample. An interval that holds in 95% of samples says how
        far the score may be from it.

        Examples with several labels, memberships or a mask of entries need the second moments that ``evaluate`` keeps;
        examples with weights need the squares of the weights, which it keeps as well. Both have "score", "delta" and
        "log" only, because single examples are not kept. ``evaluate(…, replicates=200)`` keeps bootstrap replicates of
        the counts: then scores of several labels with min or max, or without a finite range, have an interval, too.

        Weights say how much an example counts, not how often it was seen, also if they are whole: to repeat an example
        adds to the sample, a larger weight does not. Intervals depend on the ratios of weights only, and weights that are
        all equal change nothing. One class of a label matrix without weights needs its counts alone.

        Parameters
        ----------
        measure : str or Measure
            A measure, its name, or a formula.
        average : str or tuple, optional
            The average, as ``score`` takes it.
        level : float, default 0.95
            In which share of samples the interval is to cover the true value.
        method : str, optional
            Default: the one with the best coverage: "mid_p" for plain proportions, "rates" for functions of the rates of separate
            true classes, "log" for odds and likelihood ratios, "posterior" for formulas with min or max,
            "score" for all others, "replicates" where only they were kept. On request: "wilson",
            "clopper_pearson", "jeffreys", "agresti_coull", "delta", "jackknife", "skewed" (a jackknife for skewed values),
            "percentile", "bca", "studentized", "poisson" (a bootstrap with Poisson weights), "gamma" (a Bayesian bootstrap) or
            "sequential" (a confidence sequence, which holds at every look).
        seed : int, optional
            Seed of the random draws; the same seed gives the same interval. Default: 0.
        undefined : str or number, default 'exclude'
            What an undefined value does: 'exclude' leaves it out of the average, a number replaces it, 'nan' keeps it,
            'raise' is an error.
        clusters : str, optional
            A ``by`` axis whose groups were sampled as a whole, such as patients with several images each.
        stratified : bool, default False
            Whether a bootstrap draws the examples of each true class apart.
        draws : int, default 2000
            How many replicates a bootstrap or a posterior has.
        prevalence : float, pair or mapping, optional
            How frequent the positive class is where the classifier is used, such as 0.02, or from where to where it may be,
            (0.01, 0.05), or the share of each class. Then the score is that of the same rates at this prevalence.
        sampled : str, optional
            "by class" if the number of examples of each true class was chosen, as in a case-control study, and did not come by
            chance.

        Returns
        -------
        Interval
            value, low, high, level, method and note; the note names classes with too few examples.

        References
        ----------
        - E. B. Wilson (1927). Probable inference, the law of succession, and statistical inference. Journal of the American
          Statistical Association 22:209-212. https://doi.org/10.1080/01621459.1927.10502953
        - C. J. Clopper, E. S. Pearson (1934). The use of confidence or fiducial limits illustrated in the case of the binomial.
          Biometrika 26:404-413. https://doi.org/10.1093/biomet/26.4.404
        - A. Agresti, B. A. Coull (1998). Approximate is better than "exact" for interval estimation of binomial proportions.
          The American Statistician 52:119-126. https://doi.org/10.1080/00031305.1998.10480550
        - L. D. Brown, T. T. Cai, A. DasGupta (2001). Interval estimation for a binomial proportion. Statistical Science
          16:101-133. https://doi.org/10.1214/ss/1009213286
        - G. Y. Zou, A. Donner (2008). Construction of confidence limits about effect measures: a general approach. Statistics
          in Medicine 27:1693-1702. https://doi.org/10.1002/sim.3095
        - B. Efron (1987). Better bootstrap confidence intervals. Journal of the American Statistical Association 82:171-185.
          https://doi.org/10.1080/01621459.1987.10478410
        - I. Waudby-Smith, D. Arbour, R. Sinha, E. H. Kennedy, A. Ramdas (2024). Time-uniform central limit theory and
          asymptotic confidence sequences. The Annals of Statistics 52:2613-2640. https://arxiv.org/abs/2103.06476

        Examples
        --------
        >>> import indicatrix as ix
        >>> ev = ix.from_confusion([[40, 10, 0], [5, 45, 3], [2, 0, 7]], classes=["ant", "bee", "cat"])
        >>> i = ev.interval("f1", "macro")
        >>> i
        0.798 [0.685, 0.884] (95%, score)
        >>> i.note
        "Class 'cat' has 9 examples: with fewer than 10, the interval is wide."
        """
        from .inference.intervals.of_score import interval

        return interval(
            self,
            measure,
            average,
            level=level,
            method=method,
            seed=seed,
            undefined=undefined,
            clusters=clusters,
            stratified=stratified,
            draws=draws,
            prevalence=prevalence,
            sampled=sampled,
        )

    def bounds(
        self, measure: str | Measure, average: Name | None = None, *, noise: Any, undefined: Undefined = "exclude"
    ) -> Bounds:
        """Return the lowest and highest value of a score if some of the true labels are wrong.

        This is for one label of two to five classes, and for label errors that do not depend on the prediction. Wrong labels
        of a class may fall on the other classes in any way. Errors that the labels share with the classifier make it look
        better, and are not covered by these bounds. Bounds of ratios of counts (precision, recall, F, accuracy) are exact, for
        three classes or more unless some of the rates would make a count negative: they then hold, but may not be reached.
        Those of other scores are found by trying thousands of rates. For known rates, with intervals, there is
        ``ix.evaluate(…, noise=)``.

        Parameters
        ----------
        measure : str or Measure
            A measure, its name, or a formula.
        average : str, optional
            The average, as ``score`` takes it.
        noise : pair of numbers, or of pairs
            From where to where the share of wrong labels of each true class lies, (0, 0.1), or of each its own,
            ((0, 0.05), (0, 0.1)).
        undefined : str or number, default 'exclude'
            What an undefined value does: 'exclude' leaves it out of the average, a number replaces it, 'nan' keeps it,
            'raise' is an error.

        Returns
        -------
        Bounds
            ``.low`` and ``.high``, and in ``.at_low`` and ``.at_high`` the tables of error rates, as ``noise=`` takes them.

        Examples
        --------
        >>> import indicatrix as ix
        >>> print(ix.from_confusion([[620, 90], [80, 210]]).bounds("precision", "binary", noise=((0, 0.05), (0, 0.1))))
        precision between 0.684211 and 0.777778 for a rate of wrong labels in [0, 0.1]
        """
        from .inference.raters.noise_bounds import noise_bounds

        return noise_bounds(self, measure, average, noise=noise, undefined=undefined)

    @answers_mistakes(hints={"per": "the axis is the second argument: ev.compare_groups('recall', 'site')"})
    def compare_groups(
        self,
        measure: str | Measure,
        axis: str | Sequence[str],
        *,
        average: Name | None = None,
        level: float = 0.95,
    ) -> GroupComparison:
        """Return how far a measure differs between the groups of a ``by`` axis, with intervals and a test.

        It has the value of each group with an interval, the largest difference and ratio, which groups these are, and a test of
        whether all groups have the same true value. (``gap`` is another question: micro minus macro.) The groups are scored as
        in ``values``.

        Parameters
        ----------
        measure : str or Measure
            A measure, its name, or a formula.
        axis : str or tuple of str
            The name of a by= axis. Several are crossed, ("site", "sex"): their groups are the combinations that occur, and
            ``.alone`` has the comparison along each axis.
        average : str, optional
            The score inside each group. Default: that of the positive class, or of all classes pooled if there is none.
        level : float, default 0.95
            In which share of samples the intervals are to cover the true values.

        Returns
        -------
        GroupComparison
            ``.values``, ``.intervals``, ``.difference``, ``.difference_interval``, ``.ratio``, ``.lowest``, ``.highest``,
            ``.test`` and ``.differences()`` of every two groups.

        References
        ----------
        - R. G. Newcombe (1998). Interval estimation for the difference between independent proportions: comparison of eleven
          methods. Statistics in Medicine 17:873-890.
          https://doi.org/10.1002/(SICI)1097-0258(19980430)17:8%3C873::AID-SIM779%3E3.0.CO;2-I

        Examples
        --------
        >>> import indicatrix as ix
        >>> y, z, site = [1] * 60, [1] * 34 + [0] * 26, ["x"] * 30 + ["y"] * 30
        >>> b = ix.evaluate(y, z, by={"site": site}).compare_groups("recall", "site")
        >>> b.difference, b.ratio, b.lowest, b.highest
        (0.8666666666666667, 0.13333333333333333, 'y', 'x')
        >>> b.difference_interval
        0.867 [0.683, 0.956] (95%, square_and_add)
        >>> print(b.test)
        chi-square 45.88 with 1 degree of freedom, p < 0.0001
        >>> both = ix.evaluate(y, z, by={"site": site, "sex": ["f", "m"] * 30}).compare_groups("recall", ("site", "sex"))
        >>> both.names, both.lowest, list(both.alone)
        ((('x', 'f'), ('x', 'm'), ('y', 'f'), ('y', 'm')), ('y', 'f'), ['site', 'sex'])
        """
        from .inference.groups.group_comparison import compare_groups

        measure, average = split_score(measure, average)
        return compare_groups(self, measure, axis, average=average, level=level)

    def weakest(
        self,
        measure: str | Measure,
        among: Any = None,
        *,
        average: Name | None = None,
        depth: int = 2,
        smallest: int = 50,
        most: int = 10,
        bins: int = 5,
        cut: str = "quantiles",
        false_discoveries: float = 0.1,
        level: float = 0.95,
        held_out: float | None = None,
        clusters: str | None = None,
        better: str | None = None,
        seed: int = 0,
    ) -> WeakestSlices:
        """Return the conjunctions of features whose value is worse than that of the rest, the worst first.

        A slice is a group: "site = 2 and age >= 68". All slices with enough examples are compared with all other examples. Only
        slices that are worse by more than chance explains are listed. A slice that is worse only because it shares examples with
        a clearer one is counted with that one.

        Parameters
        ----------
        measure : str or Measure
            A measure, its name, or a formula.
        among : data frame, mapping or array, optional
            The features, one value per example. Default: the axes of by=, whose counts are enough.
        average : str, optional
            The score inside each slice. Default: that of the positive class, or of all classes pooled if there is none.
        depth : int, default 2
            How many features a slice may name.
        smallest : int, default 50
            How many examples a slice has at least.
        most : int, default 10
            How many slices are returned at most.
        bins : int, default 5
            Into how many ranges a number with more values than these is cut.
        cut : str, default 'quantiles'
            "quantiles" for ranges with about equal numbers of examples, "tree" for cuts where the values differ most. A tree has
            seen the values, so p-values are too small for it; ``held_out`` makes them honest.
        false_discoveries : float, default 0.1
            Which share of the slices found may be false, in the mean (Benjamini and Hochberg).
        level : float, default 0.95
            The level of the intervals.
        held_out : float, optional
            The share of the examples that is not searched: values, p-values and intervals are then of these alone. Default: of
            all, with intervals that allow for the choice among all slices.
        clusters : str, optional
            A ``by`` axis whose groups were sampled as a whole, such as patients with several images each.
        better : str, optional
            "higher" or "lower", for a measure that does not say itself which of its values are better.
        seed : int, default 0
            Where the draw of the examples held out starts.

        Returns
        -------
        WeakestSlices
            Iterate over it, print it, or take ``to_dict()``, ``to_pandas()`` or ``plot()``.

        Examples
        --------
        >>> import indicatrix as ix
        >>> right = [1] * 95 + [0] * 5 + [1] * 60 + [0] * 40 + [1] * 190 + [0] * 10
        >>> features = {"site": ["x"] * 100 + ["y"] * 100 + ["z"] * 200, "shift": ["day", "night"] * 200}
        >>> worst = ix.evaluate([1] * 400, right, positive=1).weakest("recall", among=features)
        >>> worst[0].where, worst[0].interval
        ({'site': 'y'}, 0.6 [0.458, 0.731] (95%, mid_p, of the chosen))
        """
        from .inference.slices.weakest import weakest

        options: dict[str, Any] = {"average": average, "depth": depth, "smallest": smallest, "most": most, "bins": bins}
        options |= {"cut": cut, "false_discoveries": false_discoveries, "level": level, "held_out": held_out}
        return weakest(self, measure, among, clusters=clusters, better=better, seed=seed, **options)

    def table(
        self,
        measures: str | Measure | Iterable[str | Measure] | None = None,
        averages: str | Iterable[Name | None] | None = None,
        *,
        undefined: Undefined = "exclude",
        interval: float | bool | None = None,
    ) -> ScoreTable:
        """Return the scores of several measures (rows) under several averages (columns).

        By default, those of the report: the scores of the positive class first, where there is one, then the averages
        that these data have. A measure with only one version is then shown in that version; so is accuracy, the share of
        examples that are right, where each example has one class. Under a named average it is label accuracy.

        Parameters
        ----------
        measures : str, Measure or iterable, optional
            Measures, their names, or formulas.
        averages : str or iterable, optional
            The averages, as ``score`` takes them.
        undefined : str or number, default 'exclude'
            What an undefined value does: 'exclude' leaves it out of the average, a number replaces it, 'nan' keeps it,
            'raise' is an error.
        interval : float or bool, optional
            A level such as 0.95, or True for it: then each score has an interval, or the table says why it has none.

        Returns
        -------
        ScoreTable
            A table that prints; each entry is a score.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ev = ix.evaluate([0, 1, 1, 0, 1], [0, 1, 0, 1, 1])
        >>> print(ev.table(["precision", "recall"], averages=["binary", "micro", "macro", "weighted"]))
                   binary  micro  macro  weighted
        precision   0.667  0.600  0.583     0.600
        recall      0.667  0.600  0.583     0.600
        >>> print(ix.from_confusion([[40, 10], [5, 45]]).table("f1", ["micro", "macro"], interval=True))
                        micro              macro
        f1  0.85 [0.77, 0.91]  0.85 [0.77, 0.91]
        <BLANKLINE>
        In brackets: 95% intervals.
        """
        from .report.summary import scores_that_exist, scores_to_show, usual_measures
        from .report.text import ScoreTable

        named, _ = split_scores(usual_measures(self) if measures is None else measures, averages)
        given = [(resolve(m), (own,) if isinstance(own, str) else own) for m, own in named]
        rows, columns, keys = scores_to_show(self, given)
        scores = scores_that_exist(self, keys, undefined)
        return ScoreTable(rows, columns, scores, undefined, self._intervals(scores, undefined, interval))

    def _intervals(
        self, scores: Iterable[tuple[Any, Any]], undefined: Undefined, interval: float | bool | None
    ) -> dict[Any, Any]:
        """Return the intervals of scores by measure and average, or why one cannot be had."""
        if not interval:
            return {}
        from .inference.intervals.of_score import interval_or_reason, level_of

        level = level_of(interval)
        return {(m, a): interval_or_reason(self, m, a, level, undefined) for m, a in scores}

    @property
    def plot(self) -> EvaluationPlots:
        """The plots: ``ev.plot.confusion()``, ``.classes()``, ``.gap()`` and others."""
        from .evaluation_plots import EvaluationPlots

        return EvaluationPlots(self)

    def to_dict(self) -> dict[str, list[Any]]:
        """Return the scores of ``table()`` as columns.

        ``to_pandas()`` and ``to_polars()`` give them as a data frame. For other scores use ``ev.table(…).to_pandas()``, for the
        values of classes or groups ``ev.values(…).to_pandas()``.

        Returns
        -------
        dict
            The names of the measures, and a list of scores for each average.

        Examples
        --------
        >>> import indicatrix as ix
        >>> columns = ix.evaluate(["a", "b", "b"], ["a", "a", "b"]).to_dict()
        >>> list(columns)[:3]
        ['measure', 'micro', 'macro']
        """
        return self.table().to_dict()

    to_pandas, to_polars = to_pandas, to_polars

    def gap(self, measure: str | Measure, per: str | tuple[str, ...] = "class", *, parts: Iterable[Any] | None = None) -> Gap:
        """Return micro minus macro, and why: skew, curvature and remainder.

        It compares two averages; ``compare_groups`` compares groups. Along a ``by`` axis, where there is a positive class,
        its score of all examples takes the place of micro, and the mean over the groups that of macro.

        Parameters
        ----------
        measure : str or Measure
            A measure, its name, or a formula.
        per : str or tuple of str, default 'class'
            The axis whose units macro is the mean of.
        parts : iterable of Measure, optional
            The ratios of sums that the measure is a function of. Default: found automatically, where they exist.

        Returns
        -------
        Gap
            ``.gap`` and its terms; printing it explains them.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ev = ix.from_confusion([[110, 10, 10], [20, 40, 5], [25, 5, 50]])
        >>> ev.gap("recall").gap == ev.gap("recall").skew
        True
        """
        from .theory.result.gap import gap

        return gap(read_by(self, measure_of_counts(measure)), measure, per, parts=parts)

    def coinciding_scores(
        self,
        measures: Iterable[str | Measure] | None = None,
        averages: Iterable[str] | None = None,
    ) -> CoincidingScores:
        """Return which of these scores coincide here, and why.

        Parameters
        ----------
        measures : iterable of str or Measure, optional
            Measures, their names, or formulas. Default: precision, recall, specificity, accuracy, MCC, Jaccard and F1.
        averages : iterable of str, optional
            The averages, as ``score`` takes them.

        Returns
        -------
        CoincidingScores
            ``.groups`` of equal scores with the reason, and the scores that ``differ``.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ev = ix.evaluate(["a", "b", "b", "c"], ["a", "b", "c", "c"])
        >>> [len(group.scores) for group in ev.coinciding_scores(["precision", "recall", "f1"], ["micro"]).groups]
        [3]
        """
        from .theory.result.coinciding_scores import coinciding_scores

        need_all_cells(self, "The collapse of scores")
        return coinciding_scores(self, measures, averages)

    def redundant(self, measures: str | Measure | Iterable[Any], averages: Iterable[str] | None = None) -> Redundancy:
        """Return which of these scores follow from the others, with these class sizes.

        Parameters
        ----------
        measures : iterable of str or Measure
            Measures, their names, or formulas.
        averages : iterable of str, optional
            The averages, as ``score`` takes them.

        Returns
        -------
        Redundancy
            ``.rank``, the ``.independent`` scores, and what each of the others ``.follows`` from.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ev = ix.evaluate([0, 0, 1, 1, 1], [0, 1, 1, 1, 0])
        >>> ev.redundant(["recall", "specificity", "f1"]).rank
        2
        """
        from .theory.result.redundancy import redundant

        need_examples(self, "Redundancy")
        return redundant(measures, self, averages=averages, positive=self.positive if len(self.classes) == 2 else None)

    def with_priors(self, priors: Any) -> Evaluation:
        """Return the evaluation under other class frequencies (priors), with the same error rates.

        If the evaluation is not multiclass, the priors are the prevalences of the labels.

        Parameters
        ----------
        priors : str, mapping, array-like or ClassShares
            "uniform", or the share of each class: a mapping from class to share, or shares in the order of the classes. Shares
            that were estimated, ``ix.inference.class_shares(…)``, are as sure in every interval as they are: the rows here are
            those of their reference, which is seen by equal counts, or others.

        Returns
        -------
        Evaluation
            With counts that may be fractions, as many as there are examples here.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ev = ix.from_confusion([[90, 10], [2, 8]])
        >>> ev.score("precision", "macro"), ev.with_priors("uniform").score("precision", "macro")
        (0.711352657004831, 0.8535353535353536)
        """
        from .theory.result.priors import with_priors

        need_examples(self, "A result at other priors")
        tally = with_priors(self.tally, priors, self.kind)
        return replace(self, tally=tally, kind="multiclass" if self.kind == "multiclass" else "counts")

    def with_group_shares(self, shares: Any, per: str) -> Evaluation:
        """Return the evaluation under other shares of the groups, with the same behavior in each.

        Under it an exemplar average is the mean of the averages of the groups, weighted by their shares. With
        ``by={"configuration": ix.tasks.configurations(y_true)}`` the groups are the sets of true labels.

        Parameters
        ----------
        shares : str, mapping or array-like
            "uniform", or the share of each group: a mapping from group to share, or shares in the order of the groups.
        per : str
            The grouping, an axis of by=.

        Returns
        -------
        Evaluation
            With counts that may be fractions, of as many examples as there are here.

        Examples
        --------
        >>> import indicatrix as ix
        >>> y, guess = [{"a"}, {"a", "b"}, {"a", "b"}], [{"a"}, {"a"}, {"a"}]
        >>> ev = ix.evaluate(y, guess, by={"configuration": ix.tasks.configurations(y)})
        >>> ev.score("recall", "exemplar"), ev.with_group_shares("uniform", "configuration").score("recall", "exemplar")
        (0.6666666666666666, 0.75)
        """
        from .theory.result.priors import with_group_shares

        return replace(self, tally=with_group_shares(self.tally, shares, per))

    def prior_sensitivity(self, measure: str | Measure, *priors: Any, average: str | None = "macro") -> PriorSensitivity:
        """Return how a score changes with the class frequencies: as it is, then at each of these priors.

        Parameters
        ----------
        measure : str or Measure
            A measure, its name, or a formula.
        *priors : str, mapping or array-like
            Each as ``reprior`` takes it.
        average : str, default 'macro'
            How the values of the units become one number: 'micro', 'macro', 'weighted' or another of ``ix.algebra.AVERAGES``.

        Returns
        -------
        PriorSensitivity
            ``.values``, first the score as it is, and ``.spread``.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ev = ix.from_confusion([[90, 10], [2, 8]])
        >>> drift = ev.prior_sensitivity("precision", "uniform")
        >>> [round(value, 3) for value in drift.values], round(drift.spread, 3)
        ([0.711, 0.854], 0.142)
        """
        from .theory.result.priors import prior_sensitivity

        need_examples(self, "PriorSensitivity")
        return prior_sensitivity(self, measure, priors, here=True, average=average)

    def skew_conditions(self) -> SkewConditions:
        """Return which conditions hold under which averages do not depend on the class frequencies.

        Returns
        -------
        SkewConditions
            Which conditions hold, and which classes break the others.

        Examples
        --------
        >>> import indicatrix as ix
        >>> conditions = ix.from_confusion([[8, 2], [2, 8]]).skew_conditions()
        >>> conditions.recalls_equal, conditions.balanced
        (True, True)
        """
        from .theory.result.prior_free import skew_conditions

        need_examples(self, "Skew-invariance")
        return skew_conditions(self)

    def dominates(
        self,
        other: Evaluation,
        *,
        measures: str | Measure | Iterable[Any] | None = None,
        averages: Iterable[str | None] = MICRO_AND_MACRO,
    ) -> Dominance:
        """Return whether this classifier is at least as good as another in every cell and by every measure.

        By default the measures are precision, recall, specificity, F1, Jaccard, error rate, accuracy, balanced accuracy, G-mean,
        MCC and kappa.

        Parameters
        ----------
        other : Evaluation
            Another classifier on the same examples.
        measures : iterable of str or Measure, optional
            Measures, their names, or formulas.
        averages : iterable of str, default ('micro', 'macro')
            The averages, as ``score`` takes them.

        Returns
        -------
        Dominance
            True in an ``if`` where no score is worse; ``.better``, ``.equal`` and ``.worse`` name the scores.

        Examples
        --------
        >>> import indicatrix as ix
        >>> y = [0, 1, 1, 2]
        >>> bool(ix.evaluate(y, [0, 1, 1, 2]).dominates(ix.evaluate(y, [0, 1, 2, 2])))
        True
        """
        from .theory.result.dominance import dominates

        need_all_cells(self, "Dominance")
        if isinstance(other, Evaluation) and self.recipe.meaning != other.recipe.meaning:
            mine, theirs = (ev.recipe.in_words() or "nothing special" for ev in (self, other))
            raise ValueError(f"These evaluations count different things, {mine} and {theirs}; neither can dominate.")
        return dominates(self, other, measures=measures, averages=averages)

    def findings(
        self, measures: Iterable[str | Measure] | None = None, averages: Iterable[str | None] | None = None
    ) -> list[Finding]:
        """Return what the theory says about these scores, most important first; often there is nothing.

        Parameters
        ----------
        measures : iterable of str or Measure, optional
            Measures, their names, or formulas. Default: precision, recall, specificity, accuracy, MCC, Jaccard and F1.
        averages : iterable of str, optional
            The averages, as ``score`` takes them.

        Returns
        -------
        list of Finding
            Each with ``.text``, ``.advice`` and the numbers behind it.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ev = ix.from_confusion([[110, 10, 10], [20, 40, 5], [25, 5, 50]])
        >>> [finding.kind for finding in ev.findings(["recall", "specificity"], ["micro"])]
        ['floor', 'collapse', 'priors', 'redundant']
        """
        from .theory.result.findings import findings

        if self.tally.corrected:
            from .inference.intervals.few_examples import findings_of_correction

            return findings_of_correction(self)
        if any(map(self.recipe.uses, ("unobserved", "cost", "only"))):
            return []  # the theory is about counts of examples, all four of them
        return findings(self, measures, averages)

    def __add__(self, other: Evaluation) -> Evaluation:
        if not isinstance(other, Evaluation):
            return NotImplemented
        whole = self.tally + other.tally
        counted, adds = bool(self.tally.parts), bool(other.tally.parts)
        if not counted or not adds:  # how an empty evaluation was made does not matter
            return replace(other if whole is other.tally or (adds and not counted) else self, tally=whole)
        if self._how() != other._how():
            raise ValueError(f"These evaluations were made differently, {self._describe_difference(other)}, and cannot be added.")
        made = replace(self, tally=whole)
        if self.scored is None and other.scored is None:
            return made
        from .scores.scored import ADDED, without_scores  # batches without end must not be held in memory

        return made._with_scores(without_scores(ADDED))

    def with_positive(self, label: Any) -> Evaluation:
        """Return the same evaluation with another positive class.

        Parameters
        ----------
        label : label
            One of the classes.

        Returns
        -------
        Evaluation
            The same counts and scores; where no average is named, the scores are those of this class.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ev = ix.evaluate(["ant", "bee", "bee"], ["ant", "bee", "ant"])
        >>> ev.with_positive("bee").score("recall")
        0.5
        """
        if label not in self.classes:
            raise ValueError(f"{short(label)} is not a class; the classes are {listing(self.classes)}.")
        made = replace(self, named_positive=label)._with_rows(self.rows)
        return made if self.scored is None else made._with_scores(self.scored.with_positive(label))

    def sweep(self) -> Sweep:
        """Return the scores at every threshold: curves, rates, constraints, and counts.

        They are ranked when this is first asked for. An evaluation of decided labels alone has no scores.

        Returns
        -------
        Sweep
            What ``ix.sweep(y_true, scores)`` returns.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ev = ix.evaluate([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], decide=0.5)
        >>> ev.sweep().at_rate(fpr=0.5).value("recall")
        1.0
        """
        return self._kept_scores("sweep").sweep()

    def roc(self, unit: Any = None, *, average: str | None = None) -> Curve:
        """Return the ROC curve of the scores, with AUC as its area.

        Parameters
        ----------
        unit : label, optional
            The class whose column of scores is taken. Optional where there is a positive class.
        average : str, optional
            "micro" pools all columns; "macro", or the name of a by= axis, is the mean of their curves. It takes the place
            of ``unit``.

        Returns
        -------
        Curve
            ``.x``, ``.y``, ``.thresholds``, ``.area`` and ``.plot()``.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ix.evaluate([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], decide=0.5).roc().area
        0.75
        """
        return self._kept_scores("roc").sweep().roc(unit, average=average)

    def pr(self, unit: Any = None, *, average: str | None = None) -> Curve:
        """Return the precision-recall curve of the scores, with average precision as its area.

        Parameters
        ----------
        unit : label, optional
            The class whose column of scores is taken. Optional where there is a positive class.
        average : str, optional
            "micro" pools all columns; "macro", or the name of a by= axis, is the mean of their curves. It takes the place
            of ``unit``.

        Returns
        -------
        Curve
            ``.x``, ``.y``, ``.thresholds``, ``.area`` and ``.plot()``.

        Examples
        --------
        >>> import indicatrix as ix
        >>> round(ix.evaluate([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], decide=0.5).pr().area, 4)
        0.8333
        """
        return self._kept_scores("pr").sweep().pr(unit, average=average)

    def best(
        self,
        measure: str | Measure,
        unit: Any = None,
        *,
        average: str | None = None,
        subject_to: str | Iterable[str] | None = None,
        better: str | None = None,
    ) -> Any:
        """Return the best value of a measure over all thresholds of the scores, and where it is.

        Parameters
        ----------
        measure : str or Measure
            A measure, its name, or a formula.
        unit : label, optional
            The class whose column of scores is taken. Optional where there is a positive class.
        average : str, optional
            "micro" has one threshold for all columns; an average over classes, such as "macro", has one for each class.
        subject_to : str or iterable of str, optional
            What the thresholds have to meet, as in "precision >= 0.9".
        better : str, optional
            "higher" or "lower", for a measure that does not say itself which of its values are better.

        Returns
        -------
        Best or BestPerClass
            ``.value``, ``.threshold`` (or ``.thresholds``) and ``.rule``, which ``ev.at`` takes.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ev = ix.evaluate([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], decide=0.5)
        >>> best = ev.best("f1")
        >>> best.value, best.threshold, ev.score("f1"), ev.at(best.rule).score("f1")
        (0.8, 0.35, 0.6666666666666666, 0.8)
        """
        found = self._kept_scores("best").sweep()
        return found.best(measure, unit, average=average, subject_to=subject_to, better=better)

    def at(self, decide: Any) -> Evaluation:
        """Return the evaluation of the same scores under another decision, such as another threshold.

        Parameters
        ----------
        decide : number, str, RowRule or mapping
            What ``decide=`` of ``ix.evaluate`` takes: a threshold, "argmax", ``ix.top_k(3)``, or ``ev.best("f1").rule``.

        Returns
        -------
        Evaluation
            The same examples, classes, weights and groups.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ev = ix.evaluate([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], decide=0.5)
        >>> [ev.at(threshold).score("recall") for threshold in (0.3, 0.5, 0.9)]
        [1.0, 0.5, 0.0]
        """
        return self._kept_scores("at").decide(decide)  # type: ignore[no-any-return]

    def _kept_scores(self, what: str) -> Scored:
        """Return the scores that labels were decided from; without any, what reads them is refused."""
        from .scores.scored import kept_scores

        return kept_scores(self, what)

    def _without_correction(self) -> dict[str, Evaluation]:
        """Return the evaluations of the same rows by the labels that were seen, and by gold labels alone.

        None of labels that are sure.
        """
        corrected = self.tally.corrected
        if not corrected or isinstance(corrected, str):
            return {}
        from .tally.corrected.corrected import before_correction, corrected_tally

        facts: dict[str, Any] = {"open": self.tally.open, "ordered": self.tally.ordered}
        ways = before_correction(corrected)
        return {name: replace(self, tally=corrected_tally(way, self.classes, **facts)) for name, way in ways.items()}

    def _with_scores(self, scored: Any) -> Evaluation:
        """Set the scores that labels were decided from; an evaluation of other examples does not have them."""
        object.__setattr__(self, "scored", scored)
        return self

    def _with_rows(self, rows: Any) -> Evaluation:
        """Set the labels that were counted; an evaluation of other examples does not have them."""
        object.__setattr__(self, "rows", rows)
        return self

    def _how(self) -> tuple[Any, ...]:
        """Return what must be the same, in addition to the counts, in evaluations that add or are equal."""
        return self.kind, self.named_positive, self.recipe

    def _describe_difference(self, other: Evaluation) -> str:
        """Return in words how two evaluations were made differently."""
        mine, theirs = (
            {"kind": ev.kind, "positive class": repr(ev.named_positive), **ev.recipe.in_words()} for ev in (self, other)
        )
        names = [name for name in {**mine, **theirs} if mine.get(name) != theirs.get(name)] or list(mine)
        return " and ".join(", ".join(f"{name} {how.get(name, 'not given')}" for name in names) for how in (mine, theirs))

    def __radd__(self, other: object) -> Evaluation:
        return self if isinstance(other, int) and other == 0 else NotImplemented  # so that sum() works

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Evaluation):
            return NotImplemented
        return self._how() == other._how() and self.tally == other.tally

    __hash__ = None  # type: ignore[assignment]

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the evaluation to a small JSON file; it holds counts and class names, no raw rows.

        Parameters
        ----------
        path : str or path
            The file.

        Examples
        --------
        >>> import os, tempfile
        >>> import indicatrix as ix
        >>> path = os.path.join(tempfile.mkdtemp(), "monday.json")
        >>> ix.evaluate([0, 1, 1], [0, 1, 0]).save(path)
        >>> ix.load(path).score("recall")
        0.5
        """
        from .storage.formats import save

        save(self, path)

    def report(self, *, undefined: Undefined = "exclude", interval: float | bool | None = None) -> str:
        """Return the text that ``print(ev)`` shows, its averages under a convention for undefined values.

        Parameters
        ----------
        undefined : str or number, default 'exclude'
            What an undefined value does: 'exclude' leaves it out of the average, a number replaces it, 'nan' keeps it,
            'raise' is an error.
        interval : float or bool, optional
            A level such as 0.95, or True for it: then the averages have intervals below them.

        Returns
        -------
        str
            The text, in several lines.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ev = ix.evaluate(["a", "a", "b"], ["a", "a", "a"])
        >>> "Undefined values are counted as 0:" in ev.report(undefined=0), "are counted as 0" in str(ev)
        (True, False)
        """
        from .report.summary import summarize
        from .report.text import render

        if not self.classes and not self.n:
            return "0 examples, 0 classes: there are no examples yet."
        return render(summarize(self, undefined=undefined, interval=interval))

    def checklist(self, name: str, *, level: float = 0.95) -> Checklist:
        """Return a reporting checklist, filled as far as the evaluation can.

        The remaining items are left for the authors to fill in.

        Parameters
        ----------
        name : str
            "TRIPOD+AI" for prediction models, or "STARD" (2015) for diagnostic accuracy.
        level : float, default 0.95
            In which share of samples an interval is to cover the true value.

        Returns
        -------
        Checklist
            Its items, each "filled", "in part" or "open", with sentences; it prints, and ``to_markdown()`` is for model cards.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ix.evaluate([0, 1, 1, 0], [0, 1, 0, 0]).checklist("STARD")["23"].says
        ('True positives 1, false positives 0, false negatives 1, true negatives 2.',)
        """
        from .theory.result.checklist import checklist

        check_level(level)
        return checklist(self, name, level)

    def to_html(
        self,
        path: str | os.PathLike[str] | None = None,
        *,
        measures: Iterable[str | Measure] | None = None,
        averages: Iterable[str] | None = None,
        undefined: Undefined = "exclude",
        level: float = 0.95,
        title: str = "Evaluation",
        scores: Sweep | None = None,
        slices: WeakestSlices | None = None,
        checklist: Checklist | None = None,
    ) -> str | None:
        """Return the report page, or write it to a file: one HTML file that works offline.

        It shows the scores with intervals, findings, the confusion matrix, the classes, all measures and averages, the groups of
        by=, what happens under other class frequencies and conventions, and with ``scores`` the curves and what another threshold
        would change. It holds counts and class names, no raw rows, and computes with the formulas of the library.

        Parameters
        ----------
        path : str or path, optional
            The file to write. Default: no file; the page is returned as text.
        measures : iterable of str or Measure, optional
            The measures to show first. Default: those of the report and a few more. All others can be chosen in the page.
        averages : iterable of str, optional
            The averages, as ``score`` takes them. Default: every average that exists here.
        undefined : str or number, default 'exclude'
            The convention to start with, as ``score`` takes it; 'raise' is refused. Others can be chosen in the page.
        level : float, default 0.95
            In which share of samples an interval is to cover the true value.
        title : str, default 'Evaluation'
            The title of the page.
        scores : Sweep, optional
            What ``ix.sweep`` or ``ix.scores.binned`` made of the same examples: then the page has curves with a threshold to
            move. Of many thresholds it keeps a few hundred, with exact counts; areas are of all of them.
        slices : WeakestSlices, optional
            What ``ev.weakest(…)`` found, for a section of its own.
        checklist : Checklist, optional
            What ``ev.checklist(…)`` made, for a section of its own.

        Returns
        -------
        str or None
            The page, if no file was named.

        Examples
        --------
        >>> import indicatrix as ix
        >>> page = ix.evaluate(["a", "b", "b"], ["a", "a", "b"]).to_html(title="Monday")
        >>> page.startswith("<!DOCTYPE html>"), "<title>Monday</title>" in page
        (True, True)
        """
        from .theory.page import page_subject, write_page

        check_level(level)
        subject = page_subject(self, measures, averages, undefined, level=level, title=title)
        if scores is not None:
            from .scores.thresholds.page_columns import check_same_examples, with_curves

            check_same_examples(self, scores)
            subject = with_curves(subject, scores, start=self.recipe.decide)
        subject = subject.with_extra("corrections", self._without_correction())
        for name, extra in (("slices", slices), ("checklist", checklist)):
            if extra is not None and not hasattr(extra, "to_dict"):
                made_by = "ev.weakest(…)" if name == "slices" else "ev.checklist('STARD')"
                raise TypeError(f"{name}={short(extra)} is {type_of(extra)}. Give what {made_by} returns.")
        if slices is not None:
            subject = subject.with_extra("slices", slices)
        if checklist is not None:
            subject = subject.with_extra("checklist", checklist)
        return write_page(subject, path)

    def __str__(self) -> str:
        return self.report()

    def _repr_html_(self) -> str:
        from .report.notebook import fragment, report_html
        from .report.summary import summarize

        return report_html(summarize(self)) if self.classes or self.n else fragment([self.report()])

    def __repr__(self) -> str:
        classes = f"{len(self.classes)} {'class' if len(self.classes) == 1 else 'classes'}"
        binary = self.kind == "multiclass" and len(self.classes) == 2 and self.positive is not None
        kind = f"binary, positive {short(self.positive)}" if binary else self.kind
        groups = f", by {', '.join(self.tally.by)}" if self.tally.by else ""
        distinct = self.tally.distinct  # folds may have tested examples again
        what = f"predictions of {distinct} examples" if distinct < self.n else "example" if self.n == 1 else "examples"
        return f"<Evaluation: {self.n} {what}, {classes}, {kind}{groups}>"

    def __post_init__(self) -> None:
        if not isinstance(self.tally, Tally):
            raise TypeError("Evaluation() takes counts, not labels. Use ix.evaluate(y_true, y_pred).")

    def __getattr__(self, name: str) -> Any:
        """Refuse an attribute that does not exist, and say what may be meant."""
        hint = "" if name.startswith("_") else f" {self._hint(name)}"  # copying and pickling look for names with underscores
        raise AttributeError(f"An evaluation has no attribute {name!r}.{hint}".rstrip())

    @classmethod
    def _hint(cls, name: str) -> str:
        from .catalogue.matrices import MATRIX_MEASURES

        if name in MEASURES:
            return f"A measure is a score: ev.score({name!r}, average=…)."
        if name in MATRIX_MEASURES:
            return f"A measure is a score: ev.score({name!r})."
        public = [known for known in dir(cls) if not known.startswith("_")]
        return OTHER_ATTRIBUTES.get(name) or did_you_mean(name, public)

    def __getitem__(self, key: Any) -> Any:
        raise TypeError(f"An evaluation has no items. {self._hint(key) if isinstance(key, str) else ''}".rstrip())

    __iter__ = None  # __getitem__ alone would make it look like a sequence
