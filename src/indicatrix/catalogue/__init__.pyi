# Written by `make docs` from the lists of public names and the registered measures, for type checkers and editors.

from .scales import SCALES
from .listing import groups, references

__all__ = [
    "SCALES",
    "groups",
    "references",
]
