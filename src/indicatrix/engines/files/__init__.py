"""Files of rows into evaluations: find the files, read them in blocks, count each block."""
