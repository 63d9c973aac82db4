"""Differences and ratios of rates between groups, named as in the literature on fairness.

Each reads an evaluation with groups: ``ix.evaluate(y_true, y_pred, by={"sex": sex})``. ``ev.compare_groups`` tests such
differences for any measure.
"""

import sys

from .public_names import Namespace

sys.modules[__name__].__class__ = Namespace
