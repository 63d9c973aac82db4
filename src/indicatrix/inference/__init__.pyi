# Written by `make docs` from public_names.py and the registered measures, for type checkers and editors.

from .agreement import Agreement as Agreement
from .between import Between as Between
from .conclusions import Conclusion as Conclusion
from .conclusions import Conclusions as Conclusions
from .data_set_comparison import DataSetComparison as DataSetComparison
from .difference import Difference as Difference
from .fold_comparison import FoldComparison as FoldComparison
from .group_differences import GroupDifference as GroupDifference
from .group_differences import GroupDifferences as GroupDifferences
from .group_test import GroupTest as GroupTest
from .interval import Interval as Interval
from .power import Power as Power
from .relations import Relations as Relations
from .agreement import Reversal as Reversal
from .data_set_comparison import compare_data_sets as compare_data_sets
from .fold_comparison import compare_folds as compare_folds
from .fold_interval import fold_interval as fold_interval
from .intervals import interval as interval
from .population_scores import relations as relations

__all__ = [
    "Agreement",
    "Between",
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
    "Relations",
    "Reversal",
    "compare_data_sets",
    "compare_folds",
    "fold_interval",
    "interval",
    "relations",
]
