"""The outputs of a model and their labels, counted batch by batch."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from ..algebra.arrays import Array
from ..algebra.score import Undefined
from ..encode.device_arrays import tensor_to_numpy
from ..engines.stream import Stream

KINDS = ("multiclass", "multilabel")
DecidedRows = tuple[Array, Array, Any, Array | None]  # true labels, outputs, how outputs are decided, which entries are observed


class OutputStream:
    """A stream whose first batch says how the outputs of a model are read.

    ``same_shape`` is the kind of scores that have the shape of their labels, and ``threshold`` decides them.
    """

    def __init__(
        self,
        scores: tuple[Any, ...],
        options: dict[str, Any],
        *,
        kind: str | None,
        same_shape: str | None,
        threshold: float,
        ignore_index: int | None,
        undefined: Undefined,
    ) -> None:
        if kind not in (None, *KINDS):
            raise ValueError(f"kind={kind!r} is unknown. Use 'multiclass' (one label per example) or 'multilabel'.")
        if not scores:
            raise ValueError("Name the scores, such as 'macro f1'.")
        self.scores, self.kind, self.same_shape = scores, kind, same_shape
        self.threshold, self.ignore_index = threshold, ignore_index
        self.options: dict[str, Any] = {"undefined": undefined, **options}
        Stream(*scores, **self.options)  # what is wrong is said now, and not after the first epoch
        self.reset()

    def reset(self) -> None:
        """Forget all batches."""
        self._stream: Stream | None = None

    def update(self, outputs: Any, labels: Any) -> None:
        """Count a batch."""
        outputs, labels = as_array(outputs), as_array(labels)
        kind = self.kind or kind_of(outputs, labels, self.same_shape)
        read = multilabel_rows if kind == "multilabel" else multiclass_rows
        true, pred, rule, mask = read(outputs, labels, self.threshold, self.ignore_index)
        if self._stream is None:
            decide = {} if rule is None else {"decide": rule}
            self._stream = Stream(*self.scores, **decide | self.options)
        self._stream.update(true, pred, mask=mask)

    def compute(self) -> dict[str, Any]:
        """Return the scores of all batches so far, by name."""
        return (self._stream or Stream(*self.scores, **self.options)).compute()


def as_array(x: Any) -> Array:
    """Return an array of any library, or a tensor of any device, as a NumPy array."""
    torch = sys.modules.get("torch")
    return tensor_to_numpy(x.detach(), torch) if torch is not None and isinstance(x, torch.Tensor) else np.asarray(x)


def kind_of(outputs: Array, labels: Array, same_shape: str | None) -> str:
    """Return the kind that the shapes tell; scores of the shape of their labels are ``same_shape``."""
    if outputs.shape != labels.shape or labels.ndim == 1:
        return "multiclass"
    if same_shape is not None and outputs.dtype.kind == "f":
        return same_shape
    raise ValueError(
        f"The outputs and the labels have the same shape, {labels.shape}, which does not tell what they are. Give "
        "kind='multilabel' if every column is a label of its own, or kind='multiclass' for one class per row or token."
    )


def multiclass_rows(outputs: Array, labels: Array, threshold: float, ignore_index: int | None) -> DecidedRows:
    """Return one row for each example or token, without those that are ignored."""
    decided, width = outputs.dtype.kind in "bui", outputs.shape[-1] if outputs.ndim > 1 else 1
    wide = not decided and width > 1
    if wide and labels.shape == outputs.shape:
        labels = labels.argmax(axis=-1)  # one-hot
    true = whole(labels.reshape(-1))
    pred = outputs.reshape(-1, width) if wide else outputs.reshape(-1)
    if len(true) != len(pred):
        raise ValueError(f"The outputs have the shape {outputs.shape} and the labels {labels.shape}; they do not fit together.")
    if ignore_index is not None and (ignored := true == ignore_index).any():
        true, pred = true[~ignored], pred[~ignored]
    return true, pred, None if decided else "argmax" if wide else threshold, None


def multilabel_rows(outputs: Array, labels: Array, threshold: float, ignore_index: int | None) -> DecidedRows:
    """Return one row for each example; entries that are ignored are masked."""
    true = whole(labels)
    observed = np.ones(true.shape, bool) if ignore_index is None else true != ignore_index
    rule = None if outputs.dtype.kind in "bui" else threshold
    return np.where(observed, true, 0), outputs, rule, None if observed.all() else observed


def whole(labels: Array) -> Array:
    """Return labels as integers; losses of binary labels want floats, which hold 0 and 1."""
    if labels.dtype.kind != "f":
        return labels
    if not (found := np.rint(labels) == labels).all():
        raise ValueError(f"The labels are ids or 0 and 1, and {labels[~found].flat[0]} is not a whole number.")
    return labels.astype(np.int64)
