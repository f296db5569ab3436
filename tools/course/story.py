"""The story of a race in the terminal: where its two threads come from, what each does, and what each order yields."""

import json
import re

ACCESS = re.compile(r"^    (?P<who>.+?) (?P<does>(?:atomically )?(?:reads?|writes?|wrote|updates?|updated)(?: \(volatile\))?) "
                    r"(?P<what>.+?)    line (?P<line>\d+)(?: of (?P<file>[^:]+))?:  (?P<code>.*)$")
# An update with atomics that is lost: by a write, by a compare-and-swap that fails, or by one that puts in an old link.
LOST = re.compile(r"^lost update in kernel .+?: (?P<who>thread \(.+?\) of block \(.+?\)) (?:overwrites another thread's update of|"
                  r"loses its update of|replaces) (?P<what>.+?)(?:, but .*)?\n"
                  r"    it read (?P<old>[^\s,]+)(?: and wrote that to (?P<link>.+?);|,) (?:then another thread wrote|another thread changed .+? to) "
                  r"(?P<other>[^\s,;]+)[,;] (?P<how>and now it writes|so its atomicCAS\(\) to|its second atomicCAS\(\) replaces that with) "
                  r"(?P<new>\S+?)(?: changes nothing)?    line (?P<line>\d+)(?: of [^:\n]+)?:  (?P<code>.*)$", re.M)
# A block of a cluster that ends while another one uses its shared memory.
LEFT = re.compile(r"^missing cluster.sync\(\) at the end of kernel .+?: (?P<block>block \(.+?\)) may have ended")
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


def race(text):
    """The race that a finding is about, if it has a story: (title, steps, text)."""
    steps = [Step(match) for match in map(ACCESS.match, text.splitlines()) if match]
    has_story = len(steps) == 2 or LOST.search(text) or LEFT.search(text) and steps
    return (text.splitlines()[0], steps, text) if has_story else None


def races(report):
    """The races of a SARIF file that have a story."""
    results = json.loads(report.read_text(encoding="utf-8"))["runs"][0]["results"]
    found = [race(result["message"]["text"]) for result in results if result.get("level") != "note"]
    return [one for one in found if one]


def parts(text):
    """The story in parts, for a watch page: the words of each step with the line that they name (or 0), and then those of what
    each order yields."""
    found = race(text)
    if not found:
        return []
    told = tell(*found)
    steps = [re.sub(r"^\d+\. ", "", line) for line in told if re.match(r"\d+\. ", line)]
    orders = [line for line in told if re.match(r"(In this order|In the other order|One after the other|Interleaved|Wit[a-z]+ step 2)", line)]
    lines = [re.search(r" (?:in|reach) line (\d+):  ", step) for step in steps]
    return [{"words": step, "line": int(line[1]) if line else 0} for step, line in zip(steps, lines)] + \
           [{"words": order, "line": 0} for order in orders]


def sentence(text):
    return text[0].upper() + text[1:]


def briefly(what):
    return "this memory" if "the memory allocated at" in what else what


def outcome(first, second):
    """What is left, and what has been read, if `first` comes before `second`."""
    if first.writes and second.reads and not second.writes:
        return f"{second.who} reads the new value of {briefly(second.what)}"
    if first.reads and not first.writes and second.writes:
        return f"{first.who} reads the old value of {briefly(first.what)}"
    return f"the value of {second.who} stays in {briefly(second.what)}"


def is_lost_update(title, steps):
    return title.startswith("lost update") and all(step.line == steps[0].line for step in steps)


def lost_with_atomics(lost):
    who, what, place = sentence(lost["who"]), lost["what"], f"in line {lost['line']}:  {lost['code'].strip()}"
    lines = [f"1. {who} reads {lost['old']} from {what}" + (f", and writes that to {lost['link']}." if lost["link"] else "."),
             f"2. Another thread changes {what} to {lost['other']}."]
    if lost["how"].startswith("so"):
        return lines + [f"3. {who} calls atomicCAS() {place}", f"   It expects {lost['old']} and finds {lost['other']}, so it does not write {lost['new']}.",
                        "", "In this order: the update of step 3 is lost.", "Without step 2: atomicCAS() succeeds, and no update is lost."]
    lines += [f"3. {who} writes {lost['new']} {place}", "", f"In this order: the value {lost['other']} is gone" +
              (f", and {lost['link']} still holds {lost['old']}." if lost["link"] else ".")]
    return lines + ["With step 2 first: step 1 reads the new value, and no update is lost."]


def left_block(block, step):
    """Of a block that may have ended before the access."""
    return [f"1. {sentence(block)} ends. Its shared memory is freed.", f"2. {sentence(step.told())}", "",
            "In this order: the memory may hold anything, or belong to another block.",
            f"In the other order: {step.who} finds the block's data."]


def tell(title, steps, text):
    """The lines of the story."""
    lost, left = LOST.search(text), LEFT.search(text)
    if lost:
        lines = [title, "", *lost_with_atomics(lost)]
    elif left:
        lines = [title, "", *left_block(left["block"], steps[0])]
    else:
        lines = [title, "", *two_threads(title, steps, text)]
    schedule = FOUND.search(text)
    if schedule:
        lines.append(f"To repeat the run that showed it: CPU_DEVICE_SCHEDULE={schedule[1]}")
    hint = re.search(r"^hint: (.*)", text, re.M | re.S)
    return lines + (["", "Fix: " + hint[1].strip()] if hint else [])


def two_threads(title, steps, text):
    now, earlier = steps
    since = SINCE.search(text)
    if not all(step.who.startswith("thread") for step in steps):  # operations of streams, or the host
        first = f"{sentence(earlier.who)} and {now.who} can run at the same time. Nothing orders them."
    elif since and "kernel" not in since["what"]:
        first = f"{sentence(earlier.who)} and {now.who} have passed the {since['what']}. After that, nothing orders them."
    else:
        first = f"{sentence(earlier.who)} and {now.who} come from the start of the kernel. After that, nothing orders them."
    lines = [f"1. {first}"]
    if is_lost_update(title, steps):
        lines += [f"2. Both reach line {now.line}:  {now.code}",
                  f"3. {sentence(earlier.who)} reads {now.what}. Then {now.who} reads the same value.",
                  "4. Each computes a new value and writes it. The second write replaces the first one.", "",
                  "One after the other: both updates count.", "Interleaved, as above: one update is lost."]
    else:
        lines += [f"2. {sentence(earlier.told())}", f"3. {sentence(now.told())}", "",
                  f"In this order: {outcome(earlier, now)}.", f"In the other order: {outcome(now, earlier)}.",
                  "Both orders are possible on a GPU."]
    return lines
