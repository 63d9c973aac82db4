"""What a command asks of files: one record, made once, and checked before a file is opened."""

from __future__ import annotations

import codecs
import csv
import math
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..encode.decisions import ROW_RULES
from ..engines.arrow_columns import NUMBER
from ..engines.files.csv_files import CsvForm
from ..engines.files.found_files import similar_file

STDIN = "-"
SAVED = ".json"  # the ending of the name of a saved evaluation
PAGE, PAGES = "report.html", (".html", ".htm")  # the page that has no name of its own, and how names of pages end
MISSING = {"error": "error", "mask": "mask", "abstain": "abstain", "mask,abstain": ("mask", "abstain")}
OF_ROWS = (
    "true",
    "pred",
    "score",
    "decide",
    "multilabel",
    "separator",
    "classes",
    "weight",
    "gold",
    "design",
    "missing",
    "delimiter",
    "encoding",
)


@dataclass(frozen=True)
class Asked:
    """How rows become evaluations, and which scores are shown; every field is the option of its name."""

    files: tuple[str, ...] = ()
    true: str | None = None
    pred: tuple[str, ...] = ()  # a column for each classifier
    score: tuple[str, ...] = ()  # names or patterns of columns for each classifier
    decide: Any = None
    multilabel: str | None = None
    separator: str | None = None
    classes: tuple[str, ...] | None = None
    positive: str | None = None
    by: tuple[str, ...] = ()
    among: tuple[str, ...] = ()  # those of by that are features
    weight: str | None = None
    gold: str | None = None  # true labels of some rows
    design: str | None = None  # the column of strata, or "judge"
    missing: Any = "error"
    delimiter: str | None = None
    encoding: str = "utf-8"
    measure: tuple[Any, ...] = ()
    average: tuple[str, ...] = ()
    undefined: Any = "exclude"
    interval: float | None = None
    prevalence: Any = None  # the share of the positive class where the classifier is used, or shares by the names of classes
    sampled: str | None = None

    @property
    def selects(self) -> bool:
        """Whether measures or averages are given, so that only their scores are shown."""
        return bool(self.measure or self.average)

    @property
    def csv(self) -> CsvForm:
        """How text files are written."""
        return CsvForm(self.encoding, self.delimiter)

    @property
    def named_columns(self) -> tuple[str, ...]:
        """The columns that are named in full, without prefixes and patterns."""
        return (*filter(None, (self.true, self.weight, self.gold)), *self.by, *(() if self.multilabel else self.pred))


def check_asked(asked: Asked) -> None:
    """Refuse arguments that contradict each other; no file is read."""
    _check_files(asked)
    if asked.pred and asked.score:
        raise ValueError("--pred names predicted labels, --score scores to decide on. Give only one of them.")
    if asked.multilabel and not asked.pred and not asked.score:
        raise ValueError("What was predicted? Give --pred PREFIX, or --score PREFIX with --decide, as --multilabel is the truth.")
    if asked.decide is not None and not asked.score:
        raise ValueError("--decide turns scores into decisions. Name the columns of scores with --score.")
    if asked.true and asked.multilabel:
        raise ValueError("--true names one column of labels, --multilabel the prefix of 0/1 columns. Give only one of them.")
    if asked.multilabel and asked.classes is not None:
        raise ValueError("--classes does not go with --multilabel, where every 0/1 column is a class. Leave one of them out.")
    if asked.separator is not None and (asked.multilabel or asked.score):
        other = "--multilabel, which takes one 0/1 column per label" if asked.multilabel else "--score, which takes numbers"
        raise ValueError(f"--separator splits cells of labels and does not go with {other}. Leave one of them out.")
    if asked.separator is not None and asked.missing != "error":
        raise ValueError(
            "--missing does not go with --separator, where an empty cell is an example without labels. Leave it out."
        )
    if "abstain" in asked.missing and (asked.score or asked.multilabel):
        raise ValueError(
            "--missing abstain needs one predicted label per row. For scores use --decide 'reject_below(0.7)'; in 0/1 columns "
            "a row of zeros abstains."
        )


