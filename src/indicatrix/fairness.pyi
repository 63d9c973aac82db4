# Written by `make docs` from the lists of public names and the registered measures, for type checkers and editors.

from .theory.result.fairness import (
    demographic_parity_difference,
    demographic_parity_ratio,
    equal_opportunity_difference,
    equal_opportunity_ratio,
    equalized_odds_difference,
    equalized_odds_ratio,
    predictive_parity_difference,
    predictive_parity_ratio,
)

__all__ = [
    "demographic_parity_difference",
    "demographic_parity_ratio",
    "equal_opportunity_difference",
    "equal_opportunity_ratio",
    "equalized_odds_difference",
    "equalized_odds_ratio",
    "predictive_parity_difference",
    "predictive_parity_ratio",
]
