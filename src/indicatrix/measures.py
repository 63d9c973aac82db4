"""Every measure by name and alias, of counts, of the confusion matrix, of rankings and of scores.

``ix.measures.kuhns_3(y_true, y_pred)`` calls one, ``dir(ix.measures)`` lists them, and ``ix.catalogue()`` is a table of them with
facts. The usual ones stand at the top as well: ``ix.f1``. A measure made by ``ix.measure(…, name="mine")`` is here from then on.
"""

import sys
from typing import Any

from .algebra.kind import every_measure, registered
from .algebra.measure import MEASURES
from .public_names import Namespace, names_of


class _Measures(Namespace):
    """The namespace of the measures: all that are registered, and public functions that score like them."""

    @property
    def __all__(self) -> list[str]:
        return [*dict.fromkeys([*(m.name for m in every_measure()), *names_of("measures")])]

    def __getattr__(self, name: str) -> Any:
        if name in MEASURES:
            return MEASURES[name]
        if name in names_of("measures"):
            return super().__getattr__(name)
        if not name.startswith("_") and (found := registered(name)) is not None:  # by an alias, or a user's own
            return found
        from .words.wording import did_you_mean

        raise AttributeError(f"{self.__name__} has no attribute {name!r}. {did_you_mean(name, self.__all__)}".rstrip())


sys.modules[__name__].__class__ = _Measures
