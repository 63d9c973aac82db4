# Written by `make docs` from the lists of public names and the registered measures, for type checkers and editors.

from ..settings.paper_settings import SETTINGS
from ..encode.pairs import configurations
from .cost import cost_per_example
from .spans.sequences import entities, sequences
from ..settings.example_costs import example_costs
from .folds import folds
from ..settings.cost_matrices import label_costs
from .multi_instance import multi_instance, pool_bags
from .selective.single_class import one_class
from .pairwise.one_vs_all import one_vs_all
from .pairwise.one_vs_one import one_vs_one
from .selective.open_set_curve import open_set_curve
from ..settings.ordinal import ordinal
from ..catalogue.matrices.information import pair_counts
from ..evals.measures import pass_at_k, pass_hat_k
from ..evaluate import per_example
from .positive_unlabeled import positive_unlabeled
from .label_ranking import preferences, top_ranked
from .selective.risk_coverage import risk_coverage
from .spans.span_pairs import span_outcomes
from .spans.spans import spans
from ..settings.taxonomy import taxonomy
from .votes import votes

__all__ = [
    "SETTINGS",
    "configurations",
    "cost_per_example",
    "entities",
    "example_costs",
    "folds",
    "label_costs",
    "multi_instance",
    "one_class",
    "one_vs_all",
    "one_vs_one",
    "open_set_curve",
    "ordinal",
    "pair_counts",
    "pass_at_k",
    "pass_hat_k",
    "per_example",
    "pool_bags",
    "positive_unlabeled",
    "preferences",
    "risk_coverage",
    "sequences",
    "span_outcomes",
    "spans",
    "taxonomy",
    "top_ranked",
    "votes",
]
