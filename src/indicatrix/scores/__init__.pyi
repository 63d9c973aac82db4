# Written by `make docs` from the lists of public names and the registered measures, for type checkers and editors.

from .areas import AREAS
from .probabilities.cost_weights import COST_WEIGHTS
from .thresholds.sweep import binned, sweep
from .probabilities.brier_decomposition import brier_decomposition
from .probabilities.expected_loss import expected_loss
from .label_rankings.kendall import kendall
from .label_rankings.propensity_scores import label_propensities, propensity_ndcg_at_k, propensity_precision_at_k
from .probabilities.calibration import reliability
from .thresholds.roc_dominance import roc_dominance
from .thresholds.tuning import tune

__all__ = [
    "AREAS",
    "COST_WEIGHTS",
    "binned",
    "brier_decomposition",
    "expected_loss",
    "kendall",
    "label_propensities",
    "propensity_ndcg_at_k",
    "propensity_precision_at_k",
    "reliability",
    "roc_dominance",
    "sweep",
    "tune",
]
