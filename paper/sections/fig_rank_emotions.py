"""Ten rankings on emotions, where labels are nearly balanced (fig:rank_emotions)."""

from __future__ import annotations

from collections import Counter

from .. import multilabel
from ..multilabel import TEN, text
from ..record import Record, experiment


@experiment("fig:rank_emotions", "Rankings of five classifiers under ten measures on emotions")
def rank_emotions(record: Record) -> None:
    """Rank five classifiers of the nearly balanced data set under ten measures."""
    comparison = multilabel.compare(record, "emotions")
    printed = {"examples": "593", "features": "72", "labels": "6", "lowest": "0.250", "highest": "0.445", "cardinality": "1.87"}
    multilabel.describe(record, comparison, printed=printed)
    multilabel.note_the_ten(record)
    first, last = (Counter(comparison.ranking(measured)[place] for measured in TEN).most_common(1)[0] for place in (0, -1))
    record.holds(
        "the ten agree almost everywhere: nine or more on the best and on the worst (our reading)", first[1] >= 9 and last[1] >= 9
    )
    dissenting = [text(m) for m in TEN if (comparison.ranking(m)[0], comparison.ranking(m)[-1]) != (first[0], last[0])]
    record.note(f"{first[0]} is the best and {last[0]} the worst by all but {', '.join(dissenting)}.")
    multilabel.tabulate_ranks(record, comparison)
