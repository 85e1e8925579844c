"""Malformed requests, drawn from the studio's own description of itself: never an error of its own.

``TESSELLA_STUDIO_FUZZ=10000`` sends as many. What is drawn depends on the seed alone.
"""

from __future__ import annotations

import json
import os
import random
import string
import time
from pathlib import Path

import pytest

from tessella.errors import InputError
from tessella.studio import fence
from tessella.studio.worker import Worker

REQUESTS = int(os.environ.get("TESSELLA_STUDIO_FUZZ", "400"))
SEED = int(os.environ.get("TESSELLA_STUDIO_FUZZ_SEED", "1"))
SLOWEST = 30.0
ENDLESS = "/api/projects/{project}/stream"
ODD = ["", " ", "\0", "..", "../../etc/passwd", "%2e%2e%2f", "a/../b", "-1", "1e999", "NaN"]
ODD += ["\ud800", "<script>alert(1)</script>", "' OR 1=1", "{}", "[]", "null", "true"]
ODD += ["0x10", "9" * 40, "é" * 300]
NUMBERS = [0, 1, -1, 2, 29, 30, 119, 120, 2**31, -(2**63), 10**30, 0.5, -0.0, 1e308, 1e-320]


class Drawer:
    """Draws requests: mostly near what is asked for, wrong in a place or two."""

    def __init__(self, described, known, seed):
        self.chance = random.Random(seed)
        self.parts = described.get("components", {}).get("schemas", {})
        self.known = known  # values of path parameters that exist
        self.routes = [
            (method.upper(), path, about)
            for path, methods in sorted(described["paths"].items())
            for method, about in sorted(methods.items())
            if path != ENDLESS
        ]

    def anything(self, deep=3):
        """Return any value of JSON."""
        kind = self.chance.randrange(8 if deep else 5)
        if kind == 0:
            return None
        if kind == 1:
            return self.chance.random() < 0.5
        if kind == 2:
            return self.chance.choice(NUMBERS)
        if kind in (3, 4):
            return self.word()
        if kind < 7:
            return [self.anything(deep - 1) for _ in range(self.chance.randrange(4))]
        return {self.word(): self.anything(deep - 1) for _ in range(self.chance.randrange(4))}

    def word(self):
        if self.chance.random() < 0.5:
            return self.chance.choice(ODD)
        letters = string.printable + "äß漢\u202e"
        return "".join(self.chance.choices(letters, k=self.chance.randrange(12)))

    def like(self, schema, deep=6):
        """Return a value that fits a schema, or nearly."""
        if self.chance.random() < 0.12 or deep == 0:
            return self.anything()
        if "$ref" in schema:
            return self.like(self.parts[schema["$ref"].rpartition("/")[2]], deep)
        for key in ("anyOf", "oneOf", "allOf"):
            if key in schema:
                return self.like(self.chance.choice(schema[key]), deep - 1)
        if "enum" in schema or "const" in schema:
            return self.chance.choice(schema.get("enum", [schema.get("const")]))
        kind = schema.get("type")
        if kind == "object":
            held = {
                name: self.like(each, deep - 1)
                for name, each in schema.get("properties", {}).items()
                if name in schema.get("required", ()) or self.chance.random() < 0.7
            }
            return held or {self.word(): self.anything() for _ in range(2)}
        if kind == "array":
            items = schema.get("items", {})
            return [self.like(items, deep - 1) for _ in range(self.chance.choice((0, 1, 2, 4)))]
        if kind in ("integer", "number"):
            return self.chance.choice(NUMBERS)
        if kind == "boolean":
            return self.chance.random() < 0.5
        return None if kind == "null" else self.word()

    def deed(self, acts):
        """Return an act with arguments of its own names."""
        name = self.chance.choice(sorted(acts))
        args = {}
        for key, kind in acts[name]["given"].items():
            if self.chance.random() < 0.85:
                args[key] = self._argument(kind)
        return {"act": name, "args": args, "base": self.chance.choice((None, 0, 1, 10**6))}

    def _argument(self, kind):
        if self.chance.random() < 0.15:
            return self.anything()
        small = [0, 1, 2, 3, 7, -1, 29, 30, 10**7]
        if "tuple" in kind:
            deep = kind.count("tuple")
            plain = [self.chance.choice(small) for _ in range(self.chance.randrange(4))]
            return [plain, plain] if deep > 1 else plain
        if "int" in kind:
            return self.chance.choice(small)
        return self.chance.choice(("piece:1", "join:1-9", "yes", "no", self.word()))

    def request(self, acts):
        """Return method, path, parameters, headers and body."""
        method, path, about = self.chance.choice(self.routes)
        query = {}
        for each in about.get("parameters", ()):
            value = self.like(each["schema"])
            if each["in"] == "path":
                told = self.known.get(each["name"])
                value = told if told is not None and self.chance.random() < 0.8 else value
                path = path.replace(f"{{{each['name']}}}", _quoted(value))
            elif self.chance.random() < 0.9:
                query[each["name"]] = _plain(value)
        headers, body = {}, None
        held = about.get("requestBody", {}).get("content", {})
        if "application/json" in held:
            value = self.like(held["application/json"]["schema"])
            if path.endswith("/acts") and self.chance.random() < 0.8:
                value = self.deed(acts)
            body = json.dumps(value).encode()
            headers["content-type"] = "application/json"
        elif held:
            body = self.word().encode("utf-8", "surrogatepass")
        if body is not None and self.chance.random() < 0.1:
            body = body[: self.chance.randrange(len(body) + 1)] + self.chance.randbytes(3)
        if self.chance.random() < 0.05:
            headers["content-type"] = self.chance.choice(("text/plain", "image/png", "x"))
        if self.chance.random() < 0.03:
            method = self.chance.choice(("PUT", "DELETE", "PATCH", "OPTIONS", "HEAD", "POST"))
        return method, path, query, headers, body


