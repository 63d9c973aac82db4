# Written by `make docs` from the lists of public names and the registered measures, for type checkers and editors.

from .raters.agreement import agreement
from .calibration.calibration_line import calibration_line, spiegelhalter
from ..unlabeled.class_shares import class_shares
from ..compare.compare import compare
from .data_sets.data_set_comparison import compare_data_sets
from .folds.compare_folds import compare_folds
from ..compare.readers import compare_readers
from .folds.interval import fold_interval
from .data_sets.probabilities import hierarchical_comparison
from .intervals.of_score import interval
from ..compare.paired_counts import paired_counts
from ..sample_size import power
from .calibration.prediction_sets import prediction_sets
from .population.scores import relations

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
