"""All about measures: what a text names, how a formula is written, what is known of it."""
