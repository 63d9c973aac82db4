"""The command line: evaluate files, look at measures, browse the catalogue.

Each command is one module. ``options`` writes what it takes, ``asked`` is what it asks of files, ``counting`` makes evaluations
from files, ``tables`` decides what is shown of them, and ``output`` prints for all commands.
"""

from __future__ import annotations

import sys

from ..quiet_start import INTERRUPTED

BAD_USE = 2


def main() -> None:
    """Run the command line; its libraries come with the extra ``cli``."""
    try:
        from .app import run
    except KeyboardInterrupt:
        sys.stderr.write("\nInterrupted.\n")
        sys.exit(INTERRUPTED)
    except ModuleNotFoundError as missing:
        if install_hint(missing) is None:
            raise
        sys.stderr.write(f"Error: {install_hint(missing)}\n")
        sys.exit(BAD_USE)
    run()


def install_hint(missing: ModuleNotFoundError) -> str | None:
    """Return how to install a missing library of the command line; None for any other library."""
    library = (missing.name or "").partition(".")[0]
    if library not in ("click", "rich"):
        return None
    return f"The command line needs click and rich, and {library} is missing: pip install 'indicatrix[cli]'"
