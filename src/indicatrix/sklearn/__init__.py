"""scikit-learn: scorers, cross-validation and tuned classifiers for its pipelines."""
