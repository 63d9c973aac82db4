"""Plots: they draw given results with matplotlib and compute no score."""

from __future__ import annotations

from ..public_names import load_at_first_use

HOMES = {  # each name, and the module that defines it; `make docs` writes the stub from it
    "Outline": "detections",
    "agreement": "matrices",
    "confusion": "matrices",
    "critical_differences": "rows",
    "curves": "score_curves",
    "errors": "detections",
    "floors": "lines",
    "forest": "rows",
    "gap": "lines",
    "groups": "rows",
    "objects": "detections",
    "prior_sensitivity": "lines",
    "ranks": "matrices",
    "reliability": "score_curves",
    "risk_coverage": "lines",
    "thresholds": "lines",
    "units": "rows",
}
__all__ = sorted(HOMES)
ROC, PR = "ix.plots.curves(ix.sweep(y_true, scores).roc())", "ix.plots.curves(ix.sweep(y_true, scores).pr())"
HINTS = {  # names that people try, and what draws this here
    **dict.fromkeys(("roc", "roc_curve", "roc_auc", "auc"), ROC),
    **dict.fromkeys(("pr", "pr_curve", "precision_recall", "precision_recall_curve"), PR),
    "det": "ix.plots.curves(ix.sweep(y_true, scores).det())",
    "lift": "ix.plots.curves(ix.sweep(y_true, scores).lift())",
    **dict.fromkeys(("confusion_matrix", "matrix", "heatmap"), "ev.plot.confusion() of an evaluation, or ix.plots.confusion"),
    **dict.fromkeys(("calibration", "calibration_curve", "reliability_diagram"), "ix.plots.reliability"),
    **dict.fromkeys(("threshold", "threshold_curve"), "ix.sweep(y_true, scores).plot('f1'), or ix.plots.thresholds"),
    **dict.fromkeys(("compare", "comparison", "differences"), "ix.plots.forest"),
}
__getattr__ = load_at_first_use(__name__, HOMES, HINTS)


def __dir__() -> list[str]:
    return __all__
