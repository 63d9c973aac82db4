"""Scores in Keras: a callback that evaluates after each epoch."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..algebra.score import Undefined
from ..words.call_mistakes import answers_mistakes
from ..words.wording import type_of
from .trackers import OutputStream, flatten, load_library


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
