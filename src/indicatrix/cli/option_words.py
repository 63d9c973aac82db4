"""The library's messages in the words of the command line: options in place of its arguments."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import click

from ..engines.files.found_files import find_files, similar_file

# The arguments that mean what the option of the same name means.
ARGUMENTS = (
    *("average", "positive", "classes", "decide", "missing", "undefined", "by", "encoding", "delimiter", "separator"),
    *("baseline", "level", "method", "margin", "correction", "across_scores", "clusters", "prevalence", "sampled"),
)
# Advice is written as in Python, but a shell needs no quotation marks; a value that is refused keeps them.
UNQUOTED = r"(?P<plain>missing|encoding|better)(?P<value>='[\w-]+'|=\('[\w-]+', '[\w-]+'\))(?! is )"
SIDES = {"y_true": "the truth", "y_pred": "the prediction"}
ADVICE = {  # what to do in Python, and on the command line
    r"one_vs_all=True": "--one-vs-all",
    r"method='sweep'": "--method sweep",
    r"Example \d+ was observed": "An example was observed",  # counted from the start of a block of rows
    r"Leave it out for all with mask=, or count it with missing='abstain'": "Remove such rows, or count them with "
    "--missing mask,abstain",
    r"ix\.evaluate\(y_true, scores, decide='argmax'\); or ix\.[\w.]+\(y_true, scores\)": "--score COLUMNS --decide argmax",
}
# What is reworded; and first what repr has written, which is the user's: columns, labels, values.
WORDS = (
    r"""(?<!\w)(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")"""
    rf"|(?P<advice>{'|'.join(ADVICE)})"
    rf"|(?<![\w./-])(?:{UNQUOTED}|(?P<argument>{'|'.join(ARGUMENTS)})= ?|(?P<side>{'|'.join(SIDES)})(?!\w|[./-]\w))"
)


@contextmanager
def options_in_messages(context: click.Context) -> Iterator[None]:
    """Raise errors of the library with options of a command in place of its arguments."""
    try:
        yield
    except (ValueError, TypeError) as wrong:
        options = {parameter.name or "" for parameter in context.command.params}
        raise ValueError(reword(str(wrong), options, _names_given(context.params))) from wrong


def reword(text: str, options: Collection[str] = ARGUMENTS, given: Iterable[str] = ()) -> str:
    """Return a message of the library with options of a command in place of its arguments.

    What the user gave stays as it is: text in quotation marks, and the ``given`` names, which stand without them.

    >>> reword("Add it to classes=, or give missing='mask'. 'by=' stays.")
    "Add it to --classes, or give --missing mask. 'by=' stays."
    >>> reword("level=3/by=site.csv: by= names no column.", given=["level=3/by=site.csv"])
    'level=3/by=site.csv: --by names no column.'
    """

    def replacement(found: re.Match[str]) -> str:
        if found["advice"]:
            return next(meant for written, meant in ADVICE.items() if re.fullmatch(written, found[0]))
        if found["side"]:
            return SIDES[found["side"]]
        name = found["argument"] or found["plain"]
        if name not in options:
            return found[0]
        value, rest = ",".join(re.findall(r"[\w-]+", found["value"] or "")), text[found.end() :]
        return f"--{name} {value}" if value or not re.match(r"[,.;:)]|$", rest) else f"--{name}"

    return re.sub(_pattern_of_kept(given) + WORDS, replacement, text)


def _pattern_of_kept(given: Iterable[str]) -> str:
    """Return the pattern of names that stay, the longest first; "" if none could be reworded."""
    names = [name for name in given if re.search(rf"['\"]|{WORDS}", name)]
    return rf"(?<!\w)(?:{'|'.join(map(re.escape, sorted(names, key=len, reverse=True)))})(?!\w)|" if names else ""


def _names_given(values: dict[str, Any]) -> set[str]:
    """Return what the user gave: files, files of folders, values; and the names of similar files."""
    texts = [text for value in values.values() for text in (value if isinstance(value, tuple) else (value,))]
    names = {text for text in texts if isinstance(text, str)}
    for path in filter(None, (*values.get("files", ()), values.get("test"))):
        with suppress(OSError, ValueError, ImportError):  # the path may be what is wrong
            names |= {similar_file(path)}
            names |= {file.name for file in find_files(path)}
    return names - {""}
