"""Saved evaluations: how files are replaced, and that a file which was changed is refused or behaves as what it says."""

from __future__ import annotations

import base64
import contextlib
import copy
import hashlib
import json
import os
import random
import stat
import zlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pandas as pd
import pytest
from loops import for_each

import indicatrix as ix
from fuzz.structures import mutate
from indicatrix.storage import formats
from indicatrix.storage.formats import replace_file, write_file
from indicatrix.storage.json_values import names_in

EV = ix.evaluate(["a", "b", "b"], ["a", "a", "b"])
OTHER = ix.evaluate(["a", "b"], ["b", "b"])


def test_threads_that_save_to_one_path_do_not_disturb_each_other(tmp_path: Path) -> None:
    path = tmp_path / "ev.json"

    def save(i: int) -> None:
        (EV if i % 2 else OTHER).save(path)
        assert ix.load(path) in (EV, OTHER)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(save, range(80)))
    assert os.listdir(tmp_path) == ["ev.json"]


def test_two_writers_have_part_files_of_their_own(tmp_path: Path) -> None:
    with replace_file(tmp_path / "x.txt") as one, replace_file(tmp_path / "x.txt") as other:
        one.write_text("one", "utf-8")
        other.write_text("other", "utf-8")
        assert one != other
        assert one.suffix == other.suffix == ".txt"
    assert (tmp_path / "x.txt").read_text("utf-8") == "one"  # the outer one ends last
    assert os.listdir(tmp_path) == ["x.txt"]


