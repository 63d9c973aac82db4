# Written by `make docs` from the lists of public names and the registered measures, for type checkers and editors.

from .files.bad_rows import BadRows as BadRows
from .files.progress import Progress as Progress
from .stream import Stream as Stream
from .dask_frames import evaluate_dask as evaluate_dask
from .files.evaluation_of_files import evaluate_file as evaluate_file
from .frames import evaluate_frame as evaluate_frame
from .spark_frames import evaluate_spark as evaluate_spark

__all__ = [
    "BadRows",
    "Progress",
    "Stream",
    "evaluate_dask",
    "evaluate_file",
    "evaluate_frame",
    "evaluate_spark",
]
