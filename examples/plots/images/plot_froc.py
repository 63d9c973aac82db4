"""
Free-response curve
===================

The share of objects that are found against false predictions for each image, with a band for other images like these.
"""

from scenes import found, truth

import indicatrix as ix

result = ix.detection(truth, found)
result.froc().plot()
