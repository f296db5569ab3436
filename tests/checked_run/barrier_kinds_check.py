#!/usr/bin/env python3
"""Barriers of each kind, in a checked run: what one thread knows of another block, all threads that it meets know afterwards.

    barrier_kinds_check.py NVCC FOLDER

Without the barrier the same accesses are a race, so the test does not pass because nothing was checked.
"""

import json
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "harness"))
from counting import check, finish, nvcc_and_folder  # noqa: E402  pylint: disable=wrong-import-position

SECONDS = 120
FORWARD = {"CPU_DEVICE_ORDER": "forward", "CPU_DEVICE_THREADS": "1"}
REVERSE = {"CPU_DEVICE_ORDER": "reverse", "CPU_DEVICE_THREADS": "2"}
# PTX wants the fence and the access to the flag in one thread. We are strict with these, and accept both in one block or warp that
# meets at other barriers, since many programs rely on it.
STRICT = ("named", "named_halves", "cluster", "cluster_halves")


def findings(program, arguments, settings):
    """Exit code and kinds of the findings."""
    report = program.with_suffix(".sarif")
    report.unlink(missing_ok=True)
    code = subprocess.run([program, *arguments], env={**os.environ, **settings, "CPU_DEVICE_REPORT": str(report)}, stdin=subprocess.DEVNULL,
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=SECONDS, check=False).returncode
    results = json.loads(report.read_text())["runs"][0]["results"]
    return code, [result["ruleId"] for result in results if result["level"] != "note"]


def main():
    nvcc, folder = nvcc_and_folder(__doc__)
    program = folder / "barrier_kinds"
    subprocess.run([nvcc, "--check", HERE / "barrier_kinds.cu", "-o", program], check=True)
    kinds = subprocess.run([program, "list", "-", "-"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False).stdout.split()
    check("there are kinds", len(kinds) >= 20, str(kinds))
    for kind in kinds:
        for way in ("receive", "send") if kind in STRICT else ("receive", "receive_apart", "send", "send_apart"):
            # A cluster that waits for another one must come after it: nothing in CUDA says that both run at the same time.
            for settings in (FORWARD,) if kind.startswith("cluster") else (FORWARD, REVERSE):
                where = f"{kind} {way} {' '.join(settings.values())}"
                code, came = findings(program, [kind, way, "meet"], settings)
                check(f"{where}: no finding with the barrier", code == 0 and not came, f"{code} {came}")
            _, came = findings(program, [kind, way, "skip"], {})
            check(f"{kind} {way}: a race without the barrier", came in (["race-grid"], ["race-fence"]), str(came))
    rounds = folder / "volatile_rounds"
    subprocess.run([nvcc, "--check", HERE / "volatile_rounds.cu", "-o", rounds], check=True)
    for schedules in ("0", "1", "2"):
        code, came = findings(rounds, [], {"CPU_DEVICE_SCHEDULE": schedules})
        check(f"rounds of volatile numbers, schedules {schedules}: no finding", code == 0 and not came, f"{code} {came}")
    _, came = findings(rounds, ["skip"], {})
    check("rounds of volatile numbers: a race without the first barrier", set(came) == {"race-grid"}, str(came))
    return finish()


if __name__ == "__main__":
    sys.exit(main())
