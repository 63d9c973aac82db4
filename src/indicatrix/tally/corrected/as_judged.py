"""What was seen before a correction: labels as judges gave them, and gold labels alone."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ...algebra.arrays import Mask
from .by_gold import LEAST, ByGold
from .corrected import Corrected
from .fitted_labels import FittedLabels, Method
from .judged_rows import JudgedRows

JUDGED, GOLD_ALONE = "labels as judged", "gold labels alone"


@dataclass(frozen=True)
class AsJudged(Method):
    """The labels of the judges as they are; where several differ, their mean."""

    def fit(self, rows: JudgedRows) -> FittedLabels:
        """Return the mean labels of the judges that saw each row; 0 where none did."""
        return FittedLabels.known(np.nan_to_num(rows.judged), rows.weight)


def before_correction(corrected: Corrected) -> dict[str, Corrected]:
    """Return the same rows without the correction: by the labels of judges, and by gold labels alone."""
    rows, ways = corrected.rows, {}
    if rows.judges is not None:
        seen: Mask = np.asarray(~np.isnan(rows.judged).all(axis=1))
        ways[JUDGED] = replace(corrected.within(seen), method=AsJudged(), _made={})
    # Without help, gold labels alone are what is corrected.
    if rows.helped and rows.gold >= LEAST and isinstance(corrected.method, ByGold) and corrected.method.judged:
        ways[GOLD_ALONE] = replace(corrected, method=corrected.method.without_judge(), _made={})
    return ways
