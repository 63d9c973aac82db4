"""Probe the library in every interpreter that has this folder on its path.

These are the interpreter of a recording, and those that its tests start.
"""

from mutants.probes import install

install()