@pytest.mark.posix
def test_a_link_stays_a_link_and_its_file_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "far").mkdir()
    link = tmp_path / "ev.json"
    link.symlink_to(tmp_path / "far" / "kept.json")
    for ev in (EV, OTHER):  # first the link leads nowhere, then to a file
        ev.save(link)
        assert link.is_symlink()
        assert ix.load(tmp_path / "far" / "kept.json") == ev
    assert os.listdir(tmp_path / "far") == ["kept.json"]


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o664, 0o755])
@pytest.mark.posix
def test_the_mode_of_the_replaced_file_is_kept(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "ev.json"
    EV.save(path)
    path.chmod(mode)
    OTHER.save(path)
    assert stat.S_IMODE(path.stat().st_mode) == mode


def test_a_new_file_has_the_mode_that_open_gives(tmp_path: Path) -> None:
    EV.save(tmp_path / "ev.json")
    (tmp_path / "plain").write_text("", "utf-8")
    assert (tmp_path / "ev.json").stat().st_mode == (tmp_path / "plain").stat().st_mode


@pytest.mark.posix
def test_what_is_not_a_regular_file_is_refused_and_stays(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "pipe")
    before = sorted(os.listdir(tmp_path))
    for name in before:
        with pytest.raises(ValueError, match=r"not a file that can be replaced. Name a file."):
            EV.save(tmp_path / name)
    assert sorted(os.listdir(tmp_path)) == before
    assert stat.S_ISFIFO((tmp_path / "pipe").stat().st_mode)


@pytest.mark.posix
def test_the_content_is_on_the_disk_before_it_gets_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    happened: list[str] = []
    sync, rename = os.fsync, Path.replace

    def note_sync(file: int) -> None:
        happened.append("folder" if stat.S_ISDIR(os.fstat(file).st_mode) else f"file of {os.fstat(file).st_size > 100}")
        sync(file)

    def note_rename(part: Path, target: Path) -> Path:
        happened.append("renamed")
        return rename(part, target)

    monkeypatch.setattr(os, "fsync", note_sync)
    monkeypatch.setattr(Path, "replace", note_rename)
    EV.save(tmp_path / "ev.json")
    assert happened == ["file of True", "renamed", "folder"]


@pytest.mark.parametrize("where", ["write_text", "replace", "chmod"])
@pytest.mark.parametrize("error", [OSError, KeyboardInterrupt])
def test_an_interrupted_save_leaves_the_old_file_and_no_part(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str, error: type[BaseException]
) -> None:
    EV.save(tmp_path / "ev.json")

    def stop(*_: Any, **__: Any) -> None:
        raise error

    monkeypatch.setattr(Path, where, stop)
    with pytest.raises(error):
        OTHER.save(tmp_path / "ev.json")
    assert os.listdir(tmp_path) == ["ev.json"]
    assert ix.load(tmp_path / "ev.json") == EV


@for_each(("busy", "written"), [(2, True), (3, False)])
def test_a_file_that_somebody_reads_on_windows_is_replaced_a_moment_later(busy: int, written: bool) -> None:
    refused = [PermissionError(13, "used by another process")] * busy
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patched:
        place, rename = Path(folder) / "ev.json", Path.replace
        patched.setattr(formats, "PAUSES", (0, 0))
        patched.setattr(Path, "replace", lambda part, to: _raise(refused.pop()) if refused else rename(part, to))
        with contextlib.nullcontext() if written else pytest.raises(PermissionError):
            EV.save(place)
        assert os.listdir(folder) == ["ev.json"] * written


def _raise(error: Exception) -> None:
    raise error


# --- files whose content was changed, with a correct checksum

SAVED: dict[str, Callable[[], Any]] = {
    "labels": lambda: EV,
    "nothing": lambda: ix.evaluate([], []),
    "positive": lambda: ix.evaluate(["a", "b"], ["b", "b"], positive="b"),
    "groups": lambda: ix.evaluate([0, 1, 1, 0], [0, 1, 0, 0], by={"site": ["x", "x", "y", "y"], "fold": [1, 2, 2, 1]}),
    "weights": lambda: ix.evaluate(["a", "b"], ["a", "a"], sample_weight=[0.5, 0.1], mask=[True, False]),
    "signed": lambda: ix.evaluate([0, 1], [0, 0], sample_weight=[-1, 3], signed_weights=True),
    "sets": lambda: ix.evaluate([{"a"}, {"a", "b"}, set()], [{"a"}, {"b"}, {"b"}], by={"site": [1, 1, 2]}),
    "soft": lambda: ix.evaluate([[0.5, 1]], [[1, 0.2]], tnorm="product"),
    "counts": lambda: ix.from_counts([1, 2], [3, 4], [5, 6], [7, 8]),
    "rule": lambda: ix.evaluate([0, 1], [[0.9, 0.1], [0.6, 0.4]], decide=ix.reject_below(0.7)),
    "ordinal": lambda: ix.evaluate([0, 1, 2], [0, 2, 2], classes=[0, 1, 2], ordinal="gaussian(sigma=2)", tnorm="product"),
    "targets": lambda: ix.evaluate({"s": [0, 1], "c": ["r", "g"]}, {"s": [0, 0], "c": ["r", "r"]}, targets=True),
    "classes": lambda: ix.evaluate([b"a", b"b"], [b"a", b"a"], classes=[b"a", b"b"]).only([b"a"]),
    "floats": lambda: ix.evaluate([1.5, 2.5], [1.5, 1.5], classes=[1.5, 2.5]),
    "known": lambda: ix.evaluate(["a", "c"], ["a", "b"], known=["a", "b"]),
    "task": lambda: ix.tasks.positive_unlabeled([1, 1, 0, 0], [1, 0, 1, 0]).at(propensity=Fraction(2, 3)),
}


def write(path: Path, content: dict[str, Any]) -> None:
    """Write the content of a saved evaluation with a correct checksum."""
    content = {name: value for name, value in content.items() if name != "checksum"}
    checksum = hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()
    path.write_text(json.dumps({**content, "checksum": checksum}), encoding="utf-8")


def saved(path: Path, ev: Any) -> dict[str, Any]:
    """Return the content of the file of an evaluation."""
    ev.save(path)
    return json.loads(path.read_text(encoding="utf-8"))


def check_behavior(path: Path, back: Any) -> None:
    """A loaded evaluation is one: it is shown, added and saved, and is equal to what it is saved as."""
    assert isinstance(str(back), str)
    assert isinstance(repr(back), str)
    assert back.n >= 0
    assert len(set(back.classes)) == len(back.classes)
    for average in ("micro", "macro"):
        assert isinstance(float(back.score("f1", average)), float)
    back.save(path)
    assert ix.load(path) == back
    assert (back + back).n == 2 * back.n


@pytest.mark.parametrize("name", SAVED)
@pytest.mark.slow
def test_a_file_with_a_changed_structure_is_refused_or_behaves(tmp_path: Path, name: str) -> None:
    path, rng = tmp_path / "changed.json", random.Random(name)
    original = saved(path, SAVED[name]())
    for _ in range(120):
        content = copy.deepcopy(original)
        for _ in range(rng.choice([1, 1, 1, 2, 3])):
            mutate(content, rng)
        write(path, content)
        try:
            back = ix.load(path)
        except ValueError as error:
            refused = str(error)
        else:
            check_behavior(path, back)
            continue
        assert refused.startswith(str(path))  # a message of ours, not one that slipped through


def changed(content: dict[str, Any], way: tuple[Any, ...], value: Any) -> dict[str, Any]:
    """Return the content with one value set."""
    content = copy.deepcopy(content)
    *before, last = way
    place: Any = content
    for step in before:
        place = place[step]
    place[last] = value
    return content


COUNTS = ("tally", "parts", 0, "table", "values", 0)


@pytest.mark.parametrize(
    ("way", "value", "message"),
    [
        (COUNTS, -1, "holds -1, and counts are not negative"),
        (COUNTS, 1.5, "holds 1.5, not a number as it is saved"),
        (COUNTS, "abc", "holds 'abc', not a number as it is saved"),
        (COUNTS, "1/0", "holds '1/0', not a number as it is saved"),
        (COUNTS, None, "holds None, not a number"),
        (COUNTS, True, "holds True, not a number"),
        (COUNTS, 2**63, "but its kind is 'int'"),
        (COUNTS[:-2], {"shape": [3, 3], "kind": "exact", "values": ["-1/2"] * 9}, "holds -1/2, and counts are not negative"),
        (COUNTS[:-2], {"shape": [3, 3], "kind": "float", "values": ["inf"] * 9}, "counts are finite"),
        (COUNTS[:-2], {"shape": [0, 10**9], "kind": "int", "values": []}, "has the shape"),
        (("tally", "parts", 0, "masked"), -1, "what is masked is -1"),
        (("tally", "parts", 0, "n"), -3, "n of a group is -3"),
        (("tally", "parts", 0, "group"), ["x"], "does not fit the groupings"),
        (("tally", "n"), -1, "n is -1, not a whole number"),
        (("tally", "n"), 7, "the groups have 3 examples, but n is 7"),
        (("tally", "n"), None, "n is None"),
        (("tally", "n"), True, "n is True"),
        (("tally", "classes"), ["a", "a"], "the classes name 'a' twice"),
        (("tally", "classes"), [1, True], "twice"),
        (("tally", "classes"), ["a", None], "a name that is null"),
        (("tally", "classes"), ["a", 1.5], "1.5 is not a label"),
        (("tally", "classes"), "ab", "the classes: 'ab' is not a list"),
        (("tally", "classes"), ["a"], "has the shape"),
        (("tally", "open"), 1, "'open' is 1, not true or false"),
        (("tally", "by"), ["class"], "does not fit|two axes"),
        (("tally", "hidden"), [0], "not two numbers"),
        (("tally",), None, "the tally is None"),
        (("kind",), "sums", "its kind is 'sums'"),
        (("positive",), [], "the positive class"),
        (("made",), {"decide": {"threshold": "abc"}}, "the threshold holds 'abc'"),
        (("made",), {"decide": {"top_k": 0}}, "at least 1"),
        (("made",), {"later": 1}, "'later', which this release does not know"),
        (("version",), True, "has version True"),
        (("version",), [2], "has version"),
    ],
)
def test_a_wrong_value_with_a_correct_checksum_is_named(tmp_path: Path, way: tuple[Any, ...], value: Any, message: str) -> None:
    path = tmp_path / "ev.json"
    content = saved(path, EV)
    write(path, changed(content, way, value))
    with pytest.raises(ValueError, match=rf"ev\.json .*({message})"):
        ix.load(path)


@pytest.mark.parametrize("depth", [150, 2_000, 200_000])
def test_deep_nesting_is_refused(tmp_path: Path, depth: int) -> None:
    path, deep = tmp_path / "deep.json", "[" * depth + "]" * depth
    names = '{"tuple": [' * depth + "]}" * depth
    for text in (deep, '{"format": "indicatrix evaluation", "version": 2, "x": ' + deep + "}"):
        path.write_text(text, "utf-8")
        with pytest.raises(ValueError, match=r"deep\.json is"):
            ix.load(path)
    if depth < 1_000:  # json.loads reads it
        write(path, changed(saved(path, EV), ("tally", "classes"), [json.loads(names), {"tuple": ["b"]}]))
        check_behavior(path, ix.load(path))


def test_classes_of_a_confusion_matrix_are_of_one_type_so_that_its_file_loads() -> None:
    with pytest.raises(TypeError, match=r"columns mixes label types: 1 is number, but confusion\.columns\[1\] = 'a' is text"):
        ix.from_confusion(pd.DataFrame([[1, 0], [0, 1]], columns=[1, "a"], index=[1, "a"]))


def test_a_number_of_thousands_of_digits_is_refused(tmp_path: Path) -> None:
    (tmp_path / "long.json").write_text("[" + "1" * 10_000 + "]", "utf-8")
    with pytest.raises(ValueError, match=r"long.json is not a saved result"):
        ix.load(tmp_path / "long.json")


def test_negative_counts_are_read_where_weights_were_negative(tmp_path: Path) -> None:
    ev = SAVED["signed"]()
    content = saved(tmp_path / "ev.json", ev)
    assert ix.load(tmp_path / "ev.json") == ev
    assert "signed" not in saved(tmp_path / "plain.json", EV)["tally"]
    del content["tally"]["signed"]
    write(tmp_path / "ev.json", content)
    with pytest.raises(ValueError, match=r"counts are not negative"):
        ix.load(tmp_path / "ev.json")


def packed(values: bytes) -> str:
    return base64.b64encode(zlib.compress(values, 9)).decode()


@pytest.mark.parametrize("kind", ["int", "float", "exact"])
def test_a_file_does_not_unpack_to_more_than_its_shape_or_than_the_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    """The bytes that are asked for are counted: neither a few packed bytes nor a large shape may fill the memory."""
    content = saved(tmp_path / "ev.json", EV)
    asked: list[int] = []
    original = zlib.decompressobj

    class Counted:
        def __init__(self) -> None:
            self.inner = original()

        def decompress(self, data: bytes, most: int) -> bytes:
            asked.append(most)
            return self.inner.decompress(data, most)

        eof = property(lambda self: self.inner.eof)

    monkeypatch.setattr(zlib, "decompressobj", Counted)
    bomb = packed(bytes(8_000_000))
    for shape, said in (
        ([3, 3], "more than .* packed bytes, and 9 numbers have|cannot be unpacked"),
        ([30_000] * 2, "shape|bytes of memory"),
    ):
        table = {"shape": shape, "kind": kind, "packed": bomb}
        write(tmp_path / "ev.json", changed(content, COUNTS[:-2], table))
        with pytest.raises(ValueError, match=rf"ev\.json cannot be read: .*({said})"):
            ix.load(tmp_path / "ev.json")
    assert max(asked, default=0) < 100_000


def test_arrays_that_no_memory_holds_are_neither_written_nor_read(tmp_path: Path) -> None:
    content = saved(tmp_path / "ev.json", EV)
    groups = [{**content["tally"]["parts"][0], "table": {"shape": [10_000] * 2, "kind": "int", "packed": packed(b"")}}] * 3
    write(tmp_path / "ev.json", changed(content, ("tally", "parts"), groups))
    with pytest.raises(
        ValueError, match=r"ev\.json cannot be read: its arrays take 2,400,000,000 bytes of memory, and a file holds"
    ):
        ix.load(tmp_path / "ev.json")
    table = np.broadcast_to(np.int64(0), (16_500, 16_500))  # takes 8 bytes here
    with pytest.raises(ValueError, match=r"its arrays take 2,178,000,000 bytes of memory"):
        write_file(tmp_path / "x.json", {"table": {"shape": [*table.shape], "kind": "int", "packed": ""}})


def test_classes_are_read_in_linear_time(tmp_path: Path) -> None:
    """The names are compared through their hashes: only equal ones are compared with each other."""

    class Name(str):
        compared = 0
        __slots__ = ()

        def __eq__(self, other: object) -> bool:
            Name.compared += 1
            return str.__eq__(self, other)

        __hash__ = str.__hash__

    names = [Name(f"class {k}") for k in range(3000)]
    with pytest.raises(ValueError, match=r"the classes name 'class 2999' twice"):
        names_in([*names, Name("class 2999")], "the classes")
    assert Name.compared < 100


@pytest.mark.posix
def test_what_is_no_file_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path, said in ((tmp_path / "pipe", "pipe is a pipe or a device, not a file"), (tmp_path, "is a folder, not a file")):
        with pytest.raises(ValueError, match=said):
            ix.load(path)
    with pytest.raises(ValueError, match=r"truth: .*pipe is a pipe or a device"):
        ix.detection(tmp_path / "pipe", [])
    with pytest.raises(ValueError, match=r"cannot be read as JSON: .*pipe is a pipe or a device"):
        ix.panoptic(tmp_path / "pipe", tmp_path / "pipe")


def test_a_path_of_bytes_is_a_path(tmp_path: Path) -> None:
    EV.save(os.fsencode(tmp_path / "ev.json"))
    assert ix.load(os.fsencode(tmp_path / "ev.json")) == EV
