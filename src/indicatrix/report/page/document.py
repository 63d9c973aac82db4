"""The page as one file: frame, style, data and scripts put together."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from html import escape
from typing import Any

from ...words.packaged_text import packaged_text
from ..summary import facts_about
from .numbers import label_text
from .page_data import page_code, page_data
from .page_subject import Subject
from .sections import SECTIONS, Section

SCRIPT = '(() => {{\n"use strict";\n{}\nstart();\n}})();'  # nothing of the page is global but what start() gives away
SHARED = ("functions.js", "algebra.js", "frame.js", "counts.js", "drawing.js", "formula.js", "added_measures.js", "charts.js")


def page(subject: Subject, sections: Sequence[Section] = SECTIONS) -> str:
    """Return the page of a subject as HTML: one file without references to others."""
    found = [(section, section.content(subject)) for section in sections]
    shown = [(section, made) for section, made in found if made is not None]
    data = page_data(subject) | {"sections": {section.name: made for section, made in shown if not isinstance(made, str)}}
    scripts = [page_code(subject), *map(_asset, SHARED)]
    scripts += [_asset(f"{section.name}.js") for section, made in shown if not isinstance(made, str)]
    facts = facts_about(subject.ev) if subject.facts is None else subject.facts
    style, script = _asset("page.css") + _asset("charts.css"), SCRIPT.format("\n".join(scripts))
    parts = {
        "policy": policy(style, script),
        "title": escape(subject.title),
        "facts": "".join(f"<p>{escape(fact)}</p>" for fact in (*facts, *_positive_class(subject))),
        "links": "".join(f'<a href="#{section.name}">{escape(section.link)}</a>' for section, _ in shown),
        "sections": "".join(_section(section, made) for section, made in shown),
        "style": style,
        "data": as_script_data(data),
        "script": script,
    }
    return _fill(_asset("frame.html"), parts)


def _positive_class(subject: Subject) -> list[str]:
    return [] if subject.ev.positive is None else [f"The positive class is {label_text(subject.ev.positive)}."]


def policy(style: str, script: str) -> str:
    """Return what a browser may run and load: this style, this script and pictures in the file.

    Whatever else came into the page, by a name that was not escaped, is not run: its hash is another.

    >>> policy("", "")[:60]
    "default-src 'none'; base-uri 'none'; img-src data:; style-sr"
    """
    own = {name: b64encode(sha256(text.encode()).digest()).decode() for name, text in (("style", style), ("script", script))}
    return "; ".join(["default-src 'none'; base-uri 'none'; img-src data:", *(f"{k}-src 'sha256-{v}'" for k, v in own.items())])


def _section(section: Section, made: Any) -> str:
    """Return the empty section for its script, or with the reason why it is empty."""
    lead = f'<p class="lead">{escape(section.lead)}</p>' if section.lead else ""
    reason = f'<p class="reason">{escape(made)}</p>' if isinstance(made, str) else ""
    head = f'<h2 id="{section.name}-title">{escape(section.title)}</h2>{lead}{reason}'
    return f'<section id="{section.name}" aria-labelledby="{section.name}-title">{head}</section>\n'


def as_script_data(data: Any) -> str:
    r"""Return data as JSON that cannot end its script element, whatever texts it holds.

    >>> print(as_script_data({"label": "</script>"}))
    {"label":"\u003c/script\u003e"}
    """
    text = json.dumps(data, separators=(",", ":"), allow_nan=False)
    for mark in "<>&":
        text = text.replace(mark, f"\\u{ord(mark):04x}")
    return text


def _fill(frame: str, parts: dict[str, str]) -> str:
    """Return the frame with every part in its place; a part is not searched for places again."""
    pieces = frame.split("{{")
    rest = (piece.split("}}", 1) for piece in pieces[1:])
    return pieces[0] + "".join(parts[name.strip()] + text for name, text in rest)


@cache
def _asset(name: str) -> str:
    return packaged_text(__package__, f"assets/{name}")
