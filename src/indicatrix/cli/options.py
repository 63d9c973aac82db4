"""Options that several commands share, and the examples at the end of their help."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import click

from ..algebra import measure
from .output import Form

DIRECTIONS = click.Choice(measure.DIRECTIONS)


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
    """Return the command with the options --json and --markdown, which it receives as ``form``."""

    @click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")
    @click.option("--markdown", "as_markdown", is_flag=True, help="Print Markdown.")
    @wraps(command)
    def with_form(*args: Any, as_json: bool, as_markdown: bool, **options: Any) -> None:
        if as_json and as_markdown:
            raise click.UsageError("--json and --markdown are two forms of one output. Give only one of them.")
        form: Form = "json" if as_json else "markdown" if as_markdown else "text"
        command(*args, form=form, **options)

    return with_form


def examples(*lines: str) -> str:
    """Return the end of a help page: commands to try, one per line."""
    return "\b\nExamples:\n" + "\n".join(f"  indicatrix {line}" for line in lines)  # click keeps lines after this character
