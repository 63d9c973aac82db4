# Written by `make docs` from the lists of public names and the registered measures, for type checkers and editors.

from .average import AVERAGES as AVERAGES
from .measure import MEASURES as MEASURES
from .fuzzy.negations import NEGATIONS as NEGATIONS
from .fuzzy.tnorms import TNORMS as TNORMS
from ..tally.cells import aggregate as aggregate
from ..tally.cells import cells as cells
from .fuzzy.consistency import is_marginally_consistent as is_marginally_consistent
from .fuzzy.consistency import is_partition as is_partition
from .measure_definition import measure as measure
from ..encode.encoders import multilabel as multilabel
from .fuzzy.negations import negation as negation
from ..encode.encoders import one_hot as one_hot
from .numbers.functions import ratio as ratio
from ..encode.encoders import soft as soft
from .fuzzy.tnorms import tnorm as tnorm

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
