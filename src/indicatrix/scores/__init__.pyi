# Written by `make docs` from the lists of public names and the registered measures, for type checkers and editors.

from .areas import AREAS as AREAS
from .best_thresholds import Best as Best
from .binned import Binned as Binned
from .brier_decomposition import BrierDecomposition as BrierDecomposition
from .cost_weights import COST_WEIGHTS as COST_WEIGHTS
from .calibration_check import Calibration as Calibration
from .constraints import Constraint as Constraint
from .cost_weights import CostWeight as CostWeight
from .curves import Curve as Curve
from .binned import Estimate as Estimate
from .expected_loss import ExpectedLoss as ExpectedLoss
from .rate_point import RatePoint as RatePoint
from .calibration import Reliability as Reliability
from .roc_dominance import RocDominance as RocDominance
from .sweep import Sweep as Sweep
from .tuned_rule import Tuned as Tuned
from .areas import area_under_cost_curve as area_under_cost_curve
from .areas import auc as auc
from .areas import auc_of_hull as auc_of_hull
from .areas import auprc as auprc
from .areas import average_precision as average_precision
from .balanced_log_loss import balanced_log_loss as balanced_log_loss
from .binned import binned as binned
from .proper_scores import brier as brier
from .brier_decomposition import brier_decomposition as brier_decomposition
from .skill import brier_skill as brier_skill
from .rankings import coverage_error as coverage_error
from .gains import dcg as dcg
from .calibration import ece as ece
from .areas import eer as eer
from .expected_loss import expected_loss as expected_loss
from .areas import h_measure as h_measure
from .pairwise import hand_till_auc as hand_till_auc
from .hinge import hinge_loss as hinge_loss
from .kendall import kendall as kendall
from .propensity_scores import label_propensities as label_propensities
from .rankings import label_ranking_ap as label_ranking_ap
from .areas import log_auc as log_auc
from .proper_scores import log_loss as log_loss
from .skill import log_loss_skill as log_loss_skill
from .rankings import mrr as mrr
from .gains import ndcg as ndcg
from .pairwise import ordinal_auc as ordinal_auc
from .areas import partial_auc as partial_auc
from .rankings import precision_at_k as precision_at_k
from .propensity_scores import propensity_ndcg_at_k as propensity_ndcg_at_k
from .propensity_scores import propensity_precision_at_k as propensity_precision_at_k
from .areas import r_precision as r_precision
from .rankings import ranking_loss as ranking_loss
from .rankings import recall_at_k as recall_at_k
from .calibration import reliability as reliability
from .roc_dominance import roc_dominance as roc_dominance
from .smooth_calibration import smooth_ece as smooth_ece
from .proper_scores import spherical_score as spherical_score
from .sweep import sweep as sweep
from .areas import threshold_average as threshold_average
from .top_k_accuracy import top_k_accuracy as top_k_accuracy
from .tuning import tune as tune

__all__ = [
    "AREAS",
    "Best",
    "Binned",
    "BrierDecomposition",
    "COST_WEIGHTS",
    "Calibration",
    "Constraint",
    "CostWeight",
    "Curve",
    "Estimate",
    "ExpectedLoss",
    "RatePoint",
    "Reliability",
    "RocDominance",
    "Sweep",
    "Tuned",
    "area_under_cost_curve",
    "auc",
    "auc_of_hull",
    "auprc",
    "average_precision",
    "balanced_log_loss",
    "binned",
    "brier",
    "brier_decomposition",
    "brier_skill",
    "coverage_error",
    "dcg",
    "ece",
    "eer",
    "expected_loss",
    "h_measure",
    "hand_till_auc",
    "hinge_loss",
    "kendall",
    "label_propensities",
    "label_ranking_ap",
    "log_auc",
    "log_loss",
    "log_loss_skill",
    "mrr",
    "ndcg",
    "ordinal_auc",
    "partial_auc",
    "precision_at_k",
    "propensity_ndcg_at_k",
    "propensity_precision_at_k",
    "r_precision",
    "ranking_loss",
    "recall_at_k",
    "reliability",
    "roc_dominance",
    "smooth_ece",
    "spherical_score",
    "sweep",
    "threshold_average",
    "top_k_accuracy",
    "tune",
]
