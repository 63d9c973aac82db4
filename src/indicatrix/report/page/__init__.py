"""The report page: one file that shows an evaluation and computes with its counts."""
