"""
Scores at other class frequencies
=================================

What would the averages be where one class is rarer or more frequent? The vertical line is its frequency in these data.
"""

import numpy as np

import indicatrix as ix

rng = np.random.default_rng(5)
animals = ["ant", "bee", "cat", "dog", "elk"]
y = rng.choice(animals, 600, p=[0.45, 0.25, 0.15, 0.1, 0.05])
z = np.where(rng.random(600) < 0.7, y, rng.choice(animals, 600))
ev = ix.evaluate(y, z)
ev.plot.prior_sensitivity("precision", "elk")
