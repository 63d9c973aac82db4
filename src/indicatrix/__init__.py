"""Evaluate classifiers: any measure, with every average, interval, paired test and report.

Every example adds to cells, a statistic is their sum, and a measure is a function from a statistic to a number.
"""

from __future__ import annotations

from .quiet_start import QuietStart

with QuietStart():
    import sys
    from importlib import import_module
    from typing import Any

    from . import catalogue as catalogue  # which registers the measures
    from .algebra.average import hand_down
    from .algebra.measure import MEASURES as _MEASURES
    from .public_names import ADAPTERS, HOMES, NAMESPACES, PUBLIC, USUAL, Package, load_public, place

__version__ = "1.0.0rc1"

# Measures are called most often, so they are here from the start; every other name is loaded at first use.
globals().update((name, _MEASURES[name]) for name in USUAL if name in _MEASURES)
__all__ = [*PUBLIC]

sys.modules[__name__].__class__ = Package
hand_down(lambda: import_module(".evaluate", __name__))


def __getattr__(name: str) -> Any:
    """Return what is loaded at first use."""
    if name in NAMESPACES or name in ADAPTERS:
        return import_module(f".{name}", __name__)
    if name == "__config__":  # which kernels count: "compiled kernels", or "NumPy kernels" and why
        from .compiled.loaded import described

        return described()
    if name in PUBLIC:
        value = globals()[name] = load_public(name)
        return value
    raise AttributeError(f"indicatrix has no attribute {name!r}.{_suggest(name)}")


def _suggest(name: str) -> str:
    if name.startswith("_"):
        return ""
    from .algebra.kind import every_measure, registered
    from .words.names_elsewhere import use_instead
    from .words.wording import similar_names

    if (found := registered(name)) is not None:  # a measure by its name or by an alias
        return f" It is {place(found.name)}."
    if name in HOMES:
        return f" It is {place(name)}."
    known, without = {*__all__, *HOMES, *_MEASURES, *(m.name for m in every_measure())}, name.removesuffix("_score")
    if answer := use_instead(name) or (f"Use {place(without)}." if without in known else ""):
        return f" {answer}"
    similar = similar_names(without, known)
    return f" Did you mean {' or '.join(map(place, similar))}?" if similar else ""


def __dir__() -> list[str]:
    return sorted(__all__)
