"""scikit-learn's metrics by their names, signatures and conventions, on the counts of this library.

``from indicatrix.sklearn import f1_score`` takes the place of ``from sklearn.metrics import f1_score``. scikit-learn need not be
installed.
"""

from .door import InvalidParameterError, UndefinedMetricWarning

__all__ = ["InvalidParameterError", "UndefinedMetricWarning"]
