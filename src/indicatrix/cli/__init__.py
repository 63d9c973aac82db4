"""The command line: evaluate files, look at measures, browse the catalogue.

A module for each command; ``rows`` makes evaluations of files, ``results`` says what is shown of them, ``measures`` knows all
about one measure, ``output`` prints for all of them.
"""

from __future__ import annotations

import sys

BAD_USE, INTERRUPTED = 2, 130


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
    """Return what to do about a library of the command line that is not installed; None if it is another one."""
    library = (missing.name or "").partition(".")[0]
    if library not in ("click", "rich"):
        return None
    return f"The command line needs click and rich, and {library} is missing: pip install 'indicatrix[cli]'"
