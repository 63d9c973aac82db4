# Written by `make docs` from the lists of public names and the registered measures, for type checkers and editors.

from .scales import SCALES as SCALES
from .listing import groups as groups
from .listing import references as references

__all__ = [
    "SCALES",
    "groups",
    "references",
]
