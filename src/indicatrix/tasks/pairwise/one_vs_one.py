"""One-vs-one: each pairwise classifier on the examples of its two classes, and the final vote.

See sec:ovo.

>>> import indicatrix as ix
>>> pairs = {("a", "b"): ["a", "a", "a"], ("a", "c"): ["c", "a", "c"], ("b", "c"): ["b", "b", "c"]}
>>> both = ix.tasks.one_vs_one(["a", "b", "c"], pairs, final=["a", "a", "c"])
>>> both.pairs.values("accuracy").tolist(), both.final.score("exact_match")
([0.5, 0.5, 1.0], 0.6666666666666666)

The predictions of pairwise classifiers: the two labels, 1 and 0, or scores (sec:ovo).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import combinations
from math import isqrt
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...algebra.average import evaluate_labels
from ...encode.containers import read
from ...encode.decisions import decide
from ...encode.encoders import code, missing_label
from ...encode.factorize import factorize, plain_label
from ...encode.indicator import Indicator
from ...encode.matrices import one_family
from ...encode.plain_forms import Labels, Table, is_missing
from ...encode.vocabulary import check_classes, distinct, family, keep_rows, missing_rows, vocabulary
from ...encode.weights import check_mask
from ...settings.paper_settings import refuse
from ...settings.problem import plain_rule
from ...storage.formats import add_parts, add_to_zero, save
from ...words.call_mistakes import answers_mistakes
from ...words.wording import listing, number_of, short
from .one_vs_all import limits

FOR_PAIRS = ("sample_weight", "signed_weights", "by")  # options of evaluate that are about examples, not about columns


@answers_mistakes
def one_vs_one(
    y_true: Any, pairwise: Any, *, classes: Iterable[Any] | None = None, decide: Any = None, final: Any = None, **options: Any
) -> OneVsOne:
    """Return the evaluation of each pairwise classifier, and that of the final vote.

    Each pairwise classifier is judged only on examples whose true class is one of its two; the first class of the pair is the
    positive one. The vote itself is not modeled: ``final`` holds the labels that your vote gave. Results of batches add.

    Parameters
    ----------
    y_true : array-like
        One label per example.
    pairwise : mapping or array-like
        For each pair of classes the predictions of its classifier; or one column per pair.
    classes : iterable, optional
        The classes and their order. A label outside them is an error. Default: the labels that occur, sorted.
    decide : number, optional
        The score from which the first class of a pair is chosen. Default: predictions are labels or flags.
    final : array-like, optional
        The final label of each example.
    **options
        What ``evaluate`` takes and this setting allows: classes, sample_weight, mask, by, … See help(ix.evaluate) and
        ``ix.tasks.SETTINGS``.

    Returns
    -------
    OneVsOne
        ``.pairs`` and ``.final``, each an evaluation.

    Notes
    -----
    A mapping ``{(a, b): predictions}`` has one prediction per example: the label ``a`` or ``b``, 1 or True for the first class
    of the pair and 0 or False for the second, or, with ``decide=``, a score for the first. If a class is called 0 or 1,
    predictions that may be labels or flags are read in the same way as the other pairs; if these leave it open, it is an error.

    An array has one column per pair, in the order (0,1), (0,2), …, (1,2), … of the classes, with 0/1 or scores for the first
    class. In scikit-learn, ``OneVsOneClassifier`` has estimators for the second class (swap them), and
    ``SVC(decision_function_shape="ovo")`` with three or more classes has scores for the first.

    Examples
    --------
    >>> import indicatrix as ix
    >>> decisions = {("a", "b"): ["a", "a", "a"], ("a", "c"): ["c", "a", "c"]}
    >>> both = ix.tasks.one_vs_one(["a", "b", "c"], decisions, final=["a", "a", "c"])
    >>> both.pairs.values("accuracy").tolist(), both.final.score("exact_match")
    ([0.5, 0.5], 0.6666666666666666)
    """
    refuse("one_vs_one", options)
    truth = factorize(_labels(y_true, "y_true"), "y_true")
    columns, names = _columns(pairwise, truth, classes)
    _check_abstain(plain_label(options.get("abstain")), truth, list(columns))
    if names is None:
        names = _find_classes(truth, list(columns), final, options.get("abstain"))
    _check_pairs(list(columns), names)
    missing, pairs = options.get("missing", "error"), tuple(columns)
    codes = _codes(truth, names, missing)
    place = {name: i for i, name in enumerate(names)}
    ends = np.array([(place[a], place[b]) for a, b in pairs]).T[:, None, :]
    actual, judged = codes[:, None] == ends[0], (codes[:, None] == ends).any(axis=0)
    cuts = [None] * len(pairs) if decide is None else limits(decide, len(pairs))
    columns = read_alike(columns) if decide is None else columns
    predicted = np.zeros(judged.shape, bool)
    for j, (column, cut) in enumerate(zip(columns.values(), cuts, strict=True)):
        predicted[:, j], absent = column.decisions(cut)
        column.check_missing(absent & judged[:, j], missing)
        judged[:, j] &= ~absent
    mask = check_mask(options.get("mask"), len(truth), len(pairs))
    rows = {k: v for k, v in options.items() if k in FOR_PAIRS}
    y, yhat = (Indicator(x, pairs) for x in (actual, predicted))
    ev = evaluate_labels(y, yhat, mask=judged if mask is None else judged & mask, **rows)
    made = ev.recipe._replace(decide=plain_rule(decide), answers=True)  # a row of zeros predicts second classes
    if mask is not None and np.shape(read(options["mask"], "mask").values)[1:] not in ((), (1,)):  # type: ignore[union-attr]
        options.pop("mask")  # it is about pairs, not about the vote
    return OneVsOne(replace(ev, recipe=made), _final(y_true, final, names, options))


@answers_mistakes
@dataclass(frozen=True, repr=False)
class OneVsOne:
    """The two levels of a one-vs-one scheme: each pairwise classifier, and the final vote if given.

    Attributes
    ----------
    pairs : Evaluation
        One column per pair, masked by the true class.
    final : Evaluation or None
        One class per example; None without a final vote.
    """

    pairs: Any  # an Evaluation with one column per pair, masked by the true class
    final: Any = field(default=None, metadata={"called": "a final vote"})  # an Evaluation with one class per example, or None

    __add__, __radd__, save = add_parts, add_to_zero, save

    def __str__(self) -> str:
        vote = "The final vote was not given." if self.final is None else f"After the vote:\n\n{self.final}"
        return f"Each pair on the examples of its two classes, positive: the first.\n\n{self.pairs}\n\n{vote}"

    def __repr__(self) -> str:
        vote = "no final vote" if self.final is None else "with a final vote"
        return f"<OneVsOne: {self.pairs.n} examples, {len(self.pairs.classes)} pairs, {vote}>"


def _labels(given: Any, argument: str) -> Labels:
    form = read(given, argument)
    if not isinstance(form, Labels):
        raise TypeError(f"{argument} must hold one label per example, in one dimension.")
    return form


def _columns(pairwise: Any, truth: Labels, classes: Any) -> tuple[dict[Two, PairPredictions], tuple[Any, ...] | None]:
    """Return the predictions of each pair, and the classes if they are given."""
    names = check_classes(classes) if classes is not None else None
    if isinstance(pairwise, Mapping):
        pairs = [_pair(key) for key in pairwise]
        forms = [_labels(x, f"pairwise[{pair!r}]") for pair, x in zip(pairs, pairwise.values(), strict=True)]
    else:
        table = read(pairwise, "pairwise")
        if not isinstance(table, Table):
            raise TypeError("pairwise must be a mapping {(a, b): predictions}, or an array with one column per pair.")
        names = _classes_of_columns(names, truth, table.values.shape[1])
        pairs = list(combinations(names, 2))
        forms = [Labels(x) for x in table.values.T]
    by_name = isinstance(pairwise, Mapping)
    arguments = [f"pairwise[{pair!r}]" if by_name else f"pairwise[:, {j}]" for j, pair in enumerate(pairs)]
    for form, argument in zip(forms, arguments, strict=True):
        if len(form) != len(truth):
            raise ValueError(f"{argument} has {len(form)} predictions for {len(truth)} examples; give one for each example.")
    columns = (PairPredictions(*x, None if by_name else True, not by_name) for x in zip(pairs, forms, arguments, strict=True))
    return dict(zip(pairs, columns, strict=True)), names


def _check_abstain(label: Any, truth: Labels, pairs: list[Two]) -> None:
    if label is None:
        return
    if not isinstance(label, Hashable):
        raise TypeError(f"abstain={short(label)} cannot be a label. Give the one that stands for no vote.")
    where = next((f"pairwise[{pair!r}] has it" for pair in pairs if label in pair), None)
    where = "y_true has it" if label in distinct(truth) else where
    if where is not None:
        raise ValueError(
            f"abstain={short(label)} is a class ({where}), so a vote for it is not an abstention. Choose another label for "
            "votes that abstain."
        )


def _check_pairs(pairs: list[Two], names: tuple[Any, ...]) -> None:
    if not pairs:
        raise ValueError("pairwise has no pair; give the predictions of at least one, {('a', 'b'): [...]}.")
    seen, known = set[Two](), set(names)
    for a, b in pairs:
        if (b, a) in seen or a not in known or b not in known:
            why = "is given in both orders" if (b, a) in seen else f"has a class that is not in classes=({listing(names)})"
            raise ValueError(f"pairwise[{(a, b)!r}] {why}. Correct its key, or leave it out.")
        seen.add((a, b))


def _pair(key: Any) -> Two:
    if not isinstance(key, tuple) or len(key) != 2 or key[0] == key[1]:
        raise ValueError(f"pairwise has the key {key!r}; a key is a pair of two classes, ('a', 'b').")
    return plain_label(key[0]), plain_label(key[1])


def _find_classes(truth: Labels, pairs: list[Two], final: Any, abstain: Any) -> tuple[Any, ...]:
    """Return the classes of the true labels, the pairs and the final vote, in order.

    A label that abstains is not a class.
    """
    if truth.declared and truth.categories is not None:
        return check_classes(truth.categories)
    both = tuple(dict.fromkeys(x for pair in pairs for x in pair))
    forms = {"y_true": truth, "pairwise": Labels(np.arange(len(both)), both)}
    if final is not None:
        forms["final"] = factorize(_labels(final, "final"), "final")
    for argument, form in forms.items():
        one_family({"y_true": family(truth, "y_true"), argument: family(form, argument)})
        vocabulary(distinct(form), argument, form)  # so that an error names the argument
    return vocabulary(set[Any]().union(*map(distinct, forms.values())) - {abstain}, "y_true")


def _classes_of_columns(names: tuple[Any, ...] | None, truth: Labels, width: int) -> tuple[Any, ...]:
    """Return the classes whose pairs are the columns of an array; if they are not clear, it is an error."""
    m = (1 + isqrt(1 + 8 * width)) // 2
    if names is None and truth.declared:
        names = check_classes(truth.categories or ())
    if m * (m - 1) // 2 != width or (names is not None and len(names) != m):
        many = (
            f"{len(names)} classes have {len(names) * (len(names) - 1) // 2} pairs"
            if names
            else "3 classes have 3 pairs, 4 have 6"
        )
        raise ValueError(
            f"pairwise has {number_of(width, 'column')}, but {many}. Give one column per pair, or a mapping "
            "{(a, b): predictions}."
        )
    if names is None and family(truth, "y_true") in ("number", None):
        found = vocabulary(distinct(truth), "y_true", truth)
        names = tuple(range(m)) if not found or (found[0] >= 0 and found[-1] < m) else None
    if names is None:
        pairs = "The column is the pair" if width == 1 else f"The {width} columns are the pairs"
        raise ValueError(f"{pairs} of {m} classes. Pass classes= with their labels in the order of the columns.")
    return names


def _codes(truth: Labels, names: tuple[Any, ...], missing: str) -> Array:
    absent = missing_rows(truth)
    if absent is None:
        return np.asarray(code(truth, names, "y_true").data.block(slice(None)))
    if missing != "mask":
        raise missing_label(truth, absent, "y_true")
    codes = np.full(len(truth), -1)
    codes[~absent] = code(keep_rows(truth, ~absent), names, "y_true").data.block(slice(None))
    return codes


def _final(y_true: Any, final: Any, names: tuple[Any, ...], options: dict[str, Any]) -> Any:
    """Return the evaluation of the final vote, with the options that pairs do not take."""
    if final is None:
        extra = sorted(set(options) - {*FOR_PAIRS, "mask", "missing"})
        if extra:
            raise TypeError(f"{extra[0]}= is about the final vote, which is not given; pass final=, or leave {extra[0]}= out.")
        return None
    factorize(_labels(final, "final"), "final")  # so that an error names the argument
    if options.get("hierarchy") is None:  # a hierarchy has its own names of the classes
        options = {**options, "classes": names}
    return evaluate_labels(y_true, final, ("y_true", "final"), **options)


Two = tuple[Any, Any]


@dataclass(frozen=True)
class PairPredictions:
    """The predictions of one pairwise classifier."""

    pair: Two
    form: Labels
    argument: str
    indicators: bool | None  # True: 1 and 0 for the first and the second class; False: their labels; None: not known
    in_array: bool = False
    told: bool = False  # these predictions can be read in only one way

    def decisions(self, cut: float | None) -> tuple[Array, Array]:
        """Return where the first class of the pair is predicted, and where the prediction is missing."""
        if cut is not None:
            scores = self._scores()
            unknown = np.isnan(scores)
            table = np.where(unknown, np.zeros((), scores.dtype), scores)[:, None]
            return decide(table, cut, self.argument)[:, 0] & ~unknown, unknown
        form = factorize(self.form, self.argument)
        absent = missing_rows(form)
        first, second = (True, False) if self.indicators else self.pair
        if form.categories is None:
            is_first, is_second = form.values == first, form.values == second
        else:  # the code -1, a missing label, selects the last entry
            is_first, is_second = (np.array([*(c == x for c in form.categories), False])[form.values] for x in (first, second))
        missing = np.zeros(len(form), bool) if absent is None else absent
        odd = ~(is_first | is_second | missing)
        if odd.any():
            self._refuse(form, int(odd.argmax()))
        return is_first, missing

    def _scores(self) -> Array:
        values = self.form.values
        plain = self.form.categories is None and np.asarray(values).dtype.kind in "biufO"
        try:
            if not plain:
                raise TypeError
            if np.asarray(values).dtype == object:
                values = [np.nan if is_missing(v) else 0.0 + v for v in values]  # adding text to a number is an error
            values = np.asarray(values)
            return values if values.dtype.kind == "f" else values.astype(np.float64)
        except TypeError:
            raise TypeError(
                f"decide= turns scores into decisions, but {self.argument} does not hold numbers. Drop decide=."
            ) from None

    def read(self) -> PairPredictions:
        """Return the predictions as labels or as 1 and 0, where only one is possible.

        If both are possible and differ, this stays open.
        """
        if self.indicators is not None:
            return self
        form = factorize(self.form, self.argument)
        found = distinct(form)
        bits = all(isinstance(x, bool | int | float) and x in (0, 1) for x in found)
        if not bits or any(x not in self.pair for x in found):
            return replace(self, form=form, indicators=bits, told=True)
        differ = any((x == self.pair[0]) != (x == 1) for x in found)
        if differ and any(isinstance(x, bool) for x in found):
            raise TypeError(
                f"{self.argument} holds True and False, which may be the labels {self.pair} or mean first and second class. "
                "Give labels of the same type as the classes, or scores with decide=0.5."
            )
        return replace(self, form=form, indicators=None if differ else True)

    def _refuse(self, form: Labels, row: int) -> None:
        value = form.values[row].item() if form.categories is None else form.categories[form.values[row]]
        where = self.argument.replace(":", str(row)) if self.in_array else f"{self.argument}[{row}]"
        a, b = map(short, self.pair)
        what = f"1 for {a}, 0 for {b}" if self.in_array else f"{a} or {b}, or 1 and 0"
        hint = " For scores pass decide=." if isinstance(value, float) else ""
        raise ValueError(f"{where} = {short(value)}: this classifier predicts {what}.{hint}")

    def check_missing(self, absent: Array, missing: str) -> None:
        """Raise an error for missing predictions where the pair is judged.

        For other examples the classifier needs no prediction.
        """
        if missing != "mask" and absent.any():
            raise ValueError(
                f"{self.argument} has no prediction for example {int(absent.argmax())}, whose true class is one of its two "
                f"({int(absent.sum())} such). Fill them, or pass missing='mask' to leave them out: one column cannot abstain."
            )


def read_alike(columns: dict[Two, PairPredictions]) -> dict[Two, PairPredictions]:
    """Return the columns with the meaning of 0 and 1.

    Where it is open, they mean the same as for the pairs that have only one meaning.
    """
    found = {pair: column.read() for pair, column in columns.items()}
    kinds = {column.indicators for column in found.values() if column.told}
    for (a, b), column in found.items():
        if column.indicators is None and len(kinds) != 1:
            raise ValueError(
                f"{column.argument} holds 0 or 1, which may be labels, or 1 may mean the first class, {a!r}. For labels, give "
                f"the pair as {(b, a)!r}, where both mean the same; if 1 means the first class, pass decide=0.5 for all pairs."
            )
    meant = next(iter(kinds), None)
    return {pair: replace(c, indicators=meant) if c.indicators is None else c for pair, c in found.items()}