def _check_files(asked: Asked) -> None:
    """Refuse files that cannot be read together, or not with these columns."""
    files, columns = asked.files, asked.pred
    if files.count(STDIN) > 1:
        raise ValueError("Standard input, -, can be read only once. Give - only once.")
    for path in files[1:] if columns else ():  # a second column after --pred, which click reads as a file
        if not Path(path).suffix and path != STDIN and not Path(path).exists() and not similar_file(path):
            repeated = " ".join(f"--pred {name}" for name in (*columns, path))
            raise ValueError(f"There is no file {path}. If it is a column of predictions, repeat --pred: {repeated}.")
    for option, given in (("--pred", columns), ("--score", asked.score)):
        if len(given) > 1 and len(files) > 1:
            raise ValueError(f"Several files and several {option} are two comparisons. Give one file, or one {option}.")
        for name in given:
            if given.count(name) > 1:
                raise ValueError(f"{option} names {name!r} twice. Name each column once.")
    if files and all(map(is_saved, files)):
        for name in OF_ROWS:
            if getattr(asked, name) != getattr(Asked(), name):
                raise ValueError(f"--{name} is about rows, but saved evaluations contain only counts. Leave it out.")


def is_saved(path: str) -> bool:
    """Return whether a path names a saved evaluation.

    >>> is_saved("a.JSON"), is_saved("a.csv")
    (True, False)
    """
    return path.lower().endswith(SAVED)


def check_exists(path: str) -> None:
    """Refuse the name of a saved evaluation that is not there."""
    if not Path(path).exists():
        raise ValueError(f"There is no file {path}. {similar_file(path) or 'Check the name; --save writes such files.'}")


def check_written(asked: Asked, save: str | None, html: str | None, what: str = "a saved evaluation") -> None:
    """Refuse files to write that are read now, or that nobody could read later."""
    for option, path in (("--save", save), ("--html", html)):
        if path is not None:
            _check_writable(asked.files, path, option)
    if save is not None and not is_saved(save):
        other = Path(save).with_suffix(SAVED).name
        raise ValueError(f"--save {save}: the name of {what} must end with {SAVED}. Name it {other}, for example.")
    if html is not None and Path(html).suffix.lower() not in PAGES:
        raise ValueError(
            f"--html {html}: the name of a page must end with .html. Name it {Path(html).with_suffix('.html').name}, for "
            f"example, or leave the name out for {PAGE}; if {html} is a file to read, give it before --html."
        )


def _check_writable(files: tuple[str, ...], path: str, option: str) -> None:
    target = Path(path)
    if target.is_dir() or not target.absolute().parent.is_dir():
        why = "this is a folder" if target.is_dir() else "the folder does not exist"
        raise ValueError(f"{option} {path}: {why}. Name a file.")
    if target.exists() and files[0] != STDIN and Path(files[0]).exists() and target.samefile(files[0]):
        raise ValueError(f"{option} {path} would overwrite the file that is read. Name another file.")


def level_of(text: str | None, option: str = "--interval") -> float | None:
    """Return a level, which is given as a share or in percent.

    >>> level_of("0.9"), level_of("95%"), level_of(None)
    (0.9, 0.95, None)
    """
    if text is None:
        return None
    try:
        level = _share(text)
    except ValueError:
        level = 0.0
    if not 0 < level < 1:
        raise ValueError(f"{option} {text} must be a level between 0 and 1, such as 0.95 or 95%.")
    return level


