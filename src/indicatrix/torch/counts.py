"""The counts of a group of examples on a device, which never wait for it.

What is wrong with a value can be seen only by waiting for the device, so a bad value is counted as such, and reported when the
counts are read.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from torch import Tensor

from ..encode.decisions import reaches
from ..evaluation import Evaluation
from ..settings.options import Recipe
from ..tally.device.counting import Naming, tally_of_pairs
from ..tally.device.margins import highest_classes, picked_class
from ..tally.device.pair_buffer import add_pairs, buffer_size, slots_of_pairs
from ..tally.device.table_buffer import ROWS, add_tables, put_together, table_buffers, tally_of_buffers
from ..tally.device.weight_sums import SQUARES, WEIGHTS, checked_weights, digits_of
from .plan import Batch, Plan

TARGET, PREDS, NAN, WEIGHT = range(4)  # what is wrong with a value
HELD = 1 << 18  # this many entries of several small batches are kept before they are counted together
HELD_ON_DEVICE = 1 << 22  # a device counts faster than it is told to
TOGETHER = 1 << 21  # this many numbers about rows of label tables are kept before equal rows are put together


def empty_counts(plan: Plan, m: int, *, weighted: bool, device: Any) -> dict[str, Tensor]:
    """Return tensors without counts; ``rows`` is a list of rows, and the others add."""
    like = torch.zeros(4, dtype=torch.int64, device=device)
    if not plan.in_pairs:
        return {"bad": like, **table_buffers(m, like, hides=plan.ignore_index is not None, weighted=weighted)}
    size = buffer_size(m)
    sums = {"weights": like.new_zeros(size, WEIGHTS.digits), "squares": like.new_zeros(size, SQUARES.digits)}
    return {"bad": like, "pairs": like.new_zeros(size), **(sums if weighted else {})}


def add_batch(counts: Mapping[str, Tensor], batch: Batch, plan: Plan, m: int) -> Tensor | None:
    """Count a batch in place; return rows to be appended to the list of rows, if there is one."""
    weights = None
    if batch.weights is not None:
        weights, odd = checked_weights(batch.weights)
        counts["bad"][WEIGHT] += odd.sum()
    if plan.in_pairs:
        _add_pairs(counts, batch, weights, plan, m)
        return None
    read = _label_tables if plan.kind == "multilabel" else _top_k_tables
    true, pred, seen = read(batch, plan, m, counts["bad"])
    rows: Tensor = add_tables(dict(counts), true, pred, seen, weights)
    return rows


def _add_pairs(counts: Mapping[str, Tensor], batch: Batch, weights: Tensor | None, plan: Plan, m: int) -> None:
    preds, true, of_scores = batch.preds, batch.target, batch.preds.is_floating_point()
    pred = _decide(preds, true, plan, m) if of_scores else preds
    add_pairs(counts["pairs"], true, pred, m, ignored=plan.ignore_index, of_scores=of_scores)
    if weights is not None:
        slots = slots_of_pairs(true, pred, m, plan.ignore_index, None, of_scores)
        counts["weights"].index_add_(0, slots, digits_of(weights, WEIGHTS))
        counts["squares"].index_add_(0, slots, digits_of(weights * weights, SQUARES))


def _decide(scores: Tensor, true: Tensor, plan: Plan, m: int) -> Tensor:
    """Return the class of each example; m + 2 stands for NaN."""
    if plan.each_score:
        assert plan.classes is not None
        at = 1 if plan.positive is None else plan.classes.index(plan.positive)
        return torch.where(reaches(scores, plan.decide), at, 1 - at).masked_fill_(scores.isnan(), m + 2)
    best: Tensor = picked_class(scores, plan.decide, true)
    return best


Tables = tuple[Tensor, Tensor, Tensor | None]  # true, predicted, which were observed; None: all


def _label_tables(batch: Batch, plan: Plan, m: int, bad: Tensor) -> Tables:
    """Return true and predicted labels, and which were observed; add how many values are bad."""
    preds, true, _ = batch
    seen = None if plan.ignore_index is None else true != plan.ignore_index
    scores = preds.is_floating_point()
    _add_bad(bad, TARGET, _not_zero_one(true), seen)
    _add_bad(bad, NAN if scores else PREDS, preds.isnan() if scores else _not_zero_one(preds), seen)
    return true == 1, reaches(preds, plan.decide) if scores else preds == 1, seen


def _top_k_tables(batch: Batch, plan: Plan, m: int, bad: Tensor) -> Tables:
    """Return the true class and the k best classes of each row; the rest as above."""
    preds, true = batch.preds, batch.target.reshape(-1, 1).long()
    seen = None if plan.ignore_index is None else true != plan.ignore_index
    pred = torch.zeros_like(preds, dtype=torch.bool).scatter_(1, highest_classes(preds, plan.decide.k), True)
    _add_bad(bad, TARGET, (true < 0) | (true >= m), seen)
    _add_bad(bad, NAN, preds.isnan().any(dim=1, keepdim=True), seen)
    return true == torch.arange(m, device=true.device), pred, seen


def _not_zero_one(x: Tensor) -> Tensor | None:
    return None if x.dtype == torch.bool else (x != 0) & (x != 1)


def _add_bad(bad: Tensor, why: int, odd: Tensor | None, seen: Tensor | None) -> None:
    """Add how many observed values are bad, for one reason; None: no value can be."""
    if odd is not None:
        bad[why] += (odd if seen is None else odd & seen).sum()


def evaluation_of(counts: Mapping[str, Tensor], plan: Plan, m: int) -> Evaluation:
    """Return the evaluation of counts; this waits for the device."""
    here = {name: x.cpu().numpy() for name, x in counts.items()}
    names = Naming(plan.classes or tuple(range(m)), ordered=plan.classes is not None and plan.in_pairs)
    bad = here["bad"]
    if plan.in_pairs:
        tally, found = tally_of_pairs(names, here)
        bad = np.add(bad, (found.bad_true, found.bad_pred, found.nan, 0))
    _report(bad, plan, m)
    if not plan.in_pairs:
        tally = tally_of_buffers(names, here)
    return Evaluation(tally, "multiclass" if plan.in_pairs else "multilabel", plan.positive, Recipe(decide=plan.decide))


def _report(bad: Any, plan: Plan, m: int) -> None:
    """Refuse values that cannot be counted; before, this would have had to wait for the device."""
    what = "0 or 1" if plan.kind == "multilabel" else f"0 to {m - 1}"
    also = "" if plan.ignore_index is None else f" or ignore_index={plan.ignore_index}"
    problems = [
        f"{bad[TARGET]} values of target are not {what}{also}" if bad[TARGET] else "",
        f"{bad[PREDS]} labels in preds are not {what}" if bad[PREDS] else "",
        f"{bad[NAN]} examples have a score that is NaN" if bad[NAN] else "",
        f"{bad[WEIGHT]} weights are neither 0 nor between 2**-64 and 2**64" if bad[WEIGHT] else "",
    ]
    if any(problems):
        found = "; ".join(filter(None, problems))
        raise ValueError(
            f"Since the last reset, {found}. They are counted nowhere, so there is no result. Correct the batches, or leave out "
            "targets with ignore_index=; reset() starts again."
        )


class GroupCounts:
    """The counts of one group of examples; small batches are held, and counted together."""

    def __init__(self, plan: Plan, m: int, *, weighted: bool, device: Any) -> None:
        self.plan, self.m = plan, m
        self._sums = empty_counts(plan, m, weighted=weighted, device=device)
        self._rows = [self._sums.pop(ROWS)] if ROWS in self._sums else []
        self._held: list[Batch] = []
        self._entries = 0  # of what is held

    @property
    def device(self) -> torch.device:
        """Where the counts are."""
        return self._sums["bad"].device

    def add(self, batch: Batch) -> None:
        """Count a batch, now or later."""
        if batch.preds.device != self.device:
            self.to(batch.preds.device)
        entries, held = batch.preds.numel(), HELD if self.device.type == "cpu" else HELD_ON_DEVICE
        if entries >= held:
            self._count(batch)
            return
        if self._held and self._held[0].kind != batch.kind:
            self.release()
        self._held.append(Batch(*(None if x is None else x.clone() for x in batch)))
        self._entries += entries
        if self._entries >= held:
            self.release()

    def release(self) -> None:
        """Count the batches that are held: several cost hardly more than one."""
        held, self._held, self._entries = self._held, [], 0
        if held:
            self._count(Batch(*(None if x[0] is None else torch.cat(x) for x in zip(*held, strict=True))))

    def _count(self, batch: Batch) -> None:
        self._allow_changes()
        rows = add_batch(self._sums, batch, self.plan, self.m)
        if rows is not None:
            self._keep(rows)

    def _allow_changes(self) -> None:
        """Copy counts that began in inference mode, once it has ended: its tensors cannot be changed then."""
        if self._sums["bad"].is_inference() and not torch.is_inference_mode_enabled():
            self._sums = {name: x.clone() for name, x in self._sums.items()}

    def _keep(self, rows: Tensor) -> None:
        self._rows.append(rows)
        if sum(rows.numel() for rows in self._rows) > TOGETHER:
            self._rows = [put_together(torch.cat(self._rows))]

    def to(self, device: Any) -> None:
        """Move the counts to a device."""
        self.release()
        self._sums = {name: x.to(device) for name, x in self._sums.items()}
        self._rows = [x.to(device) for x in self._rows]

    def tensors(self) -> dict[str, Tensor]:
        """Return the counts as tensors by name, which are not changed later."""
        self.release()
        rows = {ROWS: put_together(torch.cat(self._rows))} if self._rows else {}
        return {**{name: x.clone() for name, x in self._sums.items()}, **rows}

    def add_tensors(self, counts: Mapping[str, Tensor]) -> None:
        """Add counts that ``tensors`` returned."""
        self._allow_changes()
        for name, own in self._sums.items():
            own += counts[name].to(self.device)
        if self._rows:
            self._keep(counts[ROWS].to(self.device))

    @property
    def evaluation(self) -> Evaluation:
        """The evaluation of the group; this waits for the device."""
        self.release()
        rows = {ROWS: torch.cat(self._rows)} if self._rows else {}
        if rows and self.device.type != "cpu":  # so that little is copied
            rows = {ROWS: put_together(rows[ROWS])}
        return evaluation_of({**self._sums, **rows}, self.plan, self.m)
