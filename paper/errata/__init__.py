"""The errata of the paper: what it says and what is, one module for each entry, named after its label."""
