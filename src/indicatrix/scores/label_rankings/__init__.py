"""Rankings: what the order of the labels of one example is worth."""
