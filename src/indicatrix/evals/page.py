"""The page of runs: one file of HTML without scripts, with the scores of all and the models compared."""

from __future__ import annotations

import os
from html import escape
from pathlib import Path
from typing import Any

from ..report.table_forms import Table
from .answers import about_unfinished

FRAME = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Evaluations</title><style>
:root{{color-scheme:light dark}}
body{{font:16px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:72rem;padding:0 1rem}}
h1{{font-size:1.5rem}}h2{{font-size:1.15rem;margin-top:2rem}}
div{{overflow-x:auto}}table{{border-collapse:collapse}}td,th{{padding:.25rem .75rem;white-space:nowrap}}
</style></head><body><h1>Evaluations</h1>
<p>{said}</p><div>{shown}</div>{compared}</body></html>
"""


def write_runs_page(runs: Any, shown: Table, made: Any, path: str | os.PathLike[str]) -> None:
    """Write the page: the table of runs, and where there are several models, their comparison."""
    compared = f"<h2>Models compared on the same questions</h2><div>{made.html()}</div>" if made is not None else ""
    said = escape(" ".join([f"{runs.sizes}. Intervals are for other questions like these.", *about_unfinished(runs.answers)]))
    Path(path).write_text(FRAME.format(said=said, shown=shown.html(), compared=compared), encoding="utf-8")
