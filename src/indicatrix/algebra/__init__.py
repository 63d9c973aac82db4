"""The building blocks, from labels to a number: indicators, counts, measures, averages, t-norms.

``one_hot``, ``multilabel`` and ``soft`` make indicator matrices, ``cells`` compares two of them, ``aggregate`` sums the cells,
and ``MEASURES``, ``AVERAGES``, ``TNORMS`` and ``NEGATIONS`` are the tables of what can follow.
"""

import sys

from ..public_names import Namespace

sys.modules[__name__].__class__ = Namespace
