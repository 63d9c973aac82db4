"""Label sets of which some are not observed: batches merge to the whole, also batches in which no class occurs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, example, given
from hypothesis import strategies as st
from loops import examples

import indicatrix as ix

SETS = st.none() | st.sets(st.integers(0, 2), max_size=2)
ROWS = st.lists(st.tuples(SETS, SETS, st.sampled_from("xy")), max_size=4)


@examples(75, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(ROWS, min_size=1, max_size=4),
    st.booleans(),
    st.sampled_from([("mask", "mask"), ("mask", "abstain")]),
)
@example([[(None, None, "x"), (set(), None, "x")], [(set(), None, "x")]], False, ("mask", "abstain"))
def test_batches_merge_to_the_whole(tmp_path: Path, batches: list[Any], grouped: bool, missing: tuple[str, str]) -> None:
    def evaluate(rows: list[Any]) -> ix.Evaluation:
        true, pred, site = ([row[k] for row in rows] for k in range(3))
        return ix.evaluate(true, pred, missing=missing, **({"by": {"site": site}} if grouped else {}))

    # A batch without any label on both sides could have any kind.
    batches = [rows for rows in batches if any(side is not None for row in rows for side in row[:2])]
    parts = [evaluate(rows) for rows in batches]
    if not parts:
        return
    whole, merged = evaluate([row for rows in batches for row in rows]), ix.Evaluation()
    for part in parts:
        part.save(tmp_path / "part.json")
        merged += ix.load(tmp_path / "part.json")
    assert merged == whole == sum(reversed(parts))
    assert merged.tally.hidden == whole.tally.hidden
    assert merged.answered() == whole.answered()
    seen = [row for rows in batches for row in rows if row[0] is not None and (row[1] is not None or missing[1] == "abstain")]
    assert merged.aggregate(()).n == len(seen) * len(whole.classes)
