"""Row labels of pandas: the same labels in another order are an error.

Columns are paired by position.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

import numpy as np

from ..algebra.wording import short


def check_row_labels(columns: Mapping[str, Any]) -> None:
    """Refuse columns of pandas whose indexes hold the same labels in different orders.

    Errors call the columns by the names given. Indexes that share no labels, or only some, say nothing about which rows belong
    together: position decides.

    >>> import pandas as pd
    >>> true = pd.Series([1, 0], index=["a", "b"])
    >>> try:
    ...     check_row_labels({"y_true": true, "y_pred": true[::-1]})
    ... except ValueError as error:
    ...     print(str(error).partition(".")[0])
    y_pred has the row labels of y_true in another order: row 0 is 'a' in y_true and 'b' in y_pred
    """
    pandas = sys.modules.get("pandas")
    if pandas is None:
        return
    indexed = [(name, x.index) for name, x in columns.items() if isinstance(x, pandas.Series | pandas.DataFrame)]
    for name, index in indexed[1:]:
        first, labels = indexed[0]
        if len(index) != len(labels) or index.equals(labels) or not (index.isin(labels).all() and labels.isin(index).all()):
            continue
        row = next((i for i, (a, b) in enumerate(zip(labels, index, strict=True)) if a != b), None)
        if row is not None:
            raise ValueError(
                f"{name} has the row labels of {first} in another order: row {row} is {_show(labels[row])} in {first} and "
                f"{_show(index[row])} in {name}. Rows are paired by position. Put them in one order, {name}.loc[{first}.index], "
                "or pass to_numpy() of both if the labels mean nothing."
            )


def _show(label: Any) -> str:
    """Return a row label for a message; a NumPy scalar is shown as the number that it is."""
    return short(label.item() if isinstance(label, np.generic) else label)
