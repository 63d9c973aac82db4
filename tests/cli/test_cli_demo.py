"""``indicatrix demo``: the example predictions, evaluated; its last lines are commands that work."""

from __future__ import annotations

import csv
import shlex
from pathlib import Path

import pytest
from commands import here, indicatrix, printed, refused

import indicatrix as ix
from indicatrix.cli.tour import EXAMPLES, NEXT, example


def columns(name: str) -> tuple[list[str], list[str]]:
    rows = list(csv.DictReader(example(name).read_text("utf-8").splitlines()))
    return [row["true"] for row in rows], [row["predicted"] for row in rows]


@pytest.mark.slow
def test_the_demo_prints_the_reports_of_the_library_and_what_to_try_next(tmp_path: Path) -> None:
    shown = printed("demo", cwd=tmp_path)
    written = (tmp_path / "indicatrix-demo.html").read_text("utf-8")
    assert indicatrix("demo", cwd=tmp_path).stdout == shown
    assert "Its report page is in indicatrix-demo.html: open this file in a browser." in shown
    assert written == ix.evaluate(*columns("digits.csv")).to_html(title="Handwritten digits")
    assert "could not be written to no/page.html" in printed("demo", "--html", "no/page.html", cwd=tmp_path)
    assert str(ix.evaluate(*columns("digits.csv"))) in shown
    sets = ([set(filter(None, cell.split(";"))) for cell in column] for column in columns("properties.csv"))
    assert str(ix.evaluate(*sets)) in shown
    assert str(ix.properties("tp/(tp+fn) + tn/(tn+fp) - 1").evidence["skew_invariant"]) in shown
    assert shown.rstrip().splitlines()[-1].startswith("  indicatrix catalogue --skew-invariant --bounded ")
    assert "\x1b" not in shown


@pytest.mark.slow
def test_every_command_to_try_next_works_in_a_fresh_folder(tmp_path: Path) -> None:
    for line, _ in NEXT:
        program, *args = shlex.split(line)
        assert program == "indicatrix"
        done = here(*args, cwd=tmp_path)
        said = "The report page is in report.html.\n" if "--html" in args else ""
        assert (done.returncode, done.stderr) == (0, said), line
        assert done.stdout
    for name in EXAMPLES:
        assert (tmp_path / name).read_bytes() == example(name).read_bytes()


@pytest.mark.slow
def test_files_are_never_written_over(tmp_path: Path) -> None:
    (tmp_path / "properties.csv").write_text("mine", "utf-8")
    assert "properties.csv already exists. Remove it, or choose another folder." in refused("demo", "--copy-to", str(tmp_path))
    assert [path.name for path in tmp_path.iterdir()] == ["properties.csv"]
    assert (tmp_path / "properties.csv").read_text("utf-8") == "mine"
    assert "does not exist" in refused("demo", "--copy-to", str(tmp_path / "nowhere"))
