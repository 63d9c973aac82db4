"""Partitions of a table on many machines: what every engine that runs on a cluster stands on.

An engine gives one function, ``total(count, add)``. It calls ``count(batches, number)`` for each partition, where the rows are,
with Arrow record batches or tables and the number of the partition; and it adds what comes back with ``add``, in a tree, until
one is left. What comes back is small and can be pickled; the rows stay where they are.

Arrow record batches, or distinct rows with counts, into evaluations: every engine stands on this.

One batch and a ``ColumnRoles`` give an ``Evaluation`` (of several predictions a ``PairedCounts``, of binned scores a
``Sweep``); all three add. Texts stay codes into a dictionary: only the distinct labels of a batch become Python objects.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Protocol, TypeAlias, TypeVar, cast

import numpy as np

from ..algebra.arrays import Array
from ..compare.paired_counts import PairedCounts, paired_counts
from ..encode.plain_forms import Table
from ..encode.vocabulary import distinct, vocabulary
from ..evaluate import OPTION_NAMES, check_positive, evaluate_with
from ..evaluation import Evaluation
from ..scores.thresholds.sweep import Sweep, binned
from ..settings.options import PER_ROW
from .arrow_columns import flat, is_list, label_lists, label_vector, number_vector, table_of
from .column_roles import OF_BINS, ColumnRoles

Adds = TypeVar("Adds")


def sum_states(states: Iterable[Adds]) -> Adds:
    """Return the sum of states, of neighbors first: the sums of two halves are added."""
    some: list[Any] = [*states]
    if len(some) < 2:
        return cast(Adds, some[0] if some else Evaluation())
    half = len(some) // 2
    return cast(Adds, sum_states(some[:half]) + sum_states(some[half:]))


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


State: TypeAlias = Evaluation | PairedCounts | Sweep


def evaluate_batch(batch: Any, roles: ColumnRoles) -> State:
    """Return the state of one batch: an Arrow record batch or table that has the columns of the roles.

    The sum of the states of all batches, ``sum_states``, is what ``evaluate`` makes of all rows at once.

    >>> import pyarrow as pa
    >>> from indicatrix.engines.column_roles import roles_of
    >>> batch = pa.record_batch({"y": ["a", "b", "b"], "yhat": ["a", "b", "a"]})
    >>> evaluate_batch(batch, roles_of("evaluate_file", true="y", pred="yhat")).score("recall", "macro")
    0.75
    """
    evaluation = evaluate_rows(*read_batch(batch, roles), roles)
    if isinstance(evaluation, Evaluation) and holds_lists(batch, roles) and roles.options.classes is None:
        return replace(evaluation, tally=replace(evaluation.tally, open=True))  # another batch may have more labels
    return evaluation


def evaluate_rows(true: Any, answers: Mapping[str, Any], rows: Mapping[str, Any], roles: ColumnRoles) -> State:
    """Return the state of some rows: true labels, what each answer says, and what accompanies the rows."""
    options = roles.options._replace(**rows, positive=None if names_positive_late(roles) else roles.options.positive)
    if roles.bits is not None:
        (scores,) = answers.values()
        given = {name: getattr(options, name) for name in (*OF_BINS, "sample_weight", "mask")}
        return binned(true, scores.values if isinstance(scores, Table) else scores, bits=roles.bits, **given)
    if len(answers) > 1:
        given = {name: value for name in OPTION_NAMES if (value := getattr(options, name)) is not None}
        return paired_counts(true, answers, **given)
    (answer,) = answers.values()
    return evaluate_with(true, answer, options)


def evaluate_distinct(table: Any, roles: ColumnRoles, count: str = "n") -> State:
    """Return the state of distinct rows, of which each stands for as many examples as its count says.

    This is for engines that group and count by themselves: ``SELECT true, pred, site, count(*) AS n … GROUP BY ALL``. Counts
    stay exact integers under every option: a row that occurs n times is added along the binary digits of n.

    >>> import pyarrow as pa
    >>> from indicatrix.engines.column_roles import roles_of
    >>> table = pa.table({"y": ["a", "b", "b"], "yhat": ["a", "b", "a"], "n": [10, 30, 10]})
    >>> ev = evaluate_distinct(table, roles_of("evaluate_file", true="y", pred="yhat"))
    >>> ev.n, ev.score("recall", "macro")
    (50, 0.875)
    """
    if roles.options.replicates is not None:
        raise TypeError("replicates= numbers the examples, and rows with counts have no numbers. Leave it out.")
    times = number_vector(table.column(count))
    if times.dtype.kind not in "iu" or (len(times) and int(times.min()) < 0):
        raise ValueError(f"The column {count!r} must hold counts: whole numbers of at least 0, none missing.")
    total: Any = None
    for bit in range(int(times.max(initial=0)).bit_length() - 1, -1, -1):
        total = None if total is None else total + total
        here = np.flatnonzero((times >> times.dtype.type(bit)) & times.dtype.type(1))
        if len(here):
            some = evaluate_batch(table.take(here), roles)
            total = some if total is None else total + some
    return evaluate_batch(table.slice(0, 0), roles) if total is None else total


def finish(state: Any, roles: ColumnRoles) -> Any:
    """Return the state of all rows with the positive class, which a batch may lack."""
    positive = roles.options.positive
    if positive is None or not names_positive_late(roles) or not isinstance(state, Evaluation | PairedCounts):
        return state
    if isinstance(state, PairedCounts):
        return replace(state, evaluations=tuple(finish(ev, roles) for ev in state.evaluations))
    return replace(state, named_positive=check_positive(positive, state.tally)) if state.tally.parts else state


def names_positive_late(roles: ColumnRoles) -> bool:
    """Return whether a batch may lack the positive class, so that it is named after the last one."""
    return roles.options.classes is None and roles.options.decide is None and roles.bits is None


def labels_in(batch: Any, column: str) -> set[Any]:
    """Return the labels that occur in a column of a batch."""
    return distinct(label_vector(flat(batch.column(column)), column))


def labels_of(batch: Any, roles: ColumnRoles) -> set[Any]:
    """Return the labels that occur in a batch; with targets, pairs of a target and its label."""
    if roles.options.targets is not None:
        named = ((name, column) for name, columns in roles.targets_without_classes.items() for column in columns)
        return {(name, label) for name, column in named for label in labels_in(batch, column)}
    return set().union(*(labels_in(batch, column) for column in roles.label_columns))


def classes_of(labels: set[Any], roles: ColumnRoles) -> Any:
    """Return the classes of the labels in all rows; 0 and 1 are both classes of a score if one occurs.

    With targets, the labels are pairs as ``labels_of`` has them, and the classes are those of each target.
    """
    if roles.options.targets is not None:
        abstain = roles.options.abstain
        declines = abstain if isinstance(abstain, Mapping) else dict.fromkeys(roles.options.targets, abstain)
        return {
            name: vocabulary({label for of, label in labels if of == name} - {declines.get(name)}, f"Target {name!r}")
            for name in roles.targets_without_classes
        }
    found = vocabulary(labels, "true")
    if roles.scored and set(found) <= {0, 1}:
        return (False, True) if found and all(isinstance(c, bool) for c in found) else (0, 1)
    return found


def read_batch(batch: Any, roles: ColumnRoles) -> tuple[Any, dict[str, Any], dict[str, Any]]:
    """Return the true labels, the labels or scores of each answer, and what belongs to each row."""
    rows = _read_rows(batch, roles)
    if holds_lists(batch, roles):
        true, *found = label_lists(batch, {"true": roles.true[0], **{n: c[0] for n, c in roles.answers}}, roles.options.classes)
        return true, dict(zip((name for name, _ in roles.answers), found, strict=True)), rows
    read = _reader(roles)
    scores = scores_of if roles.scored and not roles.wide else read
    return read(batch, roles.true, roles), {name: scores(batch, columns, roles) for name, columns in roles.answers}, rows


def _read_rows(batch: Any, roles: ColumnRoles) -> dict[str, Any]:
    rows: dict[str, Any] = dict.fromkeys(PER_ROW)
    if roles.by:
        rows["by"] = {axis: label_vector(batch.column(column), f"by[{axis!r}]") for axis, column in roles.by}
    if roles.sample_weight is not None:
        rows["sample_weight"] = number_vector(batch.column(roles.sample_weight))
    if roles.mask:
        columns = [number_vector(batch.column(name)) for name in roles.mask]
        rows["mask"] = columns[0] if len(columns) == 1 else np.column_stack(columns)
    if roles.gold:
        rows["gold"] = _reader(roles)(batch, roles.gold, roles)
    if roles.design is not None:
        strata = label_vector(batch.column(roles.design), roles.design) if roles.strata else roles.design
        rows["design"] = {"strata": strata}
    return rows


def _reader(roles: ColumnRoles) -> Callable[[Any, tuple[str, ...], ColumnRoles], Any]:
    """Return how columns of labels are read: by target, as a table, or as one vector."""
    if roles.options.targets is not None:
        return lambda batch, columns, roles: {
            name: label_vector(batch.column(column), column) for name, column in zip(roles.options.targets, columns, strict=True)
        }
    if roles.wide:
        return lambda batch, columns, roles: table_of(batch, columns, tuple(roles.options.classes))
    return lambda batch, columns, roles: label_vector(batch.column(columns[0]), columns[0])


def scores_of(batch: Any, columns: tuple[str, ...], roles: ColumnRoles) -> Array:
    """Return the scores of the positive class, or those of each class as a table."""
    scores = [number_vector(batch.column(name)) for name in columns]
    classes = roles.options.classes
    return np.column_stack(scores) if len(columns) > 1 or (classes is not None and len(classes) == 1) else scores[0]


def holds_lists(batch: Any, roles: ColumnRoles) -> bool:
    """Return whether the truth is a column of lists of labels."""
    return not roles.wide and is_list(batch.schema.field(roles.true[0]).type)
