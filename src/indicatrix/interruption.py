"""Ctrl-C while the command line is starting: one line instead of a traceback.

Loading NumPy and the library takes a moment, and the command line itself cannot catch what happens before it is loaded. This
module loads nothing, because it must be there first.
"""

from __future__ import annotations

import sys

INTERRUPTED = 130


def is_command_line() -> bool:
    """Return whether this process was started as ``indicatrix`` or as ``python -m indicatrix``."""
    program: str = next(iter(getattr(sys, "argv", ())), "")
    if program == "-m":  # what Python writes there until it has loaded the package of the module
        return ("-m", "indicatrix") in zip(sys.orig_argv, sys.orig_argv[1:], strict=False)
    return program.replace("\\", "/").rpartition("/")[2].removesuffix(".exe") == "indicatrix"


class QuietStart:
    """Ends the process quietly on Ctrl-C while the library is loaded; only if it is the command line."""

    def __init__(self) -> None:
        self.active = False

    def __enter__(self) -> None:
        if not is_command_line():
            return
        try:
            import signal

            if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
                signal.signal(signal.SIGINT, _end)
                self.active = True
        except KeyboardInterrupt:
            _end()
        except ValueError:  # only the main thread receives signals
            pass

    def __exit__(self, *_: object) -> None:
        if self.active:
            import signal

            signal.signal(signal.SIGINT, signal.default_int_handler)


def _end(*_: object) -> None:
    """End the process at once: an exception could be caught by a library that is being loaded."""
    import os

    os.write(2, b"\nInterrupted.\n")
    os._exit(INTERRUPTED)
