# Written by `make docs` from the lists of public names and the registered measures, for type checkers and editors.

from .listing import Catalogue as Catalogue
from .scales import SCALES as SCALES
from .scales import Scale as Scale
from .accuracy import accuracy as accuracy
from .statistics import adjusted_f as adjusted_f
from .statistics import adjusted_geometric_mean as adjusted_geometric_mean
from .matrices.pairs import adjusted_rand_index as adjusted_rand_index
from .matrices.chance import aickin_alpha as aickin_alpha
from .association import ample as ample
from .association import anderberg as anderberg
from .similarity import andres_marzo as andres_marzo
from .statistics import automatic_manual as automatic_manual
from .balance import balanced_accuracy as balanced_accuracy
from .accuracy import balanced_error_rate as balanced_error_rate
from .matrices.agreement import bangdiwala_b as bangdiwala_b
from .similarity import baroni_urbani_buser_1 as baroni_urbani_buser_1
from .similarity import baroni_urbani_buser_2 as baroni_urbani_buser_2
from .dissimilarity import batagelj_bren as batagelj_bren
from .coefficients import baulieu_1 as baulieu_1
from .coefficients import baulieu_10 as baulieu_10
from .coefficients import baulieu_11 as baulieu_11
from .coefficients import baulieu_12 as baulieu_12
from .coefficients import baulieu_13 as baulieu_13
from .coefficients import baulieu_14 as baulieu_14
from .coefficients import baulieu_15 as baulieu_15
from .coefficients import baulieu_2 as baulieu_2
from .coefficients import baulieu_3 as baulieu_3
from .coefficients import baulieu_4 as baulieu_4
from .coefficients import baulieu_5 as baulieu_5
from .coefficients import baulieu_6 as baulieu_6
from .coefficients import baulieu_7 as baulieu_7
from .coefficients import baulieu_8 as baulieu_8
from .coefficients import baulieu_9 as baulieu_9
from .coefficients import benini_1 as benini_1
from .matrices.agreement import bennett_s as bennett_s
from .similarity import braun_blanquet as braun_blanquet
from .rules import chi_squared as chi_squared
from .matrices.association import chi_squared_degrees as chi_squared_degrees
from .matrices.association import chi_squared_p_value as chi_squared_p_value
from .dissimilarity import chord as chord
from .similarity import clement as clement
from .correlation import cohen_kappa as cohen_kappa
from .association import cole as cole
from .matrices.information import conditional_entropy_predicted as conditional_entropy_predicted
from .matrices.information import conditional_entropy_true as conditional_entropy_true
from .matrices.confusion_entropies import confusion_entropy as confusion_entropy
from .similarity import consonni_todeschini_1 as consonni_todeschini_1
from .similarity import consonni_todeschini_2 as consonni_todeschini_2
from .similarity import consonni_todeschini_3 as consonni_todeschini_3
from .similarity import consonni_todeschini_4 as consonni_todeschini_4
from .similarity import consonni_todeschini_5 as consonni_todeschini_5
from .association import contingency_coefficient as contingency_coefficient
from .rules import conviction as conviction
from .rules import coverage as coverage
from .matrices.association import cramer_v as cramer_v
from .matrices.information import cross_entropy_of_classes as cross_entropy_of_classes
from .association import dennis as dennis
from .likelihood import diagnostic_odds_ratio as diagnostic_odds_ratio
from .coefficients import digby as digby
from .balance import discriminant_power as discriminant_power
from .statistics import distance_index as distance_index
from .association import doolittle as doolittle
from .matrices.information import entropy_predicted as entropy_predicted
from .matrices.information import entropy_true as entropy_true
from .statistics import equitable_threat_score as equitable_threat_score
from .accuracy import error_rate as error_rate
from .dissimilarity import euclidean_distance as euclidean_distance
from .matrices.shares import examples_per_class as examples_per_class
from .association import eyraud as eyraud
from .positive import f1 as f1
from .positive import f_beta as f_beta
from .balance import f_beta_negative as f_beta_negative
from .similarity import fager_mcgowan as fager_mcgowan
from .similarity import faith as faith
from .positive import false_discovery_rate as false_discovery_rate
from .positive import false_negative_rate as false_negative_rate
from .negative import false_omission_rate as false_omission_rate
from .negative import false_positive_rate as false_positive_rate
from .association import forbes_2 as forbes_2
from .similarity import fossum as fossum
from .positive import fowlkes_mallows as fowlkes_mallows
from .matrices.pairs import fowlkes_mallows_of_pairs as fowlkes_mallows_of_pairs
from .statistics import frequency_bias as frequency_bias
from .balance import g_mean as g_mean
from .association import gilbert_wells as gilbert_wells
from .coefficients import gilbert_wells_factorial as gilbert_wells_factorial
from .similarity import goodall as goodall
from .matrices.ordered import goodman_kruskal_gamma as goodman_kruskal_gamma
from .association import goodman_kruskal_lambda as goodman_kruskal_lambda
from .matrices.guessing import goodman_kruskal_lambda_predicted as goodman_kruskal_lambda_predicted
from .association import goodman_kruskal_lambda_r as goodman_kruskal_lambda_r
from .matrices.guessing import goodman_kruskal_lambda_true as goodman_kruskal_lambda_true
from .matrices.guessing import goodman_kruskal_tau_predicted as goodman_kruskal_tau_predicted
from .matrices.guessing import goodman_kruskal_tau_true as goodman_kruskal_tau_true
from .listing import groups as groups
from .association import guttman_lambda_a as guttman_lambda_a
from .association import guttman_lambda_b as guttman_lambda_b
from .correlation import gwet_ac1 as gwet_ac1
from .similarity import hamann as hamann
from .dissimilarity import hamming_distance as hamming_distance
from .similarity import harris_lahey as harris_lahey
from .similarity import hawkins_dotson as hawkins_dotson
from .dissimilarity import hellinger as hellinger
from .statistics import index_of_balanced_accuracy as index_of_balanced_accuracy
from .statistics import information_score as information_score
from .balance import informedness as informedness
from .positive import jaccard as jaccard
from .similarity import jaccard_3w as jaccard_3w
from .similarity import johnson as johnson
from .matrices.information import joint_entropy as joint_entropy
from .matrices.agreement import kappa_no_prevalence as kappa_no_prevalence
from .coefficients import kendall_tau_a as kendall_tau_a
from .coefficients import kent_foster_1 as kent_foster_1
from .coefficients import kent_foster_2 as kent_foster_2
from .matrices.information import kl_divergence_of_classes as kl_divergence_of_classes
from .rules import klosgen as klosgen
from .coefficients import koppen_2 as koppen_2
from .matrices.agreement import krippendorff_alpha as krippendorff_alpha
from .association import kuder_richardson as kuder_richardson
from .coefficients import kuhns_1 as kuhns_1
from .coefficients import kuhns_2 as kuhns_2
from .coefficients import kuhns_3 as kuhns_3
from .coefficients import kuhns_4 as kuhns_4
from .coefficients import kuhns_5 as kuhns_5
from .coefficients import kuhns_6 as kuhns_6
from .coefficients import kuhns_7 as kuhns_7
from .similarity import kulczynski_1 as kulczynski_1
from .similarity import kulczynski_2 as kulczynski_2
from .dissimilarity import lance_williams as lance_williams
from .positive import lift as lift
from .utility import linear_utility as linear_utility
from .statistics import marginal_bray_curtis as marginal_bray_curtis
from .balance import markedness as markedness
from .association import maxwell_pilliner as maxwell_pilliner
from .correlation import mcc as mcc
from .similarity import mcconnaughey as mcconnaughey
from .association import michael as michael
from .matrices.confusion_entropies import modified_confusion_entropy as modified_confusion_entropy
from .similarity import mountford as mountford
from .matrices.shares import multiclass_accuracy as multiclass_accuracy
from .matrices.association import multiclass_chi_squared as multiclass_chi_squared
from .matrices.association import multiclass_contingency_coefficient as multiclass_contingency_coefficient
from .matrices.guessing import multiclass_goodman_kruskal_lambda as multiclass_goodman_kruskal_lambda
from .matrices.agreement import multiclass_gwet_ac1 as multiclass_gwet_ac1
from .matrices.shares import multiclass_informedness as multiclass_informedness
from .matrices.agreement import multiclass_kappa as multiclass_kappa
from .matrices.ordered import multiclass_kendall_tau_b as multiclass_kendall_tau_b
from .matrices.shares import multiclass_mcc as multiclass_mcc
from .matrices.agreement import multiclass_scott_pi as multiclass_scott_pi
from .matrices.information import mutual_information as mutual_information
from .likelihood import negative_likelihood_ratio as negative_likelihood_ratio
from .negative import negative_predictive_value as negative_predictive_value
from .utility import net_benefit as net_benefit
from .matrices.shares import no_information_p_value as no_information_p_value
from .matrices.shares import no_information_rate as no_information_rate
from .matrices.information import normalised_mutual_information as normalised_mutual_information
from .balance import optimised_precision as optimised_precision
from .similarity import overlap as overlap
from .statistics import p4 as p4
from .matrices.pairs import pair_counts as pair_counts
from .dissimilarity import pattern_difference as pattern_difference
from .matrices.association import phi_squared as phi_squared
from .rules import piatetsky_shapiro as piatetsky_shapiro
from .likelihood import positive_likelihood_ratio as positive_likelihood_ratio
from .positive import precision as precision
from .statistics import prevalence as prevalence
from .statistics import prevalence_threshold as prevalence_threshold
from .matrices.pairs import rand_index as rand_index
from .statistics import random_accuracy as random_accuracy
from .statistics import random_accuracy_unbiased as random_accuracy_unbiased
from .positive import recall as recall
from .bibliography import references as references
from .rules import relative_accuracy as relative_accuracy
from .likelihood import relative_risk as relative_risk
from .similarity import rogers_tanimoto as rogers_tanimoto
from .similarity import russell_rao as russell_rao
from .correlation import scott_pi as scott_pi
from .rules import sebag_schoenauer as sebag_schoenauer
from .statistics import sensitivity_index as sensitivity_index
from .dissimilarity import shape_difference as shape_difference
from .statistics import similarity_index as similarity_index
from .dissimilarity import size_difference as size_difference
from .similarity import sokal_sneath_1 as sokal_sneath_1
from .similarity import sokal_sneath_2 as sokal_sneath_2
from .similarity import sokal_sneath_3 as sokal_sneath_3
from .similarity import sokal_sneath_4 as sokal_sneath_4
from .similarity import sokal_sneath_5 as sokal_sneath_5
from .matrices.ordered import somers_d as somers_d
from .matrices.ordered import somers_d_predicted as somers_d_predicted
from .matrices.ordered import somers_d_true as somers_d_true
from .similarity import sorgenfrei as sorgenfrei
from .negative import specificity as specificity
from .association import stiles as stiles
from .matrices.ordered import stuart_tau_c as stuart_tau_c
from .accuracy import subset_accuracy as subset_accuracy
from .association import tarwid as tarwid
from .correlation import tetrachoric as tetrachoric
from .matrices.information import theil_u_predicted as theil_u_predicted
from .matrices.information import theil_u_true as theil_u_true
from .matrices.association import tschuprow_t as tschuprow_t
from .similarity import tversky as tversky
from .dissimilarity import variance_dissimilarity as variance_dissimilarity
from .matrices.information import variation_of_information as variation_of_information
from .utility import weighted_accuracy as weighted_accuracy
from .rules import weighted_relative_accuracy as weighted_relative_accuracy
from .dissimilarity import yule_dissimilarity as yule_dissimilarity
from .association import yule_q as yule_q
from .association import yule_y as yule_y
from .accuracy import zero_one_loss as zero_one_loss

