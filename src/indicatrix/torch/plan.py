"""How tensors are read: what a stream was asked to count, and which shapes and types go together."""

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
from ..encode.decisions import Above, HitInTop, TopK, rule_of
from ..encode.vocabulary import check_classes
from ..encode.weights import check_by
from ..settings.problem import plain_rule
from ..tally.counting.example_groups import group_examples
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
