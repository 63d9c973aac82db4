"""Tasks with functions of their own: spans, bags, folds, pairs, open sets, unlabeled data, costs.

Each reads its own kind of input and gives an evaluation, counts or a curve. What ``ix.evaluate`` takes as an argument, such as
``ordinal=`` or ``hierarchy=``, needs none of them.
"""

import sys

from ..public_names import Namespace

sys.modules[__name__].__class__ = Namespace
