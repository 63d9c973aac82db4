# Written by `make docs` from the lists of public names and the registered measures, for type checkers and editors.

from typing import Any

from . import engines as engines
from . import inference as inference
from . import scores as scores
from . import settings as settings
from . import theory as theory
from . import vision as vision
from . import sklearn as sklearn
from . import torch as torch
from . import integrations as integrations
from . import plots as plots
from .evaluate import evaluate as evaluate
from .evaluate import from_confusion as from_confusion
from .evaluate import from_counts as from_counts
from .evaluate import per_example as per_example
from .evaluation import Evaluation as Evaluation
from .storage.formats import load as load
from .engines.dask_frames import evaluate_dask as evaluate_dask
from .engines.files.bad_rows import BadRows as BadRows
from .engines.files.evaluation_of_files import evaluate_file as evaluate_file
from .engines.files.progress import Progress as Progress
from .engines.frames import evaluate_frame as evaluate_frame
from .engines.spark_frames import evaluate_spark as evaluate_spark
from .engines.stream import Stream as Stream
from .sklearn.cross_validation import CrossValidation as CrossValidation
from .sklearn.cross_validation import cross_validate as cross_validate
from .sklearn.scorer import Scorer as Scorer
from .sklearn.scorer import scorer as scorer
from .sklearn.tuning_step import tuned_classifier as tuned_classifier
from .comparison.comparison import Comparison as Comparison
from .comparison.compare import compare as compare
from .comparison.joint import Joint as Joint
from .comparison.joint import joint as joint
from .planning import power as power
from .explanation.explain import explain as explain
from .explanation.explanation import Explanation as Explanation
from .explained_difference import ExplainedDifference as ExplainedDifference
from .explained_difference import explain_difference as explain_difference
from .algebra.functions import ratio as ratio
from .algebra.average import AVERAGES as AVERAGES
from .algebra.consistency import is_marginally_consistent as is_marginally_consistent
from .algebra.consistency import is_partition as is_partition
from .algebra.convention import Convention as Convention
from .algebra.counts import Counts as Counts
from .algebra.evidence import Evidence as Evidence
from .algebra.formula import FormulaError as FormulaError
from .algebra.measure import MEASURES as MEASURES
from .algebra.measure import Measure as Measure
from .algebra.measure_definition import measure as measure
from .algebra.score import Score as Score
from .algebra.score import UndefinedError as UndefinedError
from .algebra.sensitivity import Sensitivity as Sensitivity
from .algebra.tnorms import TNORMS as TNORMS
from .algebra.tnorms import TNorm as TNorm
from .algebra.tnorms import tnorm as tnorm
from .algebra.negations import NEGATIONS as NEGATIONS
from .algebra.negations import Negation as Negation
from .algebra.negations import negation as negation
from .encode.decisions import above as above
from .encode.decisions import hit_in_top as hit_in_top
from .encode.decisions import reject_below as reject_below
from .encode.decisions import top_k as top_k
from .encode.encoders import multilabel as multilabel
from .encode.encoders import one_hot as one_hot
from .encode.encoders import soft as soft
from .encode.indicator import Indicator as Indicator
from .tally.cells import Cells as Cells
from .tally.cells import aggregate as aggregate
from .tally.cells import cells as cells
from .tally.replicates import Replicates as Replicates
from .dialects import Dialect as Dialect
from .dialects import dialect as dialect
from .catalogue.bibliography import references as references
from .catalogue.listing import Catalogue as Catalogue
from .catalogue.scales import SCALES as SCALES
from .catalogue.scales import Scale as Scale
from .catalogue.matrices.shares import examples_per_class as examples_per_class
from .catalogue.matrices.shares import multiclass_accuracy as multiclass_accuracy
from .catalogue.matrices.shares import multiclass_informedness as multiclass_informedness
from .catalogue.matrices.shares import multiclass_mcc as multiclass_mcc
from .catalogue.matrices.shares import no_information_p_value as no_information_p_value
from .catalogue.matrices.shares import no_information_rate as no_information_rate
from .catalogue.matrices.agreement import bangdiwala_b as bangdiwala_b
from .catalogue.matrices.agreement import bennett_s as bennett_s
from .catalogue.matrices.agreement import kappa_no_prevalence as kappa_no_prevalence
from .catalogue.matrices.agreement import krippendorff_alpha as krippendorff_alpha
from .catalogue.matrices.agreement import multiclass_gwet_ac1 as multiclass_gwet_ac1
from .catalogue.matrices.agreement import multiclass_kappa as multiclass_kappa
from .catalogue.matrices.agreement import multiclass_scott_pi as multiclass_scott_pi
from .catalogue.matrices.chance import aickin_alpha as aickin_alpha
from .catalogue.matrices.association import chi_squared_degrees as chi_squared_degrees
from .catalogue.matrices.association import chi_squared_p_value as chi_squared_p_value
from .catalogue.matrices.association import cramer_v as cramer_v
from .catalogue.matrices.association import multiclass_chi_squared as multiclass_chi_squared
from .catalogue.matrices.association import multiclass_contingency_coefficient as multiclass_contingency_coefficient
from .catalogue.matrices.association import phi_squared as phi_squared
from .catalogue.matrices.association import tschuprow_t as tschuprow_t
from .catalogue.matrices.guessing import goodman_kruskal_lambda_predicted as goodman_kruskal_lambda_predicted
from .catalogue.matrices.guessing import goodman_kruskal_lambda_true as goodman_kruskal_lambda_true
from .catalogue.matrices.guessing import goodman_kruskal_tau_predicted as goodman_kruskal_tau_predicted
from .catalogue.matrices.guessing import goodman_kruskal_tau_true as goodman_kruskal_tau_true
from .catalogue.matrices.guessing import multiclass_goodman_kruskal_lambda as multiclass_goodman_kruskal_lambda
from .catalogue.matrices.ordered import goodman_kruskal_gamma as goodman_kruskal_gamma
from .catalogue.matrices.ordered import multiclass_kendall_tau_b as multiclass_kendall_tau_b
from .catalogue.matrices.ordered import somers_d as somers_d
from .catalogue.matrices.ordered import somers_d_predicted as somers_d_predicted
from .catalogue.matrices.ordered import somers_d_true as somers_d_true
from .catalogue.matrices.ordered import stuart_tau_c as stuart_tau_c
from .catalogue.matrices.information import conditional_entropy_predicted as conditional_entropy_predicted
from .catalogue.matrices.information import conditional_entropy_true as conditional_entropy_true
from .catalogue.matrices.information import cross_entropy_of_classes as cross_entropy_of_classes
from .catalogue.matrices.information import entropy_predicted as entropy_predicted
from .catalogue.matrices.information import entropy_true as entropy_true
from .catalogue.matrices.information import joint_entropy as joint_entropy
from .catalogue.matrices.information import kl_divergence_of_classes as kl_divergence_of_classes
from .catalogue.matrices.information import mutual_information as mutual_information
from .catalogue.matrices.information import normalised_mutual_information as normalised_mutual_information
from .catalogue.matrices.information import theil_u_predicted as theil_u_predicted
from .catalogue.matrices.information import theil_u_true as theil_u_true
from .catalogue.matrices.information import variation_of_information as variation_of_information
from .catalogue.matrices.confusion_entropies import confusion_entropy as confusion_entropy
from .catalogue.matrices.confusion_entropies import modified_confusion_entropy as modified_confusion_entropy
from .catalogue.matrices.pairs import adjusted_rand_index as adjusted_rand_index
from .catalogue.matrices.pairs import fowlkes_mallows_of_pairs as fowlkes_mallows_of_pairs
from .catalogue.matrices.pairs import pair_counts as pair_counts
from .catalogue.matrices.pairs import rand_index as rand_index
from .scores.areas import AREAS as AREAS
from .scores.areas import area_under_cost_curve as area_under_cost_curve
from .scores.areas import auc as auc
from .scores.areas import auc_of_hull as auc_of_hull
from .scores.areas import auprc as auprc
from .scores.areas import average_precision as average_precision
from .scores.areas import eer as eer
from .scores.areas import h_measure as h_measure
from .scores.areas import log_auc as log_auc
from .scores.areas import partial_auc as partial_auc
from .scores.areas import r_precision as r_precision
from .scores.areas import threshold_average as threshold_average
from .scores.best_thresholds import Best as Best
from .scores.constraints import Constraint as Constraint
from .scores.rate_point import RatePoint as RatePoint
from .scores.binned import Binned as Binned
from .scores.binned import Estimate as Estimate
from .scores.binned import binned as binned
from .scores.brier_decomposition import BrierDecomposition as BrierDecomposition
from .scores.brier_decomposition import brier_decomposition as brier_decomposition
from .scores.cost_weights import COST_WEIGHTS as COST_WEIGHTS
from .scores.cost_weights import CostWeight as CostWeight
from .scores.expected_loss import ExpectedLoss as ExpectedLoss
from .scores.expected_loss import expected_loss as expected_loss
from .scores.calibration import Reliability as Reliability
from .scores.calibration import ece as ece
from .scores.calibration import reliability as reliability
from .scores.calibration_check import Calibration as Calibration
from .scores.curves import Curve as Curve
from .scores.gains import dcg as dcg
from .scores.gains import ndcg as ndcg
from .scores.hinge import hinge_loss as hinge_loss
from .scores.kendall import kendall as kendall
from .scores.pairwise import hand_till_auc as hand_till_auc
from .scores.pairwise import ordinal_auc as ordinal_auc
from .scores.balanced_log_loss import balanced_log_loss as balanced_log_loss
from .scores.proper_scores import brier as brier
from .scores.proper_scores import log_loss as log_loss
from .scores.proper_scores import spherical_score as spherical_score
from .scores.propensity_scores import label_propensities as label_propensities
from .scores.propensity_scores import propensity_ndcg_at_k as propensity_ndcg_at_k
from .scores.propensity_scores import propensity_precision_at_k as propensity_precision_at_k
from .scores.rankings import coverage_error as coverage_error
from .scores.rankings import label_ranking_ap as label_ranking_ap
from .scores.rankings import mrr as mrr
from .scores.rankings import precision_at_k as precision_at_k
from .scores.rankings import ranking_loss as ranking_loss
from .scores.rankings import recall_at_k as recall_at_k
from .scores.roc_dominance import RocDominance as RocDominance
from .scores.roc_dominance import roc_dominance as roc_dominance
from .scores.smooth_calibration import smooth_ece as smooth_ece
from .scores.skill import brier_skill as brier_skill
from .scores.skill import log_loss_skill as log_loss_skill
from .scores.sweep import Sweep as Sweep
from .scores.sweep import sweep as sweep
from .scores.top_k_accuracy import top_k_accuracy as top_k_accuracy
from .scores.tuned_rule import Tuned as Tuned
from .scores.tuning import tune as tune
from .inference.calibration.calibration_line import CalibrationLine as CalibrationLine
from .inference.calibration.calibration_line import calibration_line as calibration_line
from .inference.calibration.spiegelhalter import Spiegelhalter as Spiegelhalter
from .inference.calibration.spiegelhalter import spiegelhalter as spiegelhalter
from .inference.paired.difference import Difference as Difference
from .inference.data_sets.comparison import DataSetComparison as DataSetComparison
from .inference.data_sets.comparison import compare_data_sets as compare_data_sets
from .inference.data_sets.probabilities import DataSetProbabilities as DataSetProbabilities
from .inference.data_sets.probabilities import hierarchical_comparison as hierarchical_comparison
from .inference.folds.comparison import compare_folds as compare_folds
from .inference.folds.fold_comparison import FoldComparison as FoldComparison
from .inference.folds.interval import fold_interval as fold_interval
from .inference.order.agreement import Agreement as Agreement
from .inference.order.agreement import Reversal as Reversal
from .inference.groups.between import Between as Between
from .inference.order.conclusions import Conclusion as Conclusion
from .inference.order.conclusions import Conclusions as Conclusions
from .inference.groups.differences import GroupDifference as GroupDifference
from .inference.groups.differences import GroupDifferences as GroupDifferences
from .inference.groups.homogeneity import GroupTest as GroupTest
from .inference.intervals.interval import Interval as Interval
from .inference.intervals.of_score import interval as interval
from .inference.raters.agreement import RaterAgreement as RaterAgreement
from .inference.raters.agreement import agreement as agreement
from .inference.raters.panel import AgainstPanel as AgainstPanel
from .inference.population.scores import relations as relations
from .inference.sample_size.power import Power as Power
from .inference.population.relations import Relations as Relations
from .settings.arguments.example_costs import ExampleCosts as ExampleCosts
from .settings.arguments.example_costs import example_costs as example_costs
from .settings.arguments.cost_matrices import CostMatrix as CostMatrix
from .settings.arguments.cost_matrices import LabelCosts as LabelCosts
from .settings.arguments.cost_matrices import label_costs as label_costs
from .settings.arguments.ordinal import Ordinal as Ordinal
from .settings.arguments.ordinal import ordinal as ordinal
from .settings.arguments.taxonomy import Taxonomy as Taxonomy
from .settings.arguments.taxonomy import taxonomy as taxonomy
from .settings.table import SETTINGS as SETTINGS
from .settings.tasks.cost import cost as cost
from .settings.tasks.cost import cost_per_example as cost_per_example
from .settings.tasks.folds import Folds as Folds
from .settings.tasks.folds import folds as folds
from .settings.tasks.configurations import configurations as configurations
from .settings.tasks.preferences import preferences as preferences
from .settings.tasks.label_ranking import ranked as ranked
from .settings.tasks.multi_instance import MultiInstance as MultiInstance
from .settings.tasks.multi_instance import multi_instance as multi_instance
from .settings.tasks.multi_instance import pool_bags as pool_bags
from .settings.tasks.one_vs_all import OneVsAll as OneVsAll
from .settings.tasks.one_vs_all import one_vs_all as one_vs_all
from .settings.tasks.one_vs_one import OneVsOne as OneVsOne
from .settings.tasks.one_vs_one import one_vs_one as one_vs_one
from .settings.tasks.open_set_curve import OpenSetCurve as OpenSetCurve
from .settings.tasks.open_set_curve import open_set_curve as open_set_curve
from .settings.tasks.positive_unlabelled import Bounds as Bounds
from .settings.tasks.positive_unlabelled import PositiveUnlabelled as PositiveUnlabelled
from .settings.tasks.positive_unlabelled import positive_unlabelled as positive_unlabelled
from .settings.tasks.risk_coverage import RiskCoverage as RiskCoverage
from .settings.tasks.risk_coverage import risk_coverage as risk_coverage
from .settings.tasks.sequences import Sequences as Sequences
from .settings.tasks.sequences import entities as entities
from .settings.tasks.sequences import sequences as sequences
from .settings.tasks.spans import spans as spans
from .settings.tasks.matched_rows import span_outcomes as span_outcomes
from .settings.tasks.single_class import one_class as one_class
from .settings.tasks.votes import votes as votes
from .theory.formula.best_label_set import best_label_set as best_label_set
from .theory.formula.best_label_set import best_label_set_of as best_label_set_of
from .theory.formula.equivalence import equivalent as equivalent
from .theory.formula.floors import Floor as Floor
from .theory.formula.floors import floor as floor
from .theory.formula.floors import rescale as rescale
from .theory.formula.optimal_threshold import OptimalThreshold as OptimalThreshold
from .theory.formula.optimal_threshold import optimal_threshold as optimal_threshold
from .theory.formula.properties import Properties as Properties
from .theory.formula.properties import properties as properties
from .theory.formula.properties import select as select
from .theory.identification.identify import Identification as Identification
from .theory.identification.identify import identify as identify
from .theory.result.collapse import Collapse as Collapse
from .theory.result.dominance import Dominance as Dominance
from .theory.result.fairness import demographic_parity_difference as demographic_parity_difference
from .theory.result.fairness import demographic_parity_ratio as demographic_parity_ratio
from .theory.result.fairness import equal_opportunity_difference as equal_opportunity_difference
from .theory.result.fairness import equal_opportunity_ratio as equal_opportunity_ratio
from .theory.result.fairness import equalised_odds_difference as equalised_odds_difference
from .theory.result.fairness import equalised_odds_ratio as equalised_odds_ratio
from .theory.result.fairness import predictive_parity_difference as predictive_parity_difference
from .theory.result.fairness import predictive_parity_ratio as predictive_parity_ratio
from .theory.result.findings import Finding as Finding
from .theory.result.gap import Gap as Gap
from .theory.result.pareto import Pareto as Pareto
from .theory.result.pareto import pareto as pareto
from .theory.result.prior_free import SkewConditions as SkewConditions
from .theory.result.prior_free import uniform_error_deviation as uniform_error_deviation
from .theory.result.priors import Drift as Drift
from .theory.result.redundancy import Redundancy as Redundancy
from .theory.result.redundancy import redundant as redundant
from .vision.detection_evaluation import DetectionEvaluation as DetectionEvaluation
from .vision.error_breakdown import ErrorBreakdown as ErrorBreakdown
from .vision.evaluate_detections import detection as detection
from .vision.instances import instances as instances
from .vision.panoptic import panoptic as panoptic
from .vision.panoptic_evaluation import PanopticEvaluation as PanopticEvaluation
from .vision.segmentation import segmentation as segmentation
from .vision.segmentation_summary import segmentation_summary as segmentation_summary
from .vision.surface_distances import surface_distances as surface_distances
from .vision.surface_evaluation import SurfaceEvaluation as SurfaceEvaluation
from .vision.worst_cases import ImageCase as ImageCase
from .catalogue.accuracy import accuracy as accuracy
from .catalogue.accuracy import error_rate as error_rate
from .catalogue.accuracy import balanced_error_rate as balanced_error_rate
from .catalogue.accuracy import subset_accuracy as subset_accuracy
from .catalogue.accuracy import zero_one_loss as zero_one_loss
from .catalogue.positive import precision as precision
from .catalogue.positive import recall as recall
from .catalogue.positive import false_negative_rate as false_negative_rate
from .catalogue.positive import false_discovery_rate as false_discovery_rate
from .catalogue.positive import f_beta as f_beta
from .catalogue.positive import f1 as f1
from .catalogue.positive import jaccard as jaccard
from .catalogue.positive import fowlkes_mallows as fowlkes_mallows
from .catalogue.positive import lift as lift
from .catalogue.negative import specificity as specificity
from .catalogue.negative import negative_predictive_value as negative_predictive_value
from .catalogue.negative import false_positive_rate as false_positive_rate
from .catalogue.negative import false_omission_rate as false_omission_rate
from .catalogue.balance import balanced_accuracy as balanced_accuracy
from .catalogue.balance import g_mean as g_mean
from .catalogue.balance import informedness as informedness
from .catalogue.balance import markedness as markedness
from .catalogue.balance import f_beta_negative as f_beta_negative
from .catalogue.balance import discriminant_power as discriminant_power
from .catalogue.balance import optimised_precision as optimised_precision
from .catalogue.correlation import mcc as mcc
from .catalogue.correlation import cohen_kappa as cohen_kappa
from .catalogue.correlation import gwet_ac1 as gwet_ac1
from .catalogue.correlation import scott_pi as scott_pi
from .catalogue.correlation import tetrachoric as tetrachoric
from .catalogue.likelihood import positive_likelihood_ratio as positive_likelihood_ratio
from .catalogue.likelihood import negative_likelihood_ratio as negative_likelihood_ratio
from .catalogue.likelihood import diagnostic_odds_ratio as diagnostic_odds_ratio
from .catalogue.likelihood import relative_risk as relative_risk
from .catalogue.utility import net_benefit as net_benefit
from .catalogue.utility import weighted_accuracy as weighted_accuracy
from .catalogue.utility import linear_utility as linear_utility
from .catalogue.rules import coverage as coverage
from .catalogue.rules import relative_accuracy as relative_accuracy
from .catalogue.rules import weighted_relative_accuracy as weighted_relative_accuracy
from .catalogue.rules import klosgen as klosgen
from .catalogue.rules import conviction as conviction
from .catalogue.rules import chi_squared as chi_squared
from .catalogue.rules import piatetsky_shapiro as piatetsky_shapiro
from .catalogue.rules import sebag_schoenauer as sebag_schoenauer
from .catalogue.similarity import tversky as tversky
from .catalogue.similarity import jaccard_3w as jaccard_3w
from .catalogue.similarity import rogers_tanimoto as rogers_tanimoto
from .catalogue.similarity import russell_rao as russell_rao
from .catalogue.similarity import sokal_sneath_1 as sokal_sneath_1
from .catalogue.similarity import sokal_sneath_2 as sokal_sneath_2
from .catalogue.similarity import sokal_sneath_3 as sokal_sneath_3
from .catalogue.similarity import sokal_sneath_4 as sokal_sneath_4
from .catalogue.similarity import sokal_sneath_5 as sokal_sneath_5
from .catalogue.similarity import kulczynski_1 as kulczynski_1
from .catalogue.similarity import kulczynski_2 as kulczynski_2
from .catalogue.similarity import johnson as johnson
from .catalogue.similarity import mcconnaughey as mcconnaughey
from .catalogue.similarity import sorgenfrei as sorgenfrei
from .catalogue.similarity import overlap as overlap
from .catalogue.similarity import braun_blanquet as braun_blanquet
from .catalogue.similarity import mountford as mountford
from .catalogue.similarity import fager_mcgowan as fager_mcgowan
from .catalogue.similarity import fossum as fossum
from .catalogue.similarity import faith as faith
from .catalogue.similarity import hamann as hamann
from .catalogue.similarity import baroni_urbani_buser_1 as baroni_urbani_buser_1
from .catalogue.similarity import baroni_urbani_buser_2 as baroni_urbani_buser_2
from .catalogue.similarity import goodall as goodall
from .catalogue.similarity import hawkins_dotson as hawkins_dotson
from .catalogue.similarity import harris_lahey as harris_lahey
from .catalogue.similarity import clement as clement
from .catalogue.similarity import andres_marzo as andres_marzo
from .catalogue.similarity import consonni_todeschini_1 as consonni_todeschini_1
from .catalogue.similarity import consonni_todeschini_2 as consonni_todeschini_2
from .catalogue.similarity import consonni_todeschini_3 as consonni_todeschini_3
from .catalogue.similarity import consonni_todeschini_4 as consonni_todeschini_4
from .catalogue.similarity import consonni_todeschini_5 as consonni_todeschini_5
from .catalogue.association import yule_q as yule_q
from .catalogue.association import yule_y as yule_y
from .catalogue.association import michael as michael
from .catalogue.association import maxwell_pilliner as maxwell_pilliner
from .catalogue.association import kuder_richardson as kuder_richardson
from .catalogue.association import forbes_2 as forbes_2
from .catalogue.association import cole as cole
from .catalogue.association import tarwid as tarwid
from .catalogue.association import gilbert_wells as gilbert_wells
from .catalogue.association import dennis as dennis
from .catalogue.association import eyraud as eyraud
from .catalogue.association import doolittle as doolittle
from .catalogue.association import contingency_coefficient as contingency_coefficient
from .catalogue.association import stiles as stiles
from .catalogue.association import ample as ample
from .catalogue.association import guttman_lambda_a as guttman_lambda_a
from .catalogue.association import guttman_lambda_b as guttman_lambda_b
from .catalogue.association import goodman_kruskal_lambda as goodman_kruskal_lambda
from .catalogue.association import anderberg as anderberg
from .catalogue.association import goodman_kruskal_lambda_r as goodman_kruskal_lambda_r
from .catalogue.dissimilarity import hamming_distance as hamming_distance
from .catalogue.dissimilarity import euclidean_distance as euclidean_distance
from .catalogue.dissimilarity import variance_dissimilarity as variance_dissimilarity
from .catalogue.dissimilarity import size_difference as size_difference
from .catalogue.dissimilarity import shape_difference as shape_difference
from .catalogue.dissimilarity import pattern_difference as pattern_difference
from .catalogue.dissimilarity import lance_williams as lance_williams
from .catalogue.dissimilarity import hellinger as hellinger
from .catalogue.dissimilarity import chord as chord
from .catalogue.dissimilarity import yule_dissimilarity as yule_dissimilarity
from .catalogue.dissimilarity import batagelj_bren as batagelj_bren
from .catalogue.statistics import prevalence as prevalence
from .catalogue.statistics import frequency_bias as frequency_bias
from .catalogue.statistics import automatic_manual as automatic_manual
from .catalogue.statistics import marginal_bray_curtis as marginal_bray_curtis
from .catalogue.statistics import random_accuracy as random_accuracy
from .catalogue.statistics import random_accuracy_unbiased as random_accuracy_unbiased
from .catalogue.statistics import information_score as information_score
from .catalogue.statistics import distance_index as distance_index
from .catalogue.statistics import similarity_index as similarity_index
from .catalogue.statistics import sensitivity_index as sensitivity_index
from .catalogue.statistics import adjusted_f as adjusted_f
from .catalogue.statistics import adjusted_geometric_mean as adjusted_geometric_mean
from .catalogue.statistics import index_of_balanced_accuracy as index_of_balanced_accuracy
from .catalogue.statistics import p4 as p4
from .catalogue.statistics import prevalence_threshold as prevalence_threshold
from .catalogue.statistics import equitable_threat_score as equitable_threat_score
from .catalogue.coefficients import baulieu_1 as baulieu_1
from .catalogue.coefficients import baulieu_2 as baulieu_2
from .catalogue.coefficients import baulieu_3 as baulieu_3
from .catalogue.coefficients import baulieu_4 as baulieu_4
from .catalogue.coefficients import baulieu_5 as baulieu_5
from .catalogue.coefficients import baulieu_6 as baulieu_6
from .catalogue.coefficients import baulieu_7 as baulieu_7
from .catalogue.coefficients import baulieu_8 as baulieu_8
from .catalogue.coefficients import baulieu_9 as baulieu_9
from .catalogue.coefficients import baulieu_10 as baulieu_10
from .catalogue.coefficients import baulieu_11 as baulieu_11
from .catalogue.coefficients import baulieu_12 as baulieu_12
from .catalogue.coefficients import baulieu_13 as baulieu_13
from .catalogue.coefficients import baulieu_14 as baulieu_14
from .catalogue.coefficients import baulieu_15 as baulieu_15
from .catalogue.coefficients import benini_1 as benini_1
from .catalogue.coefficients import digby as digby
from .catalogue.coefficients import gilbert_wells_factorial as gilbert_wells_factorial
from .catalogue.coefficients import kendall_tau_a as kendall_tau_a
from .catalogue.coefficients import kent_foster_1 as kent_foster_1
from .catalogue.coefficients import kent_foster_2 as kent_foster_2
from .catalogue.coefficients import koppen_2 as koppen_2
from .catalogue.coefficients import kuhns_1 as kuhns_1
from .catalogue.coefficients import kuhns_2 as kuhns_2
from .catalogue.coefficients import kuhns_3 as kuhns_3
from .catalogue.coefficients import kuhns_4 as kuhns_4
from .catalogue.coefficients import kuhns_5 as kuhns_5
from .catalogue.coefficients import kuhns_6 as kuhns_6
from .catalogue.coefficients import kuhns_7 as kuhns_7
from .catalogue import bibliography as _bibliography, listing as _listing
from .catalogue import scales as _scales
from .catalogue.matrices import pairs as _pairs

