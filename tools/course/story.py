"""The story of a race in the terminal: where its two threads come from, what each does, and what each order yields."""

import json
import re

ACCESS = re.compile(r"^    (?P<who>.+?) (?P<does>(?:atomically )?(?:reads?|writes?|wrote|updates?|updated)(?: \(volatile\))?) "
                    r"(?P<what>.+?)    line (?P<line>\d+)(?: of (?P<file>[^:]+))?:  (?P<code>.*)$")
SINCE = re.compile(r"no barrier between them since the (?P<what>kernel started|__syncthreads\(\) in line \d+)")
FOUND = re.compile(r"found under schedule (\d+)")


class Step:
    def __init__(self, match):
        self.who, self.what = match["who"], match["what"]
        self.line, self.code = int(match["line"]), match["code"].strip()
        does = match["does"]
        self.reads = "read" in does or "update" in does
        self.writes = "read" not in does
        self.atomic = "atomic" in does
        self.verb = "updates" if "update" in does else "reads" if "read" in does else "writes"

    def told(self):
        return f"{self.who} {self.verb} {self.what} in line {self.line}:  {self.code}"


def races(report):
    """The races of a SARIF file that have two threads: (title, steps, text)."""
    found = []
    for result in json.loads(report.read_text(encoding="utf-8"))["runs"][0]["results"]:
        text = result["message"]["text"]
        steps = [Step(match) for match in map(ACCESS.match, text.splitlines()) if match]
        if result.get("level") != "note" and len(steps) == 2:
            found.append((text.splitlines()[0], steps, text))
    return found


def sentence(text):
    return text[0].upper() + text[1:]


def outcome(first, second):
    """What is left, and what has been read, if `first` comes before `second`."""
    if first.writes and second.reads and not second.writes:
        return f"{second.who} reads the new value of {second.what}"
    if first.reads and not first.writes and second.writes:
        return f"{first.who} reads the old value of {first.what}"
    return f"the value of {second.who} stays in {second.what}"


def is_lost_update(title, steps):
    return title.startswith("lost update") and all(step.line == steps[0].line for step in steps)


def tell(title, steps, text):
    """The lines of the story."""
    now, earlier = steps
    since = SINCE.search(text)
    origin = "come from the start of the kernel" if not since or "kernel" in since["what"] \
        else f"have passed the {since['what']}"
    lines = [title, "", f"1. {sentence(earlier.who)} and {now.who} {origin}. After that, nothing orders them."]
    if is_lost_update(title, steps):
        lines += [f"2. Both reach line {now.line}:  {now.code}",
                  f"3. {sentence(earlier.who)} reads {now.what}. Then {now.who} reads the same value.",
                  "4. Each computes a new value and writes it. The second write replaces the first one.", "",
                  "One after the other: both updates count.", "Interleaved, as above: one update is lost."]
    else:
        lines += [f"2. {sentence(earlier.told())}", f"3. {sentence(now.told())}", "",
                  f"In this order: {outcome(earlier, now)}.", f"In the other order: {outcome(now, earlier)}.",
                  "Both orders are possible on a GPU."]
    schedule = FOUND.search(text)
    if schedule:
        lines.append(f"To repeat the run that showed it: CPU_DEVICE_SCHEDULE={schedule[1]}")
    hint = re.search(r"^hint: (.*)", text, re.M | re.S)
    return lines + (["", "Fix: " + hint[1].strip()] if hint else [])
