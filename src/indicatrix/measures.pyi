# Written by `make docs` from the lists of public names and the registered measures, for type checkers and editors.

from .catalogue.counts.paper_groups import (
    accuracy,
    balanced_accuracy,
    balanced_error_rate,
    cohen_kappa,
    diagnostic_odds_ratio,
    discriminant_power,
    error_rate,
    f1,
    f_beta,
    f_beta_negative,
    false_discovery_rate,
    false_negative_rate,
    false_omission_rate,
    false_positive_rate,
    fowlkes_mallows,
    g_mean,
    gwet_ac1,
    informedness,
    jaccard,
    lift,
    markedness,
    mcc,
    negative_likelihood_ratio,
    negative_predictive_value,
    optimized_precision,
    positive_likelihood_ratio,
    precision,
    recall,
    relative_risk,
    scott_pi,
    specificity,
    subset_accuracy,
    tetrachoric,
    zero_one_loss,
)
from .catalogue.counts.dissimilarity import (
    adjusted_f,
    adjusted_geometric_mean,
    automatic_manual,
    batagelj_bren,
    chord,
    distance_index,
    equitable_threat_score,
    euclidean_distance,
    frequency_bias,
    hamming_distance,
    hellinger,
    index_of_balanced_accuracy,
    information_score,
    lance_williams,
    marginal_bray_curtis,
    p4,
    pattern_difference,
    prevalence,
    prevalence_threshold,
    random_accuracy,
    random_accuracy_unbiased,
    sensitivity_index,
    shape_difference,
    similarity_index,
    size_difference,
    variance_dissimilarity,
    yule_dissimilarity,
)
from .catalogue.matrices.information import (
    adjusted_rand_index,
    conditional_entropy_predicted,
    conditional_entropy_true,
    confusion_entropy,
    cross_entropy_of_classes,
    entropy_predicted,
    entropy_true,
    fowlkes_mallows_of_pairs,
    joint_entropy,
    kl_divergence_of_classes,
    modified_confusion_entropy,
    mutual_information,
    normalized_mutual_information,
    rand_index,
    theil_u_predicted,
    theil_u_true,
    variation_of_information,
)
from .catalogue.matrices.agreement import (
    aickin_alpha,
    bangdiwala_b,
    bennett_s,
    examples_per_class,
    kappa_no_prevalence,
    krippendorff_alpha,
    multiclass_accuracy,
    multiclass_gwet_ac1,
    multiclass_informedness,
    multiclass_kappa,
    multiclass_mcc,
    multiclass_scott_pi,
    no_information_p_value,
    no_information_rate,
)
from .catalogue.counts.similarity import (
    ample,
    anderberg,
    andres_marzo,
    baroni_urbani_buser_1,
    baroni_urbani_buser_2,
    braun_blanquet,
    clement,
    cole,
    consonni_todeschini_1,
    consonni_todeschini_2,
    consonni_todeschini_3,
    consonni_todeschini_4,
    consonni_todeschini_5,
    contingency_coefficient,
    dennis,
    doolittle,
    eyraud,
    fager_mcgowan,
    faith,
    forbes_2,
    fossum,
    gilbert_wells,
    goodall,
    goodman_kruskal_lambda,
    goodman_kruskal_lambda_r,
    guttman_lambda_a,
    guttman_lambda_b,
    hamann,
    harris_lahey,
    hawkins_dotson,
    jaccard_3w,
    johnson,
    kuder_richardson,
    kulczynski_1,
    kulczynski_2,
    maxwell_pilliner,
    mcconnaughey,
    michael,
    mountford,
    overlap,
    rogers_tanimoto,
    russell_rao,
    sokal_sneath_1,
    sokal_sneath_2,
    sokal_sneath_3,
    sokal_sneath_4,
    sokal_sneath_5,
    sorgenfrei,
    stiles,
    tarwid,
    tversky,
    yule_q,
    yule_y,
)
from .vision.image_measures import ap, ar, assd, hausdorff, hausdorff95, pq, rq, sq, surface_dice
from .scores.areas import (
    area_under_cost_curve,
    auc,
    auc_of_hull,
    auprc,
    average_precision,
    eer,
    h_measure,
    hand_till_auc,
    log_auc,
    ordinal_auc,
    partial_auc,
    r_precision,
    threshold_average,
)
from .scores.probabilities.proper_scores import balanced_log_loss, brier, log_loss, spherical_score
from .catalogue.counts.coefficients import (
    baulieu_1,
    baulieu_10,
    baulieu_11,
    baulieu_12,
    baulieu_13,
    baulieu_14,
    baulieu_15,
    baulieu_2,
    baulieu_3,
    baulieu_4,
    baulieu_5,
    baulieu_6,
    baulieu_7,
    baulieu_8,
    baulieu_9,
    benini_1,
    digby,
    gilbert_wells_factorial,
    kendall_tau_a,
    kent_foster_1,
    kent_foster_2,
    koppen_2,
    kuhns_1,
    kuhns_2,
    kuhns_3,
    kuhns_4,
    kuhns_5,
    kuhns_6,
    kuhns_7,
)
from .scores.probabilities.brier_decomposition import brier_skill, log_loss_skill, smooth_ece
from .catalogue.counts.utility import (
    chi_squared,
    conviction,
    coverage,
    interventions_avoided,
    klosgen,
    linear_utility,
    net_benefit,
    piatetsky_shapiro,
    relative_accuracy,
    sebag_schoenauer,
    weighted_accuracy,
    weighted_relative_accuracy,
)
from .catalogue.matrices.association import (
    chi_squared_degrees,
    chi_squared_p_value,
    cramer_v,
    goodman_kruskal_gamma,
    goodman_kruskal_lambda_predicted,
    goodman_kruskal_lambda_true,
    goodman_kruskal_tau_predicted,
    goodman_kruskal_tau_true,
    multiclass_chi_squared,
    multiclass_contingency_coefficient,
    multiclass_goodman_kruskal_lambda,
    multiclass_kendall_tau_b,
    phi_squared,
    somers_d,
    somers_d_predicted,
    somers_d_true,
    stuart_tau_c,
    tschuprow_t,
)
from .tasks.cost import cost
from .scores.label_rankings.ranking_scores import coverage_error, label_ranking_ap, mrr, precision_at_k, ranking_loss, recall_at_k
from .scores.label_rankings.gains import dcg, ndcg, top_k_accuracy
from .scores.probabilities.calibration import ece
from .scores.probabilities.hinge import hinge_loss

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
chi_squared_df = chi_squared_degrees
pearson_c = multiclass_contingency_coefficient
lambda_a = goodman_kruskal_lambda_true
lambda_b = goodman_kruskal_lambda_predicted
kendall_tau_c = stuart_tau_c
stuart_c = stuart_tau_c
overall_accuracy = multiclass_accuracy
nir = no_information_rate
rr = examples_per_class
weighted_kappa = multiclass_kappa
kappa_unbiased = multiclass_scott_pi
gwet_ac2 = multiclass_gwet_ac1
ac2 = multiclass_gwet_ac1
brennan_prediger = bennett_s
pabak = kappa_no_prevalence
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
