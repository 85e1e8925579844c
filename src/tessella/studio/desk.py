"""The desk: all projects that the studio has open or could open, and what is being uploaded."""

from __future__ import annotations

import hashlib
import re
import secrets
import shutil
import tempfile
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

from tessella.errors import InputError, TessellaError
from tessella.studio import intake, unpack
from tessella.studio.facts import Facts
from tessella.studio.guard import UPLOAD_MAX
from tessella.studio.project import FILE, SUFFIX, is_project
from tessella.studio.session import Session


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
        self.making: dict[str, dict[str, Any]] = {}

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
        found = []
        for key, folder in list(self._known.items()):
            try:
                facts = Facts.read(folder / FILE)
            except TessellaError:
                continue
            found.append(
                {"id": key, "name": facts.name, "pieces": facts.pieces, "kind": facts.kind}
            )
        return sorted(found, key=lambda each: (each["name"], each["id"]))

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
        if len(self._uploads) >= 16:
            raise InputError("Too many uploads wait; start the studio again.")
        key = secrets.token_hex(8)
        (self._place / key).mkdir()
        self._uploads[key] = 0
        return key

    def room(self, key: str, name: str) -> Path:
        """Return where a file of an upload goes."""
        if key not in self._uploads:
            raise Unknown("There is no such upload.")
        path = unpack.safe(name)
        if path.suffix.lower() not in (".zip", ".pdf") and not unpack.wanted(name):
            raise InputError("Pictures, puzzle.json, a zip or a PDF can be uploaded; nothing else.")
        target = self._place / key / path
        target.parent.mkdir(parents=True, exist_ok=True)
        if target.exists():
            raise InputError("Two files of the upload have one name; rename one.")
        return target

    def took(self, key: str, size: int) -> None:
        """Count what an upload holds; raise when it is too much."""
        self._uploads[key] += size
        if self._uploads[key] > UPLOAD_MAX:
            raise InputError(f"An upload holds at most {UPLOAD_MAX} bytes.")

    def make(self, key: str, order: intake.Order) -> str:
        """Make a project of an upload and return its id; told of in `making` meanwhile."""
        if key not in self._uploads:
            raise Unknown("There is no such upload.")
        folder = self.root / f"{folder_name(order.name)}{SUFFIX}"
        number = 2
        while folder.exists():
            folder = self.root / f"{folder_name(order.name)}-{number}{SUFFIX}"
            number += 1
        source = str(self._place / key)
        self.making[key] = {"stage": "starting", "total": 0, "done": 0}
        try:
            whole = replace(order, source=source, folder=str(folder), foreign=True)
            made = intake.run(whole, lambda told: self.making.update({key: told}))
        finally:
            self.making.pop(key, None)
            self._uploads.pop(key, None)
            shutil.rmtree(source, ignore_errors=True)
        return self.add(made)

    def close(self) -> None:
        """Close all projects and drop what was uploaded."""
        for session in self.sessions():
            session.close()
        shutil.rmtree(self._place, ignore_errors=True)


def folder_name(name: str) -> str:
    """Return a name as a folder can have it.

    >>> folder_name("São João / 1.tessella")
    'São-João-1-tessella'
    """
    return re.sub(r"[^\w-]+", "-", name).strip("-")[:80] or "project"
