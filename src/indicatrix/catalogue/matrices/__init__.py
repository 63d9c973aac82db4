"""Functions of the whole confusion matrix, one module for each group.

Importing the package registers all of them.
"""

# The order of these lines is the order of the registry, hence of every listing.
# ruff: isort: off
from . import agreement as agreement
from . import association as association
from . import information as information
# ruff: isort: on

from ..matrix_measures import MATRIX_MEASURES as MATRIX_MEASURES
