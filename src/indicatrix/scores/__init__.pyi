# Written by `make docs` from the lists of public names and the registered measures, for type checkers and editors.

from .areas import AREAS as AREAS
from .cost_weights import COST_WEIGHTS as COST_WEIGHTS
from .binned import binned as binned
from .brier_decomposition import brier_decomposition as brier_decomposition
from .expected_loss import expected_loss as expected_loss
from .kendall import kendall as kendall
from .propensity_scores import label_propensities as label_propensities
from .propensity_scores import propensity_ndcg_at_k as propensity_ndcg_at_k
from .propensity_scores import propensity_precision_at_k as propensity_precision_at_k
from .calibration import reliability as reliability
from .roc_dominance import roc_dominance as roc_dominance
from .sweep import sweep as sweep
from .tuning import tune as tune

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
