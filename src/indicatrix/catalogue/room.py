"""The package of the catalogue as users see it: a call searches the measures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

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