def _plain(value):
    text = value if isinstance(value, str) else json.dumps(value)
    return text.encode("utf-8", "replace").decode()


def _quoted(value):
    from urllib.parse import quote

    return quote(_plain(value), safe="")[:2000]


def _files(folder: Path) -> dict[str, float]:
    return {str(path): path.stat().st_mtime for path in folder.rglob("*") if path.is_file()}


def _empty(module, order, tell=None):
    raise InputError("There are no pictures in what was given.")


@pytest.fixture
def outside(tmp_path):
    """A file beside the projects, which nobody may touch."""
    beside = tmp_path.parent / f"{tmp_path.name}-beside"
    beside.mkdir()
    (beside / "mine.txt").write_text("mine")
    return beside


def test_malformed_requests_never_end_in_an_error_of_the_server(
    client, desk, here, outside, monkeypatch
):
    monkeypatch.setattr(Worker, "solve", lambda self, task: True)  # nobody waits for answers
    monkeypatch.setattr(fence, "run", _empty)  # a process each would take hours
    described = client.get("/api/openapi.json").json()
    known_acts = client.get("/api/acts").json()
    known = {"project": desk.first, "upload": client.post("/api/uploads").json()["upload"]}
    known |= {"piece": 3, "number": 0}
    drawer = Drawer(described, known, SEED)
    before, root = _files(outside), set(desk.root.parent.iterdir())
    counts: dict[int, int] = {}
    for number in range(REQUESTS):
        method, path, query, headers, body = drawer.request(known_acts)
        told = f"request {number}: {method} {path} {query} {headers} {body!r}"
        began = time.monotonic()
        answer = client.request(method, path, params=query, headers=headers, content=body)
        assert answer.status_code < 500, f"{told}: {answer.text[:500]}"
        assert time.monotonic() - began < SLOWEST, told
        if answer.status_code >= 400 and method != "HEAD":
            assert set(answer.json()) == {"error"}, told
        counts[answer.status_code] = counts.get(answer.status_code, 0) + 1
    assert (_files(outside), set(desk.root.parent.iterdir())) == (before, root)
    assert client.get(here).status_code == 200
    assert counts.get(200, 0) > 0.1 * REQUESTS, counts  # most is not refused at the first look
    print(f"{REQUESTS} requests, by status: {dict(sorted(counts.items()))}")
