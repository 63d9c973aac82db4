"""
Risk and coverage
=================

The share of errors among the predictions that are answered, when only the most confident ones are: from a few of them to all.
"""

from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import indicatrix as ix

data = load_breast_cancer()
x, y = data.data[:, [1, 4, 5]], data.target_names[data.target]  # three of thirty features, so that there are errors to see
model = make_pipeline(StandardScaler(), LogisticRegression())
scores = cross_val_predict(model, x, y, method="predict_proba")[:, 1]
confidence = abs(scores - 0.5)
ix.tasks.risk_coverage(y, data.target_names[1 - (scores > 0.5)], confidence).plot()
