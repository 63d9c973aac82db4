"""
Reliability diagram
===================

How often the positive class occurs among examples with about the same probability. On the dotted diagonal, probabilities mean
what they say. A larger dot has more examples; light bars are intervals, dark ones the distance to the diagonal.
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
ix.scores.reliability(y, scores, positive="malignant", bins=10).plot()
