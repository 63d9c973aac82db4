"""Columns of lists as label sets, without a loop over the rows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..algebra.arrays import Array
from ..encode.codes import coder
from ..encode.containers import read
from ..encode.factorise import factorise
from ..encode.indicator import Indicator
from ..encode.matrices import one_family
from ..encode.plain_forms import Labels, Sparse
from ..encode.vocabulary import check_classes, distinct, family, missing_rows, vocabulary


def read_label_lists(columns: Mapping[str, tuple[Array, Any]], classes: Any = None) -> dict[str, Indicator]:
    """Return label sets as indicators of the same classes.

    Parameters
    ----------
    columns : mapping
        For each argument, by the name that errors use, how many labels each row has, and the labels of all rows one after the
        other, as any container of labels.
    classes : iterable, optional
        The classes and their order. Left out: the labels that occur, sorted.

    Returns
    -------
    dict
        The indicator of each argument. A label that stands twice in a row counts once.

    Examples
    --------
    >>> import numpy as np
    >>> read_label_lists({"y": (np.array([2, 0, 1]), ["b", "a", "b"])})["y"].classes
    ('a', 'b')
    """
    forms = {name: _plain_labels(labels, name) for name, (_, labels) in columns.items()}
    one_family({name: family(form, name) for name, form in forms.items()})
    if classes is None:
        names = vocabulary(set().union(*map(distinct, forms.values())), next(iter(columns)))
    else:
        names = check_classes(classes)
    return {
        name: Indicator(_compress(sizes, np.asarray(coder(forms[name], names, name)(slice(None))), len(names)), names)
        for name, (sizes, _) in columns.items()
    }


def _plain_labels(labels: Any, argument: str) -> Labels:
    form = read(labels, argument)
    if not isinstance(form, Labels):
        raise TypeError(f"{argument} holds lists of lists; give lists of labels.")
    form = factorise(form, argument)
    absent = missing_rows(form)
    if absent is not None:
        raise ValueError(f"{argument} holds a list with a missing label. Remove it: an empty list stands for no label.")
    return form


def _compress(sizes: Array, codes: Array, width: int) -> Sparse:
    """Return the codes of all rows as a sparse table; within a row they are sorted and distinct."""
    rows = np.repeat(np.arange(len(sizes)), sizes)
    places = np.unique(rows * max(width, 1) + codes)
    rows, codes = np.divmod(places, max(width, 1))
    indptr = np.concatenate(([0], np.cumsum(np.bincount(rows, minlength=len(sizes)))))
    return Sparse(indptr, codes, np.ones(len(codes), bool), width)
