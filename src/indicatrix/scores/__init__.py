"""Scores: what happens at every threshold of a score, with curves and areas for any measure.

``sweep``, ``tune`` and the areas (``auc``, ``average_precision``) read scores by their counts at each threshold. Proper scoring
rules (``brier``, ``log_loss``), calibration and rankings are not functions of four counts, and read the scores themselves.
"""

import sys

from ..public_names import Namespace

sys.modules[__name__].__class__ = Namespace
