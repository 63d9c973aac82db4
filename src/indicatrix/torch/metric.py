"""Metric: the scores of a stream as a metric of torchmetrics, for Lightning and several ranks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import product
from operator import itemgetter
from typing import Any

import torch
import torchmetrics
from torch import Tensor
from torchmetrics.metric import CompositionalMetric

from ..algebra.score import Undefined, read_undefined
from ..catalogue.listing import read_score
from ..engines.partitions import sum_states
from ..engines.stream import name_of, scores_of
from ..evaluation import Evaluation
from ..tally.device.table_buffer import ROWS
from ..words.call_mistakes import answers_mistakes
from ..words.names_elsewhere import refuse_unknown
from ..words.wording import listing
from .plan import HINTS, add_batch, axes_of, batch_of, empty_counts, evaluation_of, groups_of, plan, shape_of_examples, width_of

OF_TORCHMETRICS = ("dist_sync_on_step", "process_group", "sync_on_compute", "compute_on_cpu")  # the options most used


@answers_mistakes(hints=HINTS)
class Metric(torchmetrics.Metric):  # type: ignore[misc]  # its types are not read: they take minutes
    """Scores of any measure and average as one torchmetrics metric: preds come first, then target.

    It counts as ``ix.torch.Stream`` does, and what it counts adds over ranks by ``torch.distributed``. ``compute()`` returns a
    dictionary of tensors by the names of the scores, which ``MetricCollection`` and ``self.log_dict`` take as it is; also of one
    score. ``metric["macro f1"]`` is a metric of one score that computes a tensor, for ``BootStrapper``, ``MetricTracker`` and
    other wrappers. Metrics with the same options share their counts in a collection.

    Parameters
    ----------
    scores : str or pair
        What ``compute()`` returns, one after the other: names of scores such as "macro f1" or "exact_match".
    classes : int or iterable
        How many classes there are, or their names; target and labels in preds are their indices.
    decide : str, number or rule, default 'argmax'
        How scores become decisions, as in ``ix.torch.Stream``.
    kind : str, default 'multiclass'
        "multiclass": one label per example, also of two classes. "multilabel": preds and target are (N, labels, …).
    ignore_index : int, optional
        A value of target that counts nowhere.
    positive : label, optional
        The positive class; averages are then optional. Labels 0/1 and False/True have 1 and True.
    undefined : str or number, default 'exclude'
        What an undefined value does: 'exclude' leaves it out of the average, a number replaces it, 'nan' keeps it,
        'raise' is an error.
    weighted : bool, default False
        Whether batches have weights: ``update(preds, target, sample_weight=weights)``. Sums of weights are exact.
    by : mapping, optional
        Groupings and the names of their groups, which all ranks have in common: ``{"site": ["a", "b"]}``. Batches then say the
        group of each row: ``update(preds, target, by={"site": ids})``. Scores are of all groups together; ``evaluation`` has
        the groups as axes.
    options : any
        What ``torchmetrics.Metric`` takes, by keyword: sync_on_compute=, dist_sync_on_step=, process_group=, …

    Examples
    --------
    >>> import torch
    >>> import indicatrix as ix
    >>> metric = ix.torch.Metric("macro f1", "exact_match", classes=2)
    >>> metric.update(torch.tensor([0, 1, 0]), torch.tensor([0, 1, 1]))
    >>> {name: round(float(value), 3) for name, value in metric.compute().items()}
    {'macro f1': 0.667, 'exact_match': 0.667}
    >>> round(float(metric["macro f1"].compute()), 3)
    0.667
    """

    is_differentiable = False
    full_state_update = False

    def __init__(
        self,
        *scores: Any,
        classes: Any = None,
        decide: Any = "argmax",
        kind: str = "multiclass",
        ignore_index: int | None = None,
        positive: Any = None,
        undefined: Undefined = "exclude",
        weighted: bool = False,
        by: Mapping[str, Iterable[Any]] | None = None,
        **options: Any,
    ) -> None:
        try:
            super().__init__(**options)
        except ValueError as error:  # it names what it does not know, and not what there is
            refuse_unknown("Metric", [name for name in options if f"`{name}`" in str(error)], OF_TORCHMETRICS)
            raise
        read_undefined(undefined, None)
        self.scores, self.undefined = tuple(map(name_of, scores)), undefined
        self.plan = plan(classes, decide, kind, ignore_index, positive)
        if self.plan.classes is None:
            raise ValueError("A metric has counts of a fixed size: give classes=10, or their names.")
        self.m = m = len(self.plan.classes)
        self.weighted, self.by = weighted, {axis: tuple(names) for axis, names in axes_of(by).items()}
        self.keys = [*product(*self.by.values())]  # without groupings one, of no names
        for i, _ in enumerate(self.keys):
            for name, zeros in empty_counts(self.plan, m, weighted=weighted, device="cpu").items():
                if name == ROWS:
                    self.add_state(f"{name}_{i}", [], dist_reduce_fx="cat")
                else:
                    self.add_state(f"{name}_{i}", zeros, dist_reduce_fx="sum")
        self.names = tuple(empty_counts(self.plan, m, weighted=weighted, device="meta"))

    @property
    def higher_is_better(self) -> bool | None:
        """Whether more of its score is better; None of several scores, and where neither is better."""
        return _is_higher_better(self.scores[0]) if len(self.scores) == 1 else None

    def __getitem__(self, name: str) -> ScoreOfMetric:
        """Return one of the scores as a metric, which counts in this one."""
        if name not in self.scores:
            raise KeyError(f"This metric has no score {name!r}; it has {listing(self.scores)}.")
        return ScoreOfMetric(self, name)

    def _counts(self, i: int) -> dict[str, Any]:
        """Return the counts of a group; rows are a list before ranks are put together."""
        return {name: getattr(self, f"{name}_{i}") for name in self.names}

    def update(self, preds: Tensor, target: Tensor, *, sample_weight: Any = None, by: Any = None) -> None:
        """Count a batch: predictions first, then the truth."""
        width_of(self.plan, preds, target)
        if (sample_weight is None) == self.weighted:
            wanted = "needs sample_weight=, because it has" if self.weighted else "takes no sample_weight= without"
            raise ValueError(f"This metric {wanted} weighted=True.")
        axes = tuple(axes_of(by))
        if axes != tuple(self.by):
            raise ValueError(f"This metric has by={tuple(self.by)}, and the batch by={axes}. Give both the same.")
        batch, groups = batch_of(self.plan, preds, target, sample_weight), groups_of(by, shape_of_examples(self.plan, target))
        strange = set(groups or ()).difference(self.keys)
        if strange:
            raise ValueError(f"by= has groups that the metric was not made with: {sorted(strange, key=repr)}. It has {self.by}.")
        for key, chosen in ({(): None} if groups is None else groups).items():
            i = self.keys.index(key)
            some = batch if chosen is None else batch.take(torch.from_numpy(chosen).to(preds.device))
            rows = add_batch(self._counts(i), some, self.plan, self.m)
            if rows is not None:
                getattr(self, f"{ROWS}_{i}").append(rows)

    @property
    def evaluation(self) -> Evaluation:
        """The evaluation of all batches so far; inside ``compute``, of all ranks."""
        found = []
        for i, key in enumerate(self.keys):
            counts = self._counts(i)
            if isinstance(counts.get(ROWS), list):
                empty = empty_counts(self.plan, self.m, weighted=self.weighted, device=counts["bad"].device)[ROWS]
                counts[ROWS] = torch.cat([empty, *counts[ROWS]])
            own = evaluation_of(counts, self.plan, self.m)
            if own.n or not self.by:
                found.append(replace(own, tally=own.tally.as_group(tuple(self.by), key)) if self.by else own)
        return sum_states(found)

    def set_dtype(self, dst_type: Any) -> Metric:  # the signature is that of torchmetrics
        """Return this metric as it is: its counts are whole numbers, which a type of floats would round."""
        return self

    def compute(self) -> dict[str, Tensor]:
        """Return the scores as tensors by name; on several ranks, those of all ranks together."""
        device = self._counts(0)["bad"].device
        kind = torch.float32 if device.type == "mps" else torch.float64
        found = scores_of(self.evaluation, self.scores, self.undefined)
        return {name: torch.tensor(float(score), dtype=kind, device=device) for name, score in found.items()}

    def plot(self, val: Any = None, ax: Any = None) -> Any:
        """Return a matplotlib figure and its axes: the scores now, or ``val``, what each step computed."""
        return self._plot(val, ax)


class ScoreOfMetric(CompositionalMetric):  # type: ignore[misc]
    """One score of a metric, as a tensor: what torchmetrics' wrappers take.

    It counts in the metric that it is from.
    """

    def __init__(self, metric: Metric, name: str) -> None:
        super().__init__(itemgetter(name), metric, None)
        self.score = name

    @property
    def higher_is_better(self) -> bool | None:
        """Whether more of the score is better; None where neither is."""
        return _is_higher_better(self.score)

    def plot(self, val: Any = None, ax: Any = None) -> Any:
        """Return a matplotlib figure and its axes: the score now, or ``val``, what each step computed."""
        figure, axes = self._plot(val, ax)
        axes.set_ylabel(self.score)
        return figure, axes

    def __repr__(self) -> str:
        return f"{self.metric_a!r}[{self.score!r}]"


def _is_higher_better(score: str) -> bool | None:
    return {"higher": True, "lower": False}.get(read_score(score)[0].better)
