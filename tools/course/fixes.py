"""Repairs of findings: candidates, each proven by running the repaired program.

A finding of a checked run says what is missing. Where that is a line or a word, the possible places are few, and a
checked run of the repaired program says which of them is right: it has no finding, and the program ends with 0.
"""

import difflib
import json
import pathlib
import subprocess
import tempfile
import time
import urllib.parse

from .messages import Problem
from .repairs import candidates

# What runs after a race is found in the checked run; each candidate costs a compilation and a run.
MOST_CANDIDATES = 24
SECONDS = 60
ENCODING = {"encoding": "utf-8", "errors": "surrogateescape"}  # a comment may be in any


def findings_of(report, source):
    """Of a SARIF file: (result, its lines in the file `source`, in order of importance; none if it is about another file)."""
    found = []
    for result in json.loads(report.read_text(encoding="utf-8"))["runs"][0]["results"]:
        if result.get("level") == "note":
            continue
        places = result["locations"][:1] + [place for place in result.get("relatedLocations", [])
                                            if place.get("properties", {}).get("role") == "access"]
        places = [place["physicalLocation"] for place in places]
        here = all(pathlib.Path(urllib.parse.unquote(place["artifactLocation"]["uri"])).name == source for place in places)
        found.append((result, [place["region"]["startLine"] for place in places] if here else []))
    return found


class Repair:
    """Tries candidates on a program. `check(path, report, seconds)` compiles and runs a file, and returns its exit code, None
    if it does not compile. A candidate may take longer than the program, but not forever."""

    def __init__(self, source, check):
        self.source, self.check = pathlib.Path(source), check
        self.tried, self.seconds = 0, SECONDS

    def run(self, lines, folder):
        file, report = folder / self.source.name, folder / "report.sarif"
        file.write_text("".join(lines), **ENCODING)
        report.unlink(missing_ok=True)
        code = self.check(file, report, self.seconds)
        return (code, findings_of(report, self.source.name)) if code is not None and report.is_file() else (None, [])

    def repaired(self):
        """The lines of the program before and after, and the findings that are left; after is None if there is none."""
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            before = lines = self.source.read_text(**ENCODING).splitlines(keepends=True)
            begin = time.monotonic()
            code, findings = self.run(lines, folder)
            self.seconds = min(SECONDS, 10 + 5 * (time.monotonic() - begin))
            if code is None:
                raise Problem(f"{self.source.name} does not compile, or ends without a report; ./course check says more")
            while findings:
                better = self.better(lines, findings, folder)
                if better is None:
                    break
                lines, findings = better
            return before, lines if lines is not before else None, findings

    def better(self, lines, findings, folder):
        """After the first change that takes a finding away and brings no other."""
        known = {(result["ruleId"], len(places)) for result, places in findings}
        for result, places in findings:
            for change in candidates(result, places, lines)[:MOST_CANDIDATES]:
                self.tried += 1
                changed = change.applied(lines)
                changed = "".join(changed).splitlines(keepends=True)
                code, left = self.run(changed, folder)
                right = code == 0 or left
                if right and len(left) < len(findings) and all((r["ruleId"], len(p)) in known for r, p in left):
                    return changed, left
        return None


def patch(source, before, after):
    return "".join(difflib.unified_diff(before, after, f"a/{source}", f"b/{source}"))


def sarif_fix(source, before, after):
    """The change as a `fix` of SARIF."""
    replacements = []
    for tag, first, last, low, high in difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if tag != "equal":
            replacements.append({"deletedRegion": {"startLine": first + 1, "startColumn": 1, "endLine": last + 1, "endColumn": 1},
                                 "insertedContent": {"text": "".join(after[low:high])}})
    return {"description": {"text": "repairs the finding: a checked run of the changed program has no finding"},
            "artifactChanges": [{"artifactLocation": {"uri": urllib.parse.quote(str(source))}, "replacements": replacements}]}


def add_to_report(report, fix):
    """Adds the fix to the findings of a SARIF file."""
    data = json.loads(report.read_text(encoding="utf-8"))
    for result in data["runs"][0]["results"]:
        if result.get("level") != "note":
            result["fixes"] = [fix]
    report.write_text(json.dumps(data, indent=2) + "\n", encoding="utf-8")


def run_program(program, arguments, report, environment, seconds=SECONDS):
    """The exit code of a checked run, 1 if it takes too long. A change that makes threads wait forever is found out soon."""
    try:
        return subprocess.run([str(program), *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, env={"CPU_DEVICE_TIMEOUT": "5", **environment, "CPU_DEVICE_REPORT": str(report)},
                              timeout=seconds, check=False).returncode
    except subprocess.TimeoutExpired:
        return 1
