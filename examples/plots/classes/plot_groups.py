"""
Groups
======

One measure inside each group of a ``by=`` axis, with intervals, and the largest gap between two groups with its test.
"""

import numpy as np

import indicatrix as ix

rng = np.random.default_rng(1)
sites = rng.choice(["north", "south", "east"], 1500, p=[0.6, 0.3, 0.1])
y = rng.random(1500) < 0.4
right = rng.random(1500) < np.where(sites == "east", 0.6, 0.85)
ev = ix.evaluate(y, np.where(right, y, ~y), by={"site": sites})
ev.plot.groups("recall", "site")
