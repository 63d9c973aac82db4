"""The front door: evaluate() and the other ways to make an Evaluation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from .algebra.average import choose_average
from .algebra.measure import Measure, bind
from .algebra.values import Values
from .catalogue.matrix import MATRIX_MEASURES, measure_of_counts
from .evaluation import Evaluation
from .settings.arguments.options import DEFAULTS, NAMES, Options
from .tally.count_integers import count_integers
from .tally.tally import Tally

if TYPE_CHECKING:
    from .settings.arguments.problem import Problem

PLAIN = {np.dtype(c) for c in "?bBhHiIlLqQ"}  # bools and integers in the machine's byte order

# What plain labels do not need is imported where it is used, so that importing the library stays fast.


def evaluate(
    y_true: Any,
    y_pred: Any,
    *,
    classes: Iterable[Any] | None = None,
    positive: Any = None,
    decide: Any = None,
    tnorm: Any = None,
    mask: Any = None,
    sample_weight: Any = None,
    by: Mapping[str, Any] | None = None,
    missing: Any = "error",
    cost: Any = None,
    ordinal: Any = None,
    targets: Any = None,
    hierarchy: Any = None,
    abstain: Any = None,
    abstained: str = "count",
    known: Iterable[Any] | None = None,
    unknown: Any = None,
    unobserved: Iterable[str] | None = None,
    signed_weights: bool = False,
    confusion: bool | None = None,
) -> Evaluation:
    """Return the evaluation of predictions: one pass, then any measure, average and convention.

    Labels may be lists, NumPy, pandas, Polars, Arrow or torch vectors (one label per example), 0/1 matrices, SciPy sparse
    matrices or lists of sets (several labels per example), or two-dimensional scores with ``decide=`` (a rule: "argmax", where
    ties go to the lowest index, thresholds, ``top_k``, ``reject_below``) and memberships with ``tnorm=``.
    ``by={"fold": ids}`` makes an axis of any grouping.

    Settings: ``missing="mask"`` and ``mask=`` leave out what was not observed; ``cost=`` weights cells; ``ordinal=`` encodes
    ranks; ``targets=`` takes several targets; ``hierarchy=`` closes labels under ancestors; ``abstain=`` names the label of
    predictions that decline to answer, ``missing="abstain"`` treats missing predictions as such (``missing=("mask", "abstain")``
    is for ``y_true`` and ``y_pred``), and ``abstained="mask"`` leaves them out; ``known=`` puts every other true label into the
    class ``unknown=``; ``unobserved=("fp", "tn")`` names cells that the data cannot show. ``ix.SETTINGS`` lists them all.
    """
    options = Options(
        positive,
        classes,
        decide,
        tnorm,
        mask,
        sample_weight,
        by,
        missing,
        cost,
        ordinal,
        targets,
        hierarchy,
        abstain,
        abstained,
        known,
        unknown,
        unobserved,
        signed_weights,
        confusion,
    )
    return evaluate_with(y_true, y_pred, options)


def evaluate_labels(y_true: Any, y_pred: Any, names: tuple[str, str] = NAMES, /, **options: Any) -> Evaluation:
    """Return the evaluation for a caller that has other names for the two label arrays; errors use them."""
    if not options and names is NAMES:  # so little is to be done for a short vector that even this saves time
        return evaluate_with(y_true, y_pred, DEFAULTS)
    return evaluate_with(y_true, y_pred, _options(options)._replace(names=names))


def per_example(measure: str | Measure, y_true: Any, y_pred: Any, **options: Any) -> Values:
    """Return the value of a measure for each example, in the order of the data.

    An evaluation keeps only the distinct rows of counts and how often each occurs; this is the whole vector, whose mean is the
    exemplar average.

    Parameters
    ----------
    measure
        A measure, its name, or a formula.
    y_true, y_pred
        Labels, as ``evaluate`` takes them.
    **options
        What ``evaluate`` takes, except what sums examples: sample_weight=, by= and confusion=.

    Returns
    -------
    Values
        One value per example, with ``.names`` 0 to n - 1; nan where it is undefined or nothing was observed.

    Examples
    --------
    >>> import indicatrix as ix
    >>> ix.per_example("f1", [{"a", "b"}, {"a"}, {"b"}], [{"a"}, {"b"}, {"b"}]).tolist()
    [0.6666666666666666, 0.0, 1.0]

    """
    from .settings.arguments.options import refuse_sums
    from .tally.counting import observed_examples
    from .tally.example_rows import count_each

    found = measure_of_counts(measure)
    choose_average(found, None, "exemplar")  # refuses a measure that has no value per example
    refuse_sums("per_example", options)
    problem = _prepare(y_true, y_pred, _options(options))
    x, kept = observed_examples(problem.pair, tnorm=problem.norm, mask=problem.mask, scale=problem.scale)
    counts = count_each(x, kept, problem.n).without(*_check_cells(options.get("unobserved")), masked=True)
    return Values.of(np.where(counts.observed, found.values(counts), np.nan), counts.names)


def _options(given: Mapping[str, Any]) -> Options:
    """Return options given by keyword; one that does not exist is refused."""
    for option in given:
        if option not in Options._fields or option == "names":
            raise TypeError(f"evaluate() got an unexpected keyword argument {option!r}")
    return Options(**given)


def evaluate_with(y_true: Any, y_pred: Any, options: Options) -> Evaluation:
    """Return the evaluation of two label arrays under options."""
    if options.plain and _are_plain_integers(y_true, y_pred):
        tally = count_integers(y_true, y_pred)
        if tally is not None:
            return Evaluation(tally, "multiclass", _check_positive(options.positive, tally))
    from .encode.weights import check_by, check_weights
    from .tally.counting import count

    problem = _prepare(y_true, y_pred, options)
    if options.confusion and problem.scale is not None:
        raise ValueError("confusion=True keeps pairs of classes, but cost= weights cells. Evaluate without cost= to keep them.")
    tally = count(
        problem.pair,
        tnorm=problem.norm,
        mask=problem.mask,
        weights=check_weights(options.sample_weight, problem.n, signed=options.signed_weights),
        by=check_by(options.by, problem.n),
        confusion=options.confusion,
        scale=problem.scale,
    )
    made = problem.made._replace(unobserved=_check_cells(options.unobserved)) if options.unobserved else problem.made
    return Evaluation(tally, problem.kind, _check_positive(options.positive, tally), made)


def _are_plain_integers(y_true: Any, y_pred: Any) -> bool:
    """Return whether both are NumPy vectors of bools or integers, which are counted without encoding."""
    return (
        type(y_true) is np.ndarray
        and type(y_pred) is np.ndarray
        and y_true.ndim == 1
        and y_true.shape == y_pred.shape
        and y_true.dtype in PLAIN
        and y_pred.dtype in PLAIN
    )


def _prepare(y_true: Any, y_pred: Any, options: Options) -> Problem:
    if options.targets is not None:
        from .settings.arguments.targets import prepare_targets

        return prepare_targets(y_true, y_pred, options)
    from .settings.arguments.prepare import prepare

    if not options.plain:
        from .settings.combinations import check, requested_settings

        check(requested_settings(options._asdict()))
    return prepare(y_true, y_pred, options)


def _check_cells(unobserved: Iterable[str] | None) -> tuple[str, ...]:
    cells = ("tp", "fp", "fn", "tn")
    given = (unobserved,) if isinstance(unobserved, str) else tuple(unobserved or ())
    for name in given:
        if name not in cells:
            raise ValueError(f"unobserved= names {name!r}; the cells that data may not show are {', '.join(cells)}.")
    return tuple(name for name in cells if name in given)


def _check_positive(positive: Any, tally: Tally) -> Any:
    if positive is None:
        return None
    positive = positive.item() if isinstance(positive, np.generic) else positive
    binary = tally.open and all(isinstance(c, int) and 0 <= c <= 1 for c in (*tally.classes, positive))  # 1 may be absent
    if positive not in tally.classes and not binary:
        raise ValueError(f"positive={positive!r} is not a class; the classes are {tally.classes!r}.")
    return positive


def from_confusion(W: Any, classes: Iterable[Any] | None = None, *, positive: Any = None) -> Evaluation:  # noqa: N803
    """Return the evaluation of a confusion matrix, rows true, columns predicted.

    >>> import indicatrix as ix
    >>> ix.from_confusion([[5, 1], [2, 4]], classes=["ant", "cat"]).score("recall", "macro")
    0.75
    """
    from .tally.from_counts import tally_of_confusion

    tally = tally_of_confusion(W, classes)
    return Evaluation(tally, "multiclass", _check_positive(positive, tally))


def from_counts(tp: Any, fp: Any, fn: Any, tn: Any, classes: Iterable[Any] | None = None) -> Evaluation:
    """Return the evaluation of counts: four numbers of one positive class, or four arrays, one per class.

    >>> import indicatrix as ix
    >>> ix.from_counts(tp=8, fp=2, fn=2, tn=88).score("f1")
    0.8
    """
    from .tally.from_counts import tally_of_counts

    return Evaluation(tally_of_counts(tp, fp, fn, tn, classes), "counts")


bind(evaluate_labels, MATRIX_MEASURES)
