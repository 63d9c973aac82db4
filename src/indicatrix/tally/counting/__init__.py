"""From two indicators to a tally: fast paths for plain examples, literal cells for all others."""
