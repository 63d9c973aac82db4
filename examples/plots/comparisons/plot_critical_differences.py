"""
Critical differences over data sets
===================================

Mean ranks of models over many data sets. A thick line joins models that the data sets do not tell apart.
"""

import numpy as np

import indicatrix as ix

rng = np.random.default_rng(5)
means = {"logistic": 0.7, "forest": 0.78, "naive Bayes": 0.64, "SVM": 0.76, "boosting": 0.8}
sets = {f"data set {k}": {name: float(rng.normal(mean, 0.03)) for name, mean in means.items()} for k in range(12)}
ix.inference.compare_data_sets(sets).plot()
