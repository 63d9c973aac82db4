# Written by `make docs` from the lists of public names and the registered measures, for type checkers and editors.

from .catalogue.counts.paper_groups import accuracy as accuracy
from .catalogue.counts.dissimilarity import adjusted_f as adjusted_f
from .catalogue.counts.dissimilarity import adjusted_geometric_mean as adjusted_geometric_mean
from .catalogue.matrices.information import adjusted_rand_index as adjusted_rand_index
from .catalogue.matrices.agreement import aickin_alpha as aickin_alpha
from .catalogue.counts.similarity import ample as ample
from .catalogue.counts.similarity import anderberg as anderberg
from .catalogue.counts.similarity import andres_marzo as andres_marzo
from .vision.image_measures import ap as ap
from .vision.image_measures import ar as ar
from .scores.areas import area_under_cost_curve as area_under_cost_curve
from .vision.image_measures import assd as assd
from .scores.areas import auc as auc
from .scores.areas import auc_of_hull as auc_of_hull
from .scores.areas import auprc as auprc
from .catalogue.counts.dissimilarity import automatic_manual as automatic_manual
from .scores.areas import average_precision as average_precision
from .catalogue.counts.paper_groups import balanced_accuracy as balanced_accuracy
from .catalogue.counts.paper_groups import balanced_error_rate as balanced_error_rate
from .scores.probabilities.proper_scores import balanced_log_loss as balanced_log_loss
from .catalogue.matrices.agreement import bangdiwala_b as bangdiwala_b
from .catalogue.counts.similarity import baroni_urbani_buser_1 as baroni_urbani_buser_1
from .catalogue.counts.similarity import baroni_urbani_buser_2 as baroni_urbani_buser_2
from .catalogue.counts.dissimilarity import batagelj_bren as batagelj_bren
from .catalogue.counts.coefficients import baulieu_1 as baulieu_1
from .catalogue.counts.coefficients import baulieu_10 as baulieu_10
from .catalogue.counts.coefficients import baulieu_11 as baulieu_11
from .catalogue.counts.coefficients import baulieu_12 as baulieu_12
from .catalogue.counts.coefficients import baulieu_13 as baulieu_13
from .catalogue.counts.coefficients import baulieu_14 as baulieu_14
from .catalogue.counts.coefficients import baulieu_15 as baulieu_15
from .catalogue.counts.coefficients import baulieu_2 as baulieu_2
from .catalogue.counts.coefficients import baulieu_3 as baulieu_3
from .catalogue.counts.coefficients import baulieu_4 as baulieu_4
from .catalogue.counts.coefficients import baulieu_5 as baulieu_5
from .catalogue.counts.coefficients import baulieu_6 as baulieu_6
from .catalogue.counts.coefficients import baulieu_7 as baulieu_7
from .catalogue.counts.coefficients import baulieu_8 as baulieu_8
from .catalogue.counts.coefficients import baulieu_9 as baulieu_9
from .catalogue.counts.coefficients import benini_1 as benini_1
from .catalogue.matrices.agreement import bennett_s as bennett_s
from .catalogue.counts.similarity import braun_blanquet as braun_blanquet
from .scores.probabilities.proper_scores import brier as brier
from .scores.probabilities.brier_decomposition import brier_skill as brier_skill
from .catalogue.counts.utility import chi_squared as chi_squared
from .catalogue.matrices.association import chi_squared_degrees as chi_squared_degrees
from .catalogue.matrices.association import chi_squared_p_value as chi_squared_p_value
from .catalogue.counts.dissimilarity import chord as chord
from .catalogue.counts.similarity import clement as clement
from .catalogue.counts.paper_groups import cohen_kappa as cohen_kappa
from .catalogue.counts.similarity import cole as cole
from .catalogue.matrices.information import conditional_entropy_predicted as conditional_entropy_predicted
from .catalogue.matrices.information import conditional_entropy_true as conditional_entropy_true
from .catalogue.matrices.information import confusion_entropy as confusion_entropy
from .catalogue.counts.similarity import consonni_todeschini_1 as consonni_todeschini_1
from .catalogue.counts.similarity import consonni_todeschini_2 as consonni_todeschini_2
from .catalogue.counts.similarity import consonni_todeschini_3 as consonni_todeschini_3
from .catalogue.counts.similarity import consonni_todeschini_4 as consonni_todeschini_4
from .catalogue.counts.similarity import consonni_todeschini_5 as consonni_todeschini_5
from .catalogue.counts.similarity import contingency_coefficient as contingency_coefficient
from .catalogue.counts.utility import conviction as conviction
from .tasks.cost import cost as cost
from .catalogue.counts.utility import coverage as coverage
from .scores.label_rankings.ranking_scores import coverage_error as coverage_error
from .catalogue.matrices.association import cramer_v as cramer_v
from .catalogue.matrices.information import cross_entropy_of_classes as cross_entropy_of_classes
from .scores.label_rankings.gains import dcg as dcg
from .catalogue.counts.similarity import dennis as dennis
from .catalogue.counts.paper_groups import diagnostic_odds_ratio as diagnostic_odds_ratio
from .catalogue.counts.coefficients import digby as digby
from .catalogue.counts.paper_groups import discriminant_power as discriminant_power
from .catalogue.counts.dissimilarity import distance_index as distance_index
from .catalogue.counts.similarity import doolittle as doolittle
from .scores.probabilities.calibration import ece as ece
from .scores.areas import eer as eer
from .catalogue.matrices.information import entropy_predicted as entropy_predicted
from .catalogue.matrices.information import entropy_true as entropy_true
from .catalogue.counts.dissimilarity import equitable_threat_score as equitable_threat_score
from .catalogue.counts.paper_groups import error_rate as error_rate
from .catalogue.counts.dissimilarity import euclidean_distance as euclidean_distance
from .catalogue.matrices.agreement import examples_per_class as examples_per_class
from .catalogue.counts.similarity import eyraud as eyraud
from .catalogue.counts.paper_groups import f1 as f1
from .catalogue.counts.paper_groups import f_beta as f_beta
from .catalogue.counts.paper_groups import f_beta_negative as f_beta_negative
from .catalogue.counts.similarity import fager_mcgowan as fager_mcgowan
from .catalogue.counts.similarity import faith as faith
from .catalogue.counts.paper_groups import false_discovery_rate as false_discovery_rate
from .catalogue.counts.paper_groups import false_negative_rate as false_negative_rate
from .catalogue.counts.paper_groups import false_omission_rate as false_omission_rate
from .catalogue.counts.paper_groups import false_positive_rate as false_positive_rate
from .catalogue.counts.similarity import forbes_2 as forbes_2
from .catalogue.counts.similarity import fossum as fossum
from .catalogue.counts.paper_groups import fowlkes_mallows as fowlkes_mallows
from .catalogue.matrices.information import fowlkes_mallows_of_pairs as fowlkes_mallows_of_pairs
from .catalogue.counts.dissimilarity import frequency_bias as frequency_bias
from .catalogue.counts.paper_groups import g_mean as g_mean
from .catalogue.counts.similarity import gilbert_wells as gilbert_wells
from .catalogue.counts.coefficients import gilbert_wells_factorial as gilbert_wells_factorial
from .catalogue.counts.similarity import goodall as goodall
from .catalogue.matrices.association import goodman_kruskal_gamma as goodman_kruskal_gamma
from .catalogue.counts.similarity import goodman_kruskal_lambda as goodman_kruskal_lambda
from .catalogue.matrices.association import goodman_kruskal_lambda_predicted as goodman_kruskal_lambda_predicted
from .catalogue.counts.similarity import goodman_kruskal_lambda_r as goodman_kruskal_lambda_r
from .catalogue.matrices.association import goodman_kruskal_lambda_true as goodman_kruskal_lambda_true
from .catalogue.matrices.association import goodman_kruskal_tau_predicted as goodman_kruskal_tau_predicted
from .catalogue.matrices.association import goodman_kruskal_tau_true as goodman_kruskal_tau_true
from .catalogue.counts.similarity import guttman_lambda_a as guttman_lambda_a
from .catalogue.counts.similarity import guttman_lambda_b as guttman_lambda_b
from .catalogue.counts.paper_groups import gwet_ac1 as gwet_ac1
from .scores.areas import h_measure as h_measure
from .catalogue.counts.similarity import hamann as hamann
from .catalogue.counts.dissimilarity import hamming_distance as hamming_distance
from .scores.pairwise import hand_till_auc as hand_till_auc
from .catalogue.counts.similarity import harris_lahey as harris_lahey
from .vision.image_measures import hausdorff as hausdorff
from .vision.image_measures import hausdorff95 as hausdorff95
from .catalogue.counts.similarity import hawkins_dotson as hawkins_dotson
from .catalogue.counts.dissimilarity import hellinger as hellinger
from .scores.probabilities.hinge import hinge_loss as hinge_loss
from .catalogue.counts.dissimilarity import index_of_balanced_accuracy as index_of_balanced_accuracy
from .catalogue.counts.dissimilarity import information_score as information_score
from .catalogue.counts.paper_groups import informedness as informedness
from .catalogue.counts.utility import interventions_avoided as interventions_avoided
from .catalogue.counts.paper_groups import jaccard as jaccard
from .catalogue.counts.similarity import jaccard_3w as jaccard_3w
from .catalogue.counts.similarity import johnson as johnson
from .catalogue.matrices.information import joint_entropy as joint_entropy
from .catalogue.matrices.agreement import kappa_no_prevalence as kappa_no_prevalence
from .catalogue.counts.coefficients import kendall_tau_a as kendall_tau_a
from .catalogue.counts.coefficients import kent_foster_1 as kent_foster_1
from .catalogue.counts.coefficients import kent_foster_2 as kent_foster_2
from .catalogue.matrices.information import kl_divergence_of_classes as kl_divergence_of_classes
from .catalogue.counts.utility import klosgen as klosgen
from .catalogue.counts.coefficients import koppen_2 as koppen_2
from .catalogue.matrices.agreement import krippendorff_alpha as krippendorff_alpha
from .catalogue.counts.similarity import kuder_richardson as kuder_richardson
from .catalogue.counts.coefficients import kuhns_1 as kuhns_1
from .catalogue.counts.coefficients import kuhns_2 as kuhns_2
from .catalogue.counts.coefficients import kuhns_3 as kuhns_3
from .catalogue.counts.coefficients import kuhns_4 as kuhns_4
from .catalogue.counts.coefficients import kuhns_5 as kuhns_5
from .catalogue.counts.coefficients import kuhns_6 as kuhns_6
from .catalogue.counts.coefficients import kuhns_7 as kuhns_7
from .catalogue.counts.similarity import kulczynski_1 as kulczynski_1
from .catalogue.counts.similarity import kulczynski_2 as kulczynski_2
from .scores.label_rankings.ranking_scores import label_ranking_ap as label_ranking_ap
from .catalogue.counts.dissimilarity import lance_williams as lance_williams
from .catalogue.counts.paper_groups import lift as lift
from .catalogue.counts.utility import linear_utility as linear_utility
from .scores.areas import log_auc as log_auc
from .scores.probabilities.proper_scores import log_loss as log_loss
from .scores.probabilities.brier_decomposition import log_loss_skill as log_loss_skill
from .catalogue.counts.dissimilarity import marginal_bray_curtis as marginal_bray_curtis
from .catalogue.counts.paper_groups import markedness as markedness
from .catalogue.counts.similarity import maxwell_pilliner as maxwell_pilliner
from .catalogue.counts.paper_groups import mcc as mcc
from .catalogue.counts.similarity import mcconnaughey as mcconnaughey
from .catalogue.counts.similarity import michael as michael
from .catalogue.matrices.information import modified_confusion_entropy as modified_confusion_entropy
from .catalogue.counts.similarity import mountford as mountford
from .scores.label_rankings.ranking_scores import mrr as mrr
from .catalogue.matrices.agreement import multiclass_accuracy as multiclass_accuracy
from .catalogue.matrices.association import multiclass_chi_squared as multiclass_chi_squared
from .catalogue.matrices.association import multiclass_contingency_coefficient as multiclass_contingency_coefficient
from .catalogue.matrices.association import multiclass_goodman_kruskal_lambda as multiclass_goodman_kruskal_lambda
from .catalogue.matrices.agreement import multiclass_gwet_ac1 as multiclass_gwet_ac1
from .catalogue.matrices.agreement import multiclass_informedness as multiclass_informedness
from .catalogue.matrices.agreement import multiclass_kappa as multiclass_kappa
from .catalogue.matrices.association import multiclass_kendall_tau_b as multiclass_kendall_tau_b
from .catalogue.matrices.agreement import multiclass_mcc as multiclass_mcc
from .catalogue.matrices.agreement import multiclass_scott_pi as multiclass_scott_pi
from .catalogue.matrices.information import mutual_information as mutual_information
from .scores.label_rankings.gains import ndcg as ndcg
from .catalogue.counts.paper_groups import negative_likelihood_ratio as negative_likelihood_ratio
from .catalogue.counts.paper_groups import negative_predictive_value as negative_predictive_value
from .catalogue.counts.utility import net_benefit as net_benefit
from .catalogue.matrices.agreement import no_information_p_value as no_information_p_value
from .catalogue.matrices.agreement import no_information_rate as no_information_rate
from .catalogue.matrices.information import normalized_mutual_information as normalized_mutual_information
from .catalogue.counts.paper_groups import optimized_precision as optimized_precision
from .scores.pairwise import ordinal_auc as ordinal_auc
from .catalogue.counts.similarity import overlap as overlap
from .catalogue.counts.dissimilarity import p4 as p4
from .scores.areas import partial_auc as partial_auc
from .catalogue.counts.dissimilarity import pattern_difference as pattern_difference
from .catalogue.matrices.association import phi_squared as phi_squared
from .catalogue.counts.utility import piatetsky_shapiro as piatetsky_shapiro
from .catalogue.counts.paper_groups import positive_likelihood_ratio as positive_likelihood_ratio
from .vision.image_measures import pq as pq
from .catalogue.counts.paper_groups import precision as precision
from .scores.label_rankings.ranking_scores import precision_at_k as precision_at_k
from .catalogue.counts.dissimilarity import prevalence as prevalence
from .catalogue.counts.dissimilarity import prevalence_threshold as prevalence_threshold
from .scores.areas import r_precision as r_precision
from .catalogue.matrices.information import rand_index as rand_index
from .catalogue.counts.dissimilarity import random_accuracy as random_accuracy
from .catalogue.counts.dissimilarity import random_accuracy_unbiased as random_accuracy_unbiased
from .scores.label_rankings.ranking_scores import ranking_loss as ranking_loss
from .catalogue.counts.paper_groups import recall as recall
from .scores.label_rankings.ranking_scores import recall_at_k as recall_at_k
from .catalogue.counts.utility import relative_accuracy as relative_accuracy
from .catalogue.counts.paper_groups import relative_risk as relative_risk
from .catalogue.counts.similarity import rogers_tanimoto as rogers_tanimoto
from .vision.image_measures import rq as rq
from .catalogue.counts.similarity import russell_rao as russell_rao
from .catalogue.counts.paper_groups import scott_pi as scott_pi
from .catalogue.counts.utility import sebag_schoenauer as sebag_schoenauer
from .catalogue.counts.dissimilarity import sensitivity_index as sensitivity_index
from .catalogue.counts.dissimilarity import shape_difference as shape_difference
from .catalogue.counts.dissimilarity import similarity_index as similarity_index
from .catalogue.counts.dissimilarity import size_difference as size_difference
from .scores.probabilities.smooth_calibration import smooth_ece as smooth_ece
from .catalogue.counts.similarity import sokal_sneath_1 as sokal_sneath_1
from .catalogue.counts.similarity import sokal_sneath_2 as sokal_sneath_2
from .catalogue.counts.similarity import sokal_sneath_3 as sokal_sneath_3
from .catalogue.counts.similarity import sokal_sneath_4 as sokal_sneath_4
from .catalogue.counts.similarity import sokal_sneath_5 as sokal_sneath_5
from .catalogue.matrices.association import somers_d as somers_d
from .catalogue.matrices.association import somers_d_predicted as somers_d_predicted
from .catalogue.matrices.association import somers_d_true as somers_d_true
from .catalogue.counts.similarity import sorgenfrei as sorgenfrei
from .catalogue.counts.paper_groups import specificity as specificity
from .scores.probabilities.proper_scores import spherical_score as spherical_score
from .vision.image_measures import sq as sq
from .catalogue.counts.similarity import stiles as stiles
from .catalogue.matrices.association import stuart_tau_c as stuart_tau_c
from .catalogue.counts.paper_groups import subset_accuracy as subset_accuracy
from .vision.image_measures import surface_dice as surface_dice
from .catalogue.counts.similarity import tarwid as tarwid
from .catalogue.counts.paper_groups import tetrachoric as tetrachoric
from .catalogue.matrices.information import theil_u_predicted as theil_u_predicted
from .catalogue.matrices.information import theil_u_true as theil_u_true
from .scores.areas import threshold_average as threshold_average
from .scores.label_rankings.top_k_accuracy import top_k_accuracy as top_k_accuracy
from .catalogue.matrices.association import tschuprow_t as tschuprow_t
from .catalogue.counts.similarity import tversky as tversky
from .catalogue.counts.dissimilarity import variance_dissimilarity as variance_dissimilarity
from .catalogue.matrices.information import variation_of_information as variation_of_information
from .catalogue.counts.utility import weighted_accuracy as weighted_accuracy
from .catalogue.counts.utility import weighted_relative_accuracy as weighted_relative_accuracy
from .catalogue.counts.dissimilarity import yule_dissimilarity as yule_dissimilarity
from .catalogue.counts.similarity import yule_q as yule_q
from .catalogue.counts.similarity import yule_y as yule_y
from .catalogue.counts.paper_groups import zero_one_loss as zero_one_loss

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
nmi = normalized_mutual_information
relative_classifier_information = theil_u_true
rci = theil_u_true
cen = confusion_entropy
mcen = modified_confusion_entropy
rand = rand_index
ari = adjusted_rand_index

