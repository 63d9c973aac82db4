"""Scores for the Trainer of Hugging Face."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ..algebra.arrays import Array
from ..algebra.score import Undefined
from ..engines.stream import name_of, scores_of
from ..tasks.spans.sequences import Sequences, sequences
from ..words.call_mistakes import answers_mistakes
from .trackers import OutputStream, as_array, flatten

TOKENS = "tokens "


@answers_mistakes
def hf(
    *scores: Any,
    kind: str | None = None,
    tags: Sequence[str] | Mapping[int, str] | None = None,
    ignore_index: int | None = -100,
    undefined: Undefined = "exclude",
    **options: Any,
) -> Callable[..., dict[str, float]]:
    """Return ``compute_metrics`` for a Trainer of Hugging Face, also with ``batch_eval_metrics=True``.

    What the predictions are follows from the shapes:

    - Predictions (n, classes) and label ids (n): classification, by argmax.
    - Predictions (n, tokens, classes) and label ids (n, tokens): every token is an example, and the id -100 is left out.
      With ``tags=`` the tokens are entities, as in seqeval, and ``ix.tasks.sequences`` evaluates them.
    - Floats (n, labels) and label ids of the same shape: several labels per example, true where the logit is at least 0.
    - Whole numbers are decisions, such as those that ``preprocess_logits_for_metrics`` made.

    Parameters
    ----------
    *scores : str or pair
        Names of scores such as "macro f1" or "exact_match". With ``tags=`` they are of the entities; "tokens macro f1" is of
        the tokens, and "exact_match" is the share of sequences in which all tags are right.
    kind : str, optional
        "multiclass" or "multilabel", where the shapes do not tell.
    tags : list or mapping, optional
        The tag of each label id, such as ``model.config.id2label``: then entities are evaluated.
    ignore_index : int, default -100
        The label id that counts nowhere.
    undefined : str or number, default 'exclude'
        What an undefined value does: 'exclude' leaves it out of the average, a number replaces it, 'nan' keeps it,
        'raise' is an error.
    **options
        What ``ix.Stream`` takes: positive=, decide=, …; with ``tags=`` what ``ix.tasks.sequences`` takes: scheme=, mode=,
        layout=, …

    Returns
    -------
    callable
        It takes an ``EvalPrediction`` and returns plain floats; the keys are those of ``ix.integrations.flat_scores``.

    Examples
    --------
    >>> import indicatrix as ix
    >>> compute_metrics = ix.integrations.hf("macro f1", "exact_match")
    >>> compute_metrics(([[2.0, 0.1], [0.3, 0.9], [1.0, 0.2]], [0, 1, 1]))
    {'macro_f1': 0.6666666666666666, 'exact_match': 0.6666666666666666}
    >>> by_tags = ix.integrations.hf("micro f1", "tokens exact_match", tags=["O", "B-PER", "I-PER"])
    >>> by_tags(([[1, 2, 0], [1, 0, 0]], [[1, 2, -100], [1, 2, 0]]))
    {'micro_f1': 0.5, 'tokens_exact_match': 0.8}
    """
    how: dict[str, Any] = {"ignore_index": ignore_index, "undefined": undefined}
    counted: OutputStream | TagStream
    if tags is not None:
        counted = TagStream(scores, tags, options, **how)
    else:
        counted = OutputStream(scores, options, kind=kind, same_shape="multilabel", threshold=0, **how)

    def compute_metrics(eval_pred: Any, compute_result: bool | None = None) -> dict[str, float]:
        """Count predictions and return the scores; with ``compute_result=False`` more batches follow."""
        outputs, labels = read_prediction(eval_pred)
        if compute_result is None:
            counted.reset()  # an evaluation in batches may have been stopped before
        counted.update(outputs, labels)
        if compute_result is False:
            return {}
        found = flatten(counted.compute())
        counted.reset()
        return found

    return compute_metrics


def read_prediction(eval_pred: Any) -> tuple[Any, Any]:
    """Return the predictions and the labels of an ``EvalPrediction``, or of a pair of both."""
    outputs, labels = (eval_pred.predictions, eval_pred.label_ids) if hasattr(eval_pred, "predictions") else eval_pred
    return outputs[0] if isinstance(outputs, tuple) else outputs, labels  # the logits stand before hidden states


class TagStream:
    """Sequences that grow batch by batch; names of scores say what they are of."""

    def __init__(
        self, scores: tuple[Any, ...], tags: Any, options: dict[str, Any], *, ignore_index: int | None, undefined: Undefined
    ) -> None:
        if not scores:
            raise ValueError("Name the scores, such as 'micro f1'.")
        for score in scores:
            name_of(plain_name(score))  # a name that means nothing is refused now
        self.names = {int(i): name for i, name in (tags.items() if isinstance(tags, Mapping) else enumerate(tags))}
        self.scores, self.options, self.ignore_index, self.undefined = scores, options, ignore_index, undefined
        self.sequences([[]], [[]])
        self.reset()

    def reset(self) -> None:
        """Forget all batches."""
        self._whole: Any = 0

    def sequences(self, true: list[list[str]], pred: list[list[str]]) -> Sequences:
        """Return the evaluation of tags with the options of this stream."""
        return sequences(true, pred, **self.options)

    def update(self, outputs: Any, labels: Any) -> None:
        """Count a batch."""
        outputs, labels = as_array(outputs), as_array(labels)
        seen = np.ones(labels.shape, bool) if self.ignore_index is None else labels != self.ignore_index
        if outputs.dtype.kind == "f":
            if outputs.shape[:-1] == labels.shape and np.isnan(outputs[seen]).any():
                raise ValueError(
                    "An output of the model is NaN, which decides nothing. Leave the token out, or correct the model."
                )
            outputs = outputs.argmax(axis=-1)
        if outputs.shape != labels.shape or labels.ndim != 2:
            raise ValueError(
                f"Tags are label ids (sequences, tokens) with scores of each tag or ids; here the labels have the shape "
                f"{labels.shape} and the decisions {outputs.shape}."
            )
        true, pred = ([self._names_of(row[keep]) for row, keep in zip(ids, seen, strict=True)] for ids in (labels, outputs))
        self._whole = self._whole + self.sequences(true, pred)

    def _names_of(self, ids: Array) -> list[str]:
        try:
            return [self.names[i] for i in ids.tolist()]
        except KeyError as error:
            raise ValueError(f"The label id {error} has no name in tags=, which has {sorted(self.names)}.") from None

    def compute(self) -> dict[str, Any]:
        """Return the scores of all batches so far, by name."""
        whole = self._whole or self.sequences([], [])
        return dict(score_of(whole, score, self.undefined) for score in self.scores)


def plain_name(score: Any) -> Any:
    """Return the name of a score without the word that says what it is of."""
    return score.removeprefix(TOKENS) if isinstance(score, str) else score


def score_of(whole: Sequences, score: Any, undefined: Undefined) -> tuple[str, Any]:
    """Return the name and the value of a score of entities, tokens or whole sequences."""
    if score == "exact_match":
        return score, whole.exact_match
    plain = plain_name(score)
    (value,) = scores_of(whole.entities if plain == score else whole.tokens, (plain,), undefined).values()
    return score if isinstance(score, str) else name_of(score), value
