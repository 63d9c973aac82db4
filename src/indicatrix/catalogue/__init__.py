"""The catalogue: one module per group of the paper's appendix, then the coefficients of the wider literature."""

from __future__ import annotations

from ..algebra.measure import MEASURES as _MEASURES

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

_NAMES = list(dict.fromkeys(measure.name for measure in _MEASURES.values()))


def __getattr__(name: str) -> list[str]:
    """Return ``__all__``: the names of the measures that are registered above, so that no other list of them is needed.

    It is not a variable because a type checker that finds one takes its literal names for all there are; without it, the
    checker follows the imports.
    """
    if name == "__all__":
        return _NAMES
    raise AttributeError(f"{__name__} has no attribute {name!r}")
