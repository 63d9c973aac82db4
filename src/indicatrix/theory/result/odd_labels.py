"""Labels that are probably a mistake: predicted but never true, twins, texts for missing labels."""

from __future__ import annotations

from typing import Any

from ...words.wording import listing, series, short

TWINS = "differ only in upper and lower case or in spaces"
# What programs write for a missing label; "none" is a class in many problems.
MISSING = ("nan", "NaN", "NAN", "NA", "N/A", "n/a", "#N/A", "<NA>", "NaT", "null", "NULL", "None")


def foreign_labels(source: Any) -> list[Any]:
    """Return the predicted labels if none of them is a true label of any example; otherwise nothing.

    Nothing is returned either where the classes were given, or are 0 and 1, because such labels are written correctly.

    >>> import indicatrix as ix
    >>> foreign_labels(ix.evaluate(["cat", "dog"], ["Cat", "Dog"])), foreign_labels(ix.evaluate(["cat", "dog"], ["dog", "dog"]))
    (['Cat', 'Dog'], [])
    """
    if getattr(source, "kind", "") != "multiclass" or not source.tally.open or source.positive is not None:
        return []
    counts = source.tally.aggregate("class")
    true, pred = counts.tpos != 0, counts.ppos != 0
    if not true.any() or not pred.any() or (true & pred).any():
        return []
    return [name for name, predicted in zip(source.classes, pred.tolist(), strict=True) if predicted]


def foreign_labels_in_words(source: Any, of: str = "") -> list[str]:
    """Return what to say if no predicted label is a true label, in clauses; otherwise nothing.

    >>> import indicatrix as ix
    >>> foreign_labels_in_words(ix.evaluate(["cat", "dog"], ["Cat", "Dog"]))[1]
    'they differ only in upper and lower case or in spaces'
    """
    labels = foreign_labels(source)
    if not labels:
        return []
    known = {_plain(name) for name in source.classes if name not in labels}
    alike = [f"they {TWINS}"] if known >= {*map(_plain, labels)} else []
    return [f"no predicted label occurs among the true labels{of and f' of {of}'}: {listing(labels, 3)}", *alike]


def describe_foreign_labels(source: Any, of: str = "") -> str:
    """Return a sentence if no predicted label is a true label; otherwise "".

    >>> import indicatrix as ix
    >>> describe_foreign_labels(ix.evaluate(["cat", "dog"], ["Cat", "Dog"]))
    "No predicted label occurs among the true labels: 'Cat', 'Dog'. They differ only in upper and lower case or in spaces."
    """
    return " ".join(f"{clause[0].upper()}{clause[1:]}." for clause in foreign_labels_in_words(source, of))


def alike_labels(source: Any) -> list[tuple[str, ...]]:
    """Return the classes that differ only in upper and lower case or in spaces, together.

    If the classes were given, nothing is returned.

    >>> import indicatrix as ix
    >>> alike_labels(ix.evaluate(["cat", "dog ", "dog"], ["cat", "dog", "Dog"]))
    [('Dog', 'dog', 'dog ')]
    """
    if not getattr(getattr(source, "tally", None), "open", False):
        return []
    together: dict[str, list[str]] = {}
    for name in source.classes:
        if isinstance(name, str):
            together.setdefault(_plain(name), []).append(name)
    return [tuple(names) for names in together.values() if len(names) > 1]


def describe_alike_labels(source: Any, of: str = "") -> str:
    """Return a sentence if classes differ only in upper and lower case or in spaces; otherwise "".

    Where no predicted label is a true one, ``describe_foreign_labels`` says it.

    >>> import indicatrix as ix
    >>> describe_alike_labels(ix.evaluate(["cat", "dog "], ["cat", "dog"]))
    "Classes differ only in upper and lower case or in spaces: 'dog' and 'dog '."
    """
    alike = [] if foreign_labels(source) else alike_labels(source)
    if not alike:
        return ""
    groups = [series([*map(short, names)]) for names in alike[:3]]
    more = f"; and {len(alike) - 3} more" if len(alike) > 3 else ""
    return f"Classes{of and f' of {of}'} {TWINS}: {'; '.join(groups)}{more}."


def missing_texts(source: Any) -> list[str]:
    """Return the classes that are texts which usually stand for a missing label.

    If the classes were given, nothing is returned.

    >>> import indicatrix as ix
    >>> missing_texts(ix.evaluate(["cat", "nan"], ["cat", "cat"]))
    ['nan']
    """
    known = getattr(getattr(source, "tally", None), "open", False)
    return [name for name in source.classes if isinstance(name, str) and name in MISSING] if known else []


def describe_missing_texts(source: Any, of: str = "") -> str:
    """Return a sentence if texts that usually stand for a missing label are classes; otherwise "".

    >>> import indicatrix as ix
    >>> describe_missing_texts(ix.evaluate(["cat", "nan"], ["cat", "cat"]))
    "The text 'nan' is counted as a class."
    """
    names = missing_texts(source)
    if not names:
        return ""
    whose = of and f" of {of}"
    if len(names) == 1:
        return f"The text {names[0]!r}{whose} is counted as a class."
    return f"The texts {series([*map(repr, names)])}{whose} are counted as classes."


def _plain(label: Any) -> str:
    return "".join(str(label).casefold().split())
