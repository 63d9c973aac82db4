"""The group of commands. Every error becomes one or two lines and an exit code."""

from __future__ import annotations

import os
import sys
from importlib import import_module
from typing import Any, NoReturn, cast

import click

from .. import __version__
from ..compiled.loaded import described
from ..quiet_start import INTERRUPTED
from . import BAD_USE, install_hint, until_the_reader_is_gone

BUG = 70
TRACEBACK = "INDICATRIX_TRACEBACK"
NAME = "indicatrix"
# Each command is a function of the same name in the module of the same name, which is loaded when the command is called.
COMMANDS = {
    "evaluate": "Evaluate predictions in files: any measure, every average.",
    "compare": "Compare classifiers: differences with intervals and tests.",
    "threshold": "The best threshold of a measure, given scores.",
    "weakest": "The slices of a file whose value is worst.",
    "evals": "Scores of language models in evaluation logs, with intervals.",
    "explain": "What a measure says, when to use it, and when it misleads.",
    "measure": "All about one measure, or about a formula.",
    "catalogue": "List the known measures by group, property and text.",
    "demo": "Evaluate the example predictions that come with the library.",
}
ELSEWHERE = {  # options that people try first, and what they are called here
    "--metric": "--measure",
    "--metrics": "--measure",
    "--y-true": "--true",
    "--y-pred": "--pred",
    "--labels": "--classes",
    "--group": "--by",
    "--threshold": "--decide",
}


class Commands(click.Group):
    """A group that imports a command only when it is called, so that help on the group is fast."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands in the order of the table, then commands added later."""
        return [*COMMANDS, *self.commands]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command of this name, imported now; None if it does not exist."""
        if cmd_name in COMMANDS:
            command = cast(click.Command, getattr(import_module(f".{cmd_name}", __package__), cmd_name))
            command.short_help = COMMANDS[cmd_name]  # which shells show when they complete its name
            return command
        return super().get_command(ctx, cmd_name)

    def resolve_command(self, ctx: click.Context, args: list[str]) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that the arguments name; an unknown name is answered with a similar one."""
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as wrong:
            from ..words.wording import did_you_mean

            names = self.list_commands(ctx)
            advice = did_you_mean(args[0], names) or f"Commands are {', '.join(names)}."
            raise click.UsageError(f"No such command {args[0]!r}. {advice}", ctx) from wrong

    def make_context(self, *args: Any, **options: Any) -> click.Context:
        """Return the context of the arguments; print help if they ask for it.

        A reader of the help that stops early, as `head` does, is not an error.
        """
        with until_the_reader_is_gone():
            return super().make_context(*args, **options)
        raise click.exceptions.Exit(0)

    def invoke(self, ctx: click.Context) -> object:
        """Run the command; a reader of its output that stops early is not an error."""
        with until_the_reader_is_gone():
            if not sys.stderr.isatty():
                return super().invoke(ctx)
            from .output import show_progress

            with show_progress():
                return super().invoke(ctx)
        return 0

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the names of the commands with what each does."""
        with formatter.section("Commands"):
            formatter.write_dl([*COMMANDS.items()])


@click.group(
    cls=Commands,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
    epilog="\b\nExit codes: 0 done, 1 a check failed, 2 bad use or bad data, 130 interrupted.\n"
    "indicatrix demo shows reports; indicatrix COMMAND --help ends with examples.",
)
@click.version_option(__version__, prog_name=NAME, message=f"%(prog)s %(version)s, {described()}")
@click.pass_context
def commands(ctx: click.Context) -> None:
    """Evaluate classifiers: any measure, every average, every setting."""
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


def run() -> NoReturn:
    """Run the command that the arguments name, and exit.

    Exit codes: 0 done, 1 a check failed, 2 bad use or bad data, 70 a mistake in the library, 130 interrupted.
    """
    _open_closed_streams()
    _replace_unprintable_characters()
    try:
        code = 0
        with until_the_reader_is_gone():
            code = commands(prog_name=NAME, standalone_mode=False)
            sys.stdout.flush()
        sys.exit(code)
    except click.exceptions.Exit as ended:
        sys.exit(ended.exit_code)
    except click.ClickException as wrong:
        known = ELSEWHERE.get(wrong.option_name) if isinstance(wrong, click.NoSuchOption) else None
        _tell(f"Error: {wrong.message} Did you mean {known!r}?" if known else f"Error: {wrong.format_message()}")
        if isinstance(wrong, click.UsageError) and wrong.ctx is not None:
            _tell(f"{wrong.ctx.command_path} --help shows how to use it.")
        sys.exit(BAD_USE)
    except (click.Abort, KeyboardInterrupt):
        _tell("Interrupted.")
        sys.exit(INTERRUPTED)
    except Exception as wrong:
        if os.environ.get(TRACEBACK):
            raise
        if isinstance(wrong, ValueError | TypeError | KeyError | OSError | ImportError):
            _tell(f"Error: {_message_of(wrong)}")
            sys.exit(BAD_USE)
        _tell(f"This is a mistake in indicatrix, not in your data ({type(wrong).__name__}: {wrong}).")
        _tell(f"Please report it; {TRACEBACK}=1 in the environment shows where it happened.")
        sys.exit(BUG)


def _tell(text: str) -> None:  # not tell() of output.py, because help on the group should not load that module
    from ..report.grid import printable

    click.echo(printable(text, "\n"), err=True)


def _open_closed_streams() -> None:
    """Replace a standard stream that the caller has closed by an empty one."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 - open as long as the process


def _replace_unprintable_characters() -> None:
    """Replace characters that the encoding of the output does not have, such as ≈ in old code pages.

    Otherwise a command would fail in the middle of a report.
    """
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")


def _message_of(wrong: Exception) -> str:
    """Return the message of an exception without the quotes of a KeyError and the number of an OSError."""
    if isinstance(wrong, ModuleNotFoundError):
        return install_hint(wrong) or str(wrong)
    if isinstance(wrong, OSError) and wrong.strerror:
        return f"{wrong.filename}: {wrong.strerror}." if wrong.filename else f"{wrong.strerror}."
    return str(wrong.args[0]) if isinstance(wrong, KeyError) and wrong.args else str(wrong)
