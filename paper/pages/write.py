"""Writing everything into a folder: figures, tables, one page, and the same as data."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .. import drawing
from ..record import Picture
from ..run import Outcome
from ..whole_files import whole
from . import html, latex, markdown
from .structured import as_data

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FORMATS: dict[str, dict[str, Any]] = {
    "svg": {"metadata": {"Date": None}},
    "png": {"dpi": 200},
}  # without its date a figure is the same file again


def write(outcomes: Sequence[Outcome], folder: Path) -> Iterator[Path]:
    """Write figures, tables, report.md, results.json and index.html; give each file written."""
    pictures: dict[str, str] = {}
    for place in ("figures", "tables"):
        (folder / place).mkdir(parents=True, exist_ok=True)
    for outcome in outcomes:
        for picture in outcome.record.pictures:
            drawn = draw(picture)
            pictures[picture.name] = drawn["svg"].decode("utf-8")
            for suffix, content in drawn.items():
                yield _put(folder / "figures" / f"{picture.name}.{suffix}", content)
        for number, given in enumerate(outcome.record.tables, 1):
            name = file_name(outcome.experiment.label, number, len(outcome.record.tables))
            yield _put(folder / "tables" / f"{name}.md", markdown.table(given))
            yield _put(folder / "tables" / f"{name}.tex", latex.table(given))
    yield _put(folder / "report.md", markdown.report(outcomes))
    yield _put(folder / "results.json", json.dumps(as_data(outcomes), indent=1, ensure_ascii=False, allow_nan=False) + "\n")
    yield _put(folder / "index.html", html.page(outcomes, pictures))


def draw(picture: Picture) -> dict[str, bytes]:
    """Return a figure in every format."""
    with drawing.style():
        figure = picture.draw()
        return {suffix: _image(figure, suffix) for suffix in FORMATS}


def file_name(label: str, number: int, of: int) -> str:
    """Return the name of a table's file.

    >>> file_name("tab:floors", 1, 1), file_name("A2", 2, 3)
    ('tab_floors', 'A2_2')
    """
    name = re.sub(r"\W+", "_", label)
    return name if of == 1 else f"{name}_{number}"


def _image(figure: Figure, suffix: str) -> bytes:
    content = io.BytesIO()
    figure.savefig(content, format=suffix, **FORMATS[suffix])
    return content.getvalue()


def _put(path: Path, content: str | bytes) -> Path:
    with whole(path) as place:
        place.write_bytes(content.encode("utf-8") if isinstance(content, str) else content)
    return path
