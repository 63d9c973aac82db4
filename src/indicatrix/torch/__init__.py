"""Training loops in PyTorch: ``Stream`` counts on the device, ``Metric`` joins torchmetrics.

Both take ``preds`` first and ``target`` second, as torchmetrics does; ``ix.evaluate`` and ``ix.Stream`` take the truth first.
"""

from __future__ import annotations

from typing import Any

HOMES = {"Metric": "metric", "Stream": "stream"}  # each name, and the module that defines it; `make docs` writes the stub from it
__all__ = sorted(HOMES)


def __getattr__(name: str) -> Any:
    """Return a class; its module is loaded at first use, because ``Metric`` needs torchmetrics."""
    if name not in HOMES:
        raise AttributeError(f"indicatrix.torch has no attribute {name!r}; it has {' and '.join(__all__)}.")
    from importlib import import_module

    try:
        return getattr(import_module(f".{HOMES[name]}", __name__), name)
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("torch", "torchmetrics"):
            raise
        raise ModuleNotFoundError(
            f"indicatrix.torch.{name} needs {error.name}: pip install 'indicatrix[torch]'.", name=error.name
        ) from None


def __dir__() -> list[str]:
    return __all__
