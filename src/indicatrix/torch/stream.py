"""Stream for training loops: batches of tensors are counted on their own device."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

from ..algebra.score import Undefined, read_undefined
from ..engines.partitions import sum_states
from ..engines.stream import name_of, scores_of
from ..evaluation import Evaluation
from ..words.call_mistakes import answers_mistakes
from ..words.wording import short
from .plan import HINTS, GroupCounts, axes_of, batch_of, groups_of, plan, shape_of_examples, width_of

if TYPE_CHECKING:
    from typing import Self


@answers_mistakes(hints=HINTS)
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
        How many classes there are, or their names; target and labels in preds are their indices. Optional for scores,
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
        The positive class; averages are then optional. Labels 0/1 and False/True have 1 and True.
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
        self._axes: tuple[str, ...] | None = None  # the groupings, once a batch was counted
        self._groups: dict[tuple[Any, ...], GroupCounts] = {}  # by the names of the group, and whether it has weights
        return self

    def update(self, preds: Tensor, target: Tensor, *, sample_weight: Any = None, by: Any = None) -> Self:
        """Count a batch: predictions first, then the truth, as in torchmetrics.

        Parameters
        ----------
        preds : Tensor
            Scores (N, C, …) of any floating type, logits or probabilities; or labels (N, …), whole numbers.
        target : Tensor
            Class indices (N, …); with kind="multilabel" 0 and 1, (N, labels, …).
        sample_weight : Tensor or array-like, optional
            One weight for each row (N), or for each example (N, …): 0, or a number between 2**-64 and 2**64. Sums of weights
            are exact.
        by : mapping, optional
            Groupings, each an axis: ``{"site": ids}``, one name for each row or for each example. Names in main memory do not
            wait for a device; a tensor of a device is copied. Each group has counts of its own there.

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
        >>> stream.reset().update(torch.tensor([0.2, 0.9, 0.4]), torch.tensor([0, 1, 1]), by={"site": ["a", "b", "b"]})
        <torch.Stream: multiclass, counts on cpu>
        >>> stream.evaluation.values("recall", per="site")
        Values('a': nan, 'b': 0.5)
        """
        m = width_of(self.plan, preds, target)
        if self._m not in (None, m):
            raise ValueError(f"preds has {m} columns, and {self._m} in the batches before.")
        axes = tuple(axes_of(by))
        if self._axes not in (None, axes):
            raise ValueError(f"The batches before have by={self._axes}, and this one by={axes}. Give all the same groupings.")
        batch, groups = batch_of(self.plan, preds, target, sample_weight), groups_of(by, shape_of_examples(self.plan, target))
        self._m, self._axes = m, axes
        if groups is None:
            self._counts_of((), batch.weights is not None, preds.device).add(batch)
        for key, rows in (groups or {}).items():
            some = batch.take(torch.from_numpy(rows).to(preds.device))
            self._counts_of(key, batch.weights is not None, preds.device).add(some)
        return self

    def _counts_of(self, key: tuple[Any, ...], weighted: bool, device: Any) -> GroupCounts:
        """Return the counts of a group, which may be new."""
        assert self._m is not None
        if (*key, weighted) not in self._groups:
            self._groups[*key, weighted] = GroupCounts(self.plan, self._m, weighted=weighted, device=device)
        return self._groups[*key, weighted]

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
        for counts in self._groups.values():
            counts.to(device)
        return self

    @property
    def evaluation(self) -> Evaluation:
        """The evaluation of all batches so far; this waits for the device."""
        axes, found = self._axes or (), list[Evaluation]()
        for (*key, _), counts in self._groups.items():
            own = counts.evaluation
            found.append(replace(own, tally=own.tally.as_group(axes, tuple(key))) if axes else own)
        return sum_states(found)

    def compute(self, *scores: Any, undefined: Undefined | None = None) -> dict[str, Any]:
        """Return scores of all batches so far, by name: for ``self.log_dict`` or any logger.

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
            raise TypeError(f"merge() takes an ix.torch.Stream, not {type(other).__module__}.{type(other).__qualname__}.")
        if self.plan != other.plan:
            raise ValueError(f"Streams add only with the same options; these have {self.plan} and {other.plan}.")
        return self._take(other.state_dict())

    def state_dict(self) -> dict[str, Any]:
        """Return the counts as tensors, for a checkpoint.

        Returns
        -------
        dict
            The number of classes, the groupings, and of each group its tensors by name; empty before the first batch.

        Examples
        --------
        >>> import torch
        >>> import indicatrix as ix
        >>> state = ix.torch.Stream(classes=2).update(torch.tensor([0]), torch.tensor([1])).state_dict()
        >>> state["groups"][0]["counts"]["pairs"].sum()
        tensor(1)
        """
        if self._axes is None:
            return {}
        groups = [
            {"key": key, "weighted": weighted, "counts": counts.tensors()} for (*key, weighted), counts in self._groups.items()
        ]
        return {"classes": self._m, "axes": [*self._axes], "groups": groups}

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
        self.__dict__.update(self.copy().reset()._take(state).__dict__)
        return self

    def _take(self, state: Mapping[str, Any]) -> Self:
        """Add what ``state_dict`` returned; nothing is changed if it does not belong here."""
        if not isinstance(state, Mapping) or (state and not {"classes", "axes", "groups"} <= {*state}):
            raise TypeError(f"This is not what state_dict() of a stream returned: {short(state)}.")
        if not state:
            return self
        m, axes = state["classes"], tuple(state["axes"])
        pairs = all(("pairs" in group["counts"]) == self.plan.in_pairs for group in state["groups"])
        if self._m not in (None, m) or not pairs:
            raise ValueError(f"These counts are of {m} classes, made with other options than {self.plan}.")
        if self._axes not in (None, axes):
            raise ValueError(f"Streams add only with the same groupings; these have by={self._axes} and by={axes}.")
        self._m, self._axes = m, axes
        for group in state["groups"]:
            counts = group["counts"]
            self._counts_of(tuple(group["key"]), group["weighted"], counts["bad"].device).add_tensors(counts)
        return self

    def copy(self) -> Self:
        """Return a stream with the same batches, which is independent from here on.

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
        for counts in self._groups.values():
            counts.release()  # what is saved holds counts, and no rows
        return self.__dict__

    __copy__ = copy  # the counts are changed in place, so two streams never share them

    def __repr__(self) -> str:
        places = dict.fromkeys(str(counts.device) for counts in self._groups.values())
        device = f"counts on {', '.join(places)}" if places else "no batches yet"
        return f"<torch.Stream: {self.plan.kind}, {device}>"
