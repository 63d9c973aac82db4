"""Metric: the scores of a stream as a metric of torchmetrics, for Lightning and several ranks."""

from __future__ import annotations

from typing import Any

import torch
import torchmetrics
from torch import Tensor

from ..algebra.score import Undefined, read_undefined
from ..engines.stream import name_of, scores_of
from ..evaluation import Evaluation
from ..tally.on_device.pair_buffer import buffer_size
from .counting import (
    BAD,
    count_labels,
    count_pairs,
    evaluation_of_labels,
    evaluation_of_pairs,
    plan,
    width_of,
    width_of_products,
)


class Metric(torchmetrics.Metric):  # type: ignore[misc]  # its types are not read: they take minutes
    """Scores of any measure and average as one torchmetrics metric: preds come first, then target.

    It counts as ``ix.torch.Stream`` does, and what it counts adds over ranks by ``torch.distributed``. ``compute()`` returns a
    dictionary of tensors by the names of the scores, which ``MetricCollection`` and ``self.log_dict`` take as it is. Metrics with
    the same options share their counts in a collection.

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
        The positive class: averages may then be left out. Labels 0/1 and False/True have 1 and True.
    undefined : str or number, default 'exclude'
        What an undefined value does: 'exclude' leaves it out of the average, a number replaces it, 'nan' keeps it,
        'raise' is an error.
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
    """

    is_differentiable = False
    higher_is_better = None
    full_state_update = False
    pairs: Tensor
    cells: Tensor
    bad: Tensor
    products: Tensor
    rows: Any

    def __init__(
        self,
        *scores: Any,
        classes: Any = None,
        decide: Any = "argmax",
        kind: str = "multiclass",
        ignore_index: int | None = None,
        positive: Any = None,
        undefined: Undefined = "exclude",
        **options: Any,
    ) -> None:
        super().__init__(**options)
        read_undefined(undefined, None)
        self.scores, self.undefined = tuple(map(name_of, scores)), undefined
        self.plan = plan(classes, decide, kind, ignore_index, positive)
        if self.plan.classes is None:
            raise ValueError("A metric has counts of a fixed size: give classes=10, or their names.")
        self.m = m = len(self.plan.classes)
        if self.plan.in_pairs:
            self.add_state("pairs", torch.zeros(buffer_size(m), dtype=torch.int64), dist_reduce_fx="sum")
            return
        self.add_state("cells", torch.zeros(4, m, dtype=torch.int64), dist_reduce_fx="sum")
        self.add_state("bad", torch.zeros(BAD, dtype=torch.int64), dist_reduce_fx="sum")
        k = width_of_products(self.plan, m)
        self.add_state("products", torch.zeros(k, k, dtype=torch.int64), dist_reduce_fx="sum")
        self.add_state("rows", [], dist_reduce_fx="cat")

    def update(self, preds: Tensor, target: Tensor) -> None:
        """Count a batch: predictions first, then the truth."""
        width_of(self.plan, preds, target)
        if self.plan.in_pairs:
            count_pairs(self.pairs, preds, target, self.plan, self.m)
            return
        codes = count_labels(self.cells, self.bad, self.products, preds, target, self.plan, self.m)
        self.rows.append(torch.stack([codes, torch.ones_like(codes)], dim=1))

    @property
    def evaluation(self) -> Evaluation:
        """The evaluation of all batches so far; inside ``compute``, of all ranks."""
        if self.plan.in_pairs:
            return evaluation_of_pairs(self.pairs, self.plan, self.m)
        rows = torch.cat([*self.rows, self.cells.new_zeros(0, 2)]) if isinstance(self.rows, list) else self.rows
        return evaluation_of_labels(self.cells, self.bad, self.products, rows, self.plan, self.m)

    def compute(self) -> dict[str, Tensor]:
        """Return the scores as tensors by name; on several ranks, those of all ranks together."""
        device = self.pairs.device if self.plan.in_pairs else self.cells.device
        kind = torch.float32 if device.type == "mps" else torch.float64
        found = scores_of(self.evaluation, self.scores, self.undefined)
        return {name: torch.tensor(float(score), dtype=kind, device=device) for name, score in found.items()}
