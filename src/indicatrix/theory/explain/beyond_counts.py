"""What to know about functions that no formula of four counts describes.

These are scores of whole examples, functions of the whole confusion matrix, and areas.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ...algebra.kind import OF_OTHERS
from ...public_names import HOMES


class Advice(NamedTuple):
    """When to use a function, and when it misleads."""

    use: tuple[str, ...]
    misleads: tuple[str, ...]


ADVICE: dict[str, Advice] = {
    "subset_accuracy": Advice(
        ("Where an example is of use only if all of it is right: the class, or every label.",),
        (
            "Large classes decide it: always predicting a class of 90 % of the examples scores 0.900.",
            "With many labels per example it is near 0 for all classifiers, because one wrong label is as bad as all.",
        ),
    ),
    "zero_one_loss": Advice(
        ("Where an example is of use only if all of it is right: the class, or every label.",),
        (
            "Large classes decide it: always predicting a class of 90 % of the examples loses only 0.100.",
            "With many labels per example it is near 1 for all classifiers, because one wrong label is as bad as all.",
        ),
    ),
    "multiclass_accuracy": Advice(
        ("Where every error costs the same and the classes of the data are as frequent as those in use.",),
        (
            "Large classes decide it: always predicting a class of 90 % of the examples scores 0.900.",
            "It does not show which classes are confused.",
        ),
    ),
    "multiclass_mcc": Advice(
        (
            "For one number of the whole matrix that uses every cell: 0 for guessing and 1 for a perfect result.",
            "For the agreement of two raters: exchanging truth and prediction does not change it.",
        ),
        (
            "It is not an average of the MCC of the classes, and not the micro MCC, which counts every class that is rightly not "
            "predicted.",
            "It changes with the class sizes, even if the classifier stays the same.",
            "Its lowest value depends on the class sizes, and is -1 only for two classes.",
            "It is undefined (0/0) if only one class occurs, or only one is predicted.",
        ),
    ),
    "multiclass_informedness": Advice(
        ("To compare data with different class sizes: it is made of the recall of each class.",),
        (
            "Classes with few examples count as much as large ones, so it varies more from sample to sample.",
            "Classes that do not occur are left out, also if they are predicted.",
        ),
    ),
    "multiclass_kappa": Advice(
        (
            "For the agreement of two raters beyond chance: it does not matter which of them is taken for the truth.",
            "For ordered classes with weights='linear' or 'quadratic': near misses then count less.",
        ),
        (
            "It changes with the class sizes: the same rates have a lower kappa where one class is much larger.",
            "Values under different weights cannot be compared.",
            "It is undefined (0/0) if both raters give all examples the same class.",
        ),
    ),
    "auc": Advice(
        (
            "To compare rankings before a threshold is chosen: it is the chance that a positive scores higher than a negative.",
            "To compare data with different shares of positives: how frequent the classes are does not matter.",
        ),
        (
            "It says nothing about the threshold in use, and counts thresholds that nobody would choose.",
            "With few positives, a high area can go with low precision: look at average_precision as well.",
            "It reads only the order of the scores, so badly calibrated probabilities look as good as calibrated ones.",
        ),
    ),
    "partial_auc": Advice(
        ("Where only small false positive rates can be afforded, as in screening.",),
        (
            "It depends on the limit max_fpr, so values under different limits cannot be compared.",
            "Without standardized=True its highest value is the limit itself, not 1.",
        ),
    ),
    "log_auc": Advice(
        ("Where only the first of very many negatives can be looked at, as in virtual screening of molecules.",),
        (
            "It depends on fpr_range, so values under different ranges cannot be compared.",
            "A random ranking has neither 0 nor 1/2: from 0.001 to 0.1 it has 0.0215.",
        ),
    ),
    "auc_of_hull": Advice(
        ("Where two thresholds may be mixed, so that every point of the convex hull is a possible decision.",),
        (
            "It is optimistic: the hull is found on the same data, so random scores are above 1/2.",
            "It is never below 1/2, so it does not show that scores rank worse than chance.",
        ),
    ),
    "eer": Advice(
        ("For one number of a detection system, such as speaker verification, whose two kinds of errors are to be balanced.",),
        (
            "It reads one point of the curve, at which few systems are used.",
            "Three conventions exist for points between two thresholds; method= says which one is meant.",
        ),
    ),
    "h_measure": Advice(
        ("To compare classifiers under the same distribution of costs, where the costs in use are not known.",),
        (
            "It depends on prior=, so values under different priors cannot be compared.",
            "With prior='prevalence' it depends on the share of positives, so data with other shares have another distribution.",
            "It takes the best threshold at each cost, which has to be found in use.",
        ),
    ),
    "average_precision": Advice(
        ("Where positives are few and the top of the ranking matters, as in search.",),
        (
            "It changes with the share of positives: a random ranking scores about that share.",
            "There are five definitions, and their values differ; interpolation= says which one is meant.",
            "It says nothing about the threshold in use.",
        ),
    ),
    "auprc": Advice(
        ("Where positives are few, and mixtures of two thresholds are possible decisions.",),
        (
            "It changes with the share of positives: a random ranking scores about that share.",
            "It is not the area by trapezoids, which is too high, and not average_precision.",
        ),
    ),
    "r_precision": Advice(
        ("Where as many are picked as there are positives, so that precision and recall are the same number.",),
        ("It reads one place of the ranking only, and it needs the number of positives, which is not known in use.",),
    ),
    "area_under_cost_curve": Advice(
        ("Where costs and the share of positives in use are not known: it is a mean over all of them.",),
        (
            "All costs and shares count alike; if they are known, the cost curve at that point says more.",
            "It takes the best threshold at each point, which has to be found in use.",
        ),
    ),
    "threshold_average": Advice(
        ("For any measure, where the threshold is not chosen yet and all thresholds in an interval are equally possible.",),
        ("It depends on the scale of the scores: a rescaled score with the same order has another value.",),
    ),
    "no_information_rate": Advice(
        ("As the accuracy to beat: always predicting the largest class scores this.",),
        ("It says nothing about the classifier: it reads the true classes only.",),
    ),
    "no_information_p_value": Advice(
        ("To test whether the accuracy is higher than that of always predicting the largest class.",),
        ("A small value says that the accuracy is higher, not by how much: many examples make it small for any difference.",),
    ),
    "examples_per_class": Advice(
        ("To know how many examples a class has on the mean.",),
        ("It says nothing about the classifier, and nothing about the smallest class.",),
    ),
    "cross_entropy_of_classes": Advice(
        ("To compare how often the classes are predicted with how often they occur.",),
        (
            "It reads the frequencies of the classes only: examples may all be wrong.",
            "It is infinite if a class is never predicted.",
        ),
    ),
    "kl_divergence_of_classes": Advice(
        ("To compare how often the classes are predicted with how often they occur: 0 if the frequencies agree.",),
        (
            "It reads the frequencies of the classes only: examples may all be wrong.",
            "It is infinite if a class is never predicted.",
        ),
    ),
    "confusion_entropy": Advice(
        ("To see whether errors are spread over many classes or go to few.",),
        ("It is not the share of errors: more errors can have a lower value if they go to fewer classes.",),
    ),
    "modified_confusion_entropy": Advice(
        ("To see whether errors are spread over many classes or go to few.",),
        ("It is not the share of errors: more errors can have a lower value if they go to fewer classes.",),
    ),
    "percent_agreement": Advice(
        ("To say plainly how often two raters agree: the coefficients of agreement begin with it.",),
        (
            "It does not take off chance: two raters who give one class to 90 % of the items, at random, have 0.820.",
            "Fewer classes make it higher, even if the raters stay the same.",
        ),
    ),
    "fleiss_kappa": Advice(
        ("For the agreement of several raters beyond chance, also if every item was rated by others.",),
        (
            "Where raters rated the same items and use the classes differently often, it is lower than conger_kappa.",
            "It changes with the class sizes: the same raters have a lower value where one class is much larger.",
            "It is undefined (0/0) if all raters give all items the same class.",
        ),
    ),
    "conger_kappa": Advice(
        ("For the agreement of several raters beyond chance, where each of them rated many items and has habits of their own.",),
        (
            "Raters who use the classes differently often are expected to agree less by chance, which makes it higher.",
            "It changes with the class sizes: the same raters have a lower value where one class is much larger.",
            "It is undefined (0/0) if all raters give all items the same class.",
        ),
    ),
    "light_kappa": Advice(
        ("As one number next to the table of all pairs of raters, ix.agreement(ratings).pairs(): it is their mean.",),
        (
            "Pairs of raters count alike, however many items they share.",
            "Pairs that share no item, or give one class only, are left out; the note of its interval says how many.",
        ),
    ),
}
# What holds for every function in a group of the catalogue that has no entry of its own.
OF_GROUP: dict[str, Advice] = {
    "scores": Advice(
        ("Where scores or probabilities are judged as they are, before they become decisions.",),
        ("It says nothing about the decisions at the threshold in use.",),
    ),
    "objects": Advice(
        ("Where objects are to be found, and a score says how sure each of them is: no threshold has to be chosen.",),
        (
            "It says nothing about the threshold of the score in use.",
            "It depends on the overlaps from which an object counts as found: values under other overlaps cannot be compared.",
        ),
    ),
    "segments": Advice(
        ("Where each pixel belongs to one segment: it says whether segments are found, how well they fit, or both.",),
        ("A segment is found if its IoU is above 0.5: a little less, and it is missed, and the prediction is false.",),
    ),
    "distances": Advice(
        ("Where it matters how far two outlines are apart, as in pictures of organs.",),
        ("Overlap is not read: two outlines close to each other may hold small objects that hardly overlap.",),
    ),
    "matrix agreement": Advice(
        ("For the agreement of two raters beyond chance: it does not matter which of them is taken for the truth.",),
        (
            "Coefficients of agreement differ in what they call chance, so values of two of them cannot be compared.",
            "It changes with the sizes or the number of the classes, even if the raters stay the same.",
        ),
    ),
    "matrix association": Advice(
        ("To see whether the prediction depends on the true class at all.",),
        ("It measures dependence, not correctness: exchanging two classes in all predictions does not change it.",),
    ),
    "matrix order": Advice(
        ("Where the classes have an order: it says whether higher predictions go with higher classes.",),
        (
            "It reads the order only: predictions that are always one class too high score as high as perfect ones.",
            "The classes must be given from the lowest to the highest; another order is another value.",
        ),
    ),
    "matrix information": Advice(
        ("To say in units of information how uncertain the classes are, or how much the prediction tells about them.",),
        (
            "It does not measure correctness: exchanging two classes in all predictions does not change it.",
            "It is biased with few examples: uncertainty comes out too low, dependence too high.",
        ),
    ),
    "matrix pairs": Advice(
        ("To compare two groupings of the same examples, where the names of the groups do not matter.",),
        ("It does not measure correctness: exchanging two classes in all predictions does not change it.",),
    ),
}


# What holds for every function that has no entry, and whose group has none.
OF_KIND: dict[str, Advice] = {
    "matrix": Advice(
        ("For one number of the whole matrix, in which every pair of a true and a predicted class may count.",),
        ("It does not show which classes are confused.",),
    ),
    "ranking": Advice(
        ("To compare rankings before a threshold is chosen.",),
        ("It says nothing about the threshold in use.",),
    ),
}


def advice_on(function: Any) -> Advice:
    """Return what to know about an area or a function of the matrix or of ratings, its group or kind.

    >>> import indicatrix as ix
    >>> advice_on(ix.measures.cramer_v).use
    ('To see whether the prediction depends on the true class at all.',)
    """
    listed = function.name in HOMES or function.name in OF_OTHERS.reserved
    of_group = OF_GROUP.get(function.group) if listed else None  # one of a user's own may do what no other of its group does
    known = ADVICE.get(function.name) or of_group or OF_KIND.get(function.reads.name)
    return known or Advice((f"Where {function.reads.what} is what matters.",), ())  # a kind of a user's own
