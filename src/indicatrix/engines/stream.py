"""Stream: an evaluation that grows batch by batch, at a small cost for each batch."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ..algebra.score import Undefined, read_undefined
from ..catalogue.named_scores import read_score, score_text
from ..encode.decisions import picks_one_class
from ..encode.plain_forms import Labels
from ..encode.vocabulary import check_classes, family_of
from ..encode.whole_numbers import are_integers
from ..evaluate import check_positive, evaluate_with, options_of
from ..evaluation import Evaluation
from ..settings.arguments.made import Made
from ..settings.arguments.options import Options
from ..tally.growing_table import GrowingTable
from ..tally.named_table import NamedTable
from ..tally.replicates import Replicated, replicates_of
from ..tally.tally import MANY
from .batch_decisions import are_codes, decide_scores, only_decides, view_of
from .held_batches import HeldBatches, are_texts

if TYPE_CHECKING:
    from typing import Self

PER_ROW = ("sample_weight", "mask", "by")  # options that have one entry for each example of a batch
PENDING = 32  # so many evaluations of batches are kept before they are added


class Stream:
    """An evaluation that grows batch by batch: update, compute, reset, merge, copy, save its state.

    Any split of the rows into batches gives the same evaluation as ``ix.evaluate`` on all rows at once. Small integers, and
    scores that argmax or a threshold decides, are counted into one table in place; label matrices are checked at once and
    counted in blocks, and so are texts; other batches are evaluated one by one and added when the result is asked for. Labels
    that no batch had before make the state grow. With ``replicates=200`` the rows of all batches are numbered one after the
    other.

    Parameters
    ----------
    scores : str or pair
        What ``compute()`` returns, one after the other: names of scores such as "macro f1", "exact_match" or "site macro recall".
    undefined : str or number, default 'exclude'
        What an undefined value does: 'exclude' leaves it out of the average, a number replaces it, 'nan' keeps it,
        'raise' is an error.
    options : any
        What ``evaluate`` takes, by keyword: classes=, positive=, decide=, tnorm=, missing=, … They hold for every batch. What
        has one entry for each example is given to ``update``: sample_weight=, mask=, by=.

    Examples
    --------
    >>> import indicatrix as ix
    >>> stream = ix.Stream("macro f1", "exact_match")
    >>> for y_true, y_pred in [([0, 1], [0, 1]), ([2, 1], [1, 1])]:
    ...     stream.update(y_true, y_pred)
    <Stream: 2 examples>
    <Stream: 4 examples>
    >>> stream.compute()
    {'macro f1': 0.6, 'exact_match': 0.75}
    >>> stream.evaluation.values("recall").tolist()
    [1.0, 1.0, 0.0]
    """

    def __init__(self, *scores: Any, undefined: Undefined = "exclude", **options: Any) -> None:
        read_undefined(undefined, None)
        for name in PER_ROW:
            if name in options:
                raise TypeError(f"{name}= has one entry for each example; give it with each batch: stream.update(…, {name}=…).")
        self.scores, self.undefined = tuple(map(name_of, scores)), undefined
        if options.get("classes") is not None:
            options["classes"] = check_classes(options["classes"])
        self.options: Options = options_of(options)
        self._late = self.options.classes is None and self.options.decide is None  # a batch may lack the positive class
        self._replicates = replicates_of(self.options.replicates)
        self._quick = self._replicates is None and only_decides(self.options)
        self._codes = are_codes(self.options.classes)
        self.reset()

    def reset(self) -> Self:
        """Forget all batches.

        Returns
        -------
        Stream
            This stream.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ix.Stream().update([0, 1], [0, 1]).reset()
        <Stream: 0 examples>
        """
        self._added: list[Evaluation] = []  # evaluations of batches that are not in the table
        self._table: GrowingTable | None = None
        self._named: NamedTable | None = None  # of columns of codes into texts
        self._held = HeldBatches()  # that were checked and not counted yet
        self._form: tuple[Any, ...] | None = None  # what all batches have in common
        self._row = 0 if self._replicates is None else self._replicates.first_row  # of the next batch
        self._result: Evaluation | None = None  # of everything, until the next batch
        return self

    def update(self, y_true: Any, y_pred: Any, *, sample_weight: Any = None, mask: Any = None, by: Any = None) -> Self:
        """Count a batch.

        A batch that is refused changes nothing.

        Parameters
        ----------
        y_true, y_pred : array-like
            Labels as ``evaluate`` takes them: lists, arrays, columns of data frames.
        sample_weight : array-like, optional
            One weight for each example. Sums of weights are exact, also of integers above 2**53.
        mask : array-like of bool, optional
            True where an entry was observed: one flag for each example, or a matrix. The rest counts nowhere.
        by : mapping, optional
            Groupings, each an axis: ``{"site": ids, "fold": folds}``.

        Returns
        -------
        Stream
            This stream.

        Examples
        --------
        >>> import indicatrix as ix
        >>> stream = ix.Stream(decide="argmax")
        >>> stream.update([0, 1], [[0.9, 0.1], [0.7, 0.3]]).update([1], [[0.2, 0.8]]).evaluation.score("recall", "macro")
        0.75
        """
        plain = self._quick and sample_weight is None and mask is None and by is None
        if not (plain and self._count(view_of(y_true), view_of(y_pred))):
            rows = dict(zip(PER_ROW, (sample_weight, mask, by), strict=True))
            options = self.options._replace(**rows, positive=None) if self._late else self.options._replace(**rows)
            if self._replicates is not None:
                options = options._replace(replicates=replace(self._replicates, first_row=self._row))
            self._add(evaluate_with(y_true, y_pred, options))
            last = self._added[-1]
            width = len(last.classes) if plain and last.kind == "multilabel" and not last.tally.open else None
            texts = plain and are_texts(view_of(y_true), view_of(y_pred), self.options)
            self._held = replace(self._held, width=width, likes_texts=texts)
        self._result = None
        return self

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
        return Evaluation(tally, "multiclass", None if self._late else check_positive(self.options.positive, tally))

    def _release_if_full(self) -> bool:
        """Count the batches that are held if there are enough of them; return True."""
        if self._held.full:
            self._release()
        return True

    def _release(self) -> None:
        """Count the label matrices and the texts that are held."""
        held, self._held = self._held, self._held.emptied()
        if held.texts[0]:
            self._add(evaluate_with(*held.texts, self.options._replace(positive=None) if self._late else self.options))
        if held.matrices:
            true, pred = map(np.concatenate, zip(*held.matrices, strict=True))
            evaluation = evaluate_with(true, pred, self.options._replace(decide=None))
            self._add(replace(evaluation, made=evaluation.made._replace(decide=self.options.decide)))

    def _add(self, evaluation: Evaluation) -> None:
        """Keep the evaluation of a batch; one that differs in more than its counts is added now."""
        if not self._fits(_form(evaluation)):
            evaluation = self._whole() + evaluation
            self.reset()._fits(_form(evaluation))
        self._added.append(evaluation)
        if self._replicates is not None and isinstance(kept := evaluation.tally.replicates, Replicated):
            self._row = max([self._row, *(end for seed, _, end in kept.rows if seed == self._replicates.seed)])
        if len(self._added) >= PENDING:
            self._added = [sum_of(self._added)]

    def _fits(self, form: tuple[Any, ...]) -> bool:
        """Return whether a batch has the same form as those before, so that it surely adds."""
        self._form = self._form or form
        return self._form == form

    @property
    def evaluation(self) -> Evaluation:
        """The evaluation of all batches so far."""
        if self._result is None:
            whole = self._whole()
            late = self._late and self.options.positive is not None and whole.tally.parts
            self._result = replace(whole, named_positive=check_positive(self.options.positive, whole.tally)) if late else whole
        return self._result

    def _whole(self) -> Evaluation:
        """Return the sum of all batches; if every batch may lack the positive class, without its name."""
        self._release()
        self._added = [sum_of(self._added)] if self._added else []
        tables = [self._evaluation_of(self._table)] if self._table is not None else []
        tables += [self._evaluation_of_texts(self._named)] if self._named is not None else []
        return sum_of([*tables, *self._added])

    def _evaluation_of(self, table: GrowingTable) -> Evaluation:
        classes, decide = self.options.classes, self.options.decide
        ordered = classes is not None or not (
            decide is None or picks_one_class(decide)
        )  # a threshold decides between two classes
        tally = table.tally(classes, ordered=ordered, keep_pairs=self.options.confusion is True)
        positive = None if self._late else check_positive(self.options.positive, tally)
        return Evaluation(tally, "multiclass", positive, Made(decide=decide))

    @property
    def n(self) -> int:
        """The number of examples so far."""
        tables = sum(table.n for table in (self._table, self._named) if table is not None)
        return tables + self._held.n + sum(evaluation.n for evaluation in self._added)

    def compute(self, *scores: Any, undefined: Undefined | None = None) -> dict[str, Any]:
        """Return scores of all batches so far, by name.

        Parameters
        ----------
        *scores : str or pair
            Names of scores such as "macro f1". Left out: those that the stream was made with.
        undefined : str or number, optional
            What an undefined value does: 'exclude' leaves it out of the average, a number replaces it, 'nan' keeps it,
            'raise' is an error. Left out: the convention that the stream was made with.

        Returns
        -------
        dict
            The name of each score, and its value.

        Examples
        --------
        >>> import indicatrix as ix
        >>> ix.Stream().update([0, 1, 1], [0, 1, 0]).compute("recall", "macro recall")
        {'recall': 0.5, 'macro recall': 0.75}
        """
        return scores_of(self.evaluation, scores or self.scores, self.undefined if undefined is None else undefined)

    def merge(self, other: Stream) -> Self:
        """Count the batches of another stream, for example of another process, here as well.

        Parameters
        ----------
        other : Stream
            A stream with the same options. It stays as it is.

        Returns
        -------
        Stream
            This stream.

        Examples
        --------
        >>> import indicatrix as ix
        >>> here, there = ix.Stream().update([0, 1], [0, 1]), ix.Stream().update([1, 2], [0, 2])
        >>> here.merge(there).evaluation.score("recall", "macro")
        0.8333333333333334
        """
        if not isinstance(other, Stream):
            raise TypeError(f"merge() takes a stream, not {type(other).__name__}.")
        merged = self._whole() + other._whole()  # refused before anything is changed
        self.reset()._add(merged)
        return self

    def state_dict(self) -> dict[str, Any]:
        """Return the state as plain data, for a checkpoint; it holds counts and class names, no rows.

        Returns
        -------
        dict
            Texts, numbers and lists: for JSON, pickle and ``torch.save``.

        Examples
        --------
        >>> import indicatrix as ix
        >>> state = ix.Stream().update([0, 1], [0, 1]).state_dict()
        >>> ix.Stream().load_state_dict(state)
        <Stream: 2 examples>
        """
        from ..settings.arguments.made_json import facts_to_json
        from ..tally.saved_tally import to_json

        ev = self.evaluation
        return {**facts_to_json(ev.kind, ev.named_positive, ev.made), "tally": to_json(ev.tally)}

    def load_state_dict(self, state: Mapping[str, Any]) -> Self:
        """Take the state that ``state_dict`` returned, in place of what was counted here.

        Parameters
        ----------
        state : mapping
            What ``state_dict`` returned.

        Returns
        -------
        Stream
            This stream.

        Examples
        --------
        >>> import indicatrix as ix
        >>> state = ix.Stream().update([0, 1], [0, 1]).state_dict()
        >>> ix.Stream().load_state_dict(state).update([1], [0]).evaluation.n
        3
        """
        from ..settings.arguments.made_json import facts_from_json
        from ..tally.saved_tally import VERSION, from_json

        kind, positive, made = facts_from_json(VERSION, state)
        evaluation = Evaluation(from_json(state["tally"]), kind, None if self._late else positive, made)
        self.reset()._add(evaluation)
        return self

    def copy(self) -> Self:
        """Return a stream with the same batches, which goes its own way from here on.

        Returns
        -------
        Stream
            A copy.

        Examples
        --------
        >>> import indicatrix as ix
        >>> stream = ix.Stream().update([0, 1], [0, 1])
        >>> stream.copy().update([1], [0]), stream
        (<Stream: 3 examples>, <Stream: 2 examples>)
        """
        return copy.deepcopy(self)

    def __getstate__(self) -> dict[str, Any]:
        self._release()  # what is saved holds counts, and no rows
        return self.__dict__

    __copy__ = copy  # the table is changed in place, so two streams never share it

    def __repr__(self) -> str:
        return f"<Stream: {self.n} {'example' if self.n == 1 else 'examples'}>"


def scores_of(evaluation: Evaluation, scores: tuple[Any, ...], undefined: Undefined) -> dict[str, Any]:
    """Return scores of an evaluation by their names."""
    if not scores:
        raise ValueError("Name the scores: compute('macro f1'), or Stream('macro f1', …). The whole result is .evaluation.")
    found = ((name_of(score), *read_score(score)) for score in scores)
    return {name: evaluation.score(measure, average, undefined=undefined) for name, measure, average in found}


def name_of(score: Any) -> str:
    """Return the name of a score, a text as it was written; a name that means nothing is refused."""
    measure, average = read_score(score)
    return score if isinstance(score, str) else score_text(measure, average)


def _form(evaluation: Evaluation) -> tuple[Any, ...]:
    """Return what evaluations that surely add have in common."""
    tally = evaluation.tally
    classes = {family_of(type(c)) for c in tally.classes} if tally.open else tally.classes
    return evaluation.kind, evaluation.named_positive, evaluation.made, tally.by, tally.targets, tally.open, classes


def sum_of(evaluations: list[Evaluation]) -> Evaluation:
    """Return the sum of evaluations, of neighbours first: the sums of two halves are added."""
    if len(evaluations) < 2:
        return evaluations[0] if evaluations else Evaluation()
    half = len(evaluations) // 2
    return sum_of(evaluations[:half]) + sum_of(evaluations[half:])
