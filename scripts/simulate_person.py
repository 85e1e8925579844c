"""A simulated person at the studio: answers its questions truthfully, through the HTTP interface.

    python scripts/simulate_person.py PAINTINGS [--panels 24] [--share 0.1] [--every 10]

Simulated azulejo panels are made of the pictures in PAINTINGS, taken apart and given to a studio,
one after the other, upright, of known shape. After the first answer the person is asked, and says
yes, or which of the rivals shown belongs there, or that none of them does; after ten answers the
studio solves on. Wrong joins (true ones that the answer has not) are counted before, and after
answers to a share of a panel's joins. ``--questions random`` asks about any join instead of those
that the studio names.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from tessella.arrangement import Arrangement
from tessella.bench.panels import Panel, panels
from tessella.imaging import azulejo
from tessella.imaging.cut import cut
from tessella.imaging.folder import natural, write_puzzle
from tessella.studio import intake
from tessella.studio.started import started

PATIENCE = 1800.0


@dataclass(frozen=True)
class Oracle:
    """Who belongs to whom.

    Attributes
    ----------
    partner : of every edge that has one, the other
    """

    partner: Mapping[int, int]

    @classmethod
    def of(cls, arrangement: Arrangement) -> Oracle:
        """Return the joins of a true arrangement."""
        partner: dict[int, int] = {}
        for sheet in arrangement.sheets:
            for first, second in sheet.joins().tolist():
                partner[first], partner[second] = second, first
        return cls(partner)

    @property
    def joins(self) -> int:
        """How many there are."""
        return len(self.partner) // 2

    def wrong(self, lying: Mapping[str, Any]) -> int:
        """Return how many true joins are not among those that the studio tells of."""
        pairs = zip(lying["first"], lying["second"], strict=True)
        found = sum(self.partner.get(first) == second for first, second in pairs)
        return self.joins - int(found)

    def answer(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        """Return the truthful reply to a question: yes, which rival instead, or no."""
        first, second = asked["first"], asked["second"]
        reply = {"first": first, "second": second}
        if self.partner.get(first) == second:
            return {**reply, "said": "yes"}
        shown = {rival["edge"] for rival in asked["rivals"][0]}
        right = self.partner.get(first)
        if right in shown:
            return {**reply, "said": "no", "instead": right}
        return {**reply, "said": "no", **({"neither": sorted(shown)} if shown else {})}


class Person:
    """Somebody who talks to a studio as the pages do."""

    def __init__(self, address: str) -> None:
        base = address.split("/launch")[0]
        self.client = httpx.Client(base_url=base, headers={"origin": base}, timeout=600)
        self.client.get(address)
        self.path = f"/api/projects/{self.get('/api/projects')['first']}"

    def get(self, path: str) -> Any:
        """Ask something."""
        return self.client.get(path).raise_for_status().json()

    def post(self, what: str, **body: Any) -> httpx.Response:
        """Ask for something to be done."""
        return self.client.post(f"{self.path}/{what}", json=body)

    def solve(self, **wanted: Any) -> None:
        """Solve, and wait for the answer."""
        self.post("solve", **wanted).raise_for_status()
        until = time.monotonic() + PATIENCE
        while (state := self.get(f"{self.path}/solving"))["busy"] or state["kind"] == "stage":
            if time.monotonic() > until:
                raise SystemExit("The studio did not answer in time.")
            time.sleep(0.05)
        if state["kind"] == "failed":
            raise SystemExit(state["error"])

    def lying(self) -> Any:
        """Return all joins as they lie."""
        return self.get(f"{self.path}/joins")

    def questions(self, count: int, chance: random.Random | None) -> list[dict[str, Any]]:
        """Return what to answer next: what the studio asks, or any joins by chance."""
        if chance is None:
            found: list[dict[str, Any]] = self.get(f"{self.path}/questions?count={count}")[
                "questions"
            ]
            return found
        lying, said = self.lying(), self.get(self.path)["state"].get("asked", {})
        pairs = [
            {"first": first, "second": second, "rivals": [[], []]}
            for first, second in zip(lying["first"], lying["second"], strict=True)
            if f"{min(first, second)}-{max(first, second)}" not in said
        ]
        return chance.sample(pairs, min(count, len(pairs)))


def asked_through(person: Person, oracle: Oracle, given: argparse.Namespace) -> dict[str, Any]:
    """Solve a panel, answer questions about a share of its joins, and count wrong joins."""
    wanted = {"measure": given.measure, "seed": given.seed, "effort": "thorough", "runs": 1}
    chance = random.Random(given.seed) if given.questions == "random" else None
    began = time.monotonic()
    person.solve(**wanted)
    first = time.monotonic() - began
    curve = [(0, oracle.wrong(person.lying()))]
    said = {"yes": 0, "no": 0, "instead": 0, "unsure": 0}
    answers, most = 0, round(given.share * oracle.joins)
    while answers < most:
        questions = person.questions(min(given.every, most - answers), chance)
        if not questions:
            break
        for question in questions:
            reply = oracle.answer(question)
            done = person.post("acts", act="reply", args=reply)
            if done.status_code == 409:  # what was said before makes it impossible
                reply = {"first": reply["first"], "second": reply["second"], "said": "unsure"}
                done = person.post("acts", act="reply", args=reply)
            done.raise_for_status()
            said["instead" if "instead" in reply else reply["said"]] += 1
            answers += 1
        person.solve(**wanted)
        curve.append((answers, oracle.wrong(person.lying())))
    return {
        "joins": oracle.joins,
        "curve": curve,
        "said": said,
        "first_seconds": round(first, 1),
        "seconds": round(time.monotonic() - began, 1),
    }


def one(panel: Panel, given: argparse.Namespace) -> dict[str, Any]:
    """Take a panel apart, open a studio on it, and let the person work."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "puzzle"
        puzzle, true = cut(panel.paint(), azulejo.TILE, turned=False, seed=given.seed)
        write_puzzle(folder, puzzle)
        project = Path(place) / "panel.tessella"
        intake.run(intake.Order(str(folder), str(project), "panel"))
        with started(project) as (_, address):
            return {
                "panel": panel.name,
                "pieces": len(puzzle),
                **asked_through(Person(address), Oracle.of(true.arrangement), given),
            }


def main() -> None:
    """Let the person work on one panel after the other."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("paintings", type=Path)
    parser.add_argument("--panels", type=int, default=24)
    parser.add_argument("--only", default="", help="panels whose name holds this")
    parser.add_argument("--share", type=float, default=0.1)
    parser.add_argument("--every", type=int, default=10)
    parser.add_argument("--measure", default="tiles")
    parser.add_argument("--questions", choices=("studio", "random"), default="studio")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    files = sorted(given.paintings.glob("*.jpg"), key=lambda file: natural(file.name))
    done = []
    wanted = [panel for panel in panels(files) if given.only in panel.name]
    for panel in wanted[: given.panels]:
        done.append(one(panel, given))
        print(json.dumps(done[-1]), flush=True)
    before, after = (sum(each["curve"][at][1] for each in done) for at in (0, -1))
    print(f"{len(done)} panels: {before} wrong joins before, {after} after", flush=True)


if __name__ == "__main__":
    main()
