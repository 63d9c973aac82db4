"""Every two options of evaluate: partitions, and distinct rows with counts, give what memory gives, or refuse it alike."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pyarrow as pa
import pytest
from loops import for_each
from rows_of_all_kinds import CROSSED, OPTIONS, in_memory, parts, rows

import indicatrix as ix
from indicatrix.engines.column_roles import roles_of
from indicatrix.engines.partitions import COUNT, evaluate_distinct, evaluate_partitions, finish_state, is_countable


@pytest.fixture(scope="module")
def table() -> pa.Table:
    return rows(120)


def in_partitions(table: pa.Table, given: dict[str, Any]) -> Any:
    """Return what every engine that counts rows makes of partitions."""
    some = parts(table, 1)
    roles = roles_of("evaluate_parts", **given)

    def total(count: Callable[..., Any], add: Callable[..., Any]) -> Any:
        return add(count([part], number) for number, part in enumerate(some))

    return evaluate_partitions(total, roles, table.select([*roles.columns]).slice(0, 0))


def in_counts(table: pa.Table, given: dict[str, Any]) -> Any:
    """Return what every engine that groups and counts by itself makes of the rows."""
    roles = roles_of("evaluate_parts", **given)
    distinct = table.group_by([*roles.columns]).aggregate([([], "count_all")])
    distinct = distinct.rename_columns([*distinct.column_names[:-1], COUNT])
    return finish_state(evaluate_distinct(distinct, roles, COUNT), roles, table.slice(0, 0))


def outcome(make: Callable[..., Any], *given: Any) -> Any:
    """Return an evaluation, or why it is refused, without the place."""
    try:
        return make(*given)
    except (TypeError, ValueError) as error:
        return re.sub(r"[0-9]+", "#", re.sub(r"^In partition [^:]*: ", "", str(error)))[:60]


@pytest.mark.one_fast_case
@for_each("option", OPTIONS)
def test_any_two_options_do_what_they_do_in_memory(option: str, table: pa.Table) -> None:
    works = 0
    for name, given in CROSSED.items():
        if name.split(" and ")[0] != option:
            continue
        expected = outcome(in_memory, table, given)
        works += isinstance(expected, ix.Evaluation)
        assert outcome(in_partitions, table, given) == expected, name
        if is_countable(roles_of("evaluate_parts", **given)):
            assert outcome(in_counts, table, given) == expected, name
    assert works
