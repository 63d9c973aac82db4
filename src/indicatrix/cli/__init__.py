"""The command line: evaluate files, look at measures, browse the catalogue, reproduce the paper."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line; its libraries come with the extra ``cli``."""
    try:
        from .app import run
    except ModuleNotFoundError as missing:
        if missing.name not in ("click", "rich"):
            raise
        sys.exit(f"The command line needs click and rich, {missing.name} is missing: pip install 'indicatrix[cli]'")
    run()
