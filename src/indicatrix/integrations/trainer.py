"""Scores during training: for the Trainer of Hugging Face, and in Keras after each epoch."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from ..algebra.arrays import Array
from ..algebra.score import Undefined
from ..engines.stream import name_of, scores_of
from ..tasks.spans.sequences import Sequences, sequences
from ..words.call_mistakes import answers_mistakes
from ..words.wording import type_of
from .trackers import OutputStream, as_array, flatten, load_library

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


@answers_mistakes
def keras_callback(
    data: Any,
    *scores: Any,
    kind: str | None = None,
    prefix: str = "val_",
    batch_size: int | None = None,
    undefined: Undefined = "exclude",
    **options: Any,
) -> Any:
    """Return a Keras callback that puts scores of validation data into the logs after each epoch.

    Later callbacks, such as ``EarlyStopping(monitor="val_macro_f1", mode="max")``, and the history of ``fit`` see them. Outputs
    (n, classes) are decided by argmax, outputs (n, 1) by the threshold 0.5; a model that returns logits needs ``decide=0``.

    Parameters
    ----------
    data : pair or iterable
        Validation data: a tuple (x, y) of arrays, or batches of (x, y), such as a data loader or a ``PyDataset``.
    *scores : str or pair
        Names of scores such as "macro f1" or "exact_match".
    kind : str, optional
        Needed where y has the shape of the outputs: "multiclass" for one-hot labels, "multilabel" for several labels per example.
    prefix : str, optional
        What the keys in the logs start with. Default: ``"val_"``.
    batch_size : int, optional
        The batch size of ``model.predict`` for arrays.
    undefined : str or number, default 'exclude'
        What an undefined value does: 'exclude' leaves it out of the average, a number replaces it, 'nan' keeps it,
        'raise' is an error.
    **options
        What ``ix.Stream`` takes: positive=, decide=, …

    Returns
    -------
    keras.callbacks.Callback
        For ``model.fit(…, callbacks=[…])``; put it before callbacks that read its scores.

    Examples
    --------
    ::

        callback = ix.integrations.keras_callback((x, y), "macro f1", "exact_match")
        history = model.fit(x_train, y_train, epochs=2, callbacks=[callback])
        history.history["val_macro_f1"]
    """
    how: dict[str, Any] = {"kind": kind, "same_shape": None, "threshold": 0.5, "ignore_index": None, "undefined": undefined}
    counted = OutputStream(scores, options, **how)
    if isinstance(data, tuple):
        check_pair(data)  # said now, and not after the first epoch

    def on_epoch_end(epoch: int, logs: dict[str, Any] | None = None) -> None:
        counted.reset()
        for outputs, labels in outputs_and_labels(callback.model, data, batch_size):
            counted.update(outputs, labels)
        if logs is not None:
            logs.update(flatten(counted.compute(), prefix))

    callback = load_library("keras", "keras").callbacks.LambdaCallback(on_epoch_end=on_epoch_end)
    return callback


def outputs_and_labels(model: Any, data: Any, batch_size: int | None) -> Iterator[tuple[Any, Any]]:
    """Yield what a model says about each batch of data, and the labels of the batch."""
    if isinstance(data, tuple):
        x, y = data
        yield model.predict(x, batch_size=batch_size, verbose=0), y
        return
    indexed = hasattr(data, "__getitem__") and hasattr(data, "__len__")  # a PyDataset does not end when it is iterated over
    for batch in (data[i] for i in range(len(data))) if indexed else data:
        check_pair(batch)
        yield model.predict_on_batch(batch[0]), batch[1]


def check_pair(data: Any) -> None:
    """Refuse data that are not an input and its labels; Keras takes weights of examples as a third part."""
    if not isinstance(data, tuple | list) or len(data) != 2:
        given = f"{len(data)} parts" if isinstance(data, tuple | list) else type_of(data)
        raise ValueError(
            f"Validation data are a tuple (x, y), or batches of (x, y), and this is {given}. Leave out weights: these "
            "scores have none."
        )
