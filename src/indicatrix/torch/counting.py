"""Counting on a device: plain torch operations that never wait for the device.

What is wrong with a value can be seen only by waiting for the device, so a bad value is counted as such, and reported when the
counts are read.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from ..encode.decisions import Above, HitInTop, TopK, rule_of
from ..encode.vocabulary import check_classes
from ..evaluation import Evaluation
from ..settings.arguments.made import Made
from ..settings.arguments.prepare import plain_rule
from ..tally.group_counts import CrossTable, Summed
from ..tally.moments import Absent, Moments
from ..tally.on_device.counting import products_in_memory
from ..tally.on_device.decisions import best_class, highest_classes, reaches
from ..tally.on_device.pair_buffer import add_pairs, read_pairs
from ..tally.on_device.tables import count_tables, products_of_tables, rows_of_codes
from ..tally.tally import MANY, Tally

KINDS = ("multiclass", "multilabel")
IGNORED, TARGET, PREDS, NAN = range(4)  # why an example, or an entry of a label matrix, is not counted
BAD = 4
FEW = 64  # up to so many classes it is kept how labels fall together, which intervals need
COMPRESS = 1 << 17  # so many rows of label counts are kept before equal ones are put together
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
    rule = plain_rule(rule_of(decide))
    number = isinstance(rule, Above) or (isinstance(rule, int | float) and not isinstance(rule, bool) and rule == rule)
    if not (number or isinstance(rule, TopK | HitInTop) or (isinstance(rule, str) and rule == "argmax")):
        raise ValueError(f"decide={decide!r} is not possible on a device: {RULES}. ix.Stream takes other rules.")
    if kind == "multilabel" and not number:
        raise ValueError(f"decide={decide!r} compares the classes of a row; labels are decided one by one: decide=0.5.")
    if number and kind == "multiclass":
        names = (0, 1) if names is None else names
        if len(names) != 2:
            raise ValueError(f"decide={decide!r} decides between two classes, and there are {len(names)}: decide='argmax'.")
    if names is not None and positive is not None and positive not in names:
        raise ValueError(f"positive={positive!r} is not a class; the classes are {names!r}.")
    if names is not None and len(names) > MANY and kind == "multiclass":
        raise ValueError(f"Pairs of {len(names)} classes need too much memory on a device; up to {MANY} are possible.")
    return Plan(names, rule, kind, ignore_index, positive)


INSTEAD = {  # what update() does not take, and what to do
    "sample_weight": "sums of weights are exact here, and a device rounds them; use ix.Stream, which takes the truth first",
    "by": "keep one stream for each group, in a dictionary, or use ix.Stream, which takes the truth first",
    "mask": "mark what to leave out in target, with ignore_index=",
}


def refuse_options(options: dict[str, Any]) -> None:
    """Refuse what batches of tensors do not take, with what to do instead."""
    for name in options:
        raise TypeError(f"A stream of tensors takes no {name}=; {INSTEAD.get(name, 'it takes preds and target')}.")


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


def count_pairs(buffer: Tensor, preds: Tensor, target: Tensor, plan: Plan, m: int) -> None:
    """Count pairs of classes in a buffer, in place."""
    true, preds, scores = target.detach().reshape(-1), preds.detach(), preds.is_floating_point()
    if not scores:
        pred = preds.reshape(-1)
    elif plan.each_score:
        assert plan.classes is not None
        at = 1 if plan.positive is None else plan.classes.index(plan.positive)
        pred = torch.where(reaches(preds.reshape(-1), plan.decide), at, 1 - at)
        pred = torch.where(preds.reshape(-1).isnan(), m + 2, pred)
    else:
        pred = best_class(preds).reshape(-1)
        if isinstance(plan.decide, HitInTop):
            hit = (highest_classes(preds, plan.decide.k) == target.detach().unsqueeze(1)).any(dim=1).reshape(-1)
            pred = torch.where(hit & (pred <= m), true.long(), pred)  # a NaN stays one
    add_pairs(buffer, true, pred, m, ignored=plan.ignore_index, of_scores=scores)


def width_of_products(plan: Plan, m: int) -> int:
    """Return how many entries of a row are multiplied; 0 for many classes.

    They are 1, and of each class tp, fp, fn and, if targets may be ignored, whether it is.
    """
    return 0 if m > FEW else 1 + m * (3 if plan.ignore_index is None else 4)


def count_labels(cells: Tensor, bad: Tensor, products: Tensor, preds: Tensor, target: Tensor, plan: Plan, m: int) -> Tensor:
    """Count label matrices in place; return one number for the counts of each row."""
    read = _label_matrices if plan.kind == "multilabel" else _top_k_matrices
    true, pred, seen, wrong = read(preds.detach().movedim(1, -1).reshape(-1, m), target.detach(), plan, m)
    bad += wrong
    if len(products):
        products += products_of_tables(true, pred, seen)
    counts = count_tables(true, pred, seen)
    cells += counts.cells(m)
    codes: Tensor = counts.codes.long()
    return codes


Matrices = tuple[Tensor, Tensor, Tensor | None, Tensor]  # true, predicted, which were observed, how many are bad


def _label_matrices(preds: Tensor, target: Tensor, plan: Plan, m: int) -> Matrices:
    """Return true and predicted labels, which were observed (None: all), and how many values are bad."""
    true = target.movedim(1, -1).reshape(-1, m)
    seen = None if plan.ignore_index is None else true != plan.ignore_index
    scores = preds.is_floating_point()
    odd = preds.isnan() if scores else _not_zero_one(preds)
    wrong = _count_bad(seen, {TARGET: _not_zero_one(true), NAN if scores else PREDS: odd})
    return true == 1, reaches(preds, plan.decide) if scores else preds == 1, seen, wrong


def _top_k_matrices(preds: Tensor, target: Tensor, plan: Plan, m: int) -> Matrices:
    """Return the true class and the k best classes of each row; the rest as above."""
    true = target.reshape(-1, 1).long()
    seen = None if plan.ignore_index is None else true != plan.ignore_index
    pred = torch.zeros_like(preds, dtype=torch.bool).scatter_(1, highest_classes(preds, plan.decide.k), True)
    wrong = _count_bad(seen, {TARGET: (true < 0) | (true >= m), NAN: preds.isnan().any(dim=1, keepdim=True)})
    return true == torch.arange(m, device=true.device), pred, seen, wrong


def _not_zero_one(x: Tensor) -> Tensor:
    return torch.zeros_like(x) if x.dtype == torch.bool else (x != 0) & (x != 1)


def _count_bad(seen: Tensor | None, found: dict[int, Tensor]) -> Tensor:
    """Return how many observed values are bad, for each reason."""
    counts = {why: (bad if seen is None else bad & seen).sum() for why, bad in found.items()}
    none = torch.zeros_like(next(iter(counts.values())))
    return torch.stack([counts.get(why, none) for why in range(BAD)])


def compress(rows: Tensor) -> Tensor:
    """Return rows (code, times) with each code once."""
    codes, at = torch.unique(rows[:, 0], return_inverse=True)
    times = torch.zeros_like(codes).scatter_add_(0, at, rows[:, 1])
    return torch.stack([codes, times], dim=1)


def evaluation_of_pairs(buffer: Tensor, plan: Plan, m: int) -> Evaluation:
    """Return the evaluation of a buffer of pairs; this waits for the device."""
    found = read_pairs(buffer.cpu().numpy(), m)
    _report({TARGET: found.bad_true, PREDS: found.bad_pred, NAN: found.nan}, plan, m)
    tally = Tally(
        plan.classes or tuple(range(m)),
        {(): CrossTable(found.table, found.ignored)},
        int(found.table.sum()) + found.ignored,
        open=False,
        ordered=plan.classes is not None,
        hidden=(found.ignored, 0),
    )
    return Evaluation(tally, "multiclass", plan.positive, Made(decide=plan.decide))


def evaluation_of_labels(cells: Tensor, bad: Tensor, products: Tensor, rows: Tensor, plan: Plan, m: int) -> Evaluation:
    """Return the evaluation of counts per class and of rows; this waits for the device."""
    _report(bad.cpu().numpy(), plan, m)
    codes, often = rows.cpu().numpy().T
    four, times = rows_of_codes(codes, often, m)
    part = Summed(cells.cpu().numpy().copy(), four, times)
    seen = four.sum(axis=0)
    hidden = int(times[seen == 0].sum()), int(((m - seen) * times)[seen > 0].sum())
    names = plan.classes or tuple(range(m))
    moments: Moments | Absent = Moments(products_in_memory(products.cpu().numpy(), m)) if len(products) else "device"
    tally = Tally(names, {(): part}, int(times.sum()), open=False, hidden=hidden, moments=moments)
    return Evaluation(tally, "multilabel", plan.positive, Made(decide=plan.decide))


def _report(bad: Any, plan: Plan, m: int) -> None:
    """Refuse values that cannot be counted; before, this would have had to wait for the device."""
    what = "0 or 1" if plan.kind == "multilabel" else f"0 to {m - 1}"
    also = "" if plan.ignore_index is None else f" or ignore_index={plan.ignore_index}"
    problems = [
        f"{bad[TARGET]} values of target are not {what}{also}" if bad[TARGET] else "",
        f"{bad[PREDS]} labels in preds are not {what}" if bad[PREDS] else "",
        f"{bad[NAN]} examples have a score that is NaN" if bad[NAN] else "",
    ]
    if any(problems):
        found = "; ".join(filter(None, problems))
        raise ValueError(
            f"Since the last reset, {found}. They are counted nowhere, so there is no result. Correct the batches, or leave out "
            "targets with ignore_index=; reset() starts again."
        )
