"""The catalogue: every measure of four counts, and functions of the whole confusion matrix.

``ix.catalogue()`` lists the measures; facts narrow the list: ``ix.catalogue(group="rules", better="lower")``.
``ix.catalogue.groups()`` has the names of the groups, ``ix.catalogue.references()`` what the sources stand for. There is one
module for each group: those of the paper's appendix first, then the coefficients of the wider literature.
"""

from __future__ import annotations

import sys

# The order of these lines is the order of the registry, hence of every listing: the paper's groups first.
# ruff: isort: off
from . import averages as averages
from .accuracy import *  # noqa: F403
from .positive import *  # noqa: F403
from .negative import *  # noqa: F403
from .balance import *  # noqa: F403
from .correlation import *  # noqa: F403
from .likelihood import *  # noqa: F403
from .utility import *  # noqa: F403
from .rules import *  # noqa: F403
from .similarity import *  # noqa: F403
from .association import *  # noqa: F403
from .dissimilarity import *  # noqa: F403
from .statistics import *  # noqa: F403
from .coefficients import *  # noqa: F403
# ruff: isort: on

from ..algebra.measure import MEASURES
from .room import CatalogueRoom

MEASURES.reserve(MEASURES)
sys.modules[__name__].__class__ = CatalogueRoom
