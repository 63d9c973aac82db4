"""
Objects in a picture
====================

What was found, what is false and what was missed in one image. Give a picture, as an array, a path or a PIL image, to draw on it.
"""

from scenes import found, truth

import indicatrix as ix

result = ix.detection(truth, found)
result.plot.image("scene 10")
