"""Files of results: one save and one load for everything that adds."""
