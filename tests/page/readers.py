"""What all tests of pages ask for readers: labels that would run as code, and what axe-core finds wrong."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

HOSTILE = (
    "<b>bold</b><script>document.title='run'</script>",
    "</script><img src=x onerror=alert(1)>",
    "quotes \" ' ` ${1}",
    "x" * 400,
    "عربي \u202e abc",
    "emoji 🧪👩‍🔬",
    "two\nlines\tand \x00 \x1b[31m control",
    '=HYPERLINK("http://a.b")',
    "{{ title }}",
    "\ud800 half",
    "",
)


def serious_problems(page: Any) -> list[str]:
    """Return what axe-core finds wrong, with the elements."""
    axe = pytest.importorskip("axe_core_python", reason="needs pip install axe-core-python")
    page.evaluate(next(Path(axe.__file__).parent.glob("**/axe*.js")).read_text("utf-8"))
    found = page.evaluate("axe.run()")
    assert len(found["passes"]) > 20  # it did look
    return [f"{v['id']}: {v['nodes'][0]['html'][:200]}" for v in found["violations"] if v["impact"] in ("serious", "critical")]