__version__: str

label_accuracy = accuracy
sokal_michener = accuracy
simple_matching = accuracy
hamming_loss = error_rate
mean_manhattan = error_rate
ber = balanced_error_rate
exact_match = subset_accuracy
subset_loss = zero_one_loss
ppv = precision
positive_predictive_value = precision
sensitivity = recall
tpr = recall
hit_rate = recall
true_positive_rate = recall
fnr = false_negative_rate
miss_rate = false_negative_rate
fdr = false_discovery_rate
dice = f1
czekanowski = f1
iou = jaccard
critical_success_index = jaccard
threat_score = jaccard
tanimoto = jaccard
ochiai = fowlkes_mallows
otsuka_ochiai = fowlkes_mallows
cosine_similarity = fowlkes_mallows
g_measure = fowlkes_mallows
forbes = lift
tnr = specificity
selectivity = specificity
true_negative_rate = specificity
npv = negative_predictive_value
fpr = false_positive_rate
fall_out = false_positive_rate
youden_j = informedness
bookmaker = informedness
peirce_skill_score = informedness
delta_p = markedness
fleiss_levin_paik = f_beta_negative
optimized_precision = optimised_precision
phi = mcc
matthews_correlation = mcc
kendall_tau_b = mcc
kappa = cohen_kappa
heidke_skill_score = cohen_kappa
ac1 = gwet_ac1
koppen_1 = scott_pi
pearson_heron_2 = tetrachoric
lr_plus = positive_likelihood_ratio
plr = positive_likelihood_ratio
lr_minus = negative_likelihood_ratio
nlr = negative_likelihood_ratio
dor = diagnostic_odds_ratio
odds_ratio = diagnostic_odds_ratio
risk_ratio = relative_risk
predicted_positive_rate = coverage
selection_rate = coverage
novelty = weighted_relative_accuracy
dispersion = weighted_relative_accuracy
gower_legendre = sokal_sneath_2
ochiai_2 = sokal_sneath_5
driver_kroeber = kulczynski_2
icsi = mcconnaughey
individual_classification_success_index = mcconnaughey
positive_clinical_utility = sorgenfrei
simpson = overlap
overlap_coefficient = overlap
szymkiewicz_simpson = overlap
austin_colwell = goodall
odds_ratio_skill_score = yule_q
yule_w = yule_y
colligation = yule_y
loevinger = forbes_2
benini_2 = forbes_2
mean_square_contingency = doolittle
pearson_2 = contingency_coefficient
squared_euclidean_distance = hamming_distance
manhattan_distance = hamming_distance
bray_curtis = lance_williams
canberra = lance_williams
bcd = marginal_bray_curtis
racc = random_accuracy
raccu = random_accuracy_unbiased
dind = distance_index
sind = similarity_index
d_prime = sensitivity_index
agf = adjusted_f
agm = adjusted_geometric_mean
iba = index_of_balanced_accuracy
gilbert_skill_score = equitable_threat_score
kendall_tau = kendall_tau_a
overall_accuracy = multiclass_accuracy
nir = no_information_rate
rr = examples_per_class
weighted_kappa = multiclass_kappa
kappa_unbiased = multiclass_scott_pi
gwet_ac2 = multiclass_gwet_ac1
ac2 = multiclass_gwet_ac1
brennan_prediger = bennett_s
pabak = kappa_no_prevalence
chi_squared_df = chi_squared_degrees
pearson_c = multiclass_contingency_coefficient
lambda_a = goodman_kruskal_lambda_true
lambda_b = goodman_kruskal_lambda_predicted
kendall_tau_c = stuart_tau_c
stuart_c = stuart_tau_c
reference_entropy = entropy_true
response_entropy = entropy_predicted
equivocation = conditional_entropy_true
kullback_leibler = kl_divergence_of_classes
nmi = normalised_mutual_information
relative_classifier_information = theil_u_true
rci = theil_u_true
cen = confusion_entropy
mcen = modified_confusion_entropy
rand = rand_index
ari = adjusted_rand_index

