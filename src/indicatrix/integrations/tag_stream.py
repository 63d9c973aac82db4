"""Tag ids of tokens, counted batch by batch as entities, tokens and whole sequences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..algebra.arrays import Array
from ..algebra.score import Undefined
from ..engines.stream import name_of, scores_of
from ..settings.tasks.sequences import Sequences, sequences
from .output_stream import as_array

TOKENS = "tokens "


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
