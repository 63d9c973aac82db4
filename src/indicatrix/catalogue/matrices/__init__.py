"""Functions of the whole confusion matrix, one module for each group.

Importing the package registers all of them.
"""

# The order of these lines is the order of the registry, hence of every listing.
# ruff: isort: off
from . import shares as shares
from . import agreement as agreement
from . import association as association
from . import ordered as ordered
from . import information as information
from . import pairs as pairs
# ruff: isort: on

from ..matrix_measures import MATRIX_MEASURES as MATRIX_MEASURES
