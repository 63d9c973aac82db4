"""Print what ``indicatrix demo`` prints, without the libraries of the command line.

The code is in src/indicatrix/cli/tour.py.
"""

from __future__ import annotations

from indicatrix.cli.tour import tour

if __name__ == "__main__":
    for paragraph in tour("indicatrix-demo.html"):
        print(paragraph, end="\n\n")