__all__ = [
    "Catalogue",
    "SCALES",
    "Scale",
    "accuracy",
    "adjusted_f",
    "adjusted_geometric_mean",
    "adjusted_rand_index",
    "aickin_alpha",
    "ample",
    "anderberg",
    "andres_marzo",
    "automatic_manual",
    "balanced_accuracy",
    "balanced_error_rate",
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
    "coverage",
    "cramer_v",
    "cross_entropy_of_classes",
    "dennis",
    "diagnostic_odds_ratio",
    "digby",
    "discriminant_power",
    "distance_index",
    "doolittle",
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
    "groups",
    "guttman_lambda_a",
    "guttman_lambda_b",
    "gwet_ac1",
    "hamann",
    "hamming_distance",
    "harris_lahey",
    "hawkins_dotson",
    "hellinger",
    "index_of_balanced_accuracy",
    "information_score",
    "informedness",
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
    "lance_williams",
    "lift",
    "linear_utility",
    "marginal_bray_curtis",
    "markedness",
    "maxwell_pilliner",
    "mcc",
    "mcconnaughey",
    "michael",
    "modified_confusion_entropy",
    "mountford",
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
    "negative_likelihood_ratio",
    "negative_predictive_value",
    "net_benefit",
    "no_information_p_value",
    "no_information_rate",
    "normalised_mutual_information",
    "optimised_precision",
    "overlap",
    "p4",
    "pair_counts",
    "pattern_difference",
    "phi_squared",
    "piatetsky_shapiro",
    "positive_likelihood_ratio",
    "precision",
    "prevalence",
    "prevalence_threshold",
    "rand_index",
    "random_accuracy",
    "random_accuracy_unbiased",
    "recall",
    "references",
    "relative_accuracy",
    "relative_risk",
    "rogers_tanimoto",
    "russell_rao",
    "scott_pi",
    "sebag_schoenauer",
    "sensitivity_index",
    "shape_difference",
    "similarity_index",
    "size_difference",
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
    "stiles",
    "stuart_tau_c",
    "subset_accuracy",
    "tarwid",
    "tetrachoric",
    "theil_u_predicted",
    "theil_u_true",
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
