"""
Decision curve
==============

Net benefit at each probability from which one would act. A model helps where it lies above both "treat all" and "treat none".
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
swept = ix.sweep(y, scores, positive="malignant")
swept.decision_curve().plot()
