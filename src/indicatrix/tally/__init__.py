"""The tally: counts that add, enough for every measure, every average and every convention."""
