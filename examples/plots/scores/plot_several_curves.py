"""
Several models in one plot
==========================

``ix.plots.curves`` draws curves of the same kind together: ROC curves here, but all others too.
"""

from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import indicatrix as ix

data = load_breast_cancer()
x, y = data.data[:, [1, 4, 5]], data.target_names[data.target]  # three of thirty features, so that there are errors to see
models = {"logistic": make_pipeline(StandardScaler(), LogisticRegression()), "naive Bayes": GaussianNB()}
scores = {name: cross_val_predict(model, x, y, method="predict_proba")[:, 1] for name, model in models.items()}
ix.plots.curves({name: ix.sweep(y, some, positive="malignant").roc() for name, some in scores.items()})