class _Catalogue:
    def __call__(self, **facts: Any) -> _listing.Catalogue: ...
    Catalogue = _listing.Catalogue
    SCALES = _scales.SCALES
    Scale = _scales.Scale
    accuracy: Measure
    adjusted_f: Measure
    adjusted_geometric_mean: Measure
    adjusted_rand_index: Measure
    aickin_alpha: Measure
    ample: Measure
    anderberg: Measure
    andres_marzo: Measure
    automatic_manual: Measure
    balanced_accuracy: Measure
    balanced_error_rate: Measure
    bangdiwala_b: Measure
    baroni_urbani_buser_1: Measure
    baroni_urbani_buser_2: Measure
    batagelj_bren: Measure
    baulieu_1: Measure
    baulieu_10: Measure
    baulieu_11: Measure
    baulieu_12: Measure
    baulieu_13: Measure
    baulieu_14: Measure
    baulieu_15: Measure
    baulieu_2: Measure
    baulieu_3: Measure
    baulieu_4: Measure
    baulieu_5: Measure
    baulieu_6: Measure
    baulieu_7: Measure
    baulieu_8: Measure
    baulieu_9: Measure
    benini_1: Measure
    bennett_s: Measure
    braun_blanquet: Measure
    chi_squared: Measure
    chi_squared_degrees: Measure
    chi_squared_p_value: Measure
    chord: Measure
    clement: Measure
    cohen_kappa: Measure
    cole: Measure
    conditional_entropy_predicted: Measure
    conditional_entropy_true: Measure
    confusion_entropy: Measure
    consonni_todeschini_1: Measure
    consonni_todeschini_2: Measure
    consonni_todeschini_3: Measure
    consonni_todeschini_4: Measure
    consonni_todeschini_5: Measure
    contingency_coefficient: Measure
    conviction: Measure
    coverage: Measure
    cramer_v: Measure
    cross_entropy_of_classes: Measure
    dennis: Measure
    diagnostic_odds_ratio: Measure
    digby: Measure
    discriminant_power: Measure
    distance_index: Measure
    doolittle: Measure
    entropy_predicted: Measure
    entropy_true: Measure
    equitable_threat_score: Measure
    error_rate: Measure
    euclidean_distance: Measure
    examples_per_class: Measure
    eyraud: Measure
    f1: Measure
    f_beta: Measure
    f_beta_negative: Measure
    fager_mcgowan: Measure
    faith: Measure
    false_discovery_rate: Measure
    false_negative_rate: Measure
    false_omission_rate: Measure
    false_positive_rate: Measure
    forbes_2: Measure
    fossum: Measure
    fowlkes_mallows: Measure
    fowlkes_mallows_of_pairs: Measure
    frequency_bias: Measure
    g_mean: Measure
    gilbert_wells: Measure
    gilbert_wells_factorial: Measure
    goodall: Measure
    goodman_kruskal_gamma: Measure
    goodman_kruskal_lambda: Measure
    goodman_kruskal_lambda_predicted: Measure
    goodman_kruskal_lambda_r: Measure
    goodman_kruskal_lambda_true: Measure
    goodman_kruskal_tau_predicted: Measure
    goodman_kruskal_tau_true: Measure
    groups = staticmethod(_listing.groups)
    guttman_lambda_a: Measure
    guttman_lambda_b: Measure
    gwet_ac1: Measure
    hamann: Measure
    hamming_distance: Measure
    harris_lahey: Measure
    hawkins_dotson: Measure
    hellinger: Measure
    index_of_balanced_accuracy: Measure
    information_score: Measure
    informedness: Measure
    jaccard: Measure
    jaccard_3w: Measure
    johnson: Measure
    joint_entropy: Measure
    kappa_no_prevalence: Measure
    kendall_tau_a: Measure
    kent_foster_1: Measure
    kent_foster_2: Measure
    kl_divergence_of_classes: Measure
    klosgen: Measure
    koppen_2: Measure
    krippendorff_alpha: Measure
    kuder_richardson: Measure
    kuhns_1: Measure
    kuhns_2: Measure
    kuhns_3: Measure
    kuhns_4: Measure
    kuhns_5: Measure
    kuhns_6: Measure
    kuhns_7: Measure
    kulczynski_1: Measure
    kulczynski_2: Measure
    lance_williams: Measure
    lift: Measure
    linear_utility: Measure
    marginal_bray_curtis: Measure
    markedness: Measure
    maxwell_pilliner: Measure
    mcc: Measure
    mcconnaughey: Measure
    michael: Measure
    modified_confusion_entropy: Measure
    mountford: Measure
    multiclass_accuracy: Measure
    multiclass_chi_squared: Measure
    multiclass_contingency_coefficient: Measure
    multiclass_goodman_kruskal_lambda: Measure
    multiclass_gwet_ac1: Measure
    multiclass_informedness: Measure
    multiclass_kappa: Measure
    multiclass_kendall_tau_b: Measure
    multiclass_mcc: Measure
    multiclass_scott_pi: Measure
    mutual_information: Measure
    negative_likelihood_ratio: Measure
    negative_predictive_value: Measure
    net_benefit: Measure
    no_information_p_value: Measure
    no_information_rate: Measure
    normalised_mutual_information: Measure
    optimised_precision: Measure
    overlap: Measure
    p4: Measure
    pair_counts = staticmethod(_pairs.pair_counts)
    pattern_difference: Measure
    phi_squared: Measure
    piatetsky_shapiro: Measure
    positive_likelihood_ratio: Measure
    precision: Measure
    prevalence: Measure
    prevalence_threshold: Measure
    rand_index: Measure
    random_accuracy: Measure
    random_accuracy_unbiased: Measure
    recall: Measure
    references = _bibliography.references
    relative_accuracy: Measure
    relative_risk: Measure
    rogers_tanimoto: Measure
    russell_rao: Measure
    scott_pi: Measure
    sebag_schoenauer: Measure
    sensitivity_index: Measure
    shape_difference: Measure
    similarity_index: Measure
    size_difference: Measure
    sokal_sneath_1: Measure
    sokal_sneath_2: Measure
    sokal_sneath_3: Measure
    sokal_sneath_4: Measure
    sokal_sneath_5: Measure
    somers_d: Measure
    somers_d_predicted: Measure
    somers_d_true: Measure
    sorgenfrei: Measure
    specificity: Measure
    stiles: Measure
    stuart_tau_c: Measure
    subset_accuracy: Measure
    tarwid: Measure
    tetrachoric: Measure
    theil_u_predicted: Measure
    theil_u_true: Measure
    tschuprow_t: Measure
    tversky: Measure
    variance_dissimilarity: Measure
    variation_of_information: Measure
    weighted_accuracy: Measure
    weighted_relative_accuracy: Measure
    yule_dissimilarity: Measure
    yule_q: Measure
    yule_y: Measure
    zero_one_loss: Measure

