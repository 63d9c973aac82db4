"""The front door: evaluate() and the other ways to make an Evaluation."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

from .algebra.average import LABEL_ARGUMENTS
from .algebra.counts import CELLS, Counts, counts_of_each_class
from .algebra.measure import Measure
from .algebra.measure_names import measure_of_counts
from .algebra.source_score import choose_average
from .algebra.values import Values
from .encode.device_arrays import place_of
from .encode.factorize import PlainCodes, objection, plain_codes
from .encode.plain_forms import Labels
from .encode.weights import Groups, check_by, check_row_labels, check_weights, read_groupings
from .evaluation import Evaluation
from .settings.options import DEFAULTS, PLAIN, Options, refuse_sums
from .settings.paper_settings import check, requested_settings
from .settings.problem import Problem, find_answered, prepare
from .tally.counting.code_tables import count_codes, counts_of_codes, counts_of_short
from .tally.counting.counting import count, observed_examples
from .tally.counting.literal_counting import count_each
from .tally.regrouped import KeptRows, tally_of_confusion, tally_of_counts
from .tally.states.replicates import Replicates, replicates_of
from .tally.tally import Tally
from .words.call_mistakes import answers_mistakes
from .words.names_elsewhere import refuse_unknown
from .words.wording import listing, short

OPTION_NAMES = tuple(name for name in Options._fields if name not in ("names", "declined"))
_OF_SCORES = {  # what belongs to a score and not to the counts
    "average": "an average belongs to a score: ev.score('f1', 'macro')",
    "undefined": "it belongs to a score: ev.score('f1', 'macro', undefined=0)",
    "zero_division": "say what an undefined value does with undefined= of a score: ev.score('f1', 'macro', undefined=0)",
}
_OF_EXAMPLES = {
    "average": "it has one value for each example, and their mean is the exemplar average",
    "undefined": "an undefined value is nan",
    "zero_division": "an undefined value is nan",
    "weights": "it has one value for each example, and a weight would say how they are summed",
}

SHORT = (np.ndarray, list, tuple)  # vectors of labels that are counted at once, and ...
MOST_SHORT = 1 << 12  # ... how long they are at most

# What few programs need is imported where it is used: the first call should not wait for it.


def _columns_given(args: tuple[Any, ...], options: Mapping[str, Any]) -> str:
    """Return what to call in place of evaluate() where a data frame and names of columns are given."""
    if not args or not hasattr(args[0], "columns"):
        return ""
    true, pred = args[1:] if len(args) == 3 and all(isinstance(name, str) for name in args[1:]) else ("y", "p")
    return f"evaluate takes labels. Of a data frame, name the columns: ix.evaluate_frame(df, true={true!r}, pred={pred!r})."


@answers_mistakes(hints=_OF_SCORES, mistake=_columns_given)
def evaluate(
    y_true: Any,
    y_pred: Any,
    *,
    classes: Iterable[Any] | None = None,
    positive: Any = None,
    decide: Any = None,
    tnorm: Any = None,
    negation: Any = None,
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
    replicates: int | Replicates | None = None,
    moments: bool | None = None,
    gold: Any = None,
    design: Any = None,
    unverified: str | None = None,
    noise: Any = None,
) -> Evaluation:
    """Return the evaluation of predictions: one pass, then any measure, average and convention.

    Parameters
    ----------
    y_true, y_pred : array-like
        One label per example: lists, NumPy, pandas, Polars, Arrow or torch vectors of ints, strings, bools or categories.
        Several labels per example: 0/1 matrices, SciPy sparse matrices, or lists of sets. ``y_pred`` may hold
        two-dimensional scores with ``decide=``, and both may hold memberships with ``tnorm=``.
    classes : iterable, optional
        The classes and their order. A label outside them is an error. Default: the labels that occur, sorted.
    positive : label, optional
        The positive class; averages are then optional. Labels 0/1 and False/True have 1 and True.
    decide : str, number, array-like or rule, optional
        The rule that turns scores into decisions: "argmax" (ties go to the lowest index), a threshold or one for each
        column, ``ix.top_k(3)``, ``ix.reject_below(0.7)``, or what ``ix.tune`` returns. Of sparse scores, those that are not
        stored are never predicted; they take a threshold, ``ix.above(0.5)`` or ``ix.top_k(3)``.
    tnorm : str, TNorm or callable, optional
        How memberships between 0 and 1 are combined: "product", "godel" (the minimum), "lukasiewicz" or another of
        ``ix.algebra.TNORMS``.
    negation : str, Negation or callable, optional
        The complement of a membership, "sugeno(s=2)", "yager(w=2)" or another of ``ix.algebra.NEGATIONS``. Default: 1 - x.
    mask : array-like of bool, optional
        True where an entry was observed: one flag for each example, or a matrix. The rest counts nowhere.
    sample_weight : array-like, optional
        One weight for each example. Sums of weights are exact, also of integers above 2**53.
    by : mapping or data frame, optional
        Groupings, each an axis: ``{"site": ids, "fold": folds}``, or the columns of a data frame.
    missing : str or pair of str, default 'error'
        What a missing label (None, nan) does: "error", "mask" (not observed) or "abstain" (a prediction that declines to
        answer). A pair is for ``y_true`` and ``y_pred``: ``("mask", "abstain")``.
    cost : array-like, str, CostMatrix or LabelCosts, optional
        A cost matrix, or a name such as "absolute": it weights cells.
    ordinal : bool, str or Ordinal, optional
        How ranks are encoded: "cumulative", "linear", ``ix.ordinal(…)``, of classes in the order of classes= or of an ordered
        categorical. True says only that they have an order; integers have theirs.
    targets : iterable, optional
        Names of several targets: the labels are then columns, one for each target.
    hierarchy : mapping or Taxonomy, optional
        A taxonomy, ``{"cat": "animal", "animal": None}``: labels are closed under ancestors.
    abstain : label, optional
        The label of predictions that decline to answer.
    abstained : str, default 'count'
        "count" (the example counts as without a prediction) or "mask" (it counts nowhere).
    known : iterable, optional
        The classes that are known. Every other true label belongs to one further class.
    unknown : label, optional
        The name of the class that takes the other true labels.
    unobserved : iterable of str, optional
        Cells that the data cannot show, such as ``("fp", "tn")``: measures that read them are undefined.
    signed_weights : bool, default False
        Whether weights may be negative.
    confusion : bool, optional
        True keeps the confusion matrix however many classes there are, False never keeps it.
    replicates : int or Replicates, optional
        How many bootstrap replicates of the counts are kept, such as 200: ``ev.interval`` then answers also for scores of several
        labels or memberships that second moments do not cover. Batches number their rows: ``ix.types.Replicates(200,
        first_row=5000)``.
    moments : bool, optional
        What ``ev.interval`` needs in addition to counts: how the labels of an example fall together, and squares of weights.
        Default: kept up to 256 classes. True keeps them however many classes there are, False never.
    gold : array-like, optional
        True labels of some rows, missing (None, nan) where nobody looked. ``y_true`` then holds what a judge says, or several by
        name, ``{"gpt": a, "llama": b}``, or None: scores are corrected by the gold labels, and intervals say how sure that is.
    design : mapping, optional
        How the gold rows were chosen, if not at random within each predicted class: ``{"strata": ids}`` (or "judge", within pairs
        of prediction and judgment), ``{"probabilities": p}``. ``{"expected": P}`` has labels that are expected of all rows.
    unverified : str, optional
        What rows without a gold label count: "correct" (the default: by judge and prediction, corrected), "post-stratify" (as
        gold rows with the same prediction: Begg and Greenes; without gold=, labels that are missing in ``y_true`` were not
        verified), "rogan-gladen" (by the judge, whose error rates gold rows tell).
    noise : array-like or Evaluation, optional
        How often each true class (rows) is seen as each class in ``y_true``; or an evaluation of such labels with a known truth.

    Returns
    -------
    Evaluation
        The counts, from which every score follows. Evaluations add, save and load. ``ix.tasks.SETTINGS`` lists what goes
        together.

    References
    ----------
    - C. B. Begg, R. A. Greenes (1983). Assessment of diagnostic tests when disease verification is subject to selection bias.
      Biometrics 39:207-215. https://doi.org/10.2307/2530820
    - W. J. Rogan, B. Gladen (1978). Estimating prevalence from the results of a screening test. American Journal of
      Epidemiology 107:71-76. https://doi.org/10.1093/oxfordjournals.aje.a112510
    - A. N. Angelopoulos, S. Bates, C. Fannjiang, M. I. Jordan, T. Zrnic (2023). Prediction-powered inference. Science
      382:669-674. https://doi.org/10.1126/science.adi6000

    Examples
    --------
    >>> import indicatrix as ix
    >>> ev = ix.evaluate(["ant", "bee", "bee", "cat"], ["ant", "bee", "cat", "cat"])
    >>> ev.score("f1", "macro"), ev.values("recall").tolist()
    (0.7777777777777777, [1.0, 0.5, 1.0])
    >>> ix.evaluate([{"red"}, {"red", "blue"}], [{"red"}, {"blue"}]).score("recall", "exemplar")
    0.75
    >>> scores = [[0.7, 0.3], [0.4, 0.6], [0.8, 0.2]]
    >>> sites = ix.evaluate([0, 1, 1], scores, decide="argmax", by={"site": ["x", "y", "y"]})
    >>> sites.values("recall", per=("site", "class")).tolist()
    [[1.0, nan], [nan, 0.5]]
    >>> judge, human = [1, 1, 0, 0, 1, 0, 1, 0] * 20, [1, 1, 0, 1] * 10 + [None] * 120
    >>> ix.evaluate(judge, [1, 0, 0, 0, 1, 1, 1, 0] * 20, gold=human).interval("accuracy")
    0.5 [0.364, 0.636] (95%, score)
    """
    options = Options(
        positive,
        classes,
        decide,
        tnorm,
        negation,
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
        replicates,
        gold,
        design,
        unverified,
        noise,
        moments=moments,
    )
    found = evaluate_with(y_true, y_pred, options)
    if options.is_corrected:
        corrected = found.tally.corrected
        corrected.method.check(corrected.rows)  # a batch may have no gold label, all data may not
        return found
    if place_of(y_true) is not None:  # arrays of a device are not held after they were counted
        return found
    return found._with_rows(KeptRows(lambda: _grouping(y_true, y_pred, options), y_true))


@answers_mistakes
def per_example(measure: str | Measure, y_true: Any, y_pred: Any, **options: Any) -> Values:
    """Return the value of a measure for each example, in the order of the data.

    An evaluation keeps only the distinct rows of counts and how often each occurs; this is the whole vector, whose mean is the
    exemplar average.

    Parameters
    ----------
    measure : str or Measure
        A measure, its name, or a formula.
    y_true, y_pred : array-like
        Labels as ``evaluate`` takes them: lists, arrays, columns of data frames.
    **options
        What ``evaluate`` takes, except what sums examples: sample_weight=, by=, confusion= and replicates=.

    Returns
    -------
    Values
        One value per example, with ``.names`` 0 to n - 1; nan where it is undefined or nothing was observed.

    Examples
    --------
    >>> import indicatrix as ix
    >>> ix.tasks.per_example("f1", [{"a", "b"}, {"a"}, {"b"}], [{"a"}, {"b"}, {"b"}]).tolist()
    [0.6666666666666666, 0.0, 1.0]
    """
    found = measure_of_counts(measure)
    choose_average(found, None, "exemplar")  # refuses a measure that has no value per example
    refuse_sums("per_example", options)
    refuse_unknown("per_example", options, OPTION_NAMES, _OF_EXAMPLES)
    problem = _prepare(y_true, y_pred, options_of(options))
    found = found.meant_for(problem)
    x, kept = observed_examples(problem.pair, tnorm=problem.norm, mask=problem.mask, scale=problem.scale)
    counts = count_each(x, kept, problem.n).without(*_check_cells(options.get("unobserved")), masked=True)
    return Values.of(np.where(counts.observed, found.values(counts), np.nan), counts.names, per=("example",))


def options_of(given: Mapping[str, Any], names: tuple[str, str] = LABEL_ARGUMENTS) -> Options:
    """Return options given by keyword, or refuse an unknown one; errors say ``names`` of label arrays."""
    refuse_unknown("evaluate", given, OPTION_NAMES)
    return Options(**given, names=names)


def evaluate_with(y_true: Any, y_pred: Any, options: Options = DEFAULTS) -> Evaluation:
    """Return the evaluation of two label arrays under options, which every call that evaluates comes to.

    Vectors of whole numbers or texts are counted as they are, arrays of a device where they are, and all others as the problem
    that the settings make of them.
    """
    if options.by is not None:
        options = options._replace(by=read_groupings(options.by))
    if options.is_corrected:
        from .corrected_evaluation import count_corrected

        return corrected_evaluation(count_corrected(y_true, y_pred, options, problem_of), options)
    if options is DEFAULTS or options.weighted_at_most:
        codes = plain_codes(y_true, y_pred, options.names)
        if codes is not None:
            tally = count_codes(*codes) if options.sample_weight is None else _count_weighted(codes, options)
            if tally is not None:
                positive = None if options.positive is None else check_positive(options.positive, tally)
                return Evaluation(tally, "multiclass", positive)
            if codes.names is not None:  # too many classes for such a table: what was learned need not be learned again
                y_true, y_pred = Labels(codes.true, codes.names), Labels(codes.pred, codes.names)
    if place_of(y_true) is not None:
        from .device_evaluation import count_on_device

        counted = count_on_device(y_true, y_pred, options)
        if counted is not None:
            made = counted.recipe._replace(unobserved=_check_cells(options.unobserved)) if options.unobserved else counted.recipe
            found = Evaluation(counted.tally, counted.kind, check_positive(options.positive, counted.tally), made)
            return found if options.decide is None else _with_scores(found, y_true, y_pred, options)
    found = count_problem(problem_of(y_true, y_pred, options), options)
    return found if options.decide is None else _with_scores(found, y_true, y_pred, options)


def counts_of_classes(y_true: Any, y_pred: Any) -> Counts | None:
    """Return the counts of the classes of two short vectors of whole numbers or texts.

    None for anything else.

    They are those of their evaluation, which takes longer to make than such labels take to count.
    """
    if not (type(y_true) in SHORT and type(y_pred) in SHORT and 0 < len(y_true) <= MOST_SHORT):
        return None
    found = counts_of_short(y_true, y_pred)
    if found is None:
        codes = plain_codes(y_true, y_pred, LABEL_ARGUMENTS)
        found = None if codes is None else counts_of_codes(*codes)
    return None if found is None else counts_of_each_class(found[1], found[0], len(y_true))


def corrected_evaluation(found: Any, options: Options) -> Evaluation:
    """Return the evaluation of corrected counts."""
    unobserved = _check_cells(options.unobserved)
    recipe = found.recipe._replace(unobserved=unobserved) if unobserved else found.recipe
    return Evaluation(found.tally, found.kind, check_positive(options.positive, found.tally), recipe)


def _with_scores(found: Evaluation, y_true: Any, scores: Any, options: Options) -> Evaluation:
    """Return an evaluation that also offers the scores which were decided; they are read when asked for."""
    from .scores.scored import scored

    again = lambda rule: evaluate_with(y_true, scores, options._replace(decide=rule))  # noqa: E731
    return found._with_scores(scored(y_true, scores, options._asdict(), DEFAULTS._asdict(), again))


def _count_weighted(codes: PlainCodes, options: Options) -> Tally | None:
    """Return the tally of two vectors of codes with weights; None for what is better counted otherwise."""
    if not len(codes.true):
        return None  # nothing is saved, and what is kept of no weights is known elsewhere
    weights = check_weights(options.sample_weight, len(codes.true), signed=options.signed_weights, exact=True)
    return count_codes(*codes, weights, squares=_check_moments(options.moments) is not False)


def problem_of(y_true: Any, y_pred: Any, options: Options) -> Problem:
    """Return what is counted: two indicators and what was observed, from two label arrays and options."""
    check_row_labels({**dict(zip(options.names, (y_true, y_pred), strict=True)), **options.columns})
    problem = _prepare(y_true, y_pred, options)
    if options.confusion and problem.scale is not None:
        raise ValueError("confusion=True keeps pairs of classes, but cost= weights cells. Evaluate without cost= to keep them.")
    return problem


def _grouping(y_true: Any, y_pred: Any, options: Options) -> tuple[Callable[..., Evaluation], dict[str, Groups]]:
    """Return the function that counts the same labels in other groups, and the groups of by=."""
    options = options._replace(replicates=None)
    problem = problem_of(y_true, y_pred, options)
    own = check_by(options.by, problem.n)

    def count_in(groups: Groups, axis: str, keep: tuple[str, ...], moments: bool | None) -> Evaluation:
        by = {axis: groups, **{name: own[name] for name in keep}}
        found = count_problem(problem, options._replace(moments=moments), by)
        ids = {axis: groups[1], **{name: np.array(own[name][1]) for name in keep}}
        return found if options.decide is None else _with_scores(found, y_true, y_pred, options._replace(by=ids))

    return count_in, own


def count_problem(problem: Problem, options: Options, by: dict[str, Groups] | None = None) -> Evaluation:
    """Return the evaluation of a problem; groupings that were read already may be given."""
    tally = count(
        problem.pair,
        tnorm=problem.norm,
        mask=problem.mask,
        weights=check_weights(options.sample_weight, problem.n, signed=options.signed_weights, exact=True),
        by=check_by(options.by, problem.n) if by is None else by,
        confusion=options.confusion,
        scale=problem.scale,
        answered=(lambda: find_answered(problem, options)) if options.declined else None,
        moments=_check_moments(options.moments),
        replicates=_check_replicates(options),
    )
    made = problem.recipe._replace(unobserved=_check_cells(options.unobserved)) if options.unobserved else problem.recipe
    return Evaluation(tally, problem.kind, check_positive(options.positive, tally), made)


def _prepare(y_true: Any, y_pred: Any, options: Options) -> Problem:
    if options.targets is not None:
        from .settings.targets import prepare_targets

        return prepare_targets(y_true, y_pred, options)
    if not options.plain:
        check(requested_settings(options._asdict()))
    return prepare(y_true, y_pred, options)


def _check_cells(unobserved: Iterable[str] | None) -> tuple[str, ...]:
    given = (unobserved,) if isinstance(unobserved, str) else tuple(unobserved or ())
    for name in given:
        if name not in CELLS:
            raise ValueError(f"unobserved= names {name!r}; the cells that data may not show are {', '.join(CELLS)}.")
    return tuple(name for name in CELLS if name in given)


def _check_moments(moments: Any) -> bool | None:
    if moments is None or isinstance(moments, bool | np.bool):
        return None if moments is None else bool(moments)
    raise TypeError(f"moments={moments!r} must be True, False or None.")


def _check_replicates(options: Options) -> Replicates | None:
    if options.replicates is None:
        return None
    if options.sample_weight is not None:
        raise ValueError(
            "replicates= draws examples that count once each, so it does not go together with sample_weight=. Leave one of them "
            "out; intervals of weighted examples use moments=."
        )
    if hasattr(options.cost, "given"):
        raise ValueError(
            "replicates= keeps whole multiples of a unit, and costs of single examples have no common unit. Leave one out."
        )
    return replicates_of(options.replicates)


def check_positive(positive: Any, tally: Tally) -> Any:
    """Return the class that positive= names; a label that is not a class is refused."""
    if positive is None:
        return None
    positive = positive.item() if isinstance(positive, np.generic) else positive
    if objection(positive) is not None:
        raise TypeError(f"positive={short(positive)} is not a label; the classes are {listing(tally.classes)}.")
    binary = tally.open and all(isinstance(c, int) and 0 <= c <= 1 for c in (*tally.classes, positive))  # 1 may be absent
    if positive not in tally.classes and not binary:
        raise ValueError(f"positive={short(positive)} is not a class; the classes are {tally.classes!r}.")
    return positive


@answers_mistakes(hints={**_OF_SCORES, **dict.fromkeys(("sample_weight", "weights"), "the table holds weights already")})
def from_confusion(confusion: Any, classes: Iterable[Any] | None = None, *, positive: Any = None) -> Evaluation:
    """Return the evaluation of a confusion matrix, rows true, columns predicted.

    Parameters
    ----------
    confusion : array-like
        A square table of counts or weights, rows true, columns predicted.
    classes : iterable, optional
        The classes in the order of the rows. Default: 0, 1, 2, …
    positive : label, optional
        The positive class; averages are then optional. Labels 0/1 and False/True have 1 and True.

    Returns
    -------
    Evaluation
        The evaluation of the examples that the table counts.

    Examples
    --------
    >>> import indicatrix as ix
    >>> ix.from_confusion([[5, 1], [2, 4]], classes=["ant", "cat"]).score("recall", "macro")
    0.75
    """
    tally = tally_of_confusion(confusion, classes)
    return Evaluation(tally, "multiclass", check_positive(positive, tally))


@answers_mistakes
def from_counts(tp: Any, fp: Any, fn: Any, tn: Any, classes: Iterable[Any] | None = None) -> Evaluation:
    """Return the evaluation of counts: four numbers of one positive class, or four arrays, one per class.

    Parameters
    ----------
    tp, fp, fn, tn : number or array-like
        Four numbers of one positive class, or four arrays with one entry for each class.
    classes : iterable, optional
        The classes in the order of the arrays. Default: 0, 1, 2, …

    Returns
    -------
    Evaluation
        The counts, from which every score follows that needs no single examples.

    Examples
    --------
    >>> import indicatrix as ix
    >>> ix.from_counts(tp=8, fp=2, fn=2, tn=88).score("f1")
    0.8
    """
    return Evaluation(tally_of_counts(tp, fp, fn, tn, classes), "counts")


def evaluation_of(tally: Tally, positive: Any = None, /, **task: Any) -> Evaluation:
    """Return the evaluation of counts of classes that a task made, with what it says about itself."""
    return Evaluation(tally, "multiclass", check_positive(positive, tally), PLAIN.with_task(**task))


def doubt_about_labels(source: Any) -> str:
    """Return that no predicted label occurs among the true ones, for notes and errors; otherwise ""."""
    from .theory.result.odd_labels import foreign_labels_in_words

    return "; ".join(foreign_labels_in_words(source)) if isinstance(source, Evaluation) else ""


def interval_of_call(source: Any, measure: Any, average: Any, undefined: Any, interval: Any, clusters: Any = None) -> Any:
    """Return the interval of a measure that was called with interval=."""
    from .inference.intervals.of_score import interval as interval_of
    from .inference.intervals.of_score import level_of

    return interval_of(source, measure, average, level=level_of(interval), undefined=undefined, clusters=clusters)


def html_of_values(values: Values) -> str:
    """Return what a notebook shows of values with names."""
    from .report.notebook import values_html

    return values_html(values)
