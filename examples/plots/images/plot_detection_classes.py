"""
Average precision of classes
============================

Average precision of each class at an overlap of one half, and the averages over classes. ``per="image"`` draws images instead.
"""

from scenes import found, truth

import indicatrix as ix

result = ix.detection(truth, found)
result.plot.classes(0.5)
