"""Options that several commands share, and the examples at the end of their help."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import click

from ..algebra.derived_facts import DIRECTIONS as BETTER
from .output import Form

DIRECTIONS = click.Choice(BETTER)


class OncePerOption(click.Command):
    """A command that refuses an option given twice if it takes one value; click would use the last one."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the arguments into the context."""
        order = self.make_parser(ctx).parse_args(args=[*args])[2]
        for option in order:
            if isinstance(option, click.Option) and not (option.multiple or option.is_flag) and order.count(option) > 1:
                raise click.UsageError(f"{option.opts[0]} is given {order.count(option)} times. Give it once.", ctx)
        return super().parse_args(ctx, args)


def add_forms(command: Callable[..., None]) -> Callable[..., None]:
    """Return the command with --json, --markdown, --latex and --csv, which it receives as ``form``."""

    @click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")
    @click.option("--markdown", "as_markdown", is_flag=True, help="Print Markdown.")
    @click.option("--latex", "as_latex", is_flag=True, help="Print LaTeX, for the package booktabs.")
    @click.option("--csv", "as_csv", is_flag=True, help="Print one table as CSV, with all digits.")
    @wraps(command)
    def with_form(*args: Any, **options: Any) -> None:
        forms: dict[str, Form] = {"as_json": "json", "as_markdown": "markdown", "as_latex": "latex", "as_csv": "csv"}
        asked = [form for name, form in forms.items() if options.pop(name)]
        if len(asked) > 1:
            raise click.UsageError(f"--{asked[0]} and --{asked[1]} are two forms of one output. Give only one of them.")
        command(*args, form=asked[0] if asked else "text", **options)

    return with_form


def examples(*lines: str) -> str:
    """Return the end of a help page: commands to try, one per line."""
    return "\b\nExamples:\n" + "\n".join(f"  indicatrix {line}" for line in lines)  # click keeps lines after this character
