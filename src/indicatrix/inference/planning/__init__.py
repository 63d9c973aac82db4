"""Sample size: how many examples an interval or a test needs."""
