# Written by `make docs` from public_names.py and the registered measures, for type checkers and editors.

from .stream import Stream as Stream
from .frames import evaluate_frame as evaluate_frame

__all__ = [
    "Stream",
    "evaluate_frame",
]
