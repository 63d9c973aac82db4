"""Which files a path means: each file once, whatever links there are; nothing that holds rows is left out silently."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from fsspec.implementations.local import LocalFileSystem
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import fs, parquet

import indicatrix as ix
from indicatrix.engines.files.found_files import PathPattern, find_files

BOTH = {"true": "y", "pred": "p"}
TEXT = "y,p\na,a\nb,a\n"


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    """A folder with one file of two rows."""
    (tmp_path / "rows").mkdir()
    (tmp_path / "rows" / "one.csv").write_text(TEXT, "utf-8")
    return tmp_path / "rows"


def names(root: Path, *paths: Any, **options: Any) -> list[str]:
    return [os.path.relpath(file.path, root) for file in find_files(paths, **options)]


def link_to_itself(rows: Path) -> None:
    (rows / "loop").symlink_to(rows)
    (rows / "deep").mkdir()
    (rows / "deep" / "up").symlink_to("..")


def linked_copies(rows: Path) -> None:
    (rows / "two.csv").symlink_to(rows / "one.csv")
    os.link(rows / "one.csv", rows / "three.csv")
    (rows.parent / "elsewhere").symlink_to(rows)
    (rows / "again").symlink_to(rows.parent / "elsewhere")


def ladder_of_links(rows: Path) -> None:
    """Of n steps with two links each there are 2**n ways to the file."""
    for i in range(30):
        (rows / f"step{i}").mkdir()
        for name in "ab":
            (rows / f"step{i}" / name).symlink_to(rows / f"step{i + 1}" if i < 29 else rows)


@pytest.mark.parametrize("links", [link_to_itself, linked_copies, ladder_of_links])
@pytest.mark.parametrize("system", [None, fs.LocalFileSystem(), LocalFileSystem()], ids=["default", "pyarrow", "fsspec"])
@pytest.mark.posix
def test_every_file_counts_once(rows: Path, links: Any, system: Any) -> None:
    links(rows)
    for path in (rows, f"{rows}/**/*.csv", [rows, rows / "one.csv"], [rows / "one.csv"] * 2, [rows, f"{rows}/*.csv"]):
        assert ix.evaluate_file(path, **BOTH, filesystem=system).n == 2


@pytest.mark.posix
def test_one_file_in_two_partitions_is_refused(rows: Path) -> None:
    for site in "12":
        (rows / f"site={site}").mkdir()
        (rows / f"site={site}" / "all.csv").symlink_to(rows / "one.csv")
    with pytest.raises(ValueError, match=r"are the same file, in folders that say different things .*no such folder and site=1"):
        ix.evaluate_file(rows, **BOTH)
    (rows / "one.csv").rename(rows.parent / "one.csv")
    with pytest.raises(ValueError, match=r"There is no file|not there"):
        ix.evaluate_file(rows, **BOTH)


@pytest.mark.posix
def test_a_link_that_leads_nowhere_is_said(rows: Path) -> None:
    (rows / "self.csv").symlink_to(rows / "self.csv")
    with pytest.raises(ValueError, match=r"self\.csv is a link that leads in a circle, not a file\. Correct or remove it\."):
        ix.evaluate_file(rows / "self.csv", **BOTH)
    with pytest.raises(ValueError, match=r"self\.csv is a link that leads in a circle"):
        ix.evaluate_file(rows, **BOTH)
    (rows / "self.csv").unlink()
    (rows / "gone.csv").symlink_to(rows / "other.csv")
    for path in (rows, rows / "gone.csv", f"{rows}/*"):
        with pytest.raises(ValueError, match=r"gone\.csv is a link to .*other\.csv, which is not there"):
            ix.evaluate_file(path, **BOTH)


@pytest.mark.posix
def test_a_pipe_is_refused_and_not_waited_for(rows: Path) -> None:
    os.mkfifo(rows / "pipe.csv")
    for path in (rows, rows / "pipe.csv", f"{rows}/p*"):
        with pytest.raises(ValueError, match=r"pipe\.csv is a pipe, not a file\. Write its rows to a file first"):
            ix.evaluate_file(path, **BOTH)
    with pytest.raises(ValueError, match=r"/dev/null is a device"):
        ix.evaluate_file("/dev/null", **BOTH)


def test_names_with_an_underscore_are_named_or_refused(rows: Path) -> None:
    (rows / "_SUCCESS").write_text("", "utf-8")
    (rows / ".hidden.csv").write_text("junk", "utf-8")
    (rows / ".hidden").mkdir()
    (rows / ".hidden" / "x.csv").write_text("junk", "utf-8")
    for path in (rows, f"{rows}/*.csv", f"{rows}/**"):
        assert names(rows, path) == ["one.csv"]
    assert names(rows, rows, format="csv") == ["one.csv"]
    assert names(rows, f"{rows}/.h*.csv") == [".hidden.csv"]
    (rows / "_more").mkdir()
    (rows / "_more" / "x.csv").write_text(TEXT, "utf-8")
    (rows / "_x.csv").write_text(TEXT, "utf-8")
    for path in (rows, f"{rows}/**/*.csv", f"{rows}/../rows", f"{rows}/**"):
        with pytest.raises(ValueError, match=r"_(x|more/x)\.csv: a name that begins with an underscore .*rename it"):
            find_files(path)
    assert names(rows, f"{rows}/*.csv") == ["_x.csv", "one.csv"]  # as in a shell
    assert names(rows, f"{rows}/[!_]*.csv") == ["one.csv"]
    assert names(rows, f"{rows}/_*/*.csv", f"{rows}/_*.csv") == ["_more/x.csv", "_x.csv"]
    assert names(rows / "_more", rows / "_more") == ["x.csv"]


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_a_folder_and_a_column_of_one_name_must_agree(tmp_path: Path, form: str) -> None:
    table = pa.table({"y": [0, 1], "p": [0, 0], "site": [3, 3], "month": [5, 5]})
    folder = tmp_path / "site=3" / "month=05"
    folder.mkdir(parents=True)

    def write(table: pa.Table) -> None:
        if form == "csv":
            table.to_pandas().to_csv(folder / "rows.csv", index=False)
        else:
            parquet.write_table(table, folder / "rows.parquet")

    write(table)
    assert ix.evaluate_file(tmp_path, **BOTH, by=["site", "month"]).tally.parts.keys() == {(3, 5)}
    write(table.set_column(2, "site", pa.array([3, 4])))
    with pytest.raises(
        ValueError, match=rf"rows\.{form}: the folder site=3 and the column 'site', which has '?4'?, say different things"
    ):
        ix.evaluate_file(tmp_path, **BOTH, by="site")
    assert ix.evaluate_file(tmp_path, **BOTH, by="month").n == 2  # nobody asked for the other
    write(table.set_column(2, "site", pa.array([3, None], pa.int64())))
    with pytest.raises(ValueError, match=r"which has (None|'3\.0'), say different"):
        ix.evaluate_file(tmp_path, **BOTH, by="site")


def test_two_folders_of_one_name_must_agree(tmp_path: Path) -> None:
    folder = tmp_path / "site=3" / "site=4"
    folder.mkdir(parents=True)
    (folder / "rows.csv").write_text(TEXT, "utf-8")
    with pytest.raises(ValueError, match=r"lies in two folders site=, which say 3 and 4"):
        ix.evaluate_file(tmp_path, **BOTH, by="site")


def test_a_pattern_of_many_stars_takes_as_many_steps_as_names() -> None:
    """Each expression is of one name, and stars in it do not go back: of 40 stars, going back would take years."""
    assert not PathPattern.of("*a" * 40 + "b").fits(["a" * 200])
    assert not PathPattern.of("**/*a/" * 20 + "b").fits(["a"] * 200)
    assert PathPattern.of("**/" * 20 + "*a*a*a*.csv").fits(["x"] * 100 + ["aaa.csv"])


@given(
    st.lists(st.sampled_from(["a", "b", "ab", "*", "?", "a*", "[ab]", "[!a]", "**"]), min_size=1, max_size=4),
    st.lists(st.sampled_from(["a", "b", "ab", "abc", "ba"]), min_size=1, max_size=4),
)
def test_a_pattern_fits_what_its_expression_fits(parts: list[str], path: list[str]) -> None:
    """The folders of a path may fit as well."""
    spelled = {"**": "(?:[^/]+/)*", "*": "[^/]*/", "?": "[^/]/", "a*": "a[^/]*/", "[!a]": "[^a/]/"}
    expression = re.compile("".join(spelled.get(part, f"{part}/") for part in parts))
    whole = [f"{'/'.join(path[:k])}/" if k else "" for k in range(len(path) + 1)]
    assert bool(PathPattern.of("/".join(parts)).fits(path)) == any(map(expression.fullmatch, whole))


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("[z-a]*.csv", r"the range z-a, which is empty\. Write \[a-z\]"),
        (5, r"5 is not a path"),
        ([5], r"5 is not a path"),
        (b"\xff.csv", r"is not text in UTF-8"),
        ("a\0b.csv", r"names no file"),
        ("", r"names no file"),
        ([], r"the list of paths is empty"),
    ],
)
def test_what_names_no_file_is_refused(path: Any, said: str) -> None:
    with pytest.raises((ValueError, TypeError), match=said):
        ix.evaluate_file(path, **BOTH)


def test_paths_and_patterns_of_windows_are_read(rows: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sep", "\\")
    back = str(rows).replace("/", "\\")
    for path in (rf"{back}\*.csv", rf"{back}\one.csv", back):
        assert [file.path for file in find_files(path)] == [f"{rows.as_posix()}/one.csv"]


def test_paths_of_bytes_are_read(rows: Path) -> None:
    for path in (os.fsencode(rows), [os.fsencode(rows / "one.csv")], os.fsencode(f"{rows}/*.csv")):
        assert ix.evaluate_file(path, **BOTH).n == 2
