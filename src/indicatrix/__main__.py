"""``python -m indicatrix`` is the command line."""

from .cli import main

main()
