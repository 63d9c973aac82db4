"""From files to evaluations: rows are read in blocks, their columns told apart, their cells counted."""
