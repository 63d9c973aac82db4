"""Hierarchical classification: measures of labels closed under ancestors (sec:hierarchical).

>>> import indicatrix as ix
>>> animals = ix.taxonomy({"pet": None, "cat": "pet", "dog": "pet", "elk": None})
>>> ev = ix.evaluate(["cat", "dog"], ["dog", "pet"], hierarchy=animals)
>>> ev.score("precision", "micro"), ev.score("recall", "micro"), ev.values("recall", per="depth").tolist()
(0.6666666666666666, 0.5, [1.0, 0.0])
>>> ix.cost(["cat", "dog"], ["dog", "pet"], animals, classes=animals.classes)  # edges per example
1.5
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ..algebra.arrays import Mask
from ..encode.containers import read
from ..encode.factorize import factorize
from ..encode.indicator import Coded, Indicator, Lookup
from ..encode.pairs import Pair
from ..encode.plain_forms import BLOCK, Labels, Sets, Sparse, Table
from ..encode.vocabulary import as_categories, check_classes
from .options import Options
from .paper_settings import check
from .problem import LabelPair, Problem, move_mask_to_cells
from .taxonomy import Taxonomy, taxonomy
from .taxonomy_graph import check_size


def close(indicator: Indicator, given: Taxonomy) -> Indicator:
    """Return labels with all their ancestors, Y A, on the classes of the taxonomy.

    The columns are grouped by depth. Hierarchical precision, recall and F1 are precision, recall and F1 of
    closed labels, under any average. The limits: a right label at the top counts as much as one further down, and memberships
    have no closure.

    >>> import indicatrix as ix
    >>> t = ix.taxonomy({"a": None, "b": "a", "c": "a"})
    >>> close(ix.one_hot(["b", "a"], t.classes), t).matrix.astype(int).tolist()
    [[1, 1, 0], [1, 0, 0]]
    """
    if indicator.soft:
        raise ValueError("Memberships have no ancestor closure: nothing says how those of children add up. Pass decide=.")
    if indicator.targets not in (None, given.depth):
        raise ValueError("These columns belong to targets, and a taxonomy groups them by depth. Evaluate each target by itself.")
    labels = indicator.data if isinstance(indicator.data, Coded) else indicator.as_sparse()
    rows = given.closures(np.where(_occur(labels, len(indicator.classes)), given.positions(indicator.classes), -1))
    return replace(rows, data=Lookup(labels, rows) if isinstance(labels, Coded) else _union(labels, rows))


def _occur(labels: Coded | Sparse, m: int) -> Mask:
    """Return which of m classes occur.

    The ancestors of others are not needed, and in a deep taxonomy they are many.
    """
    found = np.zeros(m + 1, bool)  # the last place is for -1, an empty row
    if isinstance(labels, Sparse):
        found[labels.indices] = True
        return found[:m]
    for start in range(0, len(labels), BLOCK):
        found[labels.block(slice(start, start + BLOCK))] = True
    return found[:m]


def close_pair(pair: Pair, given: Taxonomy) -> Pair:
    """Return both sides of a pair closed under ancestors.

    This is what ``evaluate(…, hierarchy=)`` counts. The entry of a node counts as observed only if the node and all nodes
    under it were observed: any of them would make it positive.
    """
    cells = pair.cells
    if cells is not None:
        cells = ~close(Indicator(~cells, pair.y.classes), given).matrix
    return replace(pair, y=close(pair.y, given), yhat=close(pair.yhat, given), open=False, cells=cells)


def change_labels(labels: LabelPair, options: Options) -> LabelPair:
    """Return the labels with the nodes of the taxonomy as their classes, unless others were named."""
    if labels.classes is not None:
        return labels
    return replace(labels, classes=_node_columns(labels, taxonomy(options.hierarchy), options.names))


def change_problem(problem: Problem, options: Options) -> Problem:
    """Return the problem with labels closed under ancestors."""
    given = taxonomy(options.hierarchy)
    problem = move_mask_to_cells(problem)
    return replace(problem, pair=close_pair(problem.pair, given), recipe=problem.recipe._replace(hierarchy=repr(given)))


def _node_columns(labels: LabelPair, given: Taxonomy, names: tuple[str, str]) -> tuple[Any, ...] | None:
    """Return the nodes that labels are encoded on; a matrix must say which nodes its columns are."""
    sides = list(zip(names, (labels.y_true, labels.y_pred), strict=True))
    indicators = [y for _, y in sides if isinstance(y, Indicator)]
    if any(y.soft for y in indicators):
        check(("soft_truth", "hierarchy"))
    forms = {argument: read(y, argument) for argument, y in sides if not isinstance(y, Indicator)}
    named = [form.columns for form in forms.values() if isinstance(form, Table) and form.columns is not None]
    for argument, form in forms.items():
        if isinstance(form, Table | Sparse) and not named and not indicators:
            raise ValueError(f"Which nodes are the columns of {argument}? Pass classes= with the nodes in column order.")
        if isinstance(form, Labels | Sets) and (argument == names[0] or labels.rule is None):
            _check_nodes(form, argument, given)
    return None if indicators else check_classes(named[0]) if named else tuple(given.classes)


def _check_nodes(form: Labels | Sets, argument: str, given: Taxonomy) -> None:
    """Refuse a label that is not a node, and name its first position."""
    known = set(given.classes)
    if isinstance(form, Sets):
        odd = next(((i, x) for i, row in enumerate(form.rows) for x in row or () if x not in known), None)
    else:
        labels = as_categories(factorize(form, argument))
        names = labels.categories or ()
        strange = np.array([*(name not in known for name in names), False])[labels.values]  # code -1 reads the last entry
        odd = (int(strange.argmax()), names[labels.values[strange.argmax()]]) if strange.any() else None
    if odd is not None:
        try:
            given.positions((odd[1],))
        except ValueError as error:
            raise ValueError(f"{argument}[{odd[0]}]: {error}") from None


def _union(labels: Sparse, closure: Indicator) -> Sparse:
    """Return the union of the closures of each row's labels as compressed rows with ascending columns."""
    width = len(closure.classes)
    check_size(int(np.diff(closure.as_sparse().indptr)[labels.indices].sum()))
    every = closure.take(labels.indices).as_sparse()  # one row for each label of each example
    example = np.repeat(np.arange(len(labels)), np.diff(labels.indptr))
    entries = np.repeat(example, np.diff(every.indptr)) * width + every.indices
    entries.sort()  # np.unique, which hashes, takes twenty times as long for these
    row, column = np.divmod(entries[np.diff(entries, prepend=-1) > 0], width)
    indptr = np.searchsorted(row, np.arange(len(labels) + 1))
    return Sparse(indptr, column, np.ones(len(column), bool), width)
