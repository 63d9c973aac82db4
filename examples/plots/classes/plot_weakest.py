"""
Weakest slices
==============

``ev.weakest`` searches all conjunctions of features for those where the classifier is worse, and keeps what chance does not
explain. Intervals allow for the choice among all. :doc:`/guides/slices` explains the search.
"""

import numpy as np

import indicatrix as ix

rng = np.random.default_rng(2)
site, device = rng.choice(["north", "south", "east"], 6000), rng.choice(["old", "new"], 6000)
age = rng.integers(18, 90, 6000)
right = 0.92 - 0.25 * ((site == "east") & (device == "old")) - 0.15 * (age > 75)
y = rng.random(6000) < 0.4
ev = ix.evaluate(y, np.where(rng.random(6000) < right, y, ~y))
ev.weakest("accuracy", among={"site": site, "device": device, "age": age}).plot()
