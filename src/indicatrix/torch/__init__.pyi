# Written by `make docs` from the lists of public names and the registered measures, for type checkers and editors.

from .metric import Metric
from .stream import Stream

__all__ = [
    "Metric",
    "Stream",
]
