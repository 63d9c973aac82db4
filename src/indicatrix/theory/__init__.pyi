# Written by `make docs` from the lists of public names and the registered measures, for type checkers and editors.

from .result.collapse import Collapse as Collapse
from .result.dominance import Dominance as Dominance
from .result.priors import Drift as Drift
from .result.findings import Finding as Finding
from .formula.floors import Floor as Floor
from .result.gap import Gap as Gap
from .identification.identify import Identification as Identification
from .formula.optimal_threshold import OptimalThreshold as OptimalThreshold
from .result.pareto import Pareto as Pareto
from .formula.properties import Properties as Properties
from .result.redundancy import Redundancy as Redundancy
from .result.prior_free import SkewConditions as SkewConditions
from .formula.best_label_set import best_label_set as best_label_set
from .formula.best_label_set import best_label_set_of as best_label_set_of
from .result.fairness import demographic_parity_difference as demographic_parity_difference
from .result.fairness import demographic_parity_ratio as demographic_parity_ratio
from .result.fairness import equal_opportunity_difference as equal_opportunity_difference
from .result.fairness import equal_opportunity_ratio as equal_opportunity_ratio
from .result.fairness import equalised_odds_difference as equalised_odds_difference
from .result.fairness import equalised_odds_ratio as equalised_odds_ratio
from .formula.equivalence import equivalent as equivalent
from .formula.floors import floor as floor
from .identification.identify import identify as identify
from .formula.optimal_threshold import optimal_threshold as optimal_threshold
from .result.pareto import pareto as pareto
from .result.fairness import predictive_parity_difference as predictive_parity_difference
from .result.fairness import predictive_parity_ratio as predictive_parity_ratio
from .formula.properties import properties as properties
from .result.redundancy import redundant as redundant
from .formula.floors import rescale as rescale
from .formula.properties import select as select
from .result.prior_free import uniform_error_deviation as uniform_error_deviation

__all__ = [
    "Collapse",
    "Dominance",
    "Drift",
    "Finding",
    "Floor",
    "Gap",
    "Identification",
    "OptimalThreshold",
    "Pareto",
    "Properties",
    "Redundancy",
    "SkewConditions",
    "best_label_set",
    "best_label_set_of",
    "demographic_parity_difference",
    "demographic_parity_ratio",
    "equal_opportunity_difference",
    "equal_opportunity_ratio",
    "equalised_odds_difference",
    "equalised_odds_ratio",
    "equivalent",
    "floor",
    "identify",
    "optimal_threshold",
    "pareto",
    "predictive_parity_difference",
    "predictive_parity_ratio",
    "properties",
    "redundant",
    "rescale",
    "select",
    "uniform_error_deviation",
]
