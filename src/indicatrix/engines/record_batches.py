"""Arrow record batches, or distinct rows with counts, into evaluations: every engine stands on this.

One batch and a ``ColumnRoles`` give an ``Evaluation`` (of several predictions a ``PairedCounts``, of binned scores a
``Sweep``); all three add. Texts stay codes into a dictionary: only the distinct labels of a batch become Python objects.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, TypeAlias

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
