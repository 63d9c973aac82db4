"""PairedCounts: several classifiers on the same examples, counted together, for tests of differences.

Evaluations on the classes of all of them, so that their averages are comparable.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from ..algebra.arrays import Array
from ..corrected_evaluation import count_corrected_together
from ..encode.containers import read
from ..encode.factorize import factorize
from ..encode.plain_forms import Labels
from ..encode.vocabulary import as_codes, family_of, vocabulary
from ..encode.weights import check_weights
from ..evaluate import corrected_evaluation, count_problem, options_of, problem_of
from ..evaluation import Evaluation
from ..inference.paired.joint_labels import JointCells, JointLabels
from ..inference.paired.of_joint_counts import JointCorrected
from ..scores.score_input import OF_SWEEPS, check_options
from ..scores.thresholds.sweep import Sweep, sweep
from ..settings.problem import Problem, changes_labels
from ..storage.formats import save
from ..tally.counting.counting import observed_examples
from ..words.call_mistakes import answers_mistakes
from ..words.wording import series


@answers_mistakes
@dataclass(frozen=True, eq=False, repr=False)
class PairedCounts:
    """The predictions of several classifiers for the same examples, counted together.

    Two evaluations do not say how often the one is right where the other is wrong, and a paired test needs that. Paired counts
    add, save and load like an evaluation.

    Attributes
    ----------
    names : tuple of str
        The names of the classifiers.
    evaluations : tuple of Evaluation
        The evaluation of each, as ``ix.evaluate`` makes it; none if only areas of scores are compared.
    counts : JointLabels, JointCells or None
        Distinct tuples (true, first, second, …) of classes with how often each occurs; of label matrices, sums over rows of
        products of cells.
    sweeps : tuple of Sweep
        Labels and scores of each, where areas are compared.

    Examples
    --------
    >>> import indicatrix as ix
    >>> both = ix.inference.paired_counts(["a", "b", "b", "c"], {"lr": ["a", "b", "c", "c"], "rf": ["a", "b", "b", "a"]})
    >>> both
    <PairedCounts: 4 examples of lr and rf>
    >>> both["rf"].score("recall", "macro"), (both + both).n
    (0.6666666666666666, 8)
    """

    names: tuple[str, ...]
    evaluations: tuple[Evaluation, ...]
    counts: JointLabels | JointCells | JointCorrected | None
    sweeps: tuple[Sweep, ...] = ()

    @property
    def n(self) -> int:
        """The number of examples."""
        return (self.evaluations or self.sweeps)[0].n

    @cached_property
    def aligned(self) -> list[Evaluation]:
        """The evaluations on the classes of all of them."""
        return on_all_classes(self.evaluations, self.names, "predictions")

    def __getitem__(self, name: str) -> Evaluation:
        if name not in self.names or not self.evaluations:
            raise KeyError(
                f"There is no evaluation {name!r} here; there are {', '.join(self.names) if self.evaluations else 'none'}."
            )
        return self.evaluations[self.names.index(name)]

    __iter__ = None  # __getitem__ alone would make it look like a sequence

    def __add__(self, other: PairedCounts) -> PairedCounts:
        if not isinstance(other, PairedCounts):
            return NotImplemented
        if set(self.names) != set(other.names):
            raise ValueError(f"These are of different classifiers, {series(self.names)} and {series(other.names)}.")
        if self.names != other.names:
            raise ValueError(f"The classifiers are in different orders, {series(self.names)} and {series(other.names)}.")
        if bool(self.sweeps) != bool(other.sweeps) or (self.counts is None) != (other.counts is None):
            raise ValueError("One of these has scores or decisions that the other has not. Count both with the same options.")
        evaluations = tuple(a + b for a, b in zip(self.evaluations, other.evaluations, strict=True))
        sweeps = tuple(a + b for a, b in zip(self.sweeps, other.sweeps, strict=True))
        whole = PairedCounts(self.names, evaluations, None, sweeps)
        counts = None
        if self.counts is not None and other.counts is not None:
            classes = whole.aligned[0].classes
            one, two = (_on(x.counts, x.aligned[0].classes, classes) for x in (self, other))
            if type(one) is not type(two):
                raise ValueError("One of these has one class for each example, the other several labels.")
            counts = one + two
        return PairedCounts(self.names, evaluations, counts, sweeps)

    def __radd__(self, other: object) -> PairedCounts:
        return self if isinstance(other, int) and other == 0 else NotImplemented  # so that sum() works

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PairedCounts):
            return NotImplemented
        same = (self.names, self.evaluations, self.sweeps) == (other.names, other.evaluations, other.sweeps)
        if not same or self.counts is None or other.counts is None:
            return same and self.counts is other.counts
        return bool(self.counts == _on(other.counts, other.aligned[0].classes, self.aligned[0].classes))

    __hash__ = None  # type: ignore[assignment]

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the paired counts to a JSON file; it holds counts and class names, no raw rows.

        Parameters
        ----------
        path : str or path
            The file.

        Examples
        --------
        >>> import os, tempfile
        >>> import indicatrix as ix
        >>> path = os.path.join(tempfile.mkdtemp(), "both.json")
        >>> both = ix.inference.paired_counts([0, 1, 1], {"lr": [0, 1, 0], "rf": [0, 1, 1]})
        >>> both.save(path)
        >>> ix.load(path) == both
        True
        """
        save(self, path)

    def __repr__(self) -> str:
        return f"<PairedCounts: {self.n} {'example' if self.n == 1 else 'examples'} of {series(self.names)}>"


