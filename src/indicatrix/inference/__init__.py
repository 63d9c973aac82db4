"""Inference: how sure a score is, and which of several classifiers is better.

``interval`` gives any score the range in which its true value is expected. ``compare_folds`` and ``compare_data_sets`` test
differences, ``power`` plans how many examples are needed, ``relations`` tells which measures say the same.
"""

import sys

from ..public_names import Namespace

sys.modules[__name__].__class__ = Namespace
