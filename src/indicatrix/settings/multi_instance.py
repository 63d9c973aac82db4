"""Multi-instance learning: bags judged by pooled instance scores, and instances within their bags (sec:mil)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..algebra.containers import read
from ..algebra.decide import as_scores, vector_of_scores
from ..algebra.factorise import factorised, short
from ..algebra.forms import Form, Labels, Sets, Table, is_missing
from ..algebra.labels import code
from ..algebra.measure import evaluated
from ..algebra.vocabulary import check_classes, keep_rows, missing_rows
from .combinations import refuse
from .one_vs_all import called

Array = np.ndarray[Any, Any]
Pool = str | Callable[[Array], Any]
PER_BAG = ("sample_weight", "mask")  # options of evaluate with one entry per example: here, per bag
OF_ROWS = (*PER_BAG, "by", "missing", "signed_weights")  # options that do not speak of classes


def multi_instance(
    labels: Any, scores: Any, bags: Any, *, pool: Pool = "max", decide: Any = 0.5, instances: Any = None, **options: Any
) -> MultiInstance:
    """Return the evaluation of bags by their pooled instance scores and, beside it, of the instances (sec:mil).

    ``scores`` has one score per instance (or one column per label), ``bags`` the bag of each instance, and ``labels`` is a
    mapping from bag to label, or has one label per instance, the same throughout a bag. ``pool`` makes the scores of a bag
    one score: "max", "mean", "noisy_or" (1 - Π(1 - p)) or a function. Bags are rows, in order of first appearance;
    ``sample_weight``, ``mask`` and ``by`` are given per bag, in this order or as mappings, and hold for its instances.
    ``instances`` are true labels of the instances: ``.instances`` has a "bag" axis, so
    that ``.instances.score(m, "bag")`` sums within each bag, then averages over bags. Level of claim: partial; the bag level
    is plain, and how the two nested stages interact is open: they are computed, and nothing is claimed about them.

    >>> import indicatrix as ix
    >>> both = ix.multi_instance({"x": 1, "y": 0}, [0.2, 0.9, 0.4], ["x", "x", "y"], instances=[1, 1, 0])
    >>> both.bags.score("recall"), both.instances.score("recall")
    (1.0, 0.5)
    >>> both.instances.score("recall", "bag")  # bag y has no positive instance
    0.5 (bag recall; 1 of 2 units of bag undefined, excluded)
    """
    refuse("multi_instance", options)
    if options.get("abstain") is not None or options.get("missing") == "abstain":
        raise ValueError(
            "Predicted labels abstain, but bags are decided from scores: decide=reject_below(t) may choose no class."
        )
    if options.get("classes") is not None:
        options["classes"] = check_classes(options["classes"])
    if "bag" in (options.get("by") or ()):
        raise ValueError("by= cannot be called 'bag': that axis is there already. Choose another name.")
    held = _bags(bags)
    table = _scores(scores, held)
    pooled = _pooled(table, held, pool)
    y, columns = _bag_labels(labels, held, masked=options.get("missing") == "mask")
    columns = columns or getattr(read(scores, "scores"), "columns", None)
    options = {**({"classes": columns} if columns else {}), **options, **_each(options, _in_order, held)}
    with called(y_true="labels", y_pred="scores"):
        ev = evaluated(y, pooled, decide=decide, **options)
    ev = replace(ev, made=(*ev.made, ("pool", pool if isinstance(pool, str) else getattr(pool, "__name__", repr(pool)))))
    if instances is None:
        return MultiInstance(ev)
    known = len(read(instances, "instances"))
    if known != len(table):
        raise ValueError(f"instances has {known} labels for {len(table)} instances; give the true label of each.")
    shared = {**options, **_each(options, _spread, held)}
    shared["by"] = {"bag": bags, **(shared.get("by") or {})}
    if table.ndim == 1:  # one column, so that the counts of a bag are those of its positive instances
        instances, name = _positive_column(instances, ev.classes, options)
        table, shared = table[:, None], {k: v for k, v in shared.items() if k in OF_ROWS} | {"classes": (name,)}
    with called(y_true="instances", y_pred="scores"):
        return MultiInstance(ev, evaluated(instances, table, decide=decide, **shared))


@dataclass(frozen=True, repr=False)
class MultiInstance:
    """The two levels of multi-instance learning: bags as examples, and instances with the bag as an axis (sec:mil)."""

    bags: Any  # an Evaluation, one row per bag
    instances: Any = None  # an Evaluation with a "bag" axis, or None

    def __str__(self) -> str:
        inside = "The labels of instances were not given." if self.instances is None else f"Instances:\n\n{self.instances}"
        return f"Bags, scores pooled by {dict(self.bags.made)['pool']}:\n\n{self.bags}\n\n{inside}"

    def __repr__(self) -> str:
        inside = "no instance labels" if self.instances is None else f"{self.instances.n} instances"
        return f"<MultiInstance: {self.bags.n} bags, {inside}>"


def pool_bags(scores: Any, bags: Any, pool: Pool = "max") -> tuple[tuple[Any, ...], Array]:
    """Return the bags in order of first appearance, and the pooled score (or row of scores) of each (sec:mil).

    The result does not depend on the order of the instances.

    >>> import indicatrix as ix
    >>> ix.pool_bags([0.5, 0.25, 0.5], ["x", "y", "x"], "noisy_or")
    (('x', 'y'), array([0.75, 0.25]))
    """
    held = _bags(bags)
    return held.names, _pooled(_scores(scores, held), held, pool)


@dataclass(frozen=True, eq=False)
class _Bags:
    """Which instance is in which bag; bags are numbered in order of first appearance."""

    names: tuple[Any, ...]
    bag: Array  # the number of the bag of each instance
    first: Array  # the first instance of each bag
    sizes: Array  # how many instances each bag has


def _bags(bags: Any) -> _Bags:
    form = read(bags, "bags")
    if not isinstance(form, Labels):
        raise ValueError("bags has one value per instance, in one dimension: the bag that it belongs to.")
    form = factorised(form, "bags")
    absent = missing_rows(form)
    if absent is not None:
        raise ValueError(f"bags[{int(absent.argmax())}] is missing; every instance belongs to a bag. Give it one, or drop it.")
    found, first, place = np.unique(form.values, return_index=True, return_inverse=True)
    order = np.argsort(first, kind="stable")
    rank = np.empty(len(order), np.intp)
    rank[order] = np.arange(len(order))
    names = found[order].tolist()
    if form.categories is not None:
        names = [form.categories[i] for i in names]
    return _Bags(tuple(names), rank[place], first[order], np.bincount(place, minlength=len(order))[order])


def _scores(scores: Any, held: _Bags) -> Array:
    """Return scores as float64, one per instance or one row per instance."""
    form = read(scores, "scores")
    values = vector_of_scores(form, "scores") if isinstance(form, Labels) else as_scores(form, "scores").astype(np.float64)
    if len(values) != len(held.bag):
        raise ValueError(f"scores has {len(values)} instances and bags {len(held.bag)}; they must describe the same instances.")
    if np.isnan(values).any():
        row, column = map(int, np.argwhere(np.isnan(values))[0])
        raise ValueError(f"scores[{row}, {column}] is NaN: a score is needed for every instance. Fill it, or drop the instance.")
    return values


def _pooled(values: Array, held: _Bags, pool: Pool) -> Array:
    if callable(pool):
        return _by_function(values, held, pool)
    if pool not in POOLS:
        raise ValueError(f"pool={pool!r} is unknown. Use {', '.join(map(repr, POOLS))}, or a function of the scores of a bag.")
    fit, why = FIT.get(pool, (None, ""))
    if fit is not None and not fit(values).all():
        at = tuple(map(int, np.argwhere(~fit(values))[0]))
        raise ValueError(f"scores[{', '.join(map(str, at))}] = {values[at]!s}: {why}. Rescale the scores, or use another pool.")
    if not len(values):
        return values[:0]
    columns, starts = values.reshape(len(values), -1).T, np.cumsum(held.sizes) - held.sizes
    # Instances sorted by bag and, within it, by score: rounding is then the same in whichever order they came.
    made = [POOLS[pool](column[np.lexsort((column, held.bag))], starts, held.sizes) for column in columns]
    return np.stack(made, axis=-1).reshape(len(held.names), *values.shape[1:])


def _mean(x: Array, starts: Array, sizes: Array) -> Array:
    """Return means that lie between the least and the greatest score, as rounded sums may not."""
    shrink = 2.0**-120 if np.abs(x).max() > 2.0**900 else 1.0  # sums of huge scores stay finite
    with np.errstate(over="ignore"):
        means = np.add.reduceat(x * shrink, starts) / sizes / shrink
    return np.asarray(np.clip(means, x[starts], x[starts + sizes - 1]))


def _noisy_or(x: Array, starts: Array, sizes: Array) -> Array:
    """Return 1 - Π(1 - p), which is the score of a single instance and no less than any, whatever the rounding."""
    greatest = x[starts + sizes - 1]
    pooled = np.maximum(1 - np.multiply.reduceat(1 - x, starts), greatest)
    return np.asarray(np.where(sizes == 1, greatest, pooled))


POOLS: dict[str, Callable[[Array, Array, Array], Array]] = {
    "max": lambda x, starts, sizes: x[starts + sizes - 1],
    "mean": _mean,
    "noisy_or": _noisy_or,
}
FIT: dict[str, tuple[Callable[[Array], Array], str]] = {  # which scores a pool takes
    "mean": (np.isfinite, "a mean needs finite scores"),
    "noisy_or": (lambda x: (x >= 0) & (x <= 1), "noisy_or combines probabilities, numbers in [0, 1]"),
}


def _by_function(values: Array, held: _Bags, pool: Callable[[Array], Any]) -> Array:
    grouped = np.split(values[np.argsort(held.bag, kind="stable")], np.cumsum(held.sizes)[:-1]) if len(values) else []
    out = np.empty((len(held.names), *values.shape[1:]))
    for i, mine in enumerate(grouped):
        one = np.asarray(pool(mine.copy()))
        if one.shape != values.shape[1:] or one.dtype.kind not in "biuf" or np.isnan(one).any():
            wanted = f"{values.shape[1]} numbers, one per column" if values.ndim > 1 else "one number"
            raise ValueError(f"pool= gave {short(one.tolist())} for bag {short(held.names[i])}; it must give {wanted}.")
        out[i] = one
    return out


def _bag_labels(labels: Any, held: _Bags, *, masked: bool) -> tuple[Any, tuple[Any, ...] | None]:
    """Return the label of each bag, and the classes where the container declares them."""
    if isinstance(labels, Mapping):
        y, classes = _looked_up(labels, held, "labels"), None
    else:
        form = read(labels, "labels")
        form = factorised(form, "labels") if isinstance(form, Labels) else form
        if len(form) != len(held.bag):
            raise ValueError(
                f"labels has {len(form)} entries for {len(held.bag)} instances in {len(held.names)} bags. Give one per instance, "
                "the same throughout a bag, or a mapping {bag: label}."
            )
        y, classes = _one_each(form, held)
    absent = next((i for i, label in enumerate(y) if is_missing(label)), None) if isinstance(y, list) else None
    if absent is not None and not masked:
        name = short(held.names[absent])
        raise ValueError(f"Bag {name} has no label. Give it one, drop its instances, or pass missing='mask' to leave it out.")
    return y, classes


def _one_each(form: Form, held: _Bags) -> tuple[Any, tuple[Any, ...] | None]:
    """Return one label per bag from one per instance."""
    back = held.first[held.bag]
    if isinstance(form, Sets):
        differ = np.array([row != form.rows[i] for row, i in zip(form.rows, back.tolist(), strict=True)], bool)
        y: Any = [form.rows[i] for i in held.first.tolist()]
    elif isinstance(form, Labels | Table):
        x, first = form.values, form.values[back]
        differ = (x != first) & ~((x != x) & (first != first))
        y = form.values[held.first]
    else:
        raise TypeError("labels is a sparse matrix; give a dense one, a list of sets, or a mapping {bag: labels}.")
    if differ.any():
        i = int(np.argwhere(differ)[0][0])
        raise ValueError(
            f"labels[{i}] differs from labels[{back[i]}], but both instances are in bag {short(held.names[held.bag[i]])}: "
            "a bag has one label. Give a mapping {bag: label}; true labels of the instances go to instances=."
        )
    if isinstance(form, Labels) and form.categories is not None:
        y = [form.categories[i] if i >= 0 else None for i in y.tolist()]
        return y, form.categories if form.declared else None
    return (y.tolist() if isinstance(form, Labels) and y.dtype.kind == "f" else y), getattr(form, "columns", None)


def _looked_up(given: Mapping[Any, Any], held: _Bags, argument: str) -> list[Any]:
    """Return what a mapping says of each bag."""
    for name in held.names:
        if name not in given:
            raise ValueError(f"{argument} says nothing of bag {short(name)}. Add it, or drop its instances.")
    if len(given) > len(held.names):
        known = set(held.names)
        extra = next(name for name in given if name not in known)
        raise ValueError(f"{argument} names bag {short(extra)}, which has no instance and so no score. Leave it out.")
    return [given[name] for name in held.names]


def _each(options: Mapping[str, Any], change: Callable[[Any, _Bags, str], Any], held: _Bags) -> dict[str, Any]:
    """Return the options that describe examples, each of them changed."""
    ready = {name: change(options[name], held, name) for name in PER_BAG if options.get(name) is not None}
    by = options.get("by") or {}
    return ready | ({"by": {axis: change(ids, held, f"by[{axis!r}]") for axis, ids in by.items()}} if by else {})


def _in_order(x: Any, held: _Bags, argument: str) -> Any:
    """Return what is given per bag in the order of the bags, with mappings looked up."""
    if isinstance(x, Mapping):
        return _looked_up(x, held, argument)
    given, bags = len(read(x, argument)), len(held.names)
    if given != bags:
        order = "in order of first appearance, or a mapping from bags"
        raise ValueError(f"{argument} has {given} entries for {bags} bags. Give one per bag, {order}.")
    return x


def _spread(x: Any, held: _Bags, argument: str) -> Any:
    """Return what is given per bag for each of its instances."""
    form = read(x, argument)
    form = factorised(form, argument) if isinstance(form, Labels) else form
    if isinstance(form, Labels) and form.categories is not None:
        names = np.fromiter((*form.categories, None), object, len(form.categories) + 1)
        return names[form.values[held.bag]]
    return form.values[held.bag]  # type: ignore[union-attr]


def _positive_column(instances: Any, classes: tuple[Any, ...], options: Mapping[str, Any]) -> tuple[Array, Any]:
    """Return which instances are positive as a matrix of one column, NaN where that is not known, and its name."""
    form = read(instances, "instances")
    if not isinstance(form, Labels):
        raise ValueError("instances has one label per instance, as scores have one score each; give it in one dimension.")
    positive = 1 if options.get("positive") is None else options["positive"]
    names = next(c for c in (classes, options.get("classes") or (), (0, 1)) if positive in c)  # bags may be encoded otherwise
    form = factorised(form, "instances")
    absent = missing_rows(form)
    kept = form if absent is None else keep_rows(form, ~absent)
    column = np.full((len(form), 1), np.nan)
    found = code(kept, names, "instances").data.block(slice(None)) == names.index(positive)
    column[slice(None) if absent is None else ~absent, 0] = found
    return column, names[names.index(positive)]
