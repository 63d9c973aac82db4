"""Partitions of a table on many machines: what every engine that runs on a cluster stands on.

An engine gives one function, ``total(count, add)``. It calls ``count(batches, number)`` for each partition, where the rows are,
with Arrow record batches or tables and the number of the partition; and it adds what comes back with ``add``, in a tree, until
one is left. What comes back is small and can be pickled; the rows stay where they are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol, TypeVar, cast

from ..evaluation import Evaluation
from .column_roles import ColumnRoles
from .record_batches import classes_of, evaluate_batch, evaluate_distinct, finish, labels_of

State = TypeVar("State")


def sum_states(states: Iterable[State]) -> State:
    """Return the sum of states, of neighbors first: the sums of two halves are added."""
    some: list[Any] = [*states]
    if len(some) < 2:
        return cast(State, some[0] if some else Evaluation())
    half = len(some) // 2
    return cast(State, sum_states(some[:half]) + sum_states(some[half:]))


ROWS = 1 << 20  # this many rows are counted at once, however small the batches of an engine are
COUNT = "__rows__"  # the column of counts, where an engine groups and counts by itself

T = TypeVar("T")


class Total(Protocol):
    """How an engine counts every partition and adds the results."""

    def __call__(self, count: Callable[..., T], add: Callable[[Iterable[T]], T]) -> T:
        """Return the sum of ``count(batches, number)`` over all partitions."""
        ...


@dataclass(frozen=True)
class Refused:
    """An error of one partition, as data: an engine would try the partition again and wrap the message."""

    error: Exception
    partition: int
    first_row: int

    def to_error(self) -> Exception:
        """Return the error with the place where it arose."""
        rows = f", of the rows from {self.first_row} on" if self.first_row else ""
        return type(self.error)(f"In partition {self.partition}{rows}: {self.error}")


def evaluate_partitions(total: Total, roles: ColumnRoles, empty: Any) -> Any:
    """Return the state of all rows of all partitions.

    Parameters
    ----------
    total : callable
        What the engine gives: ``total(count, add)``.
    roles : ColumnRoles
        Which columns hold what.
    empty : pyarrow.Table
        A table with the columns and no rows.

    Returns
    -------
    Evaluation, PairedCounts or Sweep
        What ``evaluate`` makes of all rows at once.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from indicatrix.engines.column_roles import roles_of
    >>> parts = [pa.table({"y": ["a", "b"], "yhat": ["a", "b"]}), pa.table({"y": ["b", "c"], "yhat": ["a", "c"]})]
    >>> def total(count, add):
    ...     return add(count([part], number) for number, part in enumerate(parts))
    >>> evaluate_partitions(total, roles_of("evaluate_parts", true="y", pred="yhat"), parts[0].slice(0, 0)).n
    4
    """
    refuse_numbered(roles)
    if roles.needs_classes:
        labels = check_result(total(partial(labels_of_partition, roles=roles), unite))
        roles = roles.with_classes(classes_of(labels or set(), roles))
    return finish_state(check_result(total(partial(state_of_partition, roles=roles), merge)), roles, empty)


def is_countable(roles: ColumnRoles) -> bool:
    """Return whether distinct rows with counts suffice, unless a column holds lists.

    Scores and weights have about as many distinct rows as examples, and a table with a column for each label has too many.
    """
    return not (
        roles.wide or roles.scored or roles.sample_weight is not None or roles.gold or roles.options.replicates is not None
    )


def refuse_numbered(roles: ColumnRoles) -> None:
    """Refuse options that need the number of each row."""
    if roles.options.replicates is not None:
        raise TypeError(
            "replicates= draws weights by the number of each row, and the rows of a cluster have no fixed order. Leave it out; "
            "intervals from counts need no replicates."
        )


def state_of_partition(batches: Iterable[Any], number: int, *, roles: ColumnRoles) -> Any:
    """Return the state of the rows of a partition; None if it has none."""
    states, row = [], 0
    for table in gather(batches):
        try:
            states.append(evaluate_batch(table, roles))
        except (TypeError, ValueError) as error:
            return Refused(error, number, row)
        row += table.num_rows
    return merge(states)


def state_of_distinct(batches: Iterable[Any], number: int, *, roles: ColumnRoles) -> Any:
    """Return the state of distinct rows with a column of counts; None if there is no row."""
    try:
        return merge([evaluate_distinct(table, roles, COUNT) for table in gather(batches)])
    except (TypeError, ValueError) as error:
        return Refused(error, number, 0)


def labels_of_partition(batches: Iterable[Any], number: int, *, roles: ColumnRoles) -> Any:
    """Return the labels that occur in a partition."""
    try:
        return set().union(*(labels_of(table, roles) for table in gather(batches)))
    except (TypeError, ValueError) as error:
        return Refused(error, number, 0)


def gather(batches: Iterable[Any]) -> Iterator[Any]:
    """Return batches as tables of many rows, without those that have no row."""
    import pyarrow as pa

    held: list[Any] = []
    for batch in batches:
        if batch.num_rows:
            held.append(pa.Table.from_batches([batch]) if isinstance(batch, pa.RecordBatch) else batch)
        if sum(table.num_rows for table in held) >= ROWS:
            yield pa.concat_tables(held)
            held = []
    if held:
        yield pa.concat_tables(held)


def merge(states: Iterable[Any]) -> Any:
    """Return the sum of states; None stands for no rows, and an error stays."""
    some = [state for state in states if state is not None]
    refused = [state for state in some if isinstance(state, Refused)]
    if refused:
        return min(refused, key=lambda one: (one.partition, one.first_row))
    return sum_states(some) if some else None


def unite(sets: Iterable[Any]) -> Any:
    """Return the union of sets of labels; an error stays."""
    some = [*sets]
    refused = [one for one in some if isinstance(one, Refused)]
    return refused[0] if refused else set().union(*some)


def finish_state(state: Any, roles: ColumnRoles, empty: Any) -> Any:
    """Return the state of all rows with what a partition may lack: the rows, and the positive class."""
    return finish(evaluate_batch(empty, roles) if state is None else state, roles)


def check_result(result: Any) -> Any:
    """Return what partitions gave; raise the error of one of them."""
    if isinstance(result, Refused):
        raise result.to_error()
    return result
