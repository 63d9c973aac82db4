"""Lazy frames and relations of databases: plain labels are counted by the engine that has the rows."""

from __future__ import annotations

from typing import Any

from .column_roles import ColumnRoles
from .partitions import COUNT, is_countable
from .record_batches import evaluate_distinct, finish


def evaluate_lazy(frame: Any, roles: ColumnRoles) -> Any:
    """Return the evaluation of a lazy frame, counted by its engine; None if all rows are needed.

    They are needed for scores, weights, lists and several columns of labels, for categories that are declared, and to say which
    row is wrong.

    >>> import narwhals.stable.v2 as nw
    >>> import polars as pl
    >>> from indicatrix.engines.column_roles import roles_of
    >>> frame = nw.from_native(pl.LazyFrame({"y": ["a", "b", "b"], "yhat": ["a", "b", "a"]}))
    >>> evaluate_lazy(frame, roles_of("evaluate_frame", true="y", pred="yhat")).score("recall", "macro")
    0.75
    """
    import narwhals.stable.v2 as nw

    if not is_countable(roles):
        return None
    kinds = frame.select(*roles.columns).collect_schema()
    if not all(kind == nw.String or kind == nw.Boolean or kind.is_integer() for kind in kinds.values()):
        return None
    counted = frame.group_by(*roles.columns).agg(nw.len().alias(COUNT)).collect().to_arrow()
    try:
        return finish(evaluate_distinct(counted, roles, COUNT), roles)
    except (TypeError, ValueError):
        return None
