"""Words for messages: labels cut short, lists of names, suggestions for a misspelled name, and more.

Also what becomes of undefined values, numbers above their limit, and the texts that come with the library.

A number that a caller chooses and that costs time or memory has a limit, far above what is of use.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Iterable, Mapping, Sequence
from numbers import Integral
from typing import Any


def short(label: Any, most: int = 80) -> str:
    """Return the ``repr`` of a label for a message, cut if it is long; of one that has none, its type."""
    try:
        text = repr(label)
    except Exception:  # a list that is nested too deeply, or whatever an object of the caller does
        text = f"<{type(label).__name__}>"
    return text if len(text) <= most else f"{text[: most - 10]}… ({len(text)} characters)"


def type_of(given: Any) -> str:
    """Return the name of a type with its article.

    >>> type_of(3), type_of([]), type_of({}.items())
    ('an int', 'a list', 'a dict_items')
    """
    name = type(given).__name__
    return f"{'an' if name[:1].lower() in 'aeio' or name == 'ndarray' else 'a'} {name}"


def number_of(n: int, noun: str) -> str:
    """Return a number with its noun, in the plural if it is not one.

    >>> number_of(1, "column"), number_of(0, "argument"), number_of(2, "class")
    ('1 column', '0 arguments', '2 classes')
    """
    return f"{n:,} {noun}{'' if n == 1 else 'es' if noun.endswith('s') else 's'}"


def listing(names: Sequence[Any], most: int = 5) -> str:
    """Return names as text, the first few in full.

    >>> listing("abcdefg")
    "'a', 'b', 'c', 'd', 'e' and 2 more"
    """
    shown = ", ".join(map(short, names[:most]))
    return shown if len(names) <= most else f"{shown} and {len(names) - most} more"


def treatment(undefined: Any) -> str:
    """Return what a convention does to undefined values, in words.

    >>> treatment("exclude"), treatment(0)
    ('excluded', 'counted as 0')
    """
    if hasattr(undefined, "otherwise"):
        return f"absent classes excluded, others {treatment(undefined.otherwise)}"
    return {"exclude": "excluded", "nan": "kept as nan"}.get(str(undefined), f"counted as {undefined}")


def series(names: Sequence[Any], last: str = "and") -> str:
    """Return names as they are read aloud, with a word before the last one.

    >>> series(["micro", "macro", "exemplar"]), series([1, 2], "or"), series(["f1"])
    ('micro, macro and exemplar', '1 or 2', 'f1')
    """
    *most, end = map(str, names)
    return f"{', '.join(most)} {last} {end}" if most else end


def rows_in_words(times: Any) -> str:
    """Return in words how many rows stand for how many examples.

    >>> import numpy as np
    >>> rows_in_words(np.array([1, 3])), rows_in_words(np.array([0.5, 2]))
    ('2 distinct rows of 4 examples', '2 rows of examples with a total weight of 2.5')
    """
    total, k = times.sum(), times.size
    rows = f"row{'' if k == 1 else 's'} of"
    if isinstance(total, float):
        return f"{k} {rows} examples with a total weight of {total:.6g}"
    return f"{k} distinct {rows} {total} example{'' if total == 1 else 's'}"


def check_at_most(argument: str, given: int, most: int, use: str) -> None:
    """Refuse a number above its limit; ``use`` says what is enough.

    >>> check_at_most("bins", 10**9, 10**6, "Calibration takes 10 to 100 bins.")
    Traceback (most recent call last):
    ValueError: bins=1,000,000,000 is more than 1,000,000. Calibration takes 10 to 100 bins.
    """
    if given > most:
        raise ValueError(f"{argument}={_in_digits(given)} is more than {most:,}. {use}")


def check_whole(argument: str, given: Any, least: int, most: int | None = None, of: str = "") -> None:
    """Refuse what is not a whole number within its limits; ``of`` says what sets the upper one.

    >>> check_whole("bins", 2.5, 1)
    Traceback (most recent call last):
    ValueError: bins=2.5 must be a whole number of at least 1.
    """
    whole = isinstance(given, Integral) and not isinstance(given, bool)
    if not whole or given < least or (most is not None and given > most):
        limits = f"of at least {least}" if most is None else f"from {least} to {most:,}, {of}"
        raise ValueError(f"{argument}={short(given)} must be a whole number {limits}.")


def _in_digits(number: int) -> str:
    """Return a number with commas, or the power of two below it if it has too many digits to read."""
    return f"{number:,}" if number < 10**30 else f"about 2**{int(number).bit_length() - 1}"


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


def packaged_text(package: str | None, name: str) -> str:
    """Return a text file of a package.

    ``importlib.resources`` would load modules for temporary files and archives, which takes longer than to read the file.

    >>> packaged_text("indicatrix.report.page", "assets/frame.html")[:15]
    '<!DOCTYPE html>'
    """
    found = pkgutil.get_data(package or "indicatrix", name)
    if found is None:
        raise FileNotFoundError(
            f"{name} of {package} cannot be read: the installation is not complete. Install indicatrix again."
        )
    return found.decode("utf-8")
