"""
Do the scores agree?
====================

Kendall's tau between the rankings by each two scores: 1 if they put all models in the same order, -1 if in the opposite one.
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
strict, usual, cautious = (data.target_names[1 - (scores > at)] for at in (0.8, 0.5, 0.2))
models = {"strict": strict, "usual": usual, "cautious": cautious}
compared = ix.compare(y, models, ["precision", "recall", "f1", "mcc", "balanced_accuracy"], "binary", positive="malignant")
compared.plot.agreement()
