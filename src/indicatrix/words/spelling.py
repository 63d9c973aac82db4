"""Suggestions for a misspelled name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from .wording import short

VERY_CLOSE = 0.8  # of two names that differ by a slip of the keys; at most 1


def close_names(name: str, names: Iterable[str], *, cutoff: float = 0.7) -> list[str]:
    """Return up to three names close to the given one, the closest first; case and hyphens do not matter.

    >>> close_names("balanced-Acuracy", ["accuracy", "balanced_accuracy"]), close_names("xyzzy", ["accuracy"])
    (['balanced_accuracy'], [])
    """
    from difflib import get_close_matches

    plain = {_plain(known): known for known in names}
    return [plain[match] for match in get_close_matches(_plain(name), plain, n=3, cutoff=cutoff)]


def similar_names(name: str, names: Iterable[str]) -> list[str]:
    """Return the names very close to the given one, else those that are part of it, else close ones.

    For example, ``auc`` is part of ``roc_auc``, and ``log_auc`` is only close to it. A short form, such as ``prec``, is the
    beginning of a name, of which the shortest are meant.

    >>> similar_names("F1", ["f1", "recall"]), similar_names("roc_auc", ["auc", "log_auc"]), similar_names("xyzzy", ["auc"])
    (['f1'], ['auc'], [])
    >>> similar_names("prec", ["precision_at_k", "precision", "recall"])
    ['precision', 'precision_at_k']
    """
    names, plain = [*names], _plain(name)
    parts = [known for known in names if {*_plain(known).split("_")} <= {*plain.split("_")}][:3]
    longer = sorted((known for known in names if _plain(known).startswith(plain)), key=len)[:3] if len(plain) > 2 else []
    return close_names(name, names, cutoff=VERY_CLOSE) or parts or close_names(name, names) or longer


def did_you_mean(name: str, names: Iterable[str]) -> str:
    """Return the question whether a similar name was meant; "" if no name is similar.

    >>> did_you_mean("F1", ["f1", "recall"]), did_you_mean("xyzzy", ["auc"])
    ('Did you mean f1?', '')
    """
    similar = similar_names(name, names)
    return f"Did you mean {' or '.join(similar)}?" if similar else ""


def unknown(
    option: str,
    given: Any,
    ways: Mapping[str, str] | Iterable[str],
    choose: str = "Choose from",
    *,
    where: str = "",
    also: Iterable[str] = (),
    more: str = "",
) -> str:
    """Return what is said of a choice that does not exist: a similar one, then all.

    With what they mean, if this is known.

    ``also`` are further names that may have been meant, and ``more`` is what else can be done.

    >>> unknown("shift", "labl", {"covariate": "as before", "label": "another one"}, "Choose")
    "shift='labl' is unknown. Did you mean label? Choose 'covariate': as before; 'label': another one."
    >>> unknown("method", 3, ["score", "delta"], where=" here", more=", or a function")
    'method=3 is unknown here. Choose from score, delta, or a function.'
    """
    ways = ways if isinstance(ways, Mapping) else [*ways]
    hint = did_you_mean(str(given), (*ways, *also))
    listed = "; ".join(f"{name!r}: {text}" for name, text in ways.items()) if isinstance(ways, Mapping) else ", ".join(ways)
    return f"{option}={short(given)} is unknown{where}. {hint + ' ' if hint else ''}{choose} {listed}{more}."


def _plain(name: str) -> str:
    return name.strip().casefold().replace("-", "_").replace(" ", "_")


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
