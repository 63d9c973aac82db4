"""The catalogue: every measure of four counts, and functions of the whole confusion matrix.

``ix.catalogue()`` lists the measures; facts narrow the list: ``ix.catalogue(group="rules", better="lower")``.
``ix.catalogue.groups()`` has the names of the groups, ``ix.catalogue.references()`` what the sources stand for. There is one
module for each group: the usual ones first, then the coefficients of the wider literature.
"""

from __future__ import annotations

import sys

# The order of these lines is the order of the registry, hence of every listing: the paper's groups first.
# ruff: isort: off
from . import averages as averages
from .counts.accuracy import *  # noqa: F403
from .counts.positive import *  # noqa: F403
from .counts.negative import *  # noqa: F403
from .counts.balance import *  # noqa: F403
from .counts.correlation import *  # noqa: F403
from .counts.likelihood import *  # noqa: F403
from .counts.utility import *  # noqa: F403
from .counts.rules import *  # noqa: F403
from .counts.similarity import *  # noqa: F403
from .counts.association import *  # noqa: F403
from .counts.dissimilarity import *  # noqa: F403
from .counts.statistics import *  # noqa: F403
from .counts.coefficients import *  # noqa: F403
# ruff: isort: on

from ..algebra.measure import MEASURES
from .room import CatalogueRoom

MEASURES.reserve(MEASURES)
sys.modules[__name__].__class__ = CatalogueRoom
