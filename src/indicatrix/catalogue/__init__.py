"""The catalogue: every measure of four counts, and functions of the whole confusion matrix.

``ix.catalogue()`` lists the measures; facts narrow the list: ``ix.catalogue(group="rules", better="lower")``. ``groups()`` has
the names of the groups, ``references()`` what the sources stand for. There is one module for each group: those of the paper's
appendix first, then the coefficients of the wider literature.
"""

from __future__ import annotations

import sys

# The order of these lines is the order of the registry, hence of every listing: the paper's groups first.
# ruff: isort: off
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

from ..algebra.call_door import explain
from ..algebra.measure import COUNTS, MEASURES, Measure
from ..public_names import NAMES
from .room import CatalogueRoom


def _help_on(measure: Measure) -> str:
    from .help_text import help_on_measure  # few programs ask for help, and importing the library should be fast

    return help_on_measure(measure)


OF_CALLS = {"average": None, "undefined": "exclude", "interval": None, "clusters": None}
explain(Measure, _help_on, lambda m: COUNTS.signature({**OF_CALLS, **m.params}))
# These are loaded at first use.
MEASURES.reserve(name for home, names in NAMES.items() if home.startswith("catalogue.matri") for name in names)
sys.modules[__name__].__class__ = CatalogueRoom
