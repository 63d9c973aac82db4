"""The library that an integration is for, loaded at first use."""

from __future__ import annotations

from importlib import import_module
from typing import Any


def load_library(name: str, extra: str) -> Any:
    """Return the module of an optional library, or say which extra of this package brings it."""
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != name.partition(".")[0]:
            raise
        raise ModuleNotFoundError(f"This needs {name}: pip install 'indicatrix[{extra}]'.", name=error.name) from None
