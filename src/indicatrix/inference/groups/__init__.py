"""Groups: how far a score differs between groups of examples, and whether chance explains it."""
