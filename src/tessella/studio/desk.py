"""The desk: all projects that the studio has open or could open, and what is being uploaded."""

from __future__ import annotations

import hashlib
import re
import secrets
import shutil
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from tessella.errors import InputError, TessellaError
from tessella.studio import intake, outlining, unpack
from tessella.studio.facts import Facts
from tessella.studio.guard import UPLOAD_MAX
from tessella.studio.project import FILE, SUFFIX, is_project
from tessella.studio.session import Session

UPLOADS_MAX = 16
"""So many uploads may wait; the oldest makes room for the next."""


class Unknown(InputError):
    """An id that names nothing."""


class Desk:
    """What one studio has before it.

    Attributes
    ----------
    root : the folder in which new projects are made, and old ones are found
    first : the id of the project to show first; None shows the desk
    """

    def __init__(self, root: Path) -> None:
        self.root = root.resolve()
        self.first: str | None = None
        self._sessions: dict[str, Session] = {}
        self._known: dict[str, Path] = {}
        self._turn = threading.Lock()
        self._place = Path(tempfile.mkdtemp(prefix="tessella-uploads-"))
        self._uploads: dict[str, int] = {}
        self._begun: set[str] = set()
        self._found: dict[str, Path] = {}
        self._making: dict[str, dict[str, Any]] = {}

    def add(self, folder: Path) -> str:
        """Make a project known, and return its id."""
        folder = folder.resolve()
        key = hashlib.blake2b(str(folder).encode("utf-8", "surrogateescape"), digest_size=8)
        self._known[key.hexdigest()] = folder
        return key.hexdigest()

    def listed(self) -> list[dict[str, Any]]:
        """Return all projects of the root and all that are open, by name."""
        for folder in sorted(self.root.glob(f"*{SUFFIX}")):
            if is_project(folder):
                self.add(folder)
        projects = []
        for key, folder in list(self._known.items()):
            try:
                facts = Facts.read(folder / FILE)
            except TessellaError:
                continue
            projects.append(
                {"id": key, "name": facts.name, "pieces": facts.pieces, "kind": facts.kind}
            )
        return sorted(projects, key=lambda each: (each["name"], each["id"]))

    def session(self, key: str) -> Session:
        """Return the open project called `key`; opened if it is not."""
        with self._turn:
            if key not in self._sessions:
                if key not in self._known:
                    self.listed()
                if key not in self._known:
                    raise Unknown("There is no such project.")
                self._sessions[key] = Session(self._known[key])
            return self._sessions[key]

    def sessions(self) -> list[Session]:
        """Return all open projects."""
        with self._turn:
            return list(self._sessions.values())

    # Uploads.

    def upload(self) -> str:
        """Begin an upload and return its id."""
        for old in list(self._uploads):
            if len(self._uploads) >= UPLOADS_MAX and old not in self._making:
                self._drop(old)  # nobody came back to it for longest
        if len(self._uploads) >= UPLOADS_MAX:
            raise InputError("Too many projects are being made; wait for one of them.")
        key = secrets.token_hex(8)
        (self._place / key).mkdir()
        self._uploads[key] = 0
        self._begun.add(key)
        return key

    def room(self, key: str, name: str) -> Path:
        """Return where a file of an upload goes."""
        self._check_upload(key)
        path = unpack.safe(name)
        if path.suffix.lower() not in (".zip", ".pdf") and not unpack.wanted(name):
            raise InputError("Pictures, puzzle.json, a zip or a PDF can be uploaded; nothing else.")
        self._uploads[key] = self._uploads.pop(key)  # used last
        target = self._place / key / path
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.touch(exist_ok=False)
        except (FileExistsError, NotADirectoryError) as problem:
            raise InputError("Two files of the upload have one name; rename one.") from problem
        return target

    def took(self, key: str, size: int) -> None:
        """Count what an upload holds; raise when it is too much."""
        self._check_upload(key)
        self._uploads[key] += size
        if self._uploads[key] > UPLOAD_MAX:
            raise InputError(f"An upload holds at most {UPLOAD_MAX} bytes.")

    def find(self, key: str, kind: str) -> dict[str, Any]:
        """Look for the pieces in an upload's pictures; `progress` tells how far it is meanwhile."""
        self._check_upload(key)
        folder = self._place / f"{key}-{secrets.token_hex(4)}"
        self._making[key] = {"stage": "starting", "total": 0, "done": 0}
        try:
            search = outlining.Search(str(self._place / key), str(folder), kind)
            with self._pathless(self._place / key, folder / intake.UNPACKED):
                outlines = outlining.find(
                    search, lambda progress: self._making.update({key: progress})
                )
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise
        finally:
            self._making.pop(key, None)
        self._found[key] = folder
        return outlines

    def shown(self, key: str, number: int) -> Path:
        """Return a picture of an upload as the page shows it."""
        self._check_upload(key)
        path = self._found.get(key, self._place) / f"shown-{number}.jpg"
        if not path.is_file():
            raise Unknown("There is no such picture.")
        return path

    def make(self, key: str, order: intake.Order) -> str:
        """Make a project of an upload and return its id; `progress` tells of it meanwhile."""
        self._check_upload(key)
        collected = self._found.get(key)
        if order.outlines and collected is None:
            raise InputError("Nobody has looked for outlines in that upload yet.")
        folder = self.root / f"{folder_name(order.name)}{SUFFIX}"
        number = 2
        while folder.exists():
            folder = self.root / f"{folder_name(order.name)}-{number}{SUFFIX}"
            number += 1
        self._making[key] = {"stage": "starting", "total": 0, "done": 0}
        try:
            whole = replace(
                order,
                source=str(self._place / key),
                folder=str(folder),
                foreign=True,
                collected=None if collected is None else str(collected),
            )
            with self._pathless(self._place / key):
                made = intake.run(whole, lambda progress: self._making.update({key: progress}))
        except BaseException:
            if collected is None:  # outlines that a person set are not thrown away
                self._drop(key)
            raise
        finally:
            self._making.pop(key, None)
        self._drop(key)
        return self.add(made)

    def progress(self, key: str) -> dict[str, Any]:
        """Tell how far the work on an upload is; nothing is under way where no stage is named.

        An upload that became a project is still answered for: a page that asks every half second
        asks once more while the answer is on its way.
        """
        if key not in self._begun:
            raise Unknown("There is no such upload.")
        return self._making.get(key, {"stage": "", "total": 0, "done": 0})

    @contextmanager
    def _pathless(self, *folders: Path) -> Iterator[None]:
        """Let sentences name the files of an upload as the person who sent them does."""
        try:
            yield
        except InputError as problem:
            told = str(problem)
            for folder in folders:
                told = told.replace(f"{folder}/", "")
            raise InputError(told) from problem

    def _check_upload(self, key: str) -> None:
        if key not in self._uploads:
            raise Unknown("There is no such upload.")

    def _drop(self, key: str) -> None:
        self._uploads.pop(key, None)
        for folder in (self._place / key, self._found.pop(key, None)):
            if folder is not None:
                shutil.rmtree(folder, ignore_errors=True)

    def close(self) -> None:
        """Close all projects and drop what was uploaded."""
        sessions = self.sessions()
        for session in sessions:
            session.worker.stop()  # all at once, for each may take a while to end
        for session in sessions:
            session.close()
        shutil.rmtree(self._place, ignore_errors=True)


def folder_name(name: str) -> str:
    """Return a name as a folder can have it.

    >>> folder_name("São João / 1.tessella")
    'São-João-1-tessella'
    """
    return re.sub(r"[^\w-]+", "-", name).strip("-")[:80] or "project"
