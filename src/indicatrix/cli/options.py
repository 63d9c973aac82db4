"""The options of commands: how each is written, read, and completed by a shell.

A shell's script comes from click: ``_INDICATRIX_COMPLETE=bash_source indicatrix``. A completion never fails: where a file cannot
be read, there is nothing to complete. Messages of the library are put in the words of the command line: options in place of its
arguments.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import fields
from functools import wraps
from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem

from ..algebra.average import ALIASES, AVERAGES, BINARY
from ..algebra.derived.derived_facts import DIRECTIONS as BETTER
from ..algebra.kind import every_measure
from ..engines.files.csv_files import CsvForm
from ..engines.files.found_files import find_files, similar_file
from ..engines.files.rows_of_file import open_rows
from . import asked
from .asked import Asked
from .output import Form

DIRECTIONS = click.Choice(BETTER)
Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]
# The arguments that mean what the option of the same name means.
ARGUMENTS = (
    *("average", "positive", "classes", "decide", "missing", "undefined", "by", "encoding", "delimiter", "separator"),
    *("baseline", "level", "method", "margin", "correction", "across_scores", "clusters", "prevalence", "sampled"),
    *("question", "score", "model", "task", "scorer", "repeats", "organization", "false_discoveries", "depth", "smallest"),
)
# Advice is written as in Python, but a shell needs no quotation marks; a value that is refused keeps them.
UNQUOTED = r"(?P<plain>missing|encoding|better)(?P<value>='[\w-]+'|=\('[\w-]+', '[\w-]+'\))(?! is )"
SIDES = {"y_true": "the truth", "y_pred": "the prediction"}
ADVICE = {  # what to do in Python, and on the command line
    r"one_vs_all=True": "--one-vs-all",
    r"Name their column with score=": "Name their column with --score",
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


def complete_measures(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Return the measures of every kind that start with a text, each with what it is."""
    known = {name: m.doc.partition("\n")[0] for m in every_measure() for name in (m.name, *m.aliases)}
    return [CompletionItem(name, help=text) for name, text in known.items() if name.startswith(incomplete)]


