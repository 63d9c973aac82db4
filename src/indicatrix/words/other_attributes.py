"""What is said of an attribute that a result does not have: where that is, or how it is called."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .spelling import did_you_mean


def no_attribute(thing: Any, called: str, name: str, elsewhere: Mapping[str, str]) -> AttributeError:
    """Return the error for an attribute that does not exist, with what may be meant.

    ``elsewhere`` says of some names what to do instead. Copying and pickling look for names with underscores: these have no hint.

    >>> str(no_attribute(3, "A number", "to_html", {"to_html": "print() shows it."}))
    "A number has no attribute 'to_html'. print() shows it."
    """
    hint = ""
    if not name.startswith("_"):
        own = getattr(type(thing), "__dataclass_fields__", ())
        public = sorted(known for known in {*dir(type(thing)), *own} if not known.startswith("_"))
        hint = elsewhere.get(name) or did_you_mean(name, public) or f"It has {', '.join(public)}."
    return AttributeError(f"{called} has no attribute {name!r}. {hint}".rstrip(), name=name, obj=thing)