def prevalence_of(text: str | None) -> float | dict[str, float] | None:
    """Return the share, or the shares of classes, that ``--prevalence`` names.

    >>> prevalence_of("0.02"), prevalence_of("2%"), prevalence_of("cat=0.2,dog=0.8"), prevalence_of(None)
    (0.02, 0.02, {'cat': 0.2, 'dog': 0.8}, None)
    """
    if text is None:
        return None
    try:
        if "=" not in text:
            return _share(text)
        parts = [part.rpartition("=") for part in text.split(",")]
        return {name.strip(): _share(share) for name, _, share in parts}
    except ValueError:
        raise ValueError(
            f"--prevalence {text} must be the share of the positive class, such as 0.02 or 2%, or the share of each class, such "
            "as cat=0.2,dog=0.8. A range of shares is for ev.interval in Python."
        ) from None


def _share(text: str) -> float:
    share = float(text.strip().removesuffix("%")) / (100 if text.strip().endswith("%") else 1)
    if not 0 <= share <= 1:
        raise ValueError
    return share


def delimiter_of(text: str | None) -> str | None:
    r"""Return the character that ``--delimiter`` stands for.

    >>> delimiter_of("tab"), delimiter_of(";")
    ('\t', ';')
    """
    character = "\t" if text in ("tab", "\\t") else text
    if character is not None and (len(character) != 1 or character in '"\r\n'):
        raise ValueError(f"--delimiter {text!r} is not one character. Use , or ; or tab, for example.")
    return character


def separator_of(text: str | None) -> str | None:
    r"""Return the text that ``--separator`` puts between the labels of one cell.

    >>> separator_of("tab"), separator_of(";"), separator_of(", ")
    ('\t', ';', ', ')
    """
    if text == "":
        raise ValueError("--separator is empty. Name what stands between two labels of a cell: --separator ';', for example.")
    return "\t" if text in ("tab", "\\t") else text


def encoding_of(text: str) -> str:
    """Return the encoding; refuse one that Python does not know."""
    try:
        "".encode(text)
        codecs.lookup(text)
    except LookupError:
        raise ValueError(f"--encoding {text!r} is unknown. Use utf-8, utf-16, cp1252 or latin-1, for example.") from None
    return text


def decide_of(text: str | None) -> Any:
    """Return the rule that turns scores into decisions.

    >>> decide_of("argmax"), decide_of("0.5"), decide_of("top3"), decide_of("reject_below(0.7)"), decide_of("hit_in_top(2)")
    ('argmax', 0.5, top_k(3), reject_below(0.7), hit_in_top(2))
    """
    if text is None or text == "argmax":
        return text

    top = re.fullmatch(r"top[_ ]?(\d+)", text)
    named = re.fullmatch(r"(\w+)\((.+)\)", f"top_k({top[1]})" if top else text)
    number = _finite(named[2] if named else text)
    if number is None or (named and named[1] not in ROW_RULES):
        possible = ", ".join(f"'{name}(…)'" for name in ROW_RULES)
        raise ValueError(
            f"--decide {text!r} is not a rule. Use argmax, a threshold such as 0.5, top3, or a rule of rows: {possible}."
        )
    return ROW_RULES[named[1]](int(number) if number.is_integer() else number) if named else number


def undefined_of(text: str) -> Any:
    """Return the convention for undefined values: a word, or the number that replaces them."""
    if text in ("exclude", "nan", "raise"):
        return text
    number = _finite(text)
    if number is None:
        raise ValueError(f"--undefined {text!r} is not a convention. Use exclude, nan, raise or a number such as 0.")
    return int(number) if number.is_integer() else number


def split_names(text: str) -> tuple[str, ...]:
    """Return the names in a list with commas; a name that contains a comma is quoted.

    >>> split_names('ant, "cat, wild"')
    ('ant', 'cat, wild')
    """
    return tuple(name.strip() for name in next(csv.reader([text], skipinitialspace=True), []) if name.strip())


def classes_of(text: str | None) -> tuple[str, ...] | None:
    """Return the classes in their order; None if the file decides them."""
    names = None if text is None else split_names(text)
    if names == ():
        raise ValueError(f"--classes {text!r} does not name a class. Write names with commas between them, or leave it out.")
    return names


def _finite(text: str) -> float | None:
    return float(text) if NUMBER.fullmatch(text) and math.isfinite(float(text)) else None
