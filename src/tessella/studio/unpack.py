"""Zips and other things that came from outside: unpacked with limits, and nowhere else."""

from __future__ import annotations

import errno
import lzma
import stat
import struct
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import IO

from tessella.errors import InputError, shown
from tessella.imaging import manifest
from tessella.imaging.read import SUFFIXES

FILES_MAX = 200_000
BYTES_MAX = 4 * 2**30
RATIO_MAX = 200
"""A zip may hold so many times its own size; pictures hardly shrink at all."""

PART_MAX = 200
_CHUNK = 2**20
_DAMAGED = (zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, UnicodeError, struct.error)


def safe(name: str) -> PurePosixPath:
    """Return a name from outside as a path that stays within its folder, or raise.

    >>> safe("panel/a.png")
    PurePosixPath('panel/a.png')
    """
    path = PurePosixPath(name)
    wrong = (
        not name
        or path.is_absolute()
        or "\\" in name
        or "\0" in name
        or ":" in name
        or any(part == ".." or len(part.encode()) > PART_MAX for part in path.parts)
        or not path.parts
        or len(path.parts) > 16
        or any(not sign.isprintable() for sign in name)
    )
    if wrong:
        raise InputError(f"{shown(name)} is no name of a file within a folder; rename it.")
    return path


def wanted(name: str) -> bool:
    """Whether a file is a picture or says what the pieces are; all else is left out."""
    path = PurePosixPath(name)
    hidden = any(part.startswith((".", "__MACOSX")) for part in path.parts)
    return not hidden and (path.suffix.lower() in SUFFIXES or path.name == manifest.NAME)


def unzip(archive: Path, folder: Path) -> None:
    """Unpack the pictures of a zip into `folder`; a zip that is made to harm is refused."""
    try:
        with zipfile.ZipFile(archive) as file:
            most = min(BYTES_MAX, RATIO_MAX * archive.stat().st_size + 2**20)
            left = most
            entries = file.infolist()
            if len(entries) > FILES_MAX:
                raise InputError(
                    f"The zip holds {len(entries)} files; at most {FILES_MAX} are read."
                )
            for entry in entries:
                path = safe(entry.filename)
                if stat.S_ISLNK(entry.external_attr >> 16):
                    raise InputError(f"The zip holds a link, {path}; pack the files themselves.")
                if entry.is_dir() or not wanted(entry.filename):
                    continue
                target = folder / path
                target.parent.mkdir(parents=True, exist_ok=True)
                with file.open(entry) as source, target.open("xb") as out:
                    for chunk in _chunks(source):
                        left -= len(chunk)
                        if left < 0:
                            raise InputError(
                                f"The zip unpacks to more than {most} bytes; that is no zip of "
                                "pictures."
                            )
                        out.write(chunk)
    except _DAMAGED as problem:
        raise InputError("The zip is damaged, or is none; make it again.") from problem
    except (RuntimeError, OSError) as problem:  # it is encrypted, or packed in another way
        if isinstance(problem, OSError) and problem.errno in (None, errno.EINVAL):  # bz2, seek
            raise InputError("The zip is damaged, or is none; make it again.") from problem
        raise InputError(f"The zip cannot be unpacked ({problem}); make it again.") from problem


def _chunks(source: IO[bytes]) -> Iterator[bytes]:
    while chunk := source.read(_CHUNK):
        yield chunk


def chosen(folder: Path) -> Path:
    """Return the folder within `folder` that holds the pieces.

    It is the one with a puzzle.json, or else the one with most pictures.
    """
    manifests = sorted(folder.rglob(manifest.NAME), key=lambda path: (len(path.parts), path))
    if manifests:
        return manifests[0].parent
    counts: dict[Path, int] = {}
    for path in folder.rglob("*"):
        if path.suffix.lower() in SUFFIXES:
            counts[path.parent] = counts.get(path.parent, 0) + 1
    if not counts:
        raise InputError("There are no PNG, JPEG, TIFF or WebP files in what was given.")
    return max(sorted(counts), key=lambda each: counts[each])
