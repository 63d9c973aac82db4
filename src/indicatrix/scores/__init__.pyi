# Written by `make docs` from the lists of public names and the registered measures, for type checkers and editors.

from .areas import AREAS as AREAS
from .probabilities.cost_weights import COST_WEIGHTS as COST_WEIGHTS
from .thresholds.sweep import binned as binned
from .probabilities.brier_decomposition import brier_decomposition as brier_decomposition
from .probabilities.expected_loss import expected_loss as expected_loss
from .label_rankings.kendall import kendall as kendall
from .label_rankings.propensity_scores import label_propensities as label_propensities
from .label_rankings.propensity_scores import propensity_ndcg_at_k as propensity_ndcg_at_k
from .label_rankings.propensity_scores import propensity_precision_at_k as propensity_precision_at_k
from .probabilities.calibration import reliability as reliability
from .thresholds.roc_dominance import roc_dominance as roc_dominance
from .thresholds.sweep import sweep as sweep
from .thresholds.tuning import tune as tune

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
