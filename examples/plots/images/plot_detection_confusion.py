"""
Confusion matrix with the background
====================================

False predictions and missed objects are confusions with the background, the last row and column.
"""

from scenes import found, truth

import indicatrix as ix

result = ix.detection(truth, found)
result.plot.confusion()
