"""Coefficients of several raters: their names, and the function of two raters behind each."""

from __future__ import annotations

from dataclasses import dataclass

from .matrices.agreement import GROUP


@dataclass(frozen=True)
class RaterCoefficient:
    """A coefficient of several raters, for ``ix.agreement``."""

    name: str
    of_two: str  # the function of the matrix that it is for two raters
    doc: str
    source: str  # the key in ``ix.catalogue.references()``
    range: tuple[float, float] = (-1, 1)
    better: str = "higher"
    group: str = GROUP

    def __str__(self) -> str:
        return self.name


RATER_COEFFICIENTS = {
    found.name: found
    for found in (
        RaterCoefficient(
            "percent_agreement",
            "multiclass_accuracy",
            "Share of pairs of raters that agree on an item, averaged over items.",
            "fleiss1971",
            (0, 1),
        ),
        RaterCoefficient(
            "fleiss_kappa",
            "multiclass_scott_pi",
            "Agreement of several raters beyond chance, where chance keeps the mean of their marginals.",
            "fleiss1971",
        ),
        RaterCoefficient(
            "conger_kappa",
            "multiclass_kappa",
            "Agreement of several raters beyond chance, where chance keeps the marginals of each rater.",
            "conger1980",
        ),
        RaterCoefficient("light_kappa", "multiclass_kappa", "Mean of Cohen's kappa over all pairs of raters.", "light1971"),
    )
}
