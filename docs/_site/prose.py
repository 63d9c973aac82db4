"""Docstrings as Markdown: sections, paragraphs, lists of arguments, and names that are links."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Collection, Iterable, Iterator
from html import escape
from textwrap import dedent
from typing import Any

IMPORT = ">>> import indicatrix as ix\n"
Linker = Callable[[str], str | None]  # what a piece of code stands for: the name of a public object, or None
NAMED = re.compile(r"[\w.]+(\([^`<>]*\))?")  # code that may be the name of something, or a call of it
CLASS = re.compile(r"\b[A-Z][a-z]\w+\b")


def sections(thing: Any) -> dict[str, str]:
    r"""Return the sections of a docstring by title; what stands above them has the title ''.

    >>> sections("Return a sum.\n\nNotes\n-----\nIt is exact.")
    {'': 'Return a sum.\n\n', 'Notes': 'It is exact.'}
    """
    text = thing if isinstance(thing, str) else thing.__doc__
    first, *rest = re.split(r"^([A-Z][\w ]+)\n-{3,}\n", inspect.cleandoc(text or ""), flags=re.MULTILINE)
    return {"": first, **dict(zip(rest[::2], (part.strip("\n") for part in rest[1::2]), strict=True))}


def first_line(thing: Any) -> str:
    """Return the first line of a docstring."""
    return (inspect.getdoc(thing) or "").partition("\n")[0]


def marked(text: str, link: Linker = lambda code: None) -> str:
    r"""Return a line of a docstring as Markdown: code and links marked, special signs escaped.

    >>> print(marked("Return ``a * b``, *as is*: x < y."))
    Return `a * b`, \*as is\*: x &lt; y.
    """
    words = re.split(r"(``.+?``|\{[a-z:]+\}`[^`]+`|\bix\.\w[\w.]*\w(?:\([^()]*\))?)", " ".join(text.split()))
    return "".join(_code(word.strip("`"), link) if word.startswith(("``", "ix.")) else _plain(word) for word in words)


def _plain(text: str) -> str:
    if text.startswith("{"):  # a role, which is written as the page needs it
        return text
    return re.sub(r"([*$\\|\[\]]|(?<!\w)_|_(?!\w))", r"\\\1", text).replace("<", "&lt;").replace("`", "&#96;")


def _code(text: str, link: Linker) -> str:
    found = link(text) if NAMED.fullmatch(text) else None
    return f"{{py:obj}}`{text} <{found}>`" if found else f"`{text}`"


def body(text: str, link: Linker) -> str:
    """Return the text above the sections: paragraphs, lists, examples, and formulas that stand apart."""
    return "\n\n".join(_block(block, link) for block in re.split(r"\n\s*\n", text.strip()) if block.strip())


def _block(block: str, link: Linker) -> str:
    if block.lstrip().startswith(">>>"):
        return examples(dedent(block))
    if block.startswith("    "):
        return f"```text\n{dedent(block)}\n```"
    if re.match(r"[-*] ", block):
        return "\n".join(f"- {marked(item, link)}" for item in re.split(r"\n?^[-*] ", block, flags=re.MULTILINE) if item)
    return marked(block, link)


def examples(text: str) -> str:
    """Return a block of a console; the import that every block has stays in it."""
    return f"```pycon\n{text.strip()}\n```"


def entries(section: str) -> list[tuple[str, str, str]]:
    r"""Return the entries of a section: names, type, explanation.

    >>> entries("x, y : int\n    Two numbers.\n**options\n    Others.")
    [('x, y', 'int', 'Two numbers.'), ('**options', '', 'Others.')]
    """
    titles = (entry.partition("\n") for entry in re.split(r"\n(?=\S)", section.strip("\n")) if entry)
    parts = ((title.partition(" : "), text) for title, _, text in titles)
    return [(names, kind, dedent(text).strip()) for (names, _, kind), text in parts]


def explained(found: dict[str, str], link: Linker, kinds: Linker) -> Iterator[str]:
    """Yield the text of a docstring by its sections; ``kinds`` links the names of classes in types."""
    yield body(found[""], link)
    for title in ("Parameters", "Attributes", "Returns", "Yields", "Raises"):
        if title in found:
            yield f"**{title}**"
            yield from (_entry(title, *entry, link, kinds) for entry in entries(found[title]))
    if "Notes" in found:
        yield "**Notes**"
        yield body(found["Notes"], link)
    if "Examples" in found:
        yield "**Examples**"
        yield body(found["Examples"], link)
    if "References" in found:
        yield "**References**"
        yield body(found["References"], link)


def _entry(title: str, names: str, kind: str, text: str, link: Linker, kinds: Linker) -> str:
    if title in ("Returns", "Yields", "Raises"):  # their entries are types, or a name and a type
        term = typed(f"{names} : {kind}" if kind else names, kinds)
    else:
        term = ", ".join(f"`{name}`" for name in names.split(", ")) + (f" : {typed(kind, kinds)}" if kind else "")
    lines = [marked(line, link) for line in _joined(text)] or [""]
    return f"{term}\n: " + "\n\n  ".join(lines)


def _joined(text: str) -> list[str]:
    """Return the lines of an explanation that start anew: choices in quotation marks, and paragraphs."""
    return [part for part in re.split(r"\n\s*\n|\n(?='\w+':|The name of a|It may be)", text) if part.strip()]


def typed(text: str, kinds: Linker) -> str:
    """Return a type as Markdown: the classes of the library are links."""

    def linked(word: re.Match[str]) -> str:
        found = kinds(word[0])
        return f"{{py:class}}`{word[0]} <{found}>`" if found else word[0]

    return CLASS.sub(linked, _plain(text.replace("``", "")))


def cell(text: str) -> str:
    """Return a text for a table, in one line."""
    return re.sub(r"(?<!\\)\|", r"\\|", text.replace("\n", " "))


def table(head: Collection[str], rows: Collection[Collection[str]]) -> str:
    """Return a table in Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(map(cell, line))} |" for line in lines)


def page(title: str, *blocks: str) -> str:
    """Return a page: its heading, and blocks of text; empty ones are left out."""
    return "\n\n".join([f"# {title}", *(block for block in blocks if block)]) + "\n"


def html_table(head: Collection[str], rows: Collection[Collection[str]]) -> str:
    """Return a table of HTML, which is written as it is and which the search does not read."""
    top = "".join(f"<th>{one}</th>" for one in head)
    lines = "".join(f"<tr>{''.join(f'<td>{one}</td>' for one in row)}</tr>" for row in rows)
    inside = f'<table class="table"><thead><tr>{top}</tr></thead><tbody>{lines}</tbody></table>'
    return raw(f'<div class="pst-scrollable-table-container">{inside}</div>')


def searched_as(words: Iterable[str]) -> str:
    """Return the directive under whose words the index and the search have a page.

    >>> print(searched_as(["dice", "iou"]))
    ```{index} ! dice, ! iou
    ```
    """
    return f"```{{index}} {', '.join(f'! {word}' for word in words)}\n```"


def raw(html: str) -> str:
    """Return HTML that is written as it is."""
    return f"```{{raw}} html\n{html}\n```"


def html(text: str) -> str:
    """Return a line of a docstring as HTML.

    >>> html("``a < b``: *as is*")
    '<code>a &lt; b</code>: *as is*'
    """
    code = r"``(.+?)``|\b(ix\.\w[\w.]*\w)"
    return re.sub(code, lambda found: f"<code>{found[1] or found[2]}</code>", escape(text, quote=False))