def _on(counts: Any, own: tuple[Any, ...], classes: tuple[Any, ...]) -> Any:
    """Return joint counts on other classes, which include their own."""
    return counts if own == classes or counts is None else counts.recode(_places(own, classes), len(classes))


def _places(own: Sequence[Any], classes: Sequence[Any]) -> Array:
    index = {c: i for i, c in enumerate(classes)}
    return np.array([index[c] for c in own], np.intp)


@answers_mistakes
def paired_counts(
    y_true: Any, predictions: Mapping[Any, Any], *, labels: bool = True, scores: bool = False, **options: Any
) -> PairedCounts:
    """Return several classifiers on the same examples, counted together in one pass.

    ``ix.compare`` makes one from labels; make it yourself to add batches, or to save it.

    Parameters
    ----------
    y_true : array-like
        The true labels, as ``evaluate`` takes them.
    predictions : mapping
        The predictions of each classifier by name, ``{"lr": a, "rf": b}``; each as ``evaluate`` takes ``y_pred``.
    labels : bool, default True
        Whether decisions are counted; False if the predictions are scores and only areas are compared.
    scores : bool, default False
        Whether the scores of each example are kept, which areas such as AUC need.
    **options
        What ``evaluate`` takes: classes=, positive=, decide=, mask=, sample_weight=, by=, missing= and others.

    Returns
    -------
    PairedCounts
        The evaluation of each classifier, and how they fall together.

    Examples
    --------
    >>> import indicatrix as ix
    >>> monday = ix.inference.paired_counts([0, 1, 1, 0], {"lr": [0, 1, 0, 0], "rf": [0, 1, 1, 1]})
    >>> tuesday = ix.inference.paired_counts([1, 1], {"lr": [1, 0], "rf": [1, 1]})
    >>> print(ix.compare(monday + tuesday, "recall", "binary").differences[0])
    rf and lr do not differ clearly in binary recall: 0.500 [-0.102, 0.850] (exact McNemar, p = 0.5).
    """
    named = _name_predictions(predictions)
    if isinstance(y_true, Iterator):  # it is read once for each classifier
        y_true = [*y_true]
    if not labels:
        check_options("A comparison of areas", options, OF_SWEEPS)
    asked = options_of(options)
    if not changes_labels(asked):
        y_true = _coded(y_true)
    sweeps = sweeps_of(y_true, named, options) if scores else ()
    if not labels:
        return PairedCounts(tuple(named), (), None, sweeps)
    if asked.is_corrected:
        return _corrected_together(y_true, named, asked)
    each = {name: asked._replace(names=("y_true", f"predictions[{name!r}]")) for name in named}
    problems = [problem_of(y_true, one, each[name]) for name, one in named.items()]
    evaluations = tuple(count_problem(problem, how) for problem, how in zip(problems, each.values(), strict=True))
    whole = PairedCounts(tuple(named), evaluations, None, sweeps)
    return PairedCounts(whole.names, evaluations, _count(problems, evaluations, whole, asked), sweeps)