__all__ = [
    "accuracy",
    "adjusted_f",
    "adjusted_geometric_mean",
    "adjusted_rand_index",
    "aickin_alpha",
    "ample",
    "anderberg",
    "andres_marzo",
    "ap",
    "ar",
    "area_under_cost_curve",
    "assd",
    "auc",
    "auc_of_hull",
    "auprc",
    "automatic_manual",
    "average_precision",
    "balanced_accuracy",
    "balanced_error_rate",
    "balanced_log_loss",
    "bangdiwala_b",
    "baroni_urbani_buser_1",
    "baroni_urbani_buser_2",
    "batagelj_bren",
    "baulieu_1",
    "baulieu_10",
    "baulieu_11",
    "baulieu_12",
    "baulieu_13",
    "baulieu_14",
    "baulieu_15",
    "baulieu_2",
    "baulieu_3",
    "baulieu_4",
    "baulieu_5",
    "baulieu_6",
    "baulieu_7",
    "baulieu_8",
    "baulieu_9",
    "benini_1",
    "bennett_s",
    "braun_blanquet",
    "brier",
    "brier_skill",
    "chi_squared",
    "chi_squared_degrees",
    "chi_squared_p_value",
    "chord",
    "clement",
    "cohen_kappa",
    "cole",
    "conditional_entropy_predicted",
    "conditional_entropy_true",
    "confusion_entropy",
    "consonni_todeschini_1",
    "consonni_todeschini_2",
    "consonni_todeschini_3",
    "consonni_todeschini_4",
    "consonni_todeschini_5",
    "contingency_coefficient",
    "conviction",
    "cost",
    "coverage",
    "coverage_error",
    "cramer_v",
    "cross_entropy_of_classes",
    "dcg",
    "dennis",
    "diagnostic_odds_ratio",
    "digby",
    "discriminant_power",
    "distance_index",
    "doolittle",
    "ece",
    "eer",
    "entropy_predicted",
    "entropy_true",
    "equitable_threat_score",
    "error_rate",
    "euclidean_distance",
    "examples_per_class",
    "eyraud",
    "f1",
    "f_beta",
    "f_beta_negative",
    "fager_mcgowan",
    "faith",
    "false_discovery_rate",
    "false_negative_rate",
    "false_omission_rate",
    "false_positive_rate",
    "forbes_2",
    "fossum",
    "fowlkes_mallows",
    "fowlkes_mallows_of_pairs",
    "frequency_bias",
    "g_mean",
    "gilbert_wells",
    "gilbert_wells_factorial",
    "goodall",
    "goodman_kruskal_gamma",
    "goodman_kruskal_lambda",
    "goodman_kruskal_lambda_predicted",
    "goodman_kruskal_lambda_r",
    "goodman_kruskal_lambda_true",
    "goodman_kruskal_tau_predicted",
    "goodman_kruskal_tau_true",
    "guttman_lambda_a",
    "guttman_lambda_b",
    "gwet_ac1",
    "h_measure",
    "hamann",
    "hamming_distance",
    "hand_till_auc",
    "harris_lahey",
    "hausdorff",
    "hausdorff95",
    "hawkins_dotson",
    "hellinger",
    "hinge_loss",
    "index_of_balanced_accuracy",
    "information_score",
    "informedness",
    "interventions_avoided",
    "jaccard",
    "jaccard_3w",
    "johnson",
    "joint_entropy",
    "kappa_no_prevalence",
    "kendall_tau_a",
    "kent_foster_1",
    "kent_foster_2",
    "kl_divergence_of_classes",
    "klosgen",
    "koppen_2",
    "krippendorff_alpha",
    "kuder_richardson",
    "kuhns_1",
    "kuhns_2",
    "kuhns_3",
    "kuhns_4",
    "kuhns_5",
    "kuhns_6",
    "kuhns_7",
    "kulczynski_1",
    "kulczynski_2",
    "label_ranking_ap",
    "lance_williams",
    "lift",
    "linear_utility",
    "log_auc",
    "log_loss",
    "log_loss_skill",
    "marginal_bray_curtis",
    "markedness",
    "maxwell_pilliner",
    "mcc",
    "mcconnaughey",
    "michael",
    "modified_confusion_entropy",
    "mountford",
    "mrr",
    "multiclass_accuracy",
    "multiclass_chi_squared",
    "multiclass_contingency_coefficient",
    "multiclass_goodman_kruskal_lambda",
    "multiclass_gwet_ac1",
    "multiclass_informedness",
    "multiclass_kappa",
    "multiclass_kendall_tau_b",
    "multiclass_mcc",
    "multiclass_scott_pi",
    "mutual_information",
    "ndcg",
    "negative_likelihood_ratio",
    "negative_predictive_value",
    "net_benefit",
    "no_information_p_value",
    "no_information_rate",
    "normalized_mutual_information",
    "optimized_precision",
    "ordinal_auc",
    "overlap",
    "p4",
    "partial_auc",
    "pattern_difference",
    "phi_squared",
    "piatetsky_shapiro",
    "positive_likelihood_ratio",
    "pq",
    "precision",
    "precision_at_k",
    "prevalence",
    "prevalence_threshold",
    "r_precision",
    "rand_index",
    "random_accuracy",
    "random_accuracy_unbiased",
    "ranking_loss",
    "recall",
    "recall_at_k",
    "relative_accuracy",
    "relative_risk",
    "rogers_tanimoto",
    "rq",
    "russell_rao",
    "scott_pi",
    "sebag_schoenauer",
    "sensitivity_index",
    "shape_difference",
    "similarity_index",
    "size_difference",
    "smooth_ece",
    "sokal_sneath_1",
    "sokal_sneath_2",
    "sokal_sneath_3",
    "sokal_sneath_4",
    "sokal_sneath_5",
    "somers_d",
    "somers_d_predicted",
    "somers_d_true",
    "sorgenfrei",
    "specificity",
    "spherical_score",
    "sq",
    "stiles",
    "stuart_tau_c",
    "subset_accuracy",
    "surface_dice",
    "tarwid",
    "tetrachoric",
    "theil_u_predicted",
    "theil_u_true",
    "threshold_average",
    "top_k_accuracy",
    "tschuprow_t",
    "tversky",
    "variance_dissimilarity",
    "variation_of_information",
    "weighted_accuracy",
    "weighted_relative_accuracy",
    "yule_dissimilarity",
    "yule_q",
    "yule_y",
    "zero_one_loss",
]
