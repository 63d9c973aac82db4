"""What measures are called in other libraries: from tables of the manual that tests compare."""

from __future__ import annotations

import re
from collections import defaultdict
from functools import cache
from pathlib import Path

from names import OF_MEASURES

PROJECT = Path(__file__).parents[1] / "project"
ROW = re.compile(r"^\| `(.+?)` \| `(.+?)` \|", re.MULTILINE)
OF_PYCM = re.compile(r"^\| ([^|`]+) \| `(.+?)` \|", re.MULTILINE)
CALL = re.compile(r"ix(?:\.measures)?\.(\w+)\(")
SCORE = re.compile(r"""(?:\w+|ix\.evaluate\([^()]*\))\.(?:score|values)\((['"])([a-z]\w*)(?:\(.*?\))?\1""")
PLAIN = re.compile(r"([a-z]\w*)(?:\(.*\))?")
PYCM = "PyCM"


@cache
def names_elsewhere() -> dict[str, list[tuple[str, str, str]]]:
    """Return for each measure the libraries that have it: the library, the call there, the call here.

    >>> [there for library, there, here in names_elsewhere()["mcc"] if library == "PyCM"]
    ['ConfusionMatrix(y, z).MCC', 'MCC']
    """
    found = defaultdict(list)
    parts = re.split(r"^## (.+)$", (PROJECT / "coming-from.md").read_text("utf-8"), flags=re.MULTILINE)
    for library, text in zip(parts[1::2], parts[2::2], strict=True):
        for there, here in ROW.findall(text):
            if "(" in there and (name := _measure(here)) is not None:  # other rows are of options
                found[name].append((library, there, here))
    for there, here in OF_PYCM.findall((PROJECT / "pycm.md").read_text("utf-8")):
        if (name := _measure(here)) is not None:
            found[name].append((PYCM, there, here))
    return dict(found)


def _measure(here: str) -> str | None:
    """Return the measure that a call of ours computes as it is; None for another call.

    >>> _measure('ix.f1(y, z, average="macro")'), _measure("ev.score('braun_blanquet', 'macro')"), _measure("1 - ev.score('f1')")
    ('f1', 'braun_blanquet', None)
    """
    for pattern, group in ((SCORE, 2), (CALL, 1)):
        call = pattern.match(here)
        if call and here.endswith(")") and here.count("ix.") <= 1 + here.count("=ix.") + here.count(", ix."):
            return _name(call[group])
    whole = PLAIN.fullmatch(here)
    return _name(whole[1]) if whole else None


def _name(name: str) -> str | None:
    return OF_MEASURES[name].name if name in OF_MEASURES else None
