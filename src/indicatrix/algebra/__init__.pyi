# Written by `make docs` from the lists of public names and the registered measures, for type checkers and editors.

from .average import AVERAGES
from .measure import MEASURES
from .fuzzy.negations import NEGATIONS, negation
from .fuzzy.tnorms import TNORMS, tnorm
from ..tally.cells import aggregate, cells
from .fuzzy.consistency import is_marginally_consistent, is_partition
from .measure_definition import measure
from ..encode.encoders import multilabel, one_hot, soft
from .numbers.functions import ratio

__all__ = [
    "AVERAGES",
    "MEASURES",
    "NEGATIONS",
    "TNORMS",
    "aggregate",
    "cells",
    "is_marginally_consistent",
    "is_partition",
    "measure",
    "multilabel",
    "negation",
    "one_hot",
    "ratio",
    "soft",
    "tnorm",
]
