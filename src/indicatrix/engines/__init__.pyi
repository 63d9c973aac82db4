# Written by `make docs` from public_names.py and the registered measures, for type checkers and editors.

from .files.bad_rows import BadRows as BadRows
from .files.progress import Progress as Progress
from .stream import Stream as Stream
from .files.evaluation_of_files import evaluate_file as evaluate_file
from .frames import evaluate_frame as evaluate_frame

__all__ = [
    "BadRows",
    "Progress",
    "Stream",
    "evaluate_file",
    "evaluate_frame",
]
