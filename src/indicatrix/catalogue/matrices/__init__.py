"""Functions of the whole confusion matrix, one module for each group.

Importing the package registers all of them.
"""

# The order of these lines is the order of the registry, hence of every listing.
# ruff: isort: off
from . import shares as shares
from . import agreement as agreement
from . import chance as chance
from . import association as association
from . import guessing as guessing
from . import ordered as ordered
from . import information as information
from . import confusion_entropies as confusion_entropies
from . import pairs as pairs
# ruff: isort: on

from ...algebra.call_door import OF_CALLS, explain
from ...algebra.measure import COUNTS
from ...algebra.wording import series
from ..matrix_measure import MatrixMeasure

PARAMETERS = {  # of all functions, in words
    "weights : str or array-like, optional": (
        f"{series([None, *map(repr, agreement.WEIGHTS), 'a matrix'], 'or')}: how much two classes disagree."
    ),
    "level : str, default 'nominal'": f"{series([*map(repr, agreement.LEVELS)], 'or')}: how far two classes are apart.",
    "mean : str, default 'arithmetic'": f"{series([*map(repr, information.MEANS)], 'or')} of both uncertainties.",
}


def _help_on(measure: MatrixMeasure) -> str:
    from ..help_text import help_on_matrix_measure  # few programs ask for help

    return help_on_matrix_measure(measure, PARAMETERS)


OF_TABLES = {name: usual for name, usual in OF_CALLS.items() if name != "average"}
explain(MatrixMeasure, _help_on, lambda m: COUNTS.signature({**OF_TABLES, **m.own_options}))