def complete_averages(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Return the averages, and the columns of --by."""
    known = {name: rule.meaning for name, rule in AVERAGES.items()}
    known |= {BINARY: "the counts of the positive class"} | {alias: f"the same as {name}" for alias, name in ALIASES.items()}
    known |= dict.fromkeys(context.params.get("by") or (), "the plain mean over its groups")
    return [CompletionItem(name, help=text) for name, text in known.items() if name.startswith(incomplete)]


def complete_columns(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Return the columns of the files of the command that start with a text."""
    paths = context.params.get("files") or context.args  # an option without its value ends the reading of arguments
    names = (name for path in paths for name in _columns(path, context.params))
    return [CompletionItem(name) for name in dict.fromkeys(names) if name.startswith(incomplete)]


def _columns(path: str, options: dict[str, Any]) -> tuple[str, ...]:
    """Return the columns of a file; none if it is standard input, missing, or not a table."""
    if not Path(path).is_file() or path.endswith((".json", ".gz", ".zst")):  # a packed file may take long
        return ()
    with suppress(Exception):  # whatever is wrong with a file, the command itself will say it
        dialect = CsvForm(options.get("encoding") or "utf-8", options.get("delimiter"))
        with open_rows(find_files(path)[0], dialect) as rows:
            return tuple(name for name in rows.columns if name.isprintable())
    return ()


def _read_measures(texts: Iterable[str]) -> tuple[Any, ...]:
    from .arguments import read_measure

    return tuple(read_measure(text, {}) for text in texts)


def one(text: str | None) -> tuple[str, ...]:
    """Return an option that is given once, as those that may be repeated are given."""
    return () if text is None else (text,)


COMPLETE = {"COLUMN": complete_columns, "COLUMNS": complete_columns, "NAME|FORMULA": complete_measures}  # by what is named
READ: dict[str, Callable[[Any], Any]] = {
    "score": one,
    "decide": asked.decide_of,
    "separator": asked.separator_of,
    "classes": asked.classes_of,
    "by": lambda names: tuple(dict.fromkeys(names)),
    "missing": asked.MISSING.get,
    "delimiter": asked.delimiter_of,
    "encoding": asked.encoding_of,
    "measure": _read_measures,
    "undefined": asked.undefined_of,
    "interval": asked.level_of,
}
# What is written, then the help; dots say that an option may be repeated.
TEXTS = {
    "--true COLUMN": "The column of true labels. Default: the one with a usual name: y_true, true, label, target, actual.",
    "--pred COLUMN...": "The column of predicted labels. Repeated, it compares the columns of one file side by side. "
    "Default: the one with a usual name: y_pred, pred, prediction, predicted.",
    "--measure -m NAME|FORMULA...": "Only this measure: f1, 'f_beta(beta=2)', 'tp/(tp+fp)'; with --score also auc, brier. "
    "Repeatable.",
    "--average -a NAME...": "Only this average: micro, macro, weighted, exemplar, binary, or a column of --by. Repeatable.",
    "--undefined HOW": "What to do with an undefined value: leave it out (exclude, the default), replace it by a number (0), "
    "keep it (nan), or stop with an error (raise).",
    "--interval LEVEL": "Show between which values the true score is expected to lie. Without LEVEL it is 0.95.",
    "--positive CLASS": "The positive class, for binary scores. For labels 0 and 1 it is 1.",
    "--classes A,B,C": "The classes in their order; a label outside them is an error.",
    "--by COLUMN...": "Also evaluate each group of this column. Repeatable.",
    "--weight COLUMN": "The column of sample weights.",
    "--gold COLUMN": "The column of true labels of some rows, empty where nobody looked. --true is then what a judge says, and "
    "scores are corrected by the gold labels.",
    "--design COLUMN": "How rows with a gold label were chosen: the column of strata within which they were chosen at random, "
    "or judge. Default: within each predicted class.",
    "--score COLUMNS": "Columns of scores instead of --pred: names with commas between them, or a pattern such as 'p_*'. One "
    "column is the score of the positive class. With several columns each is one class: the name of the column without the "
    "beginning that all of them share, if this gives the labels; otherwise --classes names the classes in order.",
    "--decide RULE": "How scores become decisions: argmax, 0.5, top3, 'reject_below(0.7)'.",
    "--multilabel PREFIX": "Several labels per row: the truth is in the 0/1 columns that start with this prefix, the "
    "prediction in the columns that start with --pred (or --score). They are matched by what follows the prefix.",
    "--separator TEXT": "Several labels per row in one cell, with this text between them: ';' for cells such as red;big. An "
    "empty cell has no labels.",
    "--missing": "What an empty label means: an error (the default); not observed (mask); an abstention of the predictor "
    "(abstain); or not observed in the truth and an abstention in the predictions (mask,abstain).",
    "--delimiter CHARACTER": "The character between columns, if the header does not decide it: , ; or tab.",
    "--encoding NAME": "The encoding of the text, if not utf-8: cp1252, utf-16, …",
}
MORE: dict[str, dict[str, Any]] = {
    "average": {"shell_complete": complete_averages},
    "undefined": {"default": "exclude"},
    "interval": {"without": "0.95"},
    "missing": {"type": click.Choice([*asked.MISSING]), "default": "error"},
    "encoding": {"default": "utf-8"},
}


def option(
    written: str, help: str, *, read: Callable[[Any], Any] | None = None, without: str | None = None, **more: Any
) -> Decorator:
    """Return an option of click.

    Parameters
    ----------
    written : str
        What a user writes: ``--measure -m NAME...``; dots say that it may be repeated.
    help : str
        What it does.
    read : callable, optional
        Makes a value of what was given; an error says what is wrong with it. Default: that of ``READ``.
    without : str, optional
        What is meant if the option is given without a value.
    **more
        What click takes.
    """
    flags = [word for word in written.split() if word.startswith("-")]
    named = written.removeprefix(" ".join(flags)).strip()
    metavar, reader = named.removesuffix("..."), read or READ.get(flags[0].lstrip("-"))
    how: dict[str, Any] = {"metavar": metavar or None, "multiple": metavar != named, "shell_complete": COMPLETE.get(metavar)}
    how |= {"type": click.Path()} if metavar == "FILE" else {}
    how |= {} if without is None else {"is_flag": False, "flag_value": without}
    if reader is not None:
        how["callback"] = lambda context, parameter, value: reader(value)
    return click.option(*flags, help=help, **how | more)


def html_option(what: str) -> Decorator:
    """Return the option that writes a page of something; without a file it is report.html."""
    text = f"Write {what} to this file, which a browser opens, also offline. Without FILE it is {asked.PAGE}."
    return option("--html FILE", text, without=asked.PAGE)


LEVEL = option(
    "--level LEVEL",
    "The level of intervals and tests. Default: 0.95.",
    default="0.95",
    read=lambda text: asked.level_of(text, "--level"),
)
BASELINE = option("--baseline NAME", "The file, column or model with which the others are compared, instead of all pairs.")
CLUSTERS = option("--clusters COLUMN", "Groups that were sampled as a whole, such as patients with several images each.")
MARGIN = option(
    "--margin SIZE",
    "A difference that does not matter: how much worse is not yet worse, or how far apart is equivalent.",
    type=float,
)
FILES = click.argument("files", nargs=-1, required=True, metavar="FILE...", type=click.Path(), is_eager=True)
OPTIONS = {
    name: option(written, text, **MORE.get(name, {}))
    for written, text in TEXTS.items()
    if (name := written.partition(" ")[0].lstrip("-"))
}


class FileCommand(click.Command):
    """A command that reads files: an option with one value is given once, and errors name options."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the arguments into the context; click would use the last of several values."""
        order = self.make_parser(ctx).parse_args(args=[*args])[2]
        for option in order:
            if isinstance(option, click.Option) and not (option.multiple or option.is_flag) and order.count(option) > 1:
                raise click.UsageError(f"{option.opts[0]} is given {order.count(option)} times. Give it once.", ctx)
        with options_in_messages(ctx):
            return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        with options_in_messages(ctx):
            return super().invoke(ctx)


def add_files(*options: str | Decorator) -> Decorator:
    """Return a decorator that gives a command files and these options, in the order of its help.

    An option of ``OPTIONS`` is named; any other is given as click made it. The command receives what it asks of files as one
    record, and its own options by their names.
    """

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(command)
        def with_record(**given: Any) -> None:
            record = Asked(**{field.name: given.pop(field.name) for field in fields(Asked) if field.name in given})
            asked.check_asked(record)
            command(record, **given)

        made: Callable[..., Any] = with_record
        for one in reversed(options):
            made = (OPTIONS[one] if isinstance(one, str) else one)(made)
        return FILES(made)

    return decorate


def add_forms(command: Callable[..., None]) -> Callable[..., None]:
    """Return the command with --json, --markdown, --latex and --csv, which it receives as ``form``."""

    @click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")
    @click.option("--markdown", "as_markdown", is_flag=True, help="Print Markdown.")
    @click.option("--latex", "as_latex", is_flag=True, help="Print LaTeX, for the package booktabs.")
    @click.option("--csv", "as_csv", is_flag=True, help="Print one table as CSV, with all digits.")
    @wraps(command)
    def with_form(*args: Any, **options: Any) -> None:
        forms: tuple[Form, ...] = ("json", "markdown", "latex", "csv")
        chosen = [form for form in forms if options.pop(f"as_{form}")]
        if len(chosen) > 1:
            raise click.UsageError(f"--{chosen[0]} and --{chosen[1]} are two forms of one output. Give only one of them.")
        command(*args, form=chosen[0] if chosen else "text", **options)

    return with_form


def examples(*lines: str) -> str:
    """Return the end of a help page: commands to try, one per line."""
    return "\b\nExamples:\n" + "\n".join(f"  indicatrix {line}" for line in lines)  # click keeps lines after this character


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
        flag = f"--{name.replace('_', '-')}"
        return f"{flag} {value}" if value or not re.match(r"[,.;:)]|$", rest) else flag

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
