# Written by `make docs` from public_names.py and the registered measures, for type checkers and editors.

from .stream import Stream as Stream

__all__ = [
    "Stream",
]
