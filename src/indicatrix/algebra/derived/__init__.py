"""What follows from a formula: its range, its direction, and what it is made of."""
