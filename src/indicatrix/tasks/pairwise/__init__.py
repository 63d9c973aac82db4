"""Binary classifiers for pairs of classes, or for each class against the rest."""
