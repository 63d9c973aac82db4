# Written by `make docs` from the lists of public names and the registered measures, for type checkers and editors.

from ..settings.paper_settings import SETTINGS as SETTINGS
from .configurations import configurations as configurations
from .cost import cost_per_example as cost_per_example
from .spans.sequences import entities as entities
from ..settings.example_costs import example_costs as example_costs
from .folds import folds as folds
from ..settings.cost_matrices import label_costs as label_costs
from .multi_instance import multi_instance as multi_instance
from .selective.single_class import one_class as one_class
from .pairwise.one_vs_all import one_vs_all as one_vs_all
from .pairwise.one_vs_one import one_vs_one as one_vs_one
from .selective.open_set_curve import open_set_curve as open_set_curve
from ..settings.ordinal import ordinal as ordinal
from ..catalogue.matrices.information import pair_counts as pair_counts
from ..evals.measures import pass_at_k as pass_at_k
from ..evals.measures import pass_hat_k as pass_hat_k
from ..evaluate import per_example as per_example
from .multi_instance import pool_bags as pool_bags
from .positive_unlabeled import positive_unlabeled as positive_unlabeled
from .label_ranking import preferences as preferences
from .selective.risk_coverage import risk_coverage as risk_coverage
from .spans.sequences import sequences as sequences
from .spans.span_pairs import span_outcomes as span_outcomes
from .spans.spans import spans as spans
from ..settings.taxonomy import taxonomy as taxonomy
from .label_ranking import top_ranked as top_ranked
from .votes import votes as votes

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
