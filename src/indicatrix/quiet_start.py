"""The loading of the library: quick, and ended by Ctrl-C with one line instead of a traceback.

Loading NumPy and the library takes a moment, and the command line itself cannot catch what happens before it is loaded. This
module loads nothing, because it must be there first.
"""

from __future__ import annotations

import gc
import sys

INTERRUPTED = 130


def is_command_line() -> bool:
    """Return whether this process was started as ``indicatrix`` or as ``python -m indicatrix``."""
    program: str = next(iter(getattr(sys, "argv", ())), "")
    if program == "-m":  # what Python writes there until it has loaded the package of the module
        return ("-m", "indicatrix") in zip(sys.orig_argv, sys.orig_argv[1:], strict=False)
    return program.replace("\\", "/").rpartition("/")[2].removesuffix(".exe") == "indicatrix"


class QuietStart:
    """While the library is loaded: Ctrl-C ends the command line quietly, and no garbage is collected.

    What a module makes when it is loaded stays, so every search for garbage in it is in vain: a tenth of the time.
    """

    def __init__(self) -> None:
        self.active = False
        self.collects = gc.isenabled()

    def __enter__(self) -> None:
        gc.disable()
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
        if self.collects:
            if not gc.get_freeze_count():  # what was loaded counts as old, without a search through all of it
                gc.freeze()
                gc.unfreeze()
            gc.enable()
        if self.active:
            import signal

            signal.signal(signal.SIGINT, signal.default_int_handler)


def _end(*_: object) -> None:
    """End the process at once: an exception could be caught by a library that is being loaded."""
    import os

    os.write(2, b"\nInterrupted.\n")
    os._exit(INTERRUPTED)
