"""Kill ``tessella solve`` at random moments, resume it each time, and compare the answers.

    python scripts/kills.py PUZZLE OUT --kills 10 --within 60 [OPTIONS OF SOLVE]

Prints when it was killed, how many blocks were finished then, and whether the answer is that of a
run that nobody killed. A finished block that was written again is told as an error.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import time
from pathlib import Path


def finished(out: Path) -> dict[str, int]:
    """Return the finished blocks of a run, measured or solved, and when each was written."""
    kept = out / ".checkpoint"
    return {str(p.relative_to(kept)): p.stat().st_mtime_ns for p in kept.rglob("[0-9]*.npz")}


def main() -> None:
    """Run once in peace, once with kills."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("puzzle", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--within", type=float, default=60.0, help="seconds after which, at most")
    parser.add_argument("--seed", type=int, default=1)
    given, options = parser.parse_known_args()
    solve = [sys.executable, "-m", "tessella", "solve", str(given.puzzle)]
    peace, killed = given.out / "peace", given.out / "killed"
    began = time.monotonic()
    if not (peace / "run.json").exists():
        subprocess.run([*solve, str(peace), "--quiet", *options], check=True)
    print(f"in peace: {time.monotonic() - began:.0f} s", flush=True)
    chance, known = random.Random(given.seed), {}
    for number in range(given.kills):
        resume = ["--resume"] if (killed / ".checkpoint").exists() else []
        run = subprocess.Popen([*solve, str(killed), "--quiet", *options, *resume])
        moment = chance.uniform(0, given.within)
        try:
            run.wait(moment)
        except subprocess.TimeoutExpired:
            run.kill()  # SIGKILL: nobody can prepare for it.
            run.wait()
        held = finished(killed)
        again = [name for name in known if held.get(name, known[name]) != known[name]]
        assert not again, f"blocks written again: {again}"
        known = held
        print(f"kill {number + 1} after {moment:.1f} s: {len(held)} blocks", flush=True)
        if run.returncode == 0:
            break
    resume = ["--resume"] if (killed / ".checkpoint").exists() else []
    if not (killed / "run.json").exists():
        subprocess.run([*solve, str(killed), "--quiet", *options, *resume], check=True)
    answers = [json.loads((each / "arrangement.json").read_text()) for each in (peace, killed)]
    print("the same answer" if answers[0] == answers[1] else "ANOTHER ANSWER")


if __name__ == "__main__":
    main()
