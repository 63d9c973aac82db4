"""Readers of objects and of label maps in any form: arrays, columns, files."""
