"""States: what a tally keeps of each group of examples, and how states add."""