def _corrected_together(y_true: Any, named: dict[str, Any], asked: Any) -> PairedCounts:
    """Return classifiers on the same rows, of which some have gold labels."""
    each = [asked._replace(names=("y_true", f"predictions[{name!r}]")) for name in named]
    found = count_corrected_together(y_true, [*named.values()], each, problem_of)
    return PairedCounts(tuple(named), tuple(corrected_evaluation(one, asked) for one in found), JointCorrected())


def _coded(y_true: Any) -> Any:
    """Return true labels as codes, found once for all classifiers; what cannot be coded as it is.

    Rows with names of their own stay, because these are compared with those of every prediction.
    """
    if type(y_true) not in (np.ndarray, list, tuple):
        return y_true
    form = read(y_true, "y_true")
    return as_codes(factorize(form, "y_true")) if isinstance(form, Labels) else y_true


def sweeps_of(y_true: Any, predictions: Mapping[Any, Any], options: Mapping[str, Any]) -> tuple[Sweep, ...]:
    """Return the scores of each classifier on the same examples."""
    given = {name: value for name, value in options.items() if name in OF_SWEEPS}
    return tuple(sweep(y_true, one, **given) for one in predictions.values())


def _name_predictions(predictions: Any) -> dict[str, Any]:
    if not isinstance(predictions, Mapping):
        raise TypeError(f"The predictions are a dictionary with names, {{'lr': a, 'rf': b}}, not {type(predictions).__name__}.")
    named = {str(name): [*one] if isinstance(one, Iterator) else one for name, one in predictions.items()}
    if len(named) < len(predictions):
        raise ValueError("Every classifier needs its own name; names are compared as text, so 1 and '1' are the same.")
    if len(named) < 2:
        have = f"there is only {next(iter(named))!r}" if named else "the dictionary is empty"
        raise ValueError(f"A comparison needs the predictions of two classifiers or more; {have}. For one, use ix.evaluate.")
    return named


def _count(
    problems: Sequence[Problem], evaluations: Sequence[Evaluation], whole: PairedCounts, options: Any
) -> JointLabels | JointCells:
    """Return how the predictions of several classifiers fall together."""
    weights = check_weights(options.sample_weight, problems[0].n, signed=options.signed_weights, exact=True)
    seen = [observed_examples(p.pair, tnorm=p.norm, mask=p.mask, weights=weights, scale=p.scale) for p in problems]
    _check_same_rows([kept for _, kept in seen], problems[0].n, whole.names)
    classes = whole.aligned[0].classes
    places = [_places(ev.classes, classes) for ev in evaluations]
    examples = [x for x, _ in seen]
    if all(x.single for x in examples):
        truth = _codes(examples[0].y, places[0])
        predicted = (_codes(x.yhat, place) for x, place in zip(examples, places, strict=True))
        return JointLabels.of([truth, *predicted], examples[0].times)
    return JointCells.of(zip(examples, places, strict=True), len(classes))


def _codes(indicator: Any, place: Array) -> Array:
    """Return the codes of an indicator in the order of other classes; -1, for no class, stays."""
    codes = np.asarray(indicator.codes)
    return codes if np.array_equal(place, np.arange(len(place))) else np.asarray(np.append(place, -1)[codes])


def _check_same_rows(kept: Sequence[Array | None], n: int, names: Sequence[str]) -> None:
    """Refuse predictions that were observed for some classifiers and not for others."""
    every = [np.ones(n, bool) if k is None else k for k in kept]
    for name, one in zip(names[1:], every[1:], strict=True):
        if not np.array_equal(one, every[0]):
            at = int((one != every[0]).argmax())
            raise ValueError(
                f"Example {at} was observed for {names[0]!r} or for {name!r}, but not for both, so they would be compared on "
                "different examples. Leave it out for all with mask=, or count it with missing='abstain'."
            )


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
