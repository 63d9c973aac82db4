"""What a shell completes: measures, averages, columns of the files that were named.

The shell's script comes from click: ``_INDICATRIX_COMPLETE=bash_source indicatrix``. A completion never fails: where a file
cannot be read, there is nothing to complete.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem


def complete_measures(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Return the measures of counts and of the matrix that start with a text, each with what it is."""
    from ..algebra.measure import MEASURES
    from ..catalogue.matrices import MATRIX_MEASURES

    return _describe({**MEASURES, **MATRIX_MEASURES}.items(), incomplete)


def complete_measures_and_areas(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Return the measures, and the areas under curves."""
    from ..scores.areas import AREAS

    return complete_measures(context, parameter, incomplete) + _describe(AREAS.items(), incomplete)


def complete_averages(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Return the averages, and the columns of --by."""
    from ..algebra.average import ALIASES, AVERAGES, BINARY

    known = {name: rule.meaning for name, rule in AVERAGES.items()}
    known |= {BINARY: "the counts of the positive class"} | {alias: f"the same as {name}" for alias, name in ALIASES.items()}
    known |= dict.fromkeys(context.params.get("by") or (), "the plain mean over its groups")
    return [CompletionItem(name, help=text) for name, text in known.items() if name.startswith(incomplete)]


def complete_columns(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Return the columns of the files of the command that start with a text."""
    paths = context.params.get("files") or context.args  # an option without its value ends the reading of arguments
    names = (name for path in paths for name in _columns(path, context.params))
    return [CompletionItem(name) for name in dict.fromkeys(names) if name.startswith(incomplete)]


def _describe(known: Iterable[tuple[str, Any]], incomplete: str) -> list[CompletionItem]:
    return [CompletionItem(name, help=m.doc.partition("\n")[0]) for name, m in known if name.startswith(incomplete)]


def _columns(path: str, options: dict[str, Any]) -> tuple[str, ...]:
    """Return the columns of a file; none if it is standard input, missing, or not a table."""
    from ..engines.files.csv_files import CsvForm
    from ..engines.files.found_files import find_files
    from ..engines.files.rows_of_file import open_rows

    if not Path(path).is_file() or path.endswith((".json", ".gz", ".zst")):  # a packed file may take long
        return ()
    with suppress(Exception):  # whatever is wrong with a file, the command itself will say it
        dialect = CsvForm(options.get("encoding") or "utf-8", options.get("delimiter"))
        with open_rows(find_files(path)[0], dialect) as rows:
            return tuple(name for name in rows.columns if name.isprintable())
    return ()
