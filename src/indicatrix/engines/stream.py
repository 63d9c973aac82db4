"""Stream: an evaluation that grows batch by batch, at a small cost for each batch."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..algebra.average import score_name
from ..algebra.score import Undefined, read_undefined
from ..catalogue.listing import read_score
from ..encode.vocabulary import check_classes
from ..evaluate import check_positive, options_of
from ..evaluation import Evaluation
from ..saved_evaluation import VERSION, from_data, to_data
from ..settings.options import PER_ROW, Options
from ..words.call_mistakes import answers_mistakes
from ..words.wording import no_attribute
from .counted_batches import CountedBatches

if TYPE_CHECKING:
    from typing import Self


OTHER_ATTRIBUTES = {  # what people look for, and where it is
    name: f"It is a method of .evaluation, {'or write .compute(scores)' if name == 'score' else 'which has all batches so far'}."
    for name in ("score", "interval", "table", "values", "report", "to_html", "plot", "confusion_matrix")
}


@answers_mistakes(hints=dict.fromkeys(("average", "averages"), "an average is part of the name of a score: 'macro f1'"))
class Stream:
    """An evaluation that grows batch by batch: update, compute, reset, merge, copy, save.

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
        if hasattr(options.get("cost"), "given"):
            raise TypeError("Costs of single examples differ in each batch. Evaluate the batches, and add the evaluations.")
        self.scores, self.undefined = tuple(map(name_of, scores)), undefined
        if options.get("classes") is not None and not isinstance(options["classes"], Mapping):  # with targets, those of each
            options["classes"] = check_classes(options["classes"])
        self.options: Options = options_of(options)
        self._counted = CountedBatches(self.options)
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
        self._counted.reset()
        self._result: Evaluation | None = None  # of everything, until the next batch
        return self

    def update(
        self,
        y_true: Any,
        y_pred: Any,
        *,
        sample_weight: Any = None,
        mask: Any = None,
        by: Any = None,
        gold: Any = None,
        design: Any = None,
    ) -> Self:
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
        by : mapping or data frame, optional
            Groupings, each an axis: ``{"site": ids, "fold": folds}``, or the columns of a data frame.
        gold : array-like, optional
            True labels of some rows, missing where nobody looked; ``y_true`` is then what a judge says. A batch may have none.
        design : mapping, optional
            How the gold rows were chosen, as ``evaluate`` takes it.

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
        self._counted.add(y_true, y_pred, dict(zip(PER_ROW, (sample_weight, mask, by, gold, design), strict=True)))
        self._result = None
        return self

    @property
    def evaluation(self) -> Evaluation:
        """The evaluation of all batches so far."""
        if self._result is None:
            whole = self._counted.whole()
            late = self._counted.late and self.options.positive is not None and whole.tally.parts
            self._result = replace(whole, named_positive=check_positive(self.options.positive, whole.tally)) if late else whole
        return self._result

    def __getattr__(self, name: str) -> Any:
        """Refuse an attribute that does not exist, and say what may be meant."""
        raise no_attribute(self, "A stream", name, OTHER_ATTRIBUTES)

    @property
    def n(self) -> int:
        """The number of examples so far."""
        return self._counted.n

    def compute(self, *scores: Any, undefined: Undefined | None = None) -> dict[str, Any]:
        """Return scores of all batches so far, by name.

        Parameters
        ----------
        *scores : str or pair
            Names of scores such as "macro f1". Default: those that the stream was made with.
        undefined : str or number, optional
            What an undefined value does: 'exclude' leaves it out of the average, a number replaces it, 'nan' keeps it,
            'raise' is an error. Default: the convention that the stream was made with.

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
            raise TypeError(f"merge() takes an ix.Stream, not {type(other).__module__}.{type(other).__qualname__}.")
        merged = self._counted.whole() + other._counted.whole()  # refused before anything is changed
        self.reset()._counted.add_evaluation(merged)
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
        return to_data(self.evaluation)

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
        found = from_data(VERSION, dict(state))
        found = replace(found, named_positive=None) if self._counted.late else found
        self.reset()._counted.add_evaluation(found)
        return self

    def copy(self) -> Self:
        """Return a stream with the same batches, which is independent from here on.

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
        self._counted.release()  # what is saved holds counts, and no rows
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
    return score if isinstance(score, str) else score_name(measure, average)
