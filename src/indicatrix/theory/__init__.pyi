# Written by `make docs` from the lists of public names and the registered measures, for type checkers and editors.

from .formula.best_label_set import best_label_set, best_label_set_of
from .formula.equivalence import equivalent
from .explain.explain import explain
from ..compare.explained_difference import explain_difference
from .formula.measure_notes import floor, rescale
from .identify.identify import identify
from .formula.optimal_threshold import optimal_threshold
from .result.dominance import pareto
from .formula.properties import properties, select
from .result.redundancy import redundant
from .result.prior_free import uniform_error_deviation

__all__ = [
    "best_label_set",
    "best_label_set_of",
    "equivalent",
    "explain",
    "explain_difference",
    "floor",
    "identify",
    "optimal_threshold",
    "pareto",
    "properties",
    "redundant",
    "rescale",
    "select",
    "uniform_error_deviation",
]
