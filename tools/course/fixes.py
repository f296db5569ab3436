"""Repairs of findings: candidates, each proven by running the repaired program.

A finding of a checked run says what is missing. Where that is a line or a word, the possible places are few, and a
checked run of the repaired program says which of them is right: it has no finding, and the program ends with 0.
"""

import difflib
import itertools
import json
import pathlib
import re
import subprocess
import tempfile
import urllib.parse

from .messages import Problem

BARRIER, WARP, FENCE, WAIT = "__syncthreads();", "__syncwarp();", "__threadfence();", "cudaDeviceSynchronize();"
# What runs after a race is found in the checked run; each candidate costs a compilation and a run.
MOST_CANDIDATES = 12
SECONDS = 60
ENCODING = {"encoding": "utf-8", "errors": "surrogateescape"}  # a comment may be in any
OPERATORS = {"+": "atomicAdd", "-": "atomicSub", "|": "atomicOr", "&": "atomicAnd", "^": "atomicXor"}
TARGET = r"(?P<target>\*?[A-Za-z_]\w*(?:(?:->|\.)\w+|\[[^=;]*?\])*)"
# x++, ++x, x += e, x = x + e, alone in a statement.
UPDATES = (rf"(?:{TARGET}\s*(?P<unary>\+\+|--))", rf"(?:(?P<prefix>\+\+|--)\s*{TARGET})",
           rf"(?:{TARGET}\s*(?P<compound>[-+|&^])=\s*(?P<value>[^;=]+))",
           rf"(?:{TARGET}\s*=\s*(?P=target)\s*(?P<operator>[-+|&^])\s*(?P<other>[^;]+))")


class Change:
    """Lines to insert before others, and lines to replace, by their numbers from 1."""

    def __init__(self, before=(), replaced=()):
        self.before, self.replaced = dict(before), dict(replaced)

    def applied(self, lines):
        found = []
        for number, line in enumerate(lines, 1):
            if number in self.before:
                found.append(f"{indentation(line)}{self.before[number]}\n")
            found.append(self.replaced.get(number, line))
        return found


def indentation(line):
    return line[:len(line) - len(line.lstrip())]


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


def between(lines, first, last, text):
    """The text before one of the lines after `first` up to `last`: the least indented and the last ones first."""
    numbers = [n for n in range(first + 1, last + 1) if lines[n - 1].strip() and not lines[n - 1].lstrip().startswith(("//", "#"))]
    numbers.sort(key=lambda n: (len(indentation(lines[n - 1])), -n))
    return [Change({n: text}) for n in numbers]


def loop_ends(lines, first, last, text):
    """The text at the end of the loops that hold both lines, the innermost first."""
    found = []
    for n in range(first, 0, -1):
        if not re.match(r"\s*(for|while|do)\b.*\{\s*$", lines[n - 1]):
            continue
        indent = indentation(lines[n - 1])
        end = next((m for m in range(n + 1, len(lines) + 1) if lines[m - 1].startswith(indent + "}")), None)
        if end is not None and end >= last:
            inner = lines[end - 2]
            found.append((end, indentation(inner) + text))
    return found


def barriers(lines, places, text):
    first, last = min(places), max(places)
    inner = between(lines, first, last, text)
    ends = [Change(replaced={end: f"{inner_text}\n{lines[end - 1]}"}) for end, inner_text in loop_ends(lines, first, last, text)]
    both = [Change(one.before, other.replaced) for one, other in itertools.product(inner[:3], ends[:1])]
    return ends[:1] + inner[:4] + both + ends[1:2] if first != last else ends[:2]


def atomic_updates(lines, places):
    replaced = {}
    for number in set(places):
        line = lines[number - 1]
        for pattern in UPDATES:
            match = re.search(rf"(?<![\w.\])>*]){pattern}(?=\s*;)", line)
            if match is None:
                continue
            parts = {key: value for key, value in match.groupdict().items() if value is not None}
            sign = (parts.get("unary") or parts.get("prefix") or parts.get("compound") or parts["operator"])[0]
            value = parts.get("value") or parts.get("other") or "1"
            target = parts["target"]
            pointer = target[1:] if target.startswith("*") else f"&{target}"
            replaced[number] = f"{line[:match.start()]}{OPERATORS[sign]}({pointer}, {value.strip()}){line[match.end():]}"
            break
    return [Change(replaced=replaced)] if len(replaced) == len(set(places)) else []


