"""Measures as people write them: balanced accuracy, MCC, F1."""

from __future__ import annotations

SPOKEN = {
    "chi_squared": "chi-squared",
    "cohen_kappa": "Cohen's kappa",
    "f1": "F1",
    "f_beta": "F-beta",
    "f_beta_negative": "F-beta of the negative class",
    "fowlkes_mallows": "Fowlkes-Mallows index",
    "g_mean": "G-mean",
    "godel": "Gödel",
    "gwet_ac1": "Gwet's AC1",
    "jaccard": "Jaccard",
    "kappa": "Cohen's kappa",
    "klosgen": "Klösgen's measure",
    "lukasiewicz": "Łukasiewicz",
    "mcc": "MCC",
    "npv": "negative predictive value",
    "phi": "phi coefficient",
    "piatetsky_shapiro": "Piatetsky-Shapiro",
    "russell_rao": "tp/n",
    "sebag_schoenauer": "Sebag-Schoenauer",
    "tetrachoric": "tetrachoric correlation",
}


def words(name: str) -> str:
    """Return how a measure of the catalogue, or a t-norm, is written in a text.

    >>> words("balanced_accuracy"), words("g_mean"), words("f_beta(beta=2)")
    ('balanced accuracy', 'G-mean', 'F-beta (beta=2)')
    """
    base, bracket, params = name.partition("(")
    spoken = SPOKEN.get(base, base.replace("_", " "))
    return f"{spoken} ({params}" if bracket else spoken
