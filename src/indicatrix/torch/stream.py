"""Stream for training loops: batches of tensors are counted on their own device."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

from ..algebra.score import Undefined, read_undefined
from ..engines.stream import name_of, scores_of
from ..evaluation import Evaluation
from ..tally.on_device.pair_buffer import buffer_size
from .counting import (
    BAD,
    COMPRESS,
    HELD,
    add_rows,
    compress,
    count_labels,
    count_pairs,
    evaluation_of_labels,
    evaluation_of_pairs,
    label_rows,
    plan,
    refuse_options,
    width_of,
    width_of_products,
)

if TYPE_CHECKING:
    from typing import Self


class Stream:
    """The scores of a training loop: update with tensors, compute, reset; preds come first, then target.

    The order of the arguments is that of torchmetrics; ``ix.evaluate`` and ``ix.Stream`` take the truth first. Counts stay on the
    device of the tensors, and no batch waits for it: only ``compute`` and ``evaluation`` do. Values that cannot be counted, such
    as a target out of range or a NaN, are therefore reported there. The evaluation equals that of ``ix.evaluate`` on all rows.

    Parameters
    ----------
    scores : str or pair
        What ``compute()`` returns, one after the other: names of scores such as "macro f1" or "exact_match".
    classes : int or iterable, optional
        How many classes there are, or their names; target and labels in preds are their indices. It may be left out for scores,
        whose columns are the classes.
    decide : str, number or rule, default 'argmax'
        How scores become decisions: "argmax" for preds (N, C, …); a threshold for one score per example or per label, 0.5 for
        probabilities and 0 for logits; ``ix.above(t)``, which a score equal to t does not reach; ``ix.top_k(k)``, all k classes;
        ``ix.hit_in_top(k)``, one class. Labels in preds, which are whole numbers, are taken as they are.
    kind : str, default 'multiclass'
        "multiclass": one label per example, also of two classes. "multilabel": preds and target are (N, labels, …).
    ignore_index : int, optional
        A value of target that counts nowhere.
    positive : label, optional
        The positive class: averages may then be left out. Labels 0/1 and False/True have 1 and True.
    undefined : str or number, default 'exclude'
        What an undefined value does: 'exclude' leaves it out of the average, a number replaces it, 'nan' keeps it,
        'raise' is an error.

    Examples
    --------
    >>> import torch
    >>> import indicatrix as ix
    >>> stream = ix.torch.Stream("macro f1", "exact_match")
    >>> for logits, target in [([[2.0, -1.0], [0.5, 1.0]], [0, 1]), ([[0.3, 0.1]], [1])]:
    ...     _ = stream.update(torch.tensor(logits), torch.tensor(target))
    >>> stream.compute()
    {'macro f1': 0.6666666666666666, 'exact_match': 0.6666666666666666}
    """

    def __init__(
        self,
        *scores: Any,
        classes: Any = None,
        decide: Any = "argmax",
        kind: str = "multiclass",
        ignore_index: int | None = None,
        positive: Any = None,
        undefined: Undefined = "exclude",
    ) -> None:
        read_undefined(undefined, None)
        self.scores, self.undefined = tuple(map(name_of, scores)), undefined
        self.plan = plan(classes, decide, kind, ignore_index, positive)
        self.reset()

    def reset(self) -> Self:
        """Forget all batches.

        Returns
        -------
        Stream
            This stream.

        Examples
        --------
        >>> import torch
        >>> import indicatrix as ix
        >>> ix.torch.Stream(classes=2).update(torch.tensor([0]), torch.tensor([0])).reset().evaluation.n
        0
        """
        self._m: int | None = None if self.plan.classes is None else len(self.plan.classes)
        self._counts: Tensor | None = None  # of pairs of classes and of bad values, or per class
        self._bad: Tensor | None = None
        self._products: Tensor | None = None  # of label matrices: how often two entries of a row occur together
        self._rows: list[Tensor] = []  # of label matrices: the number that stands for the counts of a row, and how often
        self._held: list[Tensor] = []  # of label matrices: rows that were not multiplied yet
        self._codes: list[Tensor] = []  # the same numbers, of rows that were not put together yet
        self._length = 0  # of both
        return self

    def update(self, preds: Tensor, target: Tensor, **options: Any) -> Self:
        """Count a batch: predictions first, then the truth, as in torchmetrics.

        Weights and groupings are refused, with what to do instead: sums of weights are exact in this library, which needs the
        rows on the host, and groups have names.

        Parameters
        ----------
        preds : Tensor
            Scores (N, C, …) of any floating type, logits or probabilities; or labels (N, …), whole numbers.
        target : Tensor
            Class indices (N, …); with kind="multilabel" 0 and 1, (N, labels, …).
        **options
            Nothing is taken here; sample_weight=, by= and mask= say what to do instead.

        Returns
        -------
        Stream
            This stream.

        Examples
        --------
        >>> import torch
        >>> import indicatrix as ix
        >>> stream = ix.torch.Stream("recall", decide=0.5, positive=1)
        >>> stream.update(torch.tensor([0.2, 0.9, 0.4]), torch.tensor([0, 1, 1])).compute()
        {'recall': 0.5}
        """
        refuse_options(options)
        m = width_of(self.plan, preds, target)
        if self._m not in (None, m):
            raise ValueError(f"preds has {m} columns, and {self._m} in the batches before.")
        self._m = m
        self._place(preds.device, m)
        target = target.to(preds.device)
        assert self._counts is not None
        if self.plan.in_pairs:
            count_pairs(self._counts, preds, target, self.plan, m)
            return self
        assert self._bad is not None
        assert self._products is not None
        if len(self._products):
            self._held.append(label_rows(self._bad, preds, target, self.plan, m))
            if sum(map(len, self._held)) > HELD:
                self._release()
        else:
            self._keep(count_labels(self._counts, self._bad, self._products, preds, target, self.plan, m))
        return self

    def _release(self) -> None:
        """Multiply the rows that are held: several batches cost hardly more than one."""
        if self._held:
            assert self._products is not None
            assert self._m is not None
            held, self._held = torch.cat(self._held), []
            self._keep(add_rows(self._products, held, self._m))

    def _keep(self, codes: Tensor) -> None:
        """Keep the numbers that stand for the counts of rows; if there are many, each once."""
        self._codes.append(codes)
        self._length += len(codes)
        if self._length > COMPRESS:
            self._rows, self._codes = [compress(self._distinct_rows())], []
            self._length = len(self._rows[0])

    def _distinct_rows(self) -> Tensor:
        """Return the numbers that stand for the counts of rows, each with how often; one may be twice."""
        self._release()
        once = [
            torch.stack([codes, torch.ones_like(codes)], dim=1) for codes in ([torch.cat(self._codes)] if self._codes else [])
        ]
        return torch.cat([*self._rows, *once])

    def _place(self, device: torch.device, m: int) -> None:
        """Have the counts on a device."""
        if self._counts is None:
            shape = (buffer_size(m),) if self.plan.in_pairs else (4, m)
            self._counts = torch.zeros(shape, dtype=torch.int64, device=device)
            if not self.plan.in_pairs:
                k = width_of_products(self.plan, m)
                self._bad = torch.zeros(BAD, dtype=torch.int64, device=device)
                self._products = torch.zeros((k, k), dtype=torch.int64, device=device)
        elif self._counts.device != device:
            self.to(device)

    def to(self, device: Any) -> Self:
        """Move the counts to a device.

        Parameters
        ----------
        device : device or str
            Where the next batches will be; they take the counts with them by themselves.

        Returns
        -------
        Stream
            This stream.

        Examples
        --------
        >>> import torch
        >>> import indicatrix as ix
        >>> ix.torch.Stream(classes=2).update(torch.tensor([0]), torch.tensor([0])).to("cpu").evaluation.n
        1
        """
        self._release()
        counts = self._counts, self._bad, self._products
        self._counts, self._bad, self._products = (None if x is None else x.to(device) for x in counts)
        self._rows, self._codes = ([x.to(device) for x in some] for some in (self._rows, self._codes))
        return self

    @property
    def evaluation(self) -> Evaluation:
        """The evaluation of all batches so far; this waits for the device."""
        if self._counts is None or self._m is None:
            return Evaluation()
        if self.plan.in_pairs:
            return evaluation_of_pairs(self._counts, self.plan, self._m)
        rows = self._distinct_rows()
        assert self._bad is not None
        assert self._products is not None
        return evaluation_of_labels(self._counts, self._bad, self._products, rows, self.plan, self._m)

    def compute(self, *scores: Any, undefined: Undefined | None = None) -> dict[str, Any]:
        """Return scores of all batches so far, by name: for ``self.log_dict`` or any logger.

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
        >>> import torch
        >>> import indicatrix as ix
        >>> stream = ix.torch.Stream(classes=3).update(torch.tensor([0, 1, 2]), torch.tensor([0, 1, 1]))
        >>> stream.compute("micro recall", "macro recall", undefined=0)
        {'micro recall': 0.6666666666666666, 'macro recall': 0.5 (macro recall; 1 of 3 classes undefined, counted as 0)}
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
        >>> import torch
        >>> import indicatrix as ix
        >>> here, there = (ix.torch.Stream(classes=2).update(torch.tensor([0]), torch.tensor([i])) for i in (0, 1))
        >>> here.merge(there).evaluation.confusion.tolist()
        [[1, 0], [1, 0]]
        """
        if not isinstance(other, Stream):
            raise TypeError(f"merge() takes a stream, not {type(other).__name__}.")
        if self.plan != other.plan or (self._m and other._m and self._m != other._m):
            raise ValueError(f"Streams add only with the same options; these have {self.plan} and {other.plan}.")
        return self._take(other.state_dict(), add=True)

    def state_dict(self) -> dict[str, Any]:
        """Return the counts as tensors, for a checkpoint.

        Returns
        -------
        dict
            Tensors by name; empty before the first batch.

        Examples
        --------
        >>> import torch
        >>> import indicatrix as ix
        >>> ix.torch.Stream(classes=2).update(torch.tensor([0]), torch.tensor([1])).state_dict()["counts"].sum()
        tensor(1)
        """
        if self._counts is None:
            return {}
        counts = {"counts": self._counts.clone()}
        if self._bad is None or self._products is None:
            return counts
        self._release()
        more = {"bad": self._bad.clone(), "products": self._products.clone()}
        return {**counts, **more, "rows": compress(self._distinct_rows())}

    def load_state_dict(self, state: Mapping[str, Any]) -> Self:
        """Take the counts that ``state_dict`` returned, in place of those here.

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
        >>> import torch
        >>> import indicatrix as ix
        >>> state = ix.torch.Stream(classes=2).update(torch.tensor([0]), torch.tensor([1])).state_dict()
        >>> ix.torch.Stream(classes=2).load_state_dict(state).evaluation.n
        1
        """
        self.reset()
        return self._take(state, add=False)

    def _take(self, state: Mapping[str, Any], *, add: bool) -> Self:
        if not state:
            return self
        counts = state["counts"]
        m = counts.shape[1] if counts.ndim == 2 else round(len(counts) ** 0.5) - 3
        if (counts.ndim == 1) != self.plan.in_pairs or self._m not in (None, m):
            raise ValueError(f"These counts are of {m} classes, made with other options than {self.plan}.")
        self._m = m
        self._place(self._counts.device if add and self._counts is not None else counts.device, m)
        assert self._counts is not None
        self._counts += counts.to(self._counts.device)
        if self._bad is not None:
            assert self._products is not None
            self._bad += state["bad"].to(self._bad.device)
            self._products += state["products"].to(self._bad.device)
            self._rows.append(state["rows"].to(self._bad.device))
            self._length += len(state["rows"])
        return self

    def copy(self) -> Self:
        """Return a stream with the same batches, which goes its own way from here on.

        Returns
        -------
        Stream
            A copy.

        Examples
        --------
        >>> import torch
        >>> import indicatrix as ix
        >>> ix.torch.Stream(classes=2).update(torch.tensor([0]), torch.tensor([0])).copy().evaluation.n
        1
        """
        return copy.deepcopy(self)

    def __getstate__(self) -> dict[str, Any]:
        self._release()  # what is saved holds counts, and no rows
        return self.__dict__

    __copy__ = copy  # the counts are changed in place, so two streams never share them

    def __repr__(self) -> str:
        device = "no batches yet" if self._counts is None else f"counts on {self._counts.device}"
        return f"<torch.Stream: {self.plan.kind}, {device}>"
