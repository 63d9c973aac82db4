"""What is saved, and how: one table of formats, one save and one load for everything that adds.

A result becomes plain data, and plain data become a file; the module that the table names does the first, in the room that owns
the class, and ``checked_files`` the second. It is imported when such a result is saved or loaded. A result that is made of
evaluations is saved, and added, part by part.

Files that are written completely or not at all, and read only if they are files.

Results are JSON with a format, a version and a checksum. They are written and read here, so that damage, other formats and other
versions are answered in one place.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import secrets
import stat
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields as fields_of
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from ..public_names import load_public
from ..words.call_mistakes import answers_mistakes
from ..words.wording import series, short
from .json_values import check_room, fields, number_in, number_out

CHECKPOINT = "indicatrix checkpoint"  # a file of a run, which only the same run goes on from


class Format(NamedTuple):
    """One kind of result, as its files hold it."""

    kind: str  # the public name of the class
    what: str  # what messages call it
    codec: str | None  # the module that has ``to_data(result)`` and ``from_data(version, data)``; None: see ``_parts_of``
    versions: tuple[int, ...] = (1,)  # of the format that are read; the last one is written


FORMATS: Mapping[str, Format] = {  # by the name that stands in the file
    # Version 1 kept how an evaluation was made as texts, 2 every class of every group, 3 all numbers of large arrays as text.
    "indicatrix evaluation": Format("Evaluation", "evaluation", "saved_evaluation", (1, 2, 3, 4)),
    "indicatrix joint counts": Format("PairedCounts", "joint", "compare.saved_paired_counts"),
    "indicatrix comparison": Format("Comparison", "comparison", "compare.saved_comparison"),
    "indicatrix binned scores": Format("Sweep", "sweep", "scores.thresholds.saved_sweep"),  # as earlier versions called some
    # Version 1 had no columns of bins.
    "indicatrix sweep": Format("Sweep", "sweep", "scores.thresholds.saved_sweep", (1, 2)),
    "indicatrix detection": Format("DetectionEvaluation", "detection", "vision.detection.saved_detections"),
    # Version 1 of these two did not keep which truth each image has.
    "indicatrix panoptic": Format("PanopticEvaluation", "panoptic evaluation", "vision.panoptic.panoptic_evaluation", (1, 2)),
    "indicatrix surface distances": Format(
        "SurfaceEvaluation", "surface evaluation", "vision.surfaces.surface_evaluation", (1, 2)
    ),
    "indicatrix multi-instance": Format("MultiInstance", "multi-instance result", None),
    "indicatrix one-vs-all": Format("OneVsAll", "one-vs-all result", None),
    "indicatrix one-vs-one": Format("OneVsOne", "one-vs-one result", None),
    "indicatrix positive-unlabelled": Format("PositiveUnlabeled", "positive-unlabeled result", None),  # as it was spelled once
    "indicatrix positive-unlabeled": Format("PositiveUnlabeled", "positive-unlabeled result", None),
    "indicatrix prediction sets": Format("PredictionSets", "result of prediction sets", None),
    "indicatrix gate": Format("Gate", "gate", "inference.planning.gate"),
    "indicatrix sequences": Format("Sequences", "result of sequences", None),
}
NAMES = {form.kind: name for name, form in FORMATS.items()}  # of several formats of a class the last one is written


def save(result: Any, path: str | os.PathLike[str]) -> None:  # noqa: D417 - classes take it as a method
    """Write the result to a JSON file; it holds counts and class names, no raw rows.

    Parameters
    ----------
    path : str or path
        The file. It is written completely or not at all.

    Examples
    --------
    >>> import os, tempfile
    >>> import indicatrix as ix
    >>> path = os.path.join(tempfile.mkdtemp(), "monday.json")
    >>> result = ix.tasks.one_vs_one(["a", "b"], {("a", "b"): ["a", "a"]})
    >>> result.save(path)
    >>> ix.load(path) == result
    True
    """
    write_file(path, with_format(result))


@answers_mistakes
def load(path: str | os.PathLike[str]) -> Any:
    """Return what is saved in a file: an evaluation, a comparison, a sweep or another result.

    Parameters
    ----------
    path : str or path
        A file that a ``save`` of this library wrote, in this or an earlier version.

    Returns
    -------
    Evaluation, PairedCounts, Comparison, Sweep, DetectionEvaluation or another result
        Equal to what was saved.

    Examples
    --------
    >>> import os, tempfile
    >>> import indicatrix as ix
    >>> path = os.path.join(tempfile.mkdtemp(), "monday.json")
    >>> ix.evaluate([0, 1, 1], [0, 1, 0]).save(path)
    >>> ix.load(path).score("recall")
    0.5
    >>> ix.inference.paired_counts([0, 1, 1], {"lr": [0, 1, 0], "rf": [0, 1, 1]}).save(path)
    >>> ix.load(path)
    <PairedCounts: 3 examples of lr and rf>
    """
    versions = {name: form.versions for name, form in FORMATS.items()}
    return read_file(path, versions, "result", from_data, _who_reads)


def load_as(kind: str, path: str | os.PathLike[str]) -> Any:
    """Return the result of one class that is saved in a file; one of another class is refused."""
    return read_file(path, _versions_of(kind), FORMATS[NAMES[kind]].what, from_data)


def _versions_of(kind: str) -> dict[str, tuple[int, ...]]:
    """Return the formats of a class, and the versions of each."""
    return {name: form.versions for name, form in FORMATS.items() if form.kind == kind}


def _who_reads(name: str) -> str:
    """Return what reads a file of a format that ``load`` does not."""
    if name == CHECKPOINT:
        return "from which ix.evaluate_file(…, checkpoint=path) goes on"
    return "which this release does not know; a newer one may have written it"


def to_data(result: Any) -> dict[str, Any]:
    """Return a result as plain data, without the name of the format and its version."""
    codec = FORMATS[NAMES[type(result).__name__]].codec
    return _parts_of(result) if codec is None else _module(codec).to_data(result)


def from_data(name: str, version: int, data: dict[str, Any]) -> Any:
    """Return the result that plain data of a format and a version describe; other data are a ValueError."""
    form = FORMATS[name]
    return _from_parts(load_public(form.kind), data) if form.codec is None else _module(form.codec).from_data(version, data)


def with_format(result: Any) -> dict[str, Any]:
    """Return a result as plain data that say what they are, for a part of a file or for another file."""
    name = NAMES[type(result).__name__]
    return {"format": name, "version": FORMATS[name].versions[-1], **to_data(result)}


def from_format(kind: str, data: Any, what: str) -> Any:
    """Return the result of a class that plain data describe which say that they are one."""
    known, form = _versions_of(kind), FORMATS[NAMES[kind]]
    name = data.get("format") if isinstance(data, Mapping) else None
    if not isinstance(name, str) or data.get("version") not in known.get(name, ()):
        raise ValueError(f"{what} is {short(data)}, not a saved {form.what} of version {series(form.versions, 'or')}")
    return from_data(name, data["version"], dict(data))


def _module(codec: str) -> Any:
    return import_module(f"..{codec}", __package__)


def _parts_of(result: Any) -> dict[str, Any]:
    """Return a result that is made of evaluations, of which some may be missing, and of numbers."""
    return {field.name: _part_out(getattr(result, field.name)) for field in fields_of(result)}


def _part_out(part: Any) -> Any:
    if part is None or type(part).__name__ not in NAMES:
        return None if part is None else number_out(part)
    return with_format(part)


def _from_parts(kind: type, data: dict[str, Any]) -> Any:
    """Return the result of a class that is made of evaluations and numbers."""
    of_class = fields_of(kind)
    given = fields(data, tuple(field.name for field in of_class), "the file")
    parts = zip(of_class, given, strict=True)
    return kind(**{own.name: None if part is None and own.default is None else _part_in(own, part) for own, part in parts})


def _part_in(own: Any, part: Any) -> Any:
    what = f"{own.name!r} of the file"
    if own.type != "Any":  # evaluations stand above the classes that are made of them, whose fields therefore say Any
        return number_in(part, what)
    return from_format("Evaluation", part, what)


def add_parts(one: Any, other: Any) -> Any:
    """Return the result of two batches; a class takes it as its ``__add__``.

    A part that may be missing says in the metadata of its field what it is called.
    """
    if type(one) is not type(other):
        return NotImplemented
    first, *_ = every = fields_of(one)
    parts = []
    for field in every:
        mine, theirs = (getattr(result, field.name) for result in (one, other))
        if "called" in field.metadata and (mine is None) != (theirs is None):
            raise ValueError(
                f"Only one of the two has {field.metadata['called']}. Give {field.name}= for both batches, or add .{first.name} "
                "alone."
            )
        parts.append(None if mine is None else mine + theirs)
    return type(one)(*parts)


def add_to_zero(result: Any, other: object) -> Any:
    """Return the result itself, so that ``sum()`` works; a class takes it as its ``__radd__``."""
    return result if isinstance(other, int) and other == 0 else NotImplemented


PAUSES = (0.01, 0.03, 0.1, 0.3, 0.6) if os.name == "nt" else ()
Content = TypeVar("Content")
Reader = Callable[[str, int, dict[str, Any]], Content]  # of the format, its version, and what the file holds


@contextlib.contextmanager
def replace_file(path: str | bytes | os.PathLike[str]) -> Iterator[Path]:
    """Yield the path of a new, empty file that becomes the file ``path`` at the end.

    Each call has a file of its own, so threads and processes may write the same path: the last one stays. A link stays a link,
    and the file that it leads to is replaced. If the writing is interrupted, nothing is left behind.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder, replace_file(Path(folder) / "out.txt") as place:
    ...     _ = place.write_text("all of it")
    """
    target = check_replaceable(path)
    mode = _mode_of(target)
    # The suffix stays at the end: libraries that write pictures and tables choose their format by it.
    part = target.with_name(f".{secrets.token_hex(8)}.part{target.suffix}")
    try:
        os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666 if mode is None else 0o600))
        yield part
        if mode is not None:
            part.chmod(mode)
        _sync(part, os.O_RDWR)
        _rename(part, target)
        if os.name == "posix":
            _sync(target.parent, os.O_RDONLY)  # the new name is safe only when its folder is
    finally:
        part.unlink(missing_ok=True)


def refuse_pipe(path: str | bytes | os.PathLike[str], where: str = "") -> None:
    """Refuse to read a pipe or a device, which may have no end; an error begins with ``where``.

    >>> refuse_pipe("rows.csv")  # a file, or nothing yet
    """
    place = Path(os.fsdecode(path))
    if place.exists() and not place.is_file() and not place.is_dir():
        raise ValueError(f"{where}{place} is a pipe or a device, not a file. Write its content to a file first.")


def check_replaceable(path: str | bytes | os.PathLike[str]) -> Path:
    """Return the file that a path leads to; one that cannot be written there at all is refused.

    >>> check_replaceable(".")
    Traceback (most recent call last):
    ...
    ValueError: ... is a folder, not a file that can be replaced. Name a file.
    """
    target = Path(os.path.realpath(os.fsdecode(path)))
    if not target.parent.is_dir():
        raise FileNotFoundError(
            f"There is no folder {target.parent} to write {target.name} in. Make it first, or check the name."
        )
    _mode_of(target)
    return target


def _mode_of(target: Path) -> int | None:
    """Return the permissions of the file that is replaced, or None if there is no file yet."""
    try:
        found = target.stat().st_mode
    except FileNotFoundError:
        return None
    if not stat.S_ISREG(found):
        what = "a folder" if stat.S_ISDIR(found) else "a device, a pipe or the like"
        raise ValueError(f"{target} is {what}, not a file that can be replaced. Name a file.")
    return stat.S_IMODE(found)


def _rename(part: Path, target: Path) -> None:
    """Give a file its name, trying again for a second where Windows refuses.

    It refuses as long as somebody reads the old file.
    """
    for pause in PAUSES:
        try:
            part.replace(target)
        except PermissionError:
            time.sleep(pause)
        else:
            return
    part.replace(target)


def _sync(place: Path, flags: int) -> None:
    """Wait until a file or a folder is on the disk, so that a power failure cannot leave it empty."""
    opened = os.open(place, flags)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def write_file(path: str | os.PathLike[str], content: dict[str, Any]) -> None:
    """Write plain data with a format and a version to a file, completely or not at all."""
    check_room(content)
    text = json.dumps({**content, "checksum": _checksum(content)})
    with replace_file(path) as place:
        place.write_text(text, encoding="utf-8")


def read_file(
    path: str | os.PathLike[str],
    readable: Mapping[str, tuple[int, ...]],
    what: str,
    read: Reader[Content],
    elsewhere: Callable[[str], str] = lambda form: "which ix.load reads",
) -> Content:
    """Return what ``read`` finds in a file of one of the formats.

    ``readable`` names the formats and the versions of each. Whatever is wrong with the content of the file is a ValueError.
    ``what`` the file should hold is in the messages, and ``elsewhere`` says what reads a file of another format of this library.
    """
    path = Path(os.fsdecode(path))
    content = _read_json(path, what)
    form = content.get("format") if isinstance(content, dict) else None
    if not isinstance(content, dict) or not isinstance(form, str) or form not in readable:
        ours = isinstance(form, str) and form.startswith("indicatrix ")
        other = f": it is a file of {form!r}, {elsewhere(str(form))}" if ours else ""
        raise ValueError(f"{path} is not a saved {what}{other}. {_where_from(what)}")
    version = _check_version(path, content.get("version"), readable[form])
    try:
        intact = content.pop("checksum", None) == _checksum(content)
    except RecursionError:
        raise ValueError(f"{path} is not a saved {what}: it is nested too deeply.") from None
    if not intact:
        raise ValueError(f"{path} is damaged or was edited: it differs from what was saved. Save the {what} again.")
    try:
        check_room(content)
        return read(form, version, content)
    except RecursionError:
        raise ValueError(f"{path} cannot be read: a name or a record is nested too deeply.") from None
    except (ValueError, TypeError, OverflowError) as error:
        raise ValueError(f"{path} cannot be read: {error}.") from None


def _read_json(path: Path, what: str) -> Any:
    """Return the JSON in a file."""
    refuse_pipe(path)  # it would be waited for
    if path.is_dir():
        raise ValueError(f"{path} is a folder, not a file. {_where_from(what)}")
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise FileNotFoundError(f"There is no file {path}. {_where_from(what)}") from None
    except RecursionError:
        raise ValueError(f"{path} is not a saved {what}: it is nested too deeply.") from None
    except ValueError as error:  # neither JSON nor UTF-8, or a number of thousands of digits
        raise ValueError(f"{path} is not a saved {what}: {error}.") from None


def _where_from(what: str) -> str:
    return f"Give a file that the save() of {'an' if what[0] in 'aeiou' else 'a'} {what} wrote."


def _check_version(path: Path, version: Any, readable: tuple[int, ...]) -> int:
    """Return the version of a file; refuse one that this release does not read."""
    if type(version) is int and version in readable:
        return version
    newer = type(version) is int and version > max(readable)
    fix = " A newer release wrote it: update indicatrix." if newer else ""
    raise ValueError(f"{path} has version {version} of the format; this release reads versions {readable}.{fix}")


def _checksum(content: dict[str, Any]) -> str:
    """Return a text that changes with any count or name in a file.

    So a damaged file is never read as if it were intact.
    """
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()
