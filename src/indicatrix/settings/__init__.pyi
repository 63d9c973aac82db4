# Written by `make docs` from the lists of public names and the registered measures, for type checkers and editors.

from .tasks.positive_unlabelled import Bounds as Bounds
from .arguments.cost_matrices import CostMatrix as CostMatrix
from .arguments.example_costs import ExampleCosts as ExampleCosts
from .tasks.folds import Folds as Folds
from .arguments.cost_matrices import LabelCosts as LabelCosts
from .tasks.multi_instance import MultiInstance as MultiInstance
from .tasks.one_vs_all import OneVsAll as OneVsAll
from .tasks.one_vs_one import OneVsOne as OneVsOne
from .tasks.open_set_curve import OpenSetCurve as OpenSetCurve
from .arguments.ordinal import Ordinal as Ordinal
from .tasks.positive_unlabelled import PositiveUnlabelled as PositiveUnlabelled
from .tasks.risk_coverage import RiskCoverage as RiskCoverage
from .table import SETTINGS as SETTINGS
from .tasks.sequences import Sequences as Sequences
from .arguments.taxonomy import Taxonomy as Taxonomy
from .tasks.configurations import configurations as configurations
from .tasks.cost import cost as cost
from .tasks.cost import cost_per_example as cost_per_example
from .tasks.sequences import entities as entities
from .arguments.example_costs import example_costs as example_costs
from .tasks.folds import folds as folds
from .arguments.cost_matrices import label_costs as label_costs
from .tasks.multi_instance import multi_instance as multi_instance
from .tasks.single_class import one_class as one_class
from .tasks.one_vs_all import one_vs_all as one_vs_all
from .tasks.one_vs_one import one_vs_one as one_vs_one
from .tasks.open_set_curve import open_set_curve as open_set_curve
from .arguments.ordinal import ordinal as ordinal
from .tasks.multi_instance import pool_bags as pool_bags
from .tasks.positive_unlabelled import positive_unlabelled as positive_unlabelled
from .tasks.preferences import preferences as preferences
from .tasks.label_ranking import ranked as ranked
from .tasks.risk_coverage import risk_coverage as risk_coverage
from .tasks.sequences import sequences as sequences
from .tasks.matched_rows import span_outcomes as span_outcomes
from .tasks.spans import spans as spans
from .arguments.taxonomy import taxonomy as taxonomy
from .tasks.votes import votes as votes

__all__ = [
    "Bounds",
    "CostMatrix",
    "ExampleCosts",
    "Folds",
    "LabelCosts",
    "MultiInstance",
    "OneVsAll",
    "OneVsOne",
    "OpenSetCurve",
    "Ordinal",
    "PositiveUnlabelled",
    "RiskCoverage",
    "SETTINGS",
    "Sequences",
    "Taxonomy",
    "configurations",
    "cost",
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
    "pool_bags",
    "positive_unlabelled",
    "preferences",
    "ranked",
    "risk_coverage",
    "sequences",
    "span_outcomes",
    "spans",
    "taxonomy",
    "votes",
]
