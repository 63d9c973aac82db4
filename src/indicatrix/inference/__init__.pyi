# Written by `make docs` from the lists of public names and the registered measures, for type checkers and editors.

from .raters.panel import AgainstPanel as AgainstPanel
from .order.agreement import Agreement as Agreement
from .groups.between import Between as Between
from .calibration.calibration_line import CalibrationLine as CalibrationLine
from .order.conclusions import Conclusion as Conclusion
from .order.conclusions import Conclusions as Conclusions
from .data_sets.comparison import DataSetComparison as DataSetComparison
from .paired.difference import Difference as Difference
from .folds.fold_comparison import FoldComparison as FoldComparison
from .groups.differences import GroupDifference as GroupDifference
from .groups.differences import GroupDifferences as GroupDifferences
from .groups.homogeneity import GroupTest as GroupTest
from .intervals.interval import Interval as Interval
from .sample_size.power import Power as Power
from .raters.agreement import RaterAgreement as RaterAgreement
from .population.relations import Relations as Relations
from .order.agreement import Reversal as Reversal
from .calibration.spiegelhalter import Spiegelhalter as Spiegelhalter
from .raters.agreement import agreement as agreement
from .calibration.calibration_line import calibration_line as calibration_line
from .data_sets.comparison import compare_data_sets as compare_data_sets
from .folds.comparison import compare_folds as compare_folds
from .folds.interval import fold_interval as fold_interval
from .intervals.of_score import interval as interval
from .population.scores import relations as relations
from .calibration.spiegelhalter import spiegelhalter as spiegelhalter

__all__ = [
    "AgainstPanel",
    "Agreement",
    "Between",
    "CalibrationLine",
    "Conclusion",
    "Conclusions",
    "DataSetComparison",
    "Difference",
    "FoldComparison",
    "GroupDifference",
    "GroupDifferences",
    "GroupTest",
    "Interval",
    "Power",
    "RaterAgreement",
    "Relations",
    "Reversal",
    "Spiegelhalter",
    "agreement",
    "calibration_line",
    "compare_data_sets",
    "compare_folds",
    "fold_interval",
    "interval",
    "relations",
    "spiegelhalter",
]
