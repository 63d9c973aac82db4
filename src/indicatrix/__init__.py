"""indicatrix: classification evaluation as one small algebra.

A measure is a function from four counts to a number.
"""

from __future__ import annotations

from .quiet_start import QuietStart

with QuietStart():
    import sys
    from importlib import import_module
    from typing import Any

    from . import catalogue as catalogue  # which registers the measures
    from .algebra.makers import hand_down
    from .algebra.measure import MEASURES
    from .algebra.registry import registered
    from .public_names import ADAPTERS, HOMES, ROOMS, Package, load_public

__version__ = "0.1.0"

# Measures are called most often, so they are here from the start; every other name is loaded at first use.
_measures = {m.name: m for m in MEASURES.values()}
globals().update(_measures)
__all__ = [*HOMES, *ROOMS, *ADAPTERS, *_measures]


sys.modules[__name__].__class__ = Package
hand_down(lambda: import_module(".evaluate", __name__))


def __getattr__(name: str) -> Any:
    """Return what is loaded at first use, a measure by an alias (``ix.tpr``), or a registered one."""
    if name in ROOMS or name in ADAPTERS:
        return import_module(f".{name}", __name__)
    if name in HOMES:
        value = globals()[name] = load_public(name)
        return value
    if name in MEASURES:
        return MEASURES[name]
    if not name.startswith("_") and (found := registered(name)) is not None:  # by an alias
        return found
    raise AttributeError(f"indicatrix has no attribute {name!r}.{_suggest(name)}")


def _suggest(name: str) -> str:
    if name.startswith("_"):
        return ""
    from .algebra.names_elsewhere import use_instead
    from .algebra.spelling import did_you_mean

    known, without = {*__all__, *MEASURES}, name.removesuffix("_score")
    answer = use_instead(name) or (f"Use ix.{without}." if without in known else did_you_mean(without, known))
    return f" {answer}" if answer else ""


def __dir__() -> list[str]:
    return sorted(__all__)  # ix.catalogue lists registered measures as well, and each measure its aliases
