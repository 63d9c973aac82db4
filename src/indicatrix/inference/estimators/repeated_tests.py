"""Examples that several folds tested: their copies are not independent."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...tally.tally import FOLD, TESTED_AGAIN


def check_tested_once(ev: Any, clusters: Any = None) -> None:
    """Refuse an evaluation whose examples were tested several times, unless clusters keep these together."""
    if clusters in (None, FOLD, *TESTED_AGAIN) and ev.tally.distinct < ev.n:
        raise ValueError(tested_again(ev.tally.distinct, ev.n))


def check_rows_tested_once(swept: Any, clusters: Any = None) -> None:
    """Refuse scores of examples that were tested several times, unless clusters keep these together."""
    groups = {} if swept.rows is None else swept.rows.groups
    again = next((axis for axis in TESTED_AGAIN if axis in groups), None)
    apart = clusters is None or (isinstance(clusters, str) and clusters in (FOLD, again))
    if again is None or FOLD not in groups or not apart:
        return
    distinct = int(np.bincount(groups[again][1]).max(initial=0))
    if distinct < swept.n:
        raise ValueError(tested_again(distinct, swept.n))


def tested_again(distinct: int, n: int) -> str:
    """Return why there is no interval and no test, and what to do."""
    return (
        f"The {n:,} predictions are of {distinct:,} examples, which several folds tested: copies of an example are not "
        "independent, so the counts do not tell how sure a score is. Over folds, cv.interval('macro f1') or "
        "ix.inference.fold_interval(ev.folds('f1')) does, and ix.inference.compare_folds compares classifiers; of one repeat, "
        "split() does."
    )
