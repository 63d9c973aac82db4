# Written by `make docs` from the lists of public names and the registered measures, for type checkers and editors.

from .formula.best_label_set import best_label_set as best_label_set
from .formula.best_label_set import best_label_set_of as best_label_set_of
from .formula.equivalence import equivalent as equivalent
from .explain.explain import explain as explain
from ..compare.explained_difference import explain_difference as explain_difference
from .formula.floors import floor as floor
from .identify.identify import identify as identify
from .formula.optimal_threshold import optimal_threshold as optimal_threshold
from .result.dominance import pareto as pareto
from .formula.properties import properties as properties
from .result.redundancy import redundant as redundant
from .formula.floors import rescale as rescale
from .formula.properties import select as select
from .result.prior_free import uniform_error_deviation as uniform_error_deviation

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