def atomic_writes(lines, places):
    """x = e becomes atomicExch(&x, e)."""
    replaced = {}
    for number in set(places):
        line = lines[number - 1]
        match = re.search(rf"(?<![\w.\])>*]){TARGET}\s*=\s*(?P<value>[^;=]+)(?=;)", line)
        if match is not None and "atomic" not in line:
            target = match["target"]
            pointer = target[1:] if target.startswith("*") else f"&{target}"
            value = {"true": "1", "false": "0"}.get(match["value"].strip(), match["value"].strip())
            replaced[number] = f"{line[:match.start()]}atomicExch({pointer}, {value}){line[match.end():]}"
    return [Change(replaced=replaced)] if replaced else []


def fences(lines, places):
    """Before the access that comes later, after the one that comes first, and both."""
    now, earlier = places[0], places[-1]
    if not (lines[now - 1].strip() and earlier < len(lines)):
        return []
    before, after = {now: FENCE}, {earlier + 1: FENCE}
    return [Change(before), Change(after), Change({**before, **after})]


def wider(lines):
    """Everything with the scope of a block gets that of the device."""
    replaced = {}
    for number, line in enumerate(lines, 1):
        text = re.sub(r"\b(atomic\w+)_block\b", r"\1", line.replace("__threadfence_block", "__threadfence"))
        text = text.replace("thread_scope_block", "thread_scope_device")
        if text != line:
            replaced[number] = text
    return [Change(replaced=replaced)] if replaced else []


def guards(lines, places):
    """if (i < n) before the statement, for each index of it and each integer parameter of the kernel."""
    number = places[0]
    line = lines[number - 1]
    if re.match(r"\s*(?:const\s+)?\w+\s+\w+\s*=", line) or "{" in line:
        return []
    header = "".join(lines[:number])
    kernel = header.rfind("__global__")
    names = re.findall(r"\b(?:int|unsigned|size_t|long|unsigned int)\s+(\w+)\s*[,)]", header[kernel:header.find("{", kernel)])
    indices = dict.fromkeys(re.findall(r"\[\s*([A-Za-z_]\w*)\s*\]", line))
    return [Change(replaced={number: f"{indentation(line)}if ({index} < {name}) {line.lstrip()}"})
            for index in indices for name in names]


def waits(lines, places):
    numbers = sorted(set(places), reverse=True)  # the host's line mostly comes last, after the kernel
    return [Change({n: WAIT}) for n in numbers if lines[n - 1].strip()]


def candidates(result, places, lines):
    """Changes that may repair the finding, the likeliest first."""
    kind = result["ruleId"]
    if not places:
        return []
    if kind == "race-block":
        return (atomic_updates(lines, places) if len(set(places)) == 1 else []) + barriers(lines, places, BARRIER)
    if kind in ("race-warp", "warp-sync"):
        return atomic_updates(lines, places) + barriers(lines, places, WARP) + barriers(lines, places, BARRIER)
    if kind in ("race-grid", "lost-update"):
        return atomic_updates(lines, places)
    if kind == "race-atomic":
        plain = [number for number in places if "atomic" not in lines[number - 1]]
        return (atomic_updates(lines, plain) if plain else []) + atomic_writes(lines, places) + barriers(lines, places, BARRIER)
    if kind == "race-same-value":
        return atomic_writes(lines, places)
    if kind in ("race-fence", "race-volatile"):
        return fences(lines, places)
    if kind == "race-scope":
        return wider(lines)
    if kind == "out-of-bounds":
        return guards(lines, places)
    if kind in ("race-host", "race-kernels", "freed-in-use"):
        return waits(lines, places)
    return []


class Repair:
    """Tries candidates on a program. `check(path, report)` compiles and runs a file, and returns its exit code, None
    if it does not compile."""

    def __init__(self, source, check):
        self.source, self.check = pathlib.Path(source), check
        self.tried = 0

    def run(self, lines, folder):
        file, report = folder / self.source.name, folder / "report.sarif"
        file.write_text("".join(lines), **ENCODING)
        report.unlink(missing_ok=True)
        code = self.check(file, report)
        return (code, findings_of(report, self.source.name)) if code is not None and report.is_file() else (None, [])

    def repaired(self):
        """The lines of the program before and after, and the findings that are left; after is None if there is none."""
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            before = lines = self.source.read_text(**ENCODING).splitlines(keepends=True)
            code, findings = self.run(lines, folder)
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


def run_program(program, arguments, report, environment):
    """The exit code of a checked run, 1 if it takes too long."""
    try:
        return subprocess.run([str(program), *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, env=dict(environment, CPU_DEVICE_REPORT=str(report)),
                              timeout=SECONDS, check=False).returncode
    except subprocess.TimeoutExpired:
        return 1
