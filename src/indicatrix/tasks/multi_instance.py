"""Multi-instance learning: bags judged by pooled instance scores, and instances in their bags.

See sec:mil.

>>> import indicatrix as ix
>>> both = ix.tasks.multi_instance({"x": 1, "y": 0}, [0.2, 0.9, 0.4], ["x", "x", "y"], instances=[0, 1, 0])
>>> both.bags.score("recall"), both.instances.score("precision")
(1.0, 1.0)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ..algebra.arrays import Array
from ..algebra.average import evaluate_labels
from ..encode.containers import read
from ..encode.encoders import code
from ..encode.factorize import factorize
from ..encode.pairs import check_missing
from ..encode.plain_forms import Form, Labels, Sets, Table, is_missing
from ..encode.vocabulary import check_classes, keep_rows, missing_rows
from ..encode.weights import read_groupings
from ..settings.cost_matrices import LabelCosts, label_costs, read_cost
from ..settings.example_costs import ExampleCosts
from ..settings.paper_settings import refuse
from ..storage.formats import add_parts, add_to_zero, save
from ..words.call_mistakes import answers_mistakes
from ..words.wording import short
from .bag_pooling import Bags, Pool, name_of, pool_scores, read_bags, read_scores

PER_BAG = ("sample_weight", "mask")  # options of evaluate with one entry per example, which is a bag here
OF_ROWS = (*PER_BAG, "by", "missing", "signed_weights", "unobserved")  # options that are not about classes


@answers_mistakes
def multi_instance(
    labels: Any, scores: Any, bags: Any, *, pool: Pool = "max", decide: Any = 0.5, instances: Any = None, **options: Any
) -> MultiInstance:
    """Return the evaluation of bags, scored by pooling their instances, and that of the instances.

    A bag, such as a slide or a document, has a label; its instances, such as patches or sentences, have scores. The scores of a
    bag are pooled into one, and bags are then evaluated like any examples. If the labels of the instances are known, too, these
    are evaluated as well, with an axis "bag": ``.instances.score(m, "bag")`` is the mean over bags of the score inside each
    bag.

    Parameters
    ----------
    labels : mapping or array-like
        The label of each bag; or one label per instance, the same for all instances of a bag.
    scores : array-like
        One score per instance, or one column per label.
    bags : array-like
        The bag of each instance.
    pool : str or callable, default 'max'
        How the scores of a bag become one, column by column: "max", "mean", "noisy_or", which is 1 - Π(1 - p), or a function.
    decide : number, str or rule, default 0.5
        The rule that turns scores into decisions, as ``evaluate`` takes it.
    instances : array-like, optional
        The true labels of the instances.
    **options
        What ``evaluate`` takes and this setting allows: classes, sample_weight, mask, by, … The last three are given per bag, in
        order or as mappings, and also hold for its instances. See help(ix.evaluate) and ``ix.tasks.SETTINGS``.

    Returns
    -------
    MultiInstance
        ``.bags`` and ``.instances``, each an evaluation.

    Notes
    -----
    Bags are rows in the order of their first appearance. A pandas Series whose index has the bags is read as a mapping. Results
    of batches add if no bag is in two of them. Bags and instances are two separate evaluations: how errors on instances become
    errors on bags depends on the pooling, and nothing is claimed about it.

    Examples
    --------
    >>> import indicatrix as ix
    >>> both = ix.tasks.multi_instance({"x": 1, "y": 0}, [0.2, 0.9, 0.4], ["x", "x", "y"], instances=[1, 1, 0])
    >>> both.bags.score("recall"), both.instances.score("recall")
    (1.0, 0.5)
    >>> both.instances.score("recall", "bag")  # bag y has no positive instance
    0.5 (bag recall; 1 of 2 units of bag undefined, excluded)
    """
    refuse("multi_instance", options)
    if options.get("abstain") is not None or options.get("missing") == "abstain":
        raise ValueError(
            "abstain= is for predicted labels, but bags are decided from scores. Use decide=reject_below(t) to choose no class."
        )
    if options.get("classes") is not None:
        options["classes"] = check_classes(options["classes"])
    if options.get("by") is not None:
        options["by"] = read_groupings(options["by"])
    if "bag" in (options.get("by") or ()):
        raise ValueError("by= cannot have an axis 'bag', because that axis exists already. Choose another name.")
    held = read_bags(bags)
    table = read_scores(scores, held)
    y, columns = _bag_labels(labels, held, masked=check_missing(options.get("missing", "error"))[0] == "mask")
    columns = columns or getattr(read(scores, "scores"), "columns", None)
    options = {**({"classes": columns} if columns else {}), **options, **_change_each(options, _put_in_order, held)}
    ev = evaluate_labels(y, pool_scores(table, held, pool), ("labels", "scores"), decide=decide, **options)
    ev = replace(ev, recipe=ev.recipe.with_task(pool=name_of(pool)))
    if instances is None:
        return MultiInstance(ev)
    known = len(read(instances, "instances"))
    if known != len(table):
        raise ValueError(f"instances has {known} labels for {len(table)} instances; give the true label of each.")
    shared = {**options, **_change_each(options, _spread, held)}
    shared["by"] = {"bag": bags, **(shared.get("by") or {})}
    if table.ndim == 1:  # one column: the counts of a bag are then those of its positive instances
        instances, name = _positive_column(instances, ev.classes, options)
        kept = {k: v for k, v in shared.items() if k in OF_ROWS}
        table, shared = table[:, None], {**kept, "classes": (name,), "cost": _positive_cost(ev.classes, name, options)}
    return MultiInstance(ev, evaluate_labels(instances, table, ("instances", "scores"), decide=decide, **shared))


@answers_mistakes
@dataclass(frozen=True, repr=False)
class MultiInstance:
    """The two levels of multi-instance learning: bags and instances.

    Bags are examples; instances are examples with the bag as an axis.

    Attributes
    ----------
    bags : Evaluation
        One row per bag.
    instances : Evaluation or None
        One row per instance, with the axis "bag"; None without labels of instances.
    """

    bags: Any  # an Evaluation, one row per bag
    instances: Any = field(default=None, metadata={"called": "labels of instances"})  # an Evaluation with a "bag" axis, or None

    def __add__(self, other: MultiInstance) -> MultiInstance:
        if isinstance(other, MultiInstance) and self.instances is not None and other.instances is not None:
            mine, theirs = ({key[ev.tally.by.index("bag")] for key in ev.tally.parts} for ev in (self.instances, other.instances))
            if mine & theirs:
                twice = short(min(mine & theirs, key=repr))
                raise ValueError(
                    f"Bag {twice} is in both batches, but the instances of a bag are pooled together. Keep its instances in one "
                    "batch, or rename it."
                )
        added: MultiInstance = add_parts(self, other)
        return added

    __radd__, save = add_to_zero, save

    def __str__(self) -> str:
        inside = "The labels of instances were not given." if self.instances is None else f"Instances:\n\n{self.instances}"
        return f"Bags, scores pooled by {self.bags.recipe.of_task('pool')}:\n\n{self.bags}\n\n{inside}"

    def __repr__(self) -> str:
        inside = "no instance labels" if self.instances is None else f"{self.instances.n} instances"
        return f"<MultiInstance: {self.bags.n} bags, {inside}>"


@answers_mistakes
def pool_bags(scores: Any, bags: Any, pool: Pool = "max") -> tuple[tuple[Any, ...], Array]:
    """Return the bags in order of first appearance, and the pooled score (or scores) of each.

    Columns of scores are pooled separately. The result depends on the order of the instances only if ``pool`` is a function that
    uses it.

    Parameters
    ----------
    scores : array-like
        One score per instance, or one column per label.
    bags : array-like
        The bag of each instance.
    pool : str or callable, default 'max'
        How the scores of a bag become one, column by column: "max", "mean", "noisy_or", which is 1 - Π(1 - p), or a function.

    Returns
    -------
    tuple
        The names of the bags, and an array with a row for each.

    Examples
    --------
    >>> import indicatrix as ix
    >>> ix.tasks.pool_bags([0.5, 0.25, 0.5], ["x", "y", "x"], "noisy_or")
    (('x', 'y'), array([0.75, 0.25]))
    """
    held = read_bags(bags)
    return held.names, pool_scores(read_scores(scores, held), held, pool)


def _bag_labels(labels: Any, held: Bags, *, masked: bool) -> tuple[Any, tuple[Any, ...] | None]:
    """Return the label of each bag, and the classes if the container declares them."""
    order = None if isinstance(labels, Mapping) else _rows_of_bags(labels, held, "labels")
    if isinstance(labels, Mapping):
        y, classes = _look_up(labels, held, "labels"), None
    elif order is not None:
        y, classes = _as_plain_labels(read(labels.iloc[order], "labels"))
    else:
        form = read(labels, "labels")
        form = factorize(form, "labels") if isinstance(form, Labels) else form
        if len(form) != len(held.bag):
            raise ValueError(
                f"labels has {len(form)} entries for {len(held.bag)} instances in {len(held.names)} bags. Give one per instance, "
                "the same for all instances of a bag, or a mapping {bag: label}."
            )
        y, classes = _one_label_per_bag(form, held)
    absent = next((i for i, label in enumerate(y) if is_missing(label)), None) if isinstance(y, list) else None
    if absent is not None and not masked:
        name = short(held.names[absent])
        raise ValueError(f"Bag {name} has no label. Give it one, drop its instances, or pass missing='mask' to leave it out.")
    return y, classes


def _one_label_per_bag(form: Form, held: Bags) -> tuple[Any, tuple[Any, ...] | None]:
    """Return one label per bag, from one label per instance."""
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
    return _as_plain_labels(replace(form, **({"rows": y} if isinstance(form, Sets) else {"values": y})))


def _as_plain_labels(form: Form) -> tuple[Any, tuple[Any, ...] | None]:
    """Return labels as a list, or a matrix as it is, and the classes if the container declares them."""
    if not isinstance(form, Labels):
        return (form.rows if isinstance(form, Sets) else form), getattr(form, "columns", None)
    form = factorize(form, "labels")
    if form.categories is not None:
        y = [form.categories[i] if i >= 0 else None for i in form.values.tolist()]
        return y, form.categories if form.declared else None
    return (form.values.tolist() if form.values.dtype.kind == "f" else form.values), None


def _look_up(given: Mapping[Any, Any], held: Bags, argument: str) -> list[Any]:
    """Return the entry of a mapping for each bag, in the order of the bags."""
    for name in held.names:
        if name not in given:
            raise ValueError(f"{argument} has no entry for bag {short(name)}. Add it, or drop its instances.")
    if len(given) > len(held.names):
        known = set(held.names)
        extra = next(name for name in given if name not in known)
        raise ValueError(f"{argument} names bag {short(extra)}, which has no instance and therefore no score. Leave it out.")
    return [given[name] for name in held.names]


def _rows_of_bags(x: Any, held: Bags, argument: str) -> list[int] | None:
    """Return the row of each bag in a pandas container whose index names the bags.

    None means that the container is read by position.
    """
    if not hasattr(x, "iloc"):
        return None
    names, n = x.index.tolist(), len(held.bag if argument == "labels" else held.names)  # the rows, if they are read by position
    counted, bags = names == list(range(len(names))), set(names) == set(held.names)
    if not bags and (counted or (argument == "labels" and len(names) == n)):  # an index of instances may have any names
        return None
    if argument == "labels" and names == [held.names[i] for i in held.bag.tolist()]:
        return None
    place = {name: i for i, name in enumerate(names)}
    if len(place) < len(names):
        twice = next(name for i, name in enumerate(names) if place[name] != i)
        raise ValueError(f"The index of {argument} names {short(twice)} twice. Name each bag once, or drop the index: .tolist().")
    try:
        order = _look_up(place, held, argument)
    except ValueError as error:
        raise ValueError(f"{error} Its index is read as bags; use .tolist() to drop the index.") from None
    if len(names) == n and order != sorted(order) and (counted or argument == "labels"):
        raise ValueError(
            f"The index of {argument} names the bags in another order, or it may only count rows. Say which one you mean: "
            ".to_dict() finds bags by name, .tolist() reads rows in order."
        )
    return order


def _change_each(options: Mapping[str, Any], change: Callable[[Any, Bags, str], Any], held: Bags) -> dict[str, Any]:
    """Return the options that have one entry per bag, each changed by a function."""
    ready = {name: change(options[name], held, name) for name in PER_BAG if options.get(name) is not None}
    by = options.get("by") or {}
    return ready | ({"by": {axis: change(ids, held, f"by[{axis!r}]") for axis, ids in by.items()}} if by else {})


def _put_in_order(x: Any, held: Bags, argument: str) -> Any:
    """Return the entries per bag in the order of the bags; mappings are looked up."""
    if isinstance(x, Mapping):
        return _look_up(x, held, argument)
    order = _rows_of_bags(x, held, argument)
    if order is not None:
        return x.iloc[order]
    given, bags = len(read(x, argument)), len(held.names)
    if given != bags:
        how = "in order of first appearance, or a mapping from bags"
        raise ValueError(f"{argument} has {given} entries for {bags} bags. Give one per bag, {how}.")
    return x


def _spread(x: Any, held: Bags, argument: str) -> Any:
    """Return the entries per bag, repeated for each instance of the bag."""
    form = read(x, argument)
    form = factorize(form, argument) if isinstance(form, Labels) else form
    if isinstance(form, Labels) and form.categories is not None:
        names = np.fromiter((*form.categories, None), object, len(form.categories) + 1)
        return names[form.values[held.bag]]
    return form.values[held.bag]  # type: ignore[union-attr]


def _positive_column(instances: Any, classes: tuple[Any, ...], options: Mapping[str, Any]) -> tuple[Array, Any]:
    """Return which instances are positive as a matrix of one column, and its name.

    NaN means that it is not known.
    """
    form = read(instances, "instances")
    if not isinstance(form, Labels):
        raise ValueError("scores has one score per instance, so instances must have one label per instance, in one dimension.")
    positive = 1 if options.get("positive") is None else options["positive"]
    names = next(c for c in (classes, options.get("classes") or (), (0, 1)) if positive in c)  # bags may have another encoding
    form = factorize(form, "instances")
    absent = missing_rows(form)
    kept = form if absent is None else keep_rows(form, ~absent)
    if absent is not None and check_missing(options.get("missing", "error"))[0] != "mask":
        raise ValueError(
            f"instances[{int(absent.argmax())}] is missing: {int(absent.sum())} of {len(form)} instances have no label. Drop "
            "them, or pass missing='mask' to leave them out of .instances; their scores are still pooled."
        )
    column = np.full((len(form), 1), np.nan)
    found = code(kept, names, "instances").data.block(slice(None)) == names.index(positive)
    column[slice(None) if absent is None else ~absent, 0] = found
    return column, names[names.index(positive)]


def _positive_cost(classes: tuple[Any, ...], positive: Any, options: Mapping[str, Any]) -> LabelCosts | None:
    """Return the costs of two classes as those of the positive column alone.

    Each of its cells counts as much as for bags.
    """
    if options.get("cost") is None:
        return None
    if positive not in classes:
        raise ValueError(
            "cost= is about the columns of ordinal= here, which single instances do not have. Leave ordinal= or instances= out."
        )
    costs, at = read_cost(options["cost"], classes, True), classes.index(positive)
    if isinstance(costs, ExampleCosts):
        raise ValueError("Costs of single examples are those of bags, and instances have other costs. Leave instances= out.")
    if isinstance(costs, LabelCosts):
        return label_costs(**{name: getattr(costs, name)[at] for name in ("fp", "fn", "tp", "tn")})
    return label_costs(fp=costs.costs[1 - at, at], fn=costs.costs[at, 1 - at], tp=costs.benefit[at])