catalogue: _Catalogue

__all__ = [
    "evaluate",
    "from_confusion",
    "from_counts",
    "per_example",
    "Evaluation",
    "load",
    "evaluate_dask",
    "BadRows",
    "evaluate_file",
    "Progress",
    "evaluate_frame",
    "evaluate_spark",
    "Stream",
    "CrossValidation",
    "cross_validate",
    "Scorer",
    "scorer",
    "tuned_classifier",
    "Comparison",
    "compare",
    "Joint",
    "joint",
    "power",
    "explain",
    "Explanation",
    "ExplainedDifference",
    "explain_difference",
    "ratio",
    "AVERAGES",
    "is_marginally_consistent",
    "is_partition",
    "Convention",
    "Counts",
    "Evidence",
    "FormulaError",
    "MEASURES",
    "Measure",
    "measure",
    "Score",
    "UndefinedError",
    "Sensitivity",
    "TNORMS",
    "TNorm",
    "tnorm",
    "NEGATIONS",
    "Negation",
    "negation",
    "above",
    "hit_in_top",
    "reject_below",
    "top_k",
    "multilabel",
    "one_hot",
    "soft",
    "Indicator",
    "Cells",
    "aggregate",
    "cells",
    "Replicates",
    "Dialect",
    "dialect",
    "references",
    "Catalogue",
    "SCALES",
    "Scale",
    "examples_per_class",
    "multiclass_accuracy",
    "multiclass_informedness",
    "multiclass_mcc",
    "no_information_p_value",
    "no_information_rate",
    "bangdiwala_b",
    "bennett_s",
    "kappa_no_prevalence",
    "krippendorff_alpha",
    "multiclass_gwet_ac1",
    "multiclass_kappa",
    "multiclass_scott_pi",
    "aickin_alpha",
    "chi_squared_degrees",
    "chi_squared_p_value",
    "cramer_v",
    "multiclass_chi_squared",
    "multiclass_contingency_coefficient",
    "phi_squared",
    "tschuprow_t",
    "goodman_kruskal_lambda_predicted",
    "goodman_kruskal_lambda_true",
    "goodman_kruskal_tau_predicted",
    "goodman_kruskal_tau_true",
    "multiclass_goodman_kruskal_lambda",
    "goodman_kruskal_gamma",
    "multiclass_kendall_tau_b",
    "somers_d",
    "somers_d_predicted",
    "somers_d_true",
    "stuart_tau_c",
    "conditional_entropy_predicted",
    "conditional_entropy_true",
    "cross_entropy_of_classes",
    "entropy_predicted",
    "entropy_true",
    "joint_entropy",
    "kl_divergence_of_classes",
    "mutual_information",
    "normalised_mutual_information",
    "theil_u_predicted",
    "theil_u_true",
    "variation_of_information",
    "confusion_entropy",
    "modified_confusion_entropy",
    "adjusted_rand_index",
    "fowlkes_mallows_of_pairs",
    "pair_counts",
    "rand_index",
    "AREAS",
    "area_under_cost_curve",
    "auc",
    "auc_of_hull",
    "auprc",
    "average_precision",
    "eer",
    "h_measure",
    "log_auc",
    "partial_auc",
    "r_precision",
    "threshold_average",
    "Best",
    "Constraint",
    "RatePoint",
    "Binned",
    "Estimate",
    "binned",
    "BrierDecomposition",
    "brier_decomposition",
    "COST_WEIGHTS",
    "CostWeight",
    "ExpectedLoss",
    "expected_loss",
    "Reliability",
    "ece",
    "reliability",
    "Calibration",
    "Curve",
    "dcg",
    "ndcg",
    "hinge_loss",
    "kendall",
    "hand_till_auc",
    "ordinal_auc",
    "balanced_log_loss",
    "brier",
    "log_loss",
    "spherical_score",
    "label_propensities",
    "propensity_ndcg_at_k",
    "propensity_precision_at_k",
    "coverage_error",
    "label_ranking_ap",
    "mrr",
    "precision_at_k",
    "ranking_loss",
    "recall_at_k",
    "RocDominance",
    "roc_dominance",
    "smooth_ece",
    "brier_skill",
    "log_loss_skill",
    "Sweep",
    "sweep",
    "top_k_accuracy",
    "Tuned",
    "tune",
    "CalibrationLine",
    "calibration_line",
    "Spiegelhalter",
    "spiegelhalter",
    "Difference",
    "DataSetComparison",
    "compare_data_sets",
    "DataSetProbabilities",
    "hierarchical_comparison",
    "compare_folds",
    "FoldComparison",
    "fold_interval",
    "Agreement",
    "Reversal",
    "Between",
    "Conclusion",
    "Conclusions",
    "GroupDifference",
    "GroupDifferences",
    "GroupTest",
    "Interval",
    "interval",
    "RaterAgreement",
    "agreement",
    "AgainstPanel",
    "relations",
    "Power",
    "Relations",
    "ExampleCosts",
    "example_costs",
    "CostMatrix",
    "LabelCosts",
    "label_costs",
    "Ordinal",
    "ordinal",
    "Taxonomy",
    "taxonomy",
    "SETTINGS",
    "cost",
    "cost_per_example",
    "Folds",
    "folds",
    "configurations",
    "preferences",
    "ranked",
    "MultiInstance",
    "multi_instance",
    "pool_bags",
    "OneVsAll",
    "one_vs_all",
    "OneVsOne",
    "one_vs_one",
    "OpenSetCurve",
    "open_set_curve",
    "Bounds",
    "PositiveUnlabelled",
    "positive_unlabelled",
    "RiskCoverage",
    "risk_coverage",
    "Sequences",
    "entities",
    "sequences",
    "spans",
    "span_outcomes",
    "one_class",
    "votes",
    "best_label_set",
    "best_label_set_of",
    "equivalent",
    "Floor",
    "floor",
    "rescale",
    "OptimalThreshold",
    "optimal_threshold",
    "Properties",
    "properties",
    "select",
    "Identification",
    "identify",
    "Collapse",
    "Dominance",
    "demographic_parity_difference",
    "demographic_parity_ratio",
    "equal_opportunity_difference",
    "equal_opportunity_ratio",
    "equalised_odds_difference",
    "equalised_odds_ratio",
    "predictive_parity_difference",
    "predictive_parity_ratio",
    "Finding",
    "Gap",
    "Pareto",
    "pareto",
    "SkewConditions",
    "uniform_error_deviation",
    "Drift",
    "Redundancy",
    "redundant",
    "DetectionEvaluation",
    "ErrorBreakdown",
    "detection",
    "instances",
    "panoptic",
    "PanopticEvaluation",
    "segmentation",
    "segmentation_summary",
    "surface_distances",
    "SurfaceEvaluation",
    "ImageCase",
    "catalogue",
    "engines",
    "inference",
    "scores",
    "settings",
    "theory",
    "vision",
    "sklearn",
    "torch",
    "integrations",
    "plots",
    "accuracy",
    "error_rate",
    "balanced_error_rate",
    "subset_accuracy",
    "zero_one_loss",
    "precision",
    "recall",
    "false_negative_rate",
    "false_discovery_rate",
    "f_beta",
    "f1",
    "jaccard",
    "fowlkes_mallows",
    "lift",
    "specificity",
    "negative_predictive_value",
    "false_positive_rate",
    "false_omission_rate",
    "balanced_accuracy",
    "g_mean",
    "informedness",
    "markedness",
    "f_beta_negative",
    "discriminant_power",
    "optimised_precision",
    "mcc",
    "cohen_kappa",
    "gwet_ac1",
    "scott_pi",
    "tetrachoric",
    "positive_likelihood_ratio",
    "negative_likelihood_ratio",
    "diagnostic_odds_ratio",
    "relative_risk",
    "net_benefit",
    "weighted_accuracy",
    "linear_utility",
    "coverage",
    "relative_accuracy",
    "weighted_relative_accuracy",
    "klosgen",
    "conviction",
    "chi_squared",
    "piatetsky_shapiro",
    "sebag_schoenauer",
    "tversky",
    "jaccard_3w",
    "rogers_tanimoto",
    "russell_rao",
    "sokal_sneath_1",
    "sokal_sneath_2",
    "sokal_sneath_3",
    "sokal_sneath_4",
    "sokal_sneath_5",
    "kulczynski_1",
    "kulczynski_2",
    "johnson",
    "mcconnaughey",
    "sorgenfrei",
    "overlap",
    "braun_blanquet",
    "mountford",
    "fager_mcgowan",
    "fossum",
    "faith",
    "hamann",
    "baroni_urbani_buser_1",
    "baroni_urbani_buser_2",
    "goodall",
    "hawkins_dotson",
    "harris_lahey",
    "clement",
    "andres_marzo",
    "consonni_todeschini_1",
    "consonni_todeschini_2",
    "consonni_todeschini_3",
    "consonni_todeschini_4",
    "consonni_todeschini_5",
    "yule_q",
    "yule_y",
    "michael",
    "maxwell_pilliner",
    "kuder_richardson",
    "forbes_2",
    "cole",
    "tarwid",
    "gilbert_wells",
    "dennis",
    "eyraud",
    "doolittle",
    "contingency_coefficient",
    "stiles",
    "ample",
    "guttman_lambda_a",
    "guttman_lambda_b",
    "goodman_kruskal_lambda",
    "anderberg",
    "goodman_kruskal_lambda_r",
    "hamming_distance",
    "euclidean_distance",
    "variance_dissimilarity",
    "size_difference",
    "shape_difference",
    "pattern_difference",
    "lance_williams",
    "hellinger",
    "chord",
    "yule_dissimilarity",
    "batagelj_bren",
    "prevalence",
    "frequency_bias",
    "automatic_manual",
    "marginal_bray_curtis",
    "random_accuracy",
    "random_accuracy_unbiased",
    "information_score",
    "distance_index",
    "similarity_index",
    "sensitivity_index",
    "adjusted_f",
    "adjusted_geometric_mean",
    "index_of_balanced_accuracy",
    "p4",
    "prevalence_threshold",
    "equitable_threat_score",
    "baulieu_1",
    "baulieu_2",
    "baulieu_3",
    "baulieu_4",
    "baulieu_5",
    "baulieu_6",
    "baulieu_7",
    "baulieu_8",
    "baulieu_9",
    "baulieu_10",
    "baulieu_11",
    "baulieu_12",
    "baulieu_13",
    "baulieu_14",
    "baulieu_15",
    "benini_1",
    "digby",
    "gilbert_wells_factorial",
    "kendall_tau_a",
    "kent_foster_1",
    "kent_foster_2",
    "koppen_2",
    "kuhns_1",
    "kuhns_2",
    "kuhns_3",
    "kuhns_4",
    "kuhns_5",
    "kuhns_6",
    "kuhns_7",
]
