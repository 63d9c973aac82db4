"""How often intervals cover the true score, and how wide they are: ``python -m benchmarks.coverage``."""
