"""Whether the compiled kernels were built and can be loaded.

They are optional, and NumPy counts where they are absent.

A kernel says where it does not serve an array, so callers read ``core``, call it, and go on with NumPy if it does not.
"""

from __future__ import annotations

import os
from importlib import import_module
from types import ModuleType

NEEDED = 6  # the interface, a number in module.c, that the callers of the kernels know
CHOICE = "INDICATRIX_KERNELS"  # this environment variable, with the value numpy, leaves the compiled kernels out


def _load() -> tuple[ModuleType | None, str]:
    """Return the compiled kernels, or None and why."""
    if os.environ.get(CHOICE) == "numpy":
        return None, f"{CHOICE}=numpy"
    try:
        found = import_module("._core", __package__)
    except ImportError as error:  # not built, or for another system
        return None, str(error)
    if getattr(found, "INTERFACE", 0) < NEEDED:
        return None, "those built here are of older sources; run python hatch_build.py"
    return found, ""


core, absent = _load()  # the kernels; why there are none


def described() -> str:
    """Return which kernels count, and why, in words.

    >>> described().split()[0] in ("compiled", "NumPy")
    True
    """
    return "compiled kernels" if core is not None else f"NumPy kernels: {absent}"
