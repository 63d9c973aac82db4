"""
From macro to micro
===================

Macro and micro averages differ because classes weigh differently in them. The bars in between say where the difference comes
from: from frequent classes being better or worse, from the curvature of the formula, and from what is left.
"""

import numpy as np

import indicatrix as ix

rng = np.random.default_rng(5)
animals = ["ant", "bee", "cat", "dog", "elk"]
y = rng.choice(animals, 600, p=[0.45, 0.25, 0.15, 0.1, 0.05])
z = np.where(rng.random(600) < 0.7, y, rng.choice(animals, 600))
ev = ix.evaluate(y, z)
ev.plot.gap("mcc")
