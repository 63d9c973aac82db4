"""The table of settings: levels of claims, and a small example of each basis (tab:settings)."""

from __future__ import annotations

from collections.abc import Callable

import indicatrix as ix

from .. import settings_derived as derived
from .. import settings_others as others
from ..record import Record, experiment

# In the table's order: the key in ix.tasks.SETTINGS, the setting and its level as printed, what its basis comes to.
ROWS: tuple[tuple[str, str, str, Callable[[Record], None]], ...] = (
    ("soft_outputs", "Soft classifier outputs", "derived", derived.soft_outputs),
    ("soft_truth", "Soft/uncertain ground truth", "derived", derived.soft_truth),
    ("cost", "Cost-sensitive evaluation", "derived", derived.cost),
    ("ordinal", "Ordinal classification", "derived", derived.ordinal),
    ("masks", "Partial and missing labels", "derived", derived.masks),
    ("segmentation", "Segmentation metrics", "derived", derived.segmentation),
    ("abstention", "Abstaining classifiers", "accommodated", others.abstention),
    ("open_set", "Open-set recognition", "accommodated", others.open_set),
    ("single_class", "Single-class classification", "accommodated", others.single_class),
    ("one_vs_all", "One-vs-all decomposition", "accommodated", others.one_vs_all),
    ("hierarchy", "Hierarchical classification", "accommodated", others.hierarchy),
    ("targets", "Multi-output classification", "accommodated", others.targets),
    ("one_vs_one", "One-vs-one decomposition", "partial", others.one_vs_one),
    ("positive_unlabeled", "Positive-unlabeled learning", "partial", others.positive_unlabeled),
    ("multi_instance", "Multi-instance learning", "partial", others.multi_instance),
    ("label_ranking", "Label ranking", "boundary", others.label_ranking),
    ("proper_scores", "Proper scoring rules", "boundary", others.proper_scores),
    ("structured", "Structured output prediction", "boundary", others.structured),
    ("folds", "Resampling folds", "derived", derived.folds),
)


@experiment("tab:settings", "Nineteen settings: the level of each claim, its basis computed")
def settings(record: Record) -> None:
    """Compare the levels, compute a small example of each basis, and list how each setting is asked for."""
    table = []
    for key, title, level, basis in ROWS:
        ours, before = ix.tasks.SETTINGS[key], len(record.claims)
        record.declares(f"{title}: level", paper=level, ours=ours.level)
        basis(record)
        shown = "; ".join(f"{claim.what} ({claim.verdict})" for claim in record.claims[before + 1 :])
        table.append((ours.row, ours.level, shown, ours.asked, ours.limits))
    record.declares(
        "levels of claim that the text before the table distinguishes",
        paper=3,
        ours=len({ix.tasks.SETTINGS[key].level for key, *_ in ROWS}),
        pinned=4,
        differs="the table has four, partial among them, and the text after it speaks of four",
        errata="D",
    )
    record.note("Our levels are declared in ix.tasks.SETTINGS. What is computed is the example of each setting.")
    record.table("Settings, levels, and what was computed", ("Setting", "Level", "Computed", "Asked for by", "Limits"), table)
