"""Run at the start of every interpreter that has this folder on its path: those of a recording, and those that tests start."""

from mutants.probes import install

install()
