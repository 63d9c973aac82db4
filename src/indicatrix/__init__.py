"""indicatrix: classification evaluation as one small algebra. A measure is a function from four counts to a number."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from .algebra.arrays import ratio
from .algebra.average import AVERAGES, Score, UndefinedError
from .algebra.counts import Counts
from .algebra.measure import MEASURES, Measure, measure
from .catalogue import *  # noqa: F403
from .catalogue import __all__ as _catalogue
from .catalogue.listing import Catalogue, catalogue, references  # after the package of the same name: ix.catalogue is a function
from .catalogue.matrix import MatrixMeasure, multiclass_accuracy, multiclass_kappa, multiclass_mcc
from .evaluation import Evaluation, evaluate, from_confusion, from_counts, load

if TYPE_CHECKING:
    from .algebra.cells import Cells, aggregate, cells
    from .algebra.consistency import is_marginally_consistent, is_partition
    from .algebra.decide import top_k
    from .algebra.formula import FormulaError
    from .algebra.indicator import Indicator
    from .algebra.labels import multilabel, one_hot, soft
    from .algebra.sensitivity import Sensitivity
    from .algebra.tnorms import TNORMS, TNorm, tnorm

__version__ = "0.1.0"

# Loaded at first use: a score of plain labels needs none of these, and importing the library should cost nothing.
_ON_DEMAND = {
    "cells": ("Cells", "aggregate", "cells"),
    "consistency": ("is_marginally_consistent", "is_partition"),
    "decide": ("top_k",),
    "formula": ("FormulaError",),
    "indicator": ("Indicator",),
    "labels": ("multilabel", "one_hot", "soft"),
    "sensitivity": ("Sensitivity",),
    "tnorms": ("TNORMS", "TNorm", "tnorm"),
}
_HOME = {name: module for module, names in _ON_DEMAND.items() for name in names}

__all__ = [
    "AVERAGES",
    "MEASURES",
    "TNORMS",
    "Catalogue",
    "Cells",
    "Counts",
    "Evaluation",
    "FormulaError",
    "Indicator",
    "MatrixMeasure",
    "Measure",
    "Score",
    "Sensitivity",
    "TNorm",
    "UndefinedError",
    "aggregate",
    "catalogue",
    "cells",
    "evaluate",
    "from_confusion",
    "from_counts",
    "is_marginally_consistent",
    "is_partition",
    "load",
    "measure",
    "multiclass_accuracy",
    "multiclass_kappa",
    "multiclass_mcc",
    "multilabel",
    "one_hot",
    "ratio",
    "references",
    "soft",
    "tnorm",
    "top_k",
]
__all__ += _catalogue


def __getattr__(name: str) -> Any:
    """Return what is loaded on demand, a measure by an alias (``ix.tpr``), or one that a user has registered."""
    if name in _HOME:
        value = getattr(import_module(f".algebra.{_HOME[name]}", __name__), name)
        globals()[name] = value
        return value
    if name in MEASURES:
        return MEASURES[name]
    raise AttributeError(f"indicatrix has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*__all__, *MEASURES})
