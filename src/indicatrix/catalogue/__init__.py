"""The catalogue: every measure of four counts, and functions of the whole confusion matrix.

A call of the package searches the measures: ``ix.catalogue()`` lists them, and facts narrow the list, as in
``ix.catalogue(group="rules", better="lower")``. ``ix.catalogue.groups()`` has the names of the groups,
``ix.catalogue.references()`` what the sources stand for. Each module has one group or a few: the usual ones first,
then the coefficients of the wider literature.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

# The order of these lines is the order of the registry, hence of every listing: the paper's groups first.
# ruff: isort: off
from . import averages as averages
from .counts.paper_groups import *  # noqa: F403
from .counts.utility import *  # noqa: F403
from .counts.similarity import *  # noqa: F403
from .counts.dissimilarity import *  # noqa: F403
from .counts.coefficients import *  # noqa: F403
# ruff: isort: on

from ..algebra.measure import MEASURES
from ..public_names import Namespace

if TYPE_CHECKING:
    from .listing import Catalogue  # loaded at the first search: the library is imported far more often than it is searched


class CatalogueRoom(Namespace):
    """The package of the catalogue: a call of it searches the measures, of every kind."""

    @property
    def __all__(self) -> list[str]:
        return [*super().__all__, "groups"]

    def __getattr__(self, name: str) -> Any:
        if name == "groups":
            from .listing import groups

            return groups
        return super().__getattr__(name)

    def __call__(self, **facts: Any) -> Catalogue:
        """Return the measures of which all the given facts are true; without facts, all measures.

        Parameters
        ----------
        **facts
            group, of ("counts", "matrix" or "ranking"), better, range, source,
            parametric (True or False), known_as (an average) or search (a text).

        Returns
        -------
        Catalogue
            A tuple of measures that prints as a table.

        Examples
        --------
        >>> import indicatrix as ix
        >>> [m.name for m in ix.catalogue(group="likelihood", better="lower")]
        ['negative_likelihood_ratio']
        """
        from .listing import catalogue

        return catalogue(**facts)


MEASURES.reserve(MEASURES)
sys.modules[__name__].__class__ = CatalogueRoom
