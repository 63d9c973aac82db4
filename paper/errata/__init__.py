"""The errata of the paper, one module for each entry, named after its label."""
