# Written by `make docs` from the lists of public names and the registered measures, for type checkers and editors.

from .raters.agreement import agreement as agreement
from .calibration.calibration_line import calibration_line as calibration_line
from ..unlabeled.class_shares import class_shares as class_shares
from ..compare.compare import compare as compare
from .data_sets.data_set_comparison import compare_data_sets as compare_data_sets
from .folds.compare_folds import compare_folds as compare_folds
from ..compare.readers import compare_readers as compare_readers
from .folds.interval import fold_interval as fold_interval
from .data_sets.probabilities import hierarchical_comparison as hierarchical_comparison
from .intervals.of_score import interval as interval
from ..compare.paired_counts import paired_counts as paired_counts
from ..sample_size import power as power
from .calibration.prediction_sets import prediction_sets as prediction_sets
from .population.scores import relations as relations
from .calibration.calibration_line import spiegelhalter as spiegelhalter

__all__ = [
    "agreement",
    "calibration_line",
    "class_shares",
    "compare",
    "compare_data_sets",
    "compare_folds",
    "compare_readers",
    "fold_interval",
    "hierarchical_comparison",
    "interval",
    "paired_counts",
    "power",
    "prediction_sets",
    "relations",
    "spiegelhalter",
]
