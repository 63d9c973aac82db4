"""Batches of a stream, counted as they come: in a table where options allow it, or one by one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ..algebra.arrays import Array
from ..encode.decisions import Above, HitInTop, picks_one_class, reaches
from ..encode.factorize import are_integers, dense_view
from ..encode.plain_forms import Labels, plain_bools
from ..encode.vocabulary import family_of
from ..evaluate import check_positive, evaluate_with
from ..evaluation import Evaluation
from ..settings.options import Options, Recipe
from ..tally.counting.code_tables import GrowingTable, NamedTable
from ..tally.states.replicates import Replicated, replicates_of
from ..tally.tally import MANY
from .partitions import sum_states

if TYPE_CHECKING:
    from typing import Self

ENTRIES = 1 << 19  # this many entries of label matrices are kept before they are counted together
TEXTS = 1 << 13  # this many rows of texts

PENDING = 32  # this many evaluations of batches are kept before they are added


class CountedBatches:
    """The counts of all batches so far, under options that hold for every batch."""

    def __init__(self, options: Options) -> None:
        self.options = options
        self.late = self.options.classes is None and self.options.decide is None  # a batch may lack the positive class
        self._replicates = replicates_of(self.options.replicates)
        self._quick = self._replicates is None and only_decides(self.options)
        self._codes = are_codes(self.options.classes)
        self.reset()

    def reset(self) -> None:
        """Forget all batches."""
        self._added: list[Evaluation] = []  # evaluations of batches that are not in the table
        self._table: GrowingTable | None = None
        self._named: NamedTable | None = None  # of columns of codes into texts
        self._held = HeldBatches()  # that were checked and not counted yet
        self._form: tuple[Any, ...] | None = None  # what all batches have in common
        self._row = 0 if self._replicates is None else self._replicates.first_row  # of the next batch

    def add(self, y_true: Any, y_pred: Any, rows: Mapping[str, Any]) -> None:
        """Count a batch, with ``rows`` for each of its examples; one that is refused changes nothing."""
        plain = self._quick and all(entries is None for entries in rows.values())
        if not (plain and self._count(view_of(y_true), view_of(y_pred))):
            options = self.options._replace(**rows, positive=None) if self.late else self.options._replace(**rows)
            if self._replicates is not None:
                options = options._replace(replicates=replace(self._replicates, first_row=self._row))
            self.add_evaluation(evaluate_with(y_true, y_pred, options))
            last = self._added[-1]
            width = len(last.classes) if plain and last.kind == "multilabel" and not last.tally.open else None
            texts = plain and are_texts(view_of(y_true), view_of(y_pred), self.options)
            self._held = replace(self._held, width=width, likes_texts=texts)

    def _count(self, true: Any, pred: Any) -> bool:
        """Count a batch of integers, or of integers and scores, in place; return False for others."""
        if type(true) is Labels and type(pred) is Labels:
            return self._count_codes(true, pred)
        if type(true) is list:
            return self._held.takes_texts(true, pred, self.options) and self._release_if_full()
        if type(true) is np.ndarray and true.ndim == 2:
            return self._held.takes_matrices(true, pred, self.options) and self._release_if_full()
        if not (self._codes and are_integers(true) and len(true)):
            return False
        m = None if self.options.classes is None else len(self.options.classes)
        if self.options.decide is not None:
            decided = decide_scores(pred, self.options.decide, true)
            if decided is None:
                return False
            pred, width = decided
            if m not in (None, width):
                return False
            m = width
        elif not are_integers(pred) or len(pred) != len(true):
            return False
        if self._table is not None:
            return self._table.m == m and self._table.add(true, pred)
        table = GrowingTable(m)
        if not (table.add(true, pred) and self._fits(_form(self._evaluation_of(table)))):
            return False
        self._table = table
        return True

    def _count_codes(self, true: Labels, pred: Labels) -> bool:
        """Count two columns of codes into texts in place; return False for others."""
        classes = self.options.classes
        texts = classes is None or ({*map(type, classes)} == {str} and len(classes) <= MANY)
        if self.options.decide is not None or not texts:
            return False
        if self._named is not None:
            return self._named.add(true, pred)
        table = NamedTable(classes)
        if not (table.add(true, pred) and self._fits(_form(self._evaluation_of_texts(table)))):
            return False
        self._named = table
        return True

    def _evaluation_of_texts(self, table: NamedTable) -> Evaluation:
        tally = table.tally(ordered=table.fixed, keep_pairs=self.options.confusion is True)
        return Evaluation(tally, "multiclass", None if self.late else check_positive(self.options.positive, tally))

    def _release_if_full(self) -> bool:
        """Count the batches that are held if there are enough of them; return True."""
        if self._held.full:
            self.release()
        return True

    def release(self) -> None:
        """Count the label matrices and the texts that are held."""
        held, self._held = self._held, self._held.without_batches()
        if held.texts[0]:
            self.add_evaluation(evaluate_with(*held.texts, self.options._replace(positive=None) if self.late else self.options))
        if held.matrices:
            true, pred = map(np.concatenate, zip(*held.matrices, strict=True))
            evaluation = evaluate_with(true, pred, self.options._replace(decide=None))
            self.add_evaluation(replace(evaluation, recipe=evaluation.recipe._replace(decide=self.options.decide)))

    def add_evaluation(self, evaluation: Evaluation) -> None:
        """Keep the evaluation of a batch; one that differs in more than its counts is added now."""
        if not self._fits(_form(evaluation)):
            evaluation = self.whole() + evaluation
            self.reset()
            self._fits(_form(evaluation))
        self._added.append(evaluation)
        if self._replicates is not None and isinstance(kept := evaluation.tally.replicates, Replicated):
            self._row = max([self._row, *(end for seed, _, end in kept.rows if seed == self._replicates.seed)])
        if len(self._added) >= PENDING:
            self._added = [sum_states(self._added)]

    def _fits(self, form: tuple[Any, ...]) -> bool:
        """Return whether a batch has the same form as those before, so that it surely adds."""
        self._form = self._form or form
        return self._form == form

    def whole(self) -> Evaluation:
        """Return the sum of all batches; if every batch may lack the positive class, without its name."""
        self.release()
        self._added = [sum_states(self._added)] if self._added else []
        tables = [self._evaluation_of(self._table)] if self._table is not None else []
        tables += [self._evaluation_of_texts(self._named)] if self._named is not None else []
        return sum_states([*tables, *self._added])

    def _evaluation_of(self, table: GrowingTable) -> Evaluation:
        classes, decide = self.options.classes, self.options.decide
        ordered = classes is not None or not (
            decide is None or picks_one_class(decide)
        )  # a threshold decides between two classes
        tally = table.tally(classes, ordered=ordered, keep_pairs=self.options.confusion is True)
        positive = None if self.late else check_positive(self.options.positive, tally)
        return Evaluation(tally, "multiclass", positive, Recipe(decide=decide))

    @property
    def n(self) -> int:
        """The number of examples so far."""
        tables = sum(table.n for table in (self._table, self._named) if table is not None)
        return tables + self._held.n + sum(evaluation.n for evaluation in self._added)


def _form(evaluation: Evaluation) -> tuple[Any, ...]:
    """Return what evaluations that surely add have in common."""
    tally = evaluation.tally
    classes = {family_of(type(c)) for c in tally.classes} if tally.open else tally.classes
    return evaluation.kind, evaluation.named_positive, evaluation.recipe, tally.by, tally.targets, tally.open, classes


@dataclass(frozen=True)
class HeldBatches:
    """Label matrices and texts that are as valid as those of a batch that was evaluated by itself."""

    width: int | None = None  # of label matrices, once a batch was evaluated; None: no matrix is taken
    likes_texts: bool = False  # once a batch of texts was evaluated
    matrices: list[tuple[Array, Array]] = field(default_factory=list)
    texts: tuple[list[str], list[str]] = field(default_factory=lambda: ([], []))

    @property
    def n(self) -> int:
        """The number of examples."""
        return sum(len(true) for true, _ in self.matrices) + len(self.texts[0])

    @property
    def full(self) -> bool:
        """Whether there are enough to be counted."""
        return len(self.texts[0]) >= TEXTS or sum(true.size for true, _ in self.matrices) >= ENTRIES

    def without_batches(self) -> Self:
        """Return this without any batch."""
        return replace(self, matrices=[], texts=([], []))

    def takes_matrices(self, true: Array, pred: Any, options: Options) -> bool:
        """Keep a batch of label matrices; return False for others, of which nothing is kept."""
        classes, decide = options.classes, options.decide
        if type(pred) is not np.ndarray or pred.shape != true.shape or not true.size or options.positive is not None:
            return False
        if (decide is None) != (pred.dtype.kind in "bui") or (classes is not None and len(classes) != true.shape[1]):
            return False
        if decide is not None:
            if picks_one_class(decide) or pred.dtype.kind != "f" or np.isnan(pred).any():
                return False
            pred = reaches(pred, decide)
        if not (is_zero_one(true) and is_zero_one(pred)) or self.width != true.shape[1]:
            return False
        self.matrices.append((true.astype(np.uint8), pred.astype(np.uint8)))
        return True

    def takes_texts(self, true: Any, pred: Any, options: Options) -> bool:
        """Keep a batch of texts; return False for others, of which nothing is kept."""
        if not (self.likes_texts and are_texts(true, pred, options)):
            return False
        for held, labels in zip(self.texts, (true, pred), strict=True):
            held += map(str, labels)
        return True


def are_texts(true: Any, pred: Any, options: Options) -> bool:
    """Return whether labels are lists of texts of one length, of the classes if these are given."""
    if not (type(true) is list and type(pred) is list and options.decide is None and len(true) == len(pred)):
        return False
    texts = bool(true) and {*map(type, true), *map(type, pred)} <= {str, np.str_}
    return texts and (options.classes is None or set(options.classes).issuperset((*true, *pred)))


def only_decides(options: Options) -> bool:
    """Return whether the options only say what the classes are and how scores are decided."""
    rest = options._replace(classes=None, decide=None, confusion=None)
    decide = options.decide
    number = isinstance(decide, int | float) and not isinstance(decide, bool) and decide == decide
    each = (number or isinstance(decide, Above)) and options.positive in (None, 1)
    rule = decide is None or (isinstance(decide, str) and decide == "argmax") or isinstance(decide, HitInTop) or each
    return rest.plain and options.confusion is not False and rule


def are_codes(classes: tuple[Any, ...] | None) -> bool:
    """Return whether the classes are found in the data, or 0, 1, 2, … and few enough for a table."""
    return classes is None or (len(classes) <= MANY and all(type(c) is int and c == i for i, c in enumerate(classes)))


def is_zero_one(matrix: Array) -> bool:
    """Return whether a matrix holds decisions: bools, or integers that are 0 and 1."""
    return matrix.dtype.kind == "b" or (matrix.dtype.kind in "ui" and not (matrix >> 1).any())


def view_of(labels: Any) -> Any:
    """Return labels as an array or as a list of texts, where that takes no time; anything else as it is."""
    if type(labels) is list and set(map(type, labels)) == {int}:
        try:
            return np.array(labels, np.int64)
        except OverflowError:
            return labels
    if type(labels) is np.ndarray and labels.ndim == 1 and labels.dtype.kind in "UO":
        return labels.tolist()
    view = dense_view(labels)
    return plain_bools(view) if type(view) is np.ndarray else view


def decide_scores(scores: Any, rule: Any, true: Array) -> tuple[Array, int] | None:
    """Return decisions on scores as integers, and the number of classes; None if this is unclear."""
    n = len(true)
    if type(scores) is not np.ndarray or scores.dtype.kind != "f" or len(scores) != n:
        return None
    if picks_one_class(rule):
        if scores.ndim != 2 or not scores.shape[1]:
            return None
        best = scores.argmax(axis=1)  # NaN counts as the largest number here, so that no NaN stays unseen
        if np.isnan(scores[np.arange(n), best]).any():
            return None
        return (rule.decide(scores, "y_pred", true.astype(np.int64)) if isinstance(rule, HitInTop) else best), scores.shape[1]
    if scores.ndim != 1 or np.isnan(scores).any():
        return None
    return reaches(scores, rule), 2
