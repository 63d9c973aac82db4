"""How tensors are read, and the counts of a group of examples on a device, which never wait for it.

What a stream was asked to count, and which shapes and types go together.

What is wrong with a value can be seen only by waiting for the device, so a bad value is counted as such, and reported when the
counts are read.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from math import prod
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor

from ..algebra.arrays import Array
from ..encode.decisions import Above, HitInTop, TopK, reaches, rule_of
from ..encode.vocabulary import check_classes
from ..encode.weights import check_by
from ..evaluation import Evaluation
from ..settings.options import Recipe
from ..settings.problem import plain_rule
from ..tally.counting.example_groups import group_examples
from ..tally.device.counting import Naming, tally_of_pairs
from ..tally.device.margins import highest_classes, picked_class
from ..tally.device.pair_buffer import SQUARES, WEIGHTS, add_pairs, buffer_size, checked_weights, digits_of, slots_of_pairs
from ..tally.device.table_buffer import ROWS, add_tables, put_together, table_buffers, tally_of_buffers
from ..tally.tally import MANY

KINDS = ("multiclass", "multilabel")
RULES = (
    "decide= takes 'argmax', a threshold such as 0.5 for probabilities or 0 for logits, ix.above(t), ix.top_k(k) or "
    "ix.hit_in_top(k)"
)


@dataclass(frozen=True)
class Plan:
    """How tensors are read: the classes, how scores are decided, what is ignored."""

    classes: tuple[Any, ...] | None
    decide: Any
    kind: str
    ignore_index: int | None
    positive: Any

    @property
    def in_pairs(self) -> bool:
        """Whether pairs of classes are counted: every example has one label on both sides."""
        return self.kind == "multiclass" and not isinstance(self.decide, TopK)

    @property
    def each_score(self) -> bool:
        """Whether each score is compared with a threshold."""
        return isinstance(self.decide, int | float | Above)


def plan(classes: Any, decide: Any, kind: str, ignore_index: int | None, positive: Any) -> Plan:
    """Return how tensors are read, with every argument checked."""
    if kind not in KINDS:
        raise ValueError(f"kind={kind!r} is unknown. Use 'multiclass' (one label per example, or two classes) or 'multilabel'.")
    if ignore_index is not None and (isinstance(ignore_index, bool) or not isinstance(ignore_index, int)):
        raise TypeError(f"ignore_index={ignore_index!r} is not a whole number.")
    whole = isinstance(classes, int) and not isinstance(classes, bool)
    names = None if classes is None else check_classes(range(classes) if whole else classes)
    rule = _rule_on_device(decide)
    if kind == "multilabel" and not _is_threshold(rule):
        raise ValueError(f"decide={decide!r} compares the classes of a row; labels are decided one by one: decide=0.5.")
    if kind == "multiclass" and _is_threshold(rule):
        names = (0, 1) if names is None else names
        if len(names) != 2:
            raise ValueError(f"decide={decide!r} decides between two classes, and there are {len(names)}: decide='argmax'.")
    if names is not None and positive is not None and positive not in names:
        raise ValueError(f"positive={positive!r} is not a class; the classes are {names!r}.")
    if names is not None and len(names) > MANY and kind == "multiclass":
        raise ValueError(f"Pairs of {len(names)} classes need too much memory on a device; up to {MANY} are possible.")
    return Plan(names, rule, kind, ignore_index, positive)


def _rule_on_device(decide: Any) -> Any:
    rule = plain_rule(rule_of(decide))
    if not (_is_threshold(rule) or isinstance(rule, TopK | HitInTop) or (isinstance(rule, str) and rule == "argmax")):
        raise ValueError(f"decide={decide!r} is not possible on a device: {RULES}. ix.Stream takes other rules.")
    return rule


def _is_threshold(rule: Any) -> bool:
    return isinstance(rule, Above) or (isinstance(rule, int | float) and not isinstance(rule, bool) and rule == rule)


HINTS = {  # what people try, of what is written in another way here
    **dict.fromkeys(("average", "averages"), "an average is part of the name of a score: 'macro f1'"),
    **dict.fromkeys(("num_classes", "n_classes", "num_labels"), "classes= takes their number, or their names"),
    "threshold": "decide= is the threshold, as in decide=0.5",
    "top_k": "decide=ix.top_k(3) takes the best three",
    "mask": "mark what to leave out in target, with ignore_index=",
}


def width_of(plan: Plan, preds: Tensor, target: Tensor) -> int:
    """Return the number of classes; tensors whose shapes or types do not go together are refused."""
    _check_types(preds, target)
    scores = preds.is_floating_point()
    several = isinstance(plan.decide, TopK | HitInTop)
    if several and not scores:
        raise ValueError(f"decide={plan.decide} needs scores, and preds holds labels of type {preds.dtype}.")
    wide = plan.kind == "multilabel" or (scores and not plan.each_score)
    expected = (
        target.shape if plan.kind == "multilabel" or not wide else (*target.shape[:1], *preds.shape[1:2], *target.shape[1:])
    )
    if tuple(preds.shape) != tuple(expected) or (wide and preds.ndim < 2):
        raise ValueError(_explain_shapes(plan, preds, target))
    if several and plan.decide.k > preds.shape[1]:
        raise ValueError(f"decide={plan.decide} asks for more classes than the {preds.shape[1]} that preds has.")
    if wide and plan.classes is not None and preds.shape[1] != len(plan.classes):
        raise ValueError(
            f"There are {len(plan.classes)} classes, but preds has {preds.shape[1]} columns, of shape {_shape(preds)}."
        )
    if not wide and plan.classes is None:
        raise ValueError("preds holds labels, which do not tell how many classes there are: give classes=10, or their names.")
    return preds.shape[1] if plan.classes is None else len(plan.classes)


def _check_types(preds: Tensor, target: Tensor) -> None:
    for name, x in (("preds", preds), ("target", target)):
        if not isinstance(x, Tensor):
            raise TypeError(f"{name} is {type(x).__name__}, not a tensor. ix.Stream takes other arrays.")
    if target.is_floating_point() or target.is_complex() or preds.is_complex():
        raise TypeError(
            f"target holds class indices, whole numbers, but is of type {target.dtype}. Is it given first by mistake?"
        )


def _shape(x: Tensor) -> str:
    return str(tuple(x.shape))


def _explain_shapes(plan: Plan, preds: Tensor, target: Tensor) -> str:
    given = f"preds has the shape {_shape(preds)} and target {_shape(target)}"
    if plan.kind == "multilabel":
        return f"{given}; with kind='multilabel' both are (N, labels, …)."
    if preds.is_floating_point() and preds.shape == target.shape:
        return f"{given}: one score per example. Give the threshold, decide=0.5 for probabilities or decide=0 for logits."
    return f"{given}; scores are (N, C, …) for a target (N, …), labels have the shape of the target."


class Batch(NamedTuple):
    """The examples of a batch, one after the other, on one device."""

    preds: Tensor  # n labels or scores, or n rows of them
    target: Tensor  # n labels, or n rows of 0 and 1
    weights: Tensor | None

    def take(self, rows: Tensor) -> Batch:
        """Return some of the examples."""
        return Batch(*(None if x is None else x.index_select(0, rows) for x in self))

    @property
    def kind(self) -> tuple[Any, ...]:
        """What batches that can be counted together have in common."""
        return tuple(None if x is None else (x.dtype, x.device) for x in self)


def batch_of(plan: Plan, preds: Tensor, target: Tensor, sample_weight: Any = None) -> Batch:
    """Return the examples of tensors of any number of dimensions, whose shapes go together."""
    preds, target = preds.detach(), target.detach().to(preds.device)
    shape = shape_of_examples(plan, target)
    weights = None if sample_weight is None else _weights(sample_weight, shape, preds)
    if preds.ndim > target.ndim or plan.kind == "multilabel":
        preds = preds.movedim(1, -1).reshape(-1, preds.shape[1])
    else:
        preds = preds.reshape(-1)
    target = target.movedim(1, -1).reshape(-1, target.shape[1]) if plan.kind == "multilabel" else target.reshape(-1)
    return Batch(preds, target, weights)


def shape_of_examples(plan: Plan, target: Tensor) -> tuple[int, ...]:
    """Return the shape of the target without its labels."""
    return tuple(target.shape) if plan.kind == "multiclass" else (target.shape[0], *target.shape[2:])


def _weights(given: Any, shape: tuple[int, ...], like: Tensor) -> Tensor:
    """Return a weight for each example, next to the predictions.

    Those of whole rows count for all their examples.
    """
    if like.device.type == "mps":
        raise TypeError("sample_weight= needs floats of 64 bits, which this device does not have. Move the batch to 'cpu'.")
    weights = torch.as_tensor(given if isinstance(given, Tensor) else np.asarray(given), device=like.device).detach()
    if tuple(weights.shape) not in (shape, shape[:1]) or weights.is_complex():
        raise ValueError(
            f"sample_weight has the shape {_shape(weights)} and type {weights.dtype}; give {_one_each('number', shape)}."
        )
    return weights.reshape(-1).repeat_interleave(prod(shape[1:]) if tuple(weights.shape) != shape else 1)


def groups_of(by: Mapping[str, Any] | None, shape: tuple[int, ...]) -> dict[tuple[Any, ...], Array] | None:
    """Return the examples of each group, by the names of the group; None: there are no groupings.

    Names are read in main memory: those in a list or an array there do not wait for a device.
    """
    if not (given := axes_of(by)):
        return None
    n, codes = prod(shape), {}
    for axis, ids in given.items():
        flat = ids.reshape(-1) if tuple(getattr(ids, "shape", ())) == shape else ids
        if len(flat) not in (n, shape[0]):
            raise ValueError(f"by[{axis!r}] has {len(flat)} entries; give {_one_each('group', shape)}.")
        ((names, own),) = check_by({axis: flat}, len(flat)).values()
        codes[axis] = names, own if len(own) == n else np.repeat(own, n // max(1, len(own)))
    found = group_examples(codes, n, None)
    assert found.rows is not None
    return {key: found.rows[a:b] for key, (a, b) in zip(found.keys, pairwise(found.ends.tolist()), strict=True)}


def axes_of(by: Any) -> Mapping[str, Any]:
    """Return groupings by name; anything but a mapping is refused, in the words of ``evaluate``."""
    if not isinstance(by, Mapping):
        check_by(by, 0)
    return by or {}


def _one_each(what: str, shape: tuple[int, ...]) -> str:
    each = f"one {what} for each of the {shape[0]} rows"
    return each if len(shape) < 2 else f"{each}, or for each example, of shape {shape}"


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
