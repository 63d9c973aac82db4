"""Counting on a device: plain torch operations that never wait for the device.

What is wrong with a value can be seen only by waiting for the device, so a bad value is counted as such, and reported when the
counts are read.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import torch
from torch import Tensor

from ..algebra.arrays import Array
from ..encode.decisions import Above, HitInTop, TopK, rule_of
from ..encode.vocabulary import check_classes
from ..evaluation import Evaluation
from ..settings.arguments.made import Made
from ..settings.arguments.prepare import plain_rule
from ..tally.group_counts import CrossTable, Summed, distinct
from ..tally.moments import Absent, Moments
from ..tally.on_device.counting import products_in_memory
from ..tally.on_device.decisions import best_class, highest_classes, reaches
from ..tally.on_device.pair_buffer import add_pairs, read_pairs
from ..tally.tally import MANY, Tally

KINDS = ("multiclass", "multilabel")
IGNORED, TARGET, PREDS, NAN = range(4)  # why an example, or an entry of a label matrix, is not counted
BAD = 4
FEW = 64  # up to so many classes it is kept how labels fall together, which intervals need
ROWS = 1 << 16  # so many rows are multiplied at a time
HELD = 1 << 13  # so many rows of several batches are kept before they are multiplied
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
    """Count label matrices in place; return one number for the counts of each row.

    Products of entries have the counts per class among them, so only many classes, without products, need ``cells``.
    """
    if len(products):
        return add_rows(products, label_rows(bad, preds, target, plan, m), m)
    kinds, _ = _kinds_of_entries(bad, preds, target, plan, m)
    counted = torch.stack([kind.sum(dim=0) for kind in kinds])
    cells[:3] += counted[:3]
    cells[3] += len(kinds[0]) - counted.sum(dim=0)
    digits = [kind.sum(dim=1) for kind in kinds]
    codes: Tensor = _code(digits[0], digits[1], digits[2], m - sum(digits), m)
    return codes


def label_rows(bad: Tensor, preds: Tensor, target: Tensor, plan: Plan, m: int) -> Tensor:
    """Return rows of bools: 1, and of each class tp, fp, fn and, if targets may be ignored, ignored.

    A row of which nothing is seen is empty. Bad values are counted in place.
    """
    kinds, seen = _kinds_of_entries(bad, preds, target, plan, m)
    rows = torch.cat([torch.ones_like(kinds[0][:, :1]), *kinds], dim=1)
    return rows if seen is None else rows & seen.any(dim=1, keepdim=True)


def _kinds_of_entries(bad: Tensor, preds: Tensor, target: Tensor, plan: Plan, m: int) -> tuple[list[Tensor], Tensor | None]:
    """Return which entries are tp, fp, fn and, if targets may be ignored, not seen; and which are seen."""
    read = _label_matrices if plan.kind == "multilabel" else _top_k_matrices
    true, pred, seen = read(preds.detach().movedim(1, -1).reshape(-1, m), target.detach(), plan, m, bad)
    if seen is None:
        both = true & pred
        return [both, pred ^ both, true ^ both], None
    seen = seen.expand(-1, m)
    true, pred = true & seen, pred & seen
    both = true & pred
    return [both, pred ^ both, true ^ both, ~seen], seen


def _code(tp: Any, fp: Any, fn: Any, tn: Any, m: int) -> Any:
    """Return one number for the four counts of a row, of which none is above m."""
    return ((tp * (m + 1) + fp) * (m + 1) + fn) * (m + 1) + tn


def add_rows(products: Tensor, rows: Tensor, m: int) -> Tensor:
    """Add the products of any two entries of each row, in place; return one number for each row.

    It stands for the counts of the row.
    """
    exact = torch.float32 if products.device.type == "mps" else torch.float64  # float64 is not touched by autocast
    worth = _worth(m, (rows.shape[1] - 1) // m, products.device)
    codes = []
    for start in range(0, len(rows), ROWS):
        some = rows[start : start + ROWS]
        numbers = some.to(exact)
        products += (numbers.T @ numbers).long()
        codes.append((numbers @ worth).long() if exact is torch.float64 else (some * worth.long()).sum(dim=1))
    return codes[0] if len(codes) == 1 else torch.cat([*codes, products.new_zeros(0)])


@cache
def _worth(m: int, kinds: int, device: torch.device) -> Tensor:
    """Return what each entry of a row adds to the number for its counts; tn is what is left of m."""
    each = [_code(1, 0, 0, -1, m), _code(0, 1, 0, -1, m), _code(0, 0, 1, -1, m), -1][:kinds]
    numbers = [m, *(value for value in each for _ in range(m))]
    return torch.tensor(numbers, dtype=torch.float32 if device.type == "mps" else torch.float64, device=device)


Matrices = tuple[Tensor, Tensor, Tensor | None]  # true, predicted, which were observed


def _label_matrices(preds: Tensor, target: Tensor, plan: Plan, m: int, bad: Tensor) -> Matrices:
    """Return true and predicted labels, and which were observed (None: all); add how many values are bad."""
    true = target.movedim(1, -1).reshape(-1, m)
    seen = None if plan.ignore_index is None else true != plan.ignore_index
    scores = preds.is_floating_point()
    _add_bad(bad, TARGET, _not_zero_one(true), seen)
    _add_bad(bad, NAN if scores else PREDS, preds.isnan() if scores else _not_zero_one(preds), seen)
    return true == 1, reaches(preds, plan.decide) if scores else preds == 1, seen


def _top_k_matrices(preds: Tensor, target: Tensor, plan: Plan, m: int, bad: Tensor) -> Matrices:
    """Return the true class and the k best classes of each row; the rest as above."""
    true = target.reshape(-1, 1).long()
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


def _cells_of(products: Array, m: int) -> Array:
    """Return the counts per class, which are the products of an entry with 1."""
    kinds = products[0, 1:].reshape(-1, m)
    return np.stack([*kinds[:3], products[0, 0] - kinds.sum(axis=0)])


def evaluation_of_labels(cells: Tensor, bad: Tensor, products: Tensor, rows: Tensor, plan: Plan, m: int) -> Evaluation:
    """Return the evaluation of counts per class and of rows; this waits for the device."""
    _report(bad.cpu().numpy(), plan, m)
    (every, often) = rows.cpu().numpy().T.astype(np.int64)
    code, at = np.unique(every, return_inverse=True)
    times = np.zeros(len(code), np.int64)
    np.add.at(times, at, often)
    four: list[Any] = []
    for _ in range(4):
        code, digit = np.divmod(code, m + 1)
        four.insert(0, digit)
    table = cells.cpu().numpy().copy() if not len(products) else _cells_of(products.cpu().numpy(), m)
    part = Summed(table, *distinct(np.stack(four), times.copy()))
    seen = np.stack(four).sum(axis=0)
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
