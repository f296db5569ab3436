#!/usr/bin/env python3
"""The words of ./course profile, in the terminal and on the page, against an independent count.

    tests/profile/profile_words_check.py [SEEDS]

The counts are made up here, from a seed: kernels with odd names and sizes, launched several times, in several sizes. Then
each figure that is shown must be the one that follows from the counts, and each name and line of code must be shown as it is.
"""

import contextlib
import html.parser
import io
import json
import pathlib
import random
import re
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tools"), str(ROOT / "tests/harness")]
import profile as tool  # noqa: E402  tools/profile.py, not Python's own
import profile_page     # noqa: E402
from counting import check, finish  # noqa: E402

# An H200.
DEVICE = {"threads_per_multiprocessor": 2048, "blocks_per_multiprocessor": 32, "shared_bytes_per_multiprocessor": 233472,
          "reserved_shared_bytes_per_block": 1024}
NAMES = ["add", "sum<int, 4>", "a&b", 'quoted "name"', "scale<(Mode)1>", "operator<<", "it's"]
CODE = ["  if (a < b && c > d) x[i] = y[i] & 0x3f;", '  printf("%d \\"quoted\\"\\n", x);', "  a[i] = b[i] + c[i];", "  T<U> v = w;"]

# ---- counts ----

def access(rng, kind, line, file, launches):
    requests = rng.choice([1, 2, 3, 32, 33, 1000]) * launches
    lanes = requests * rng.choice([1, 16, 31, 32])
    size = rng.choice([1, 2, 4, 8, 16])
    fewest = requests * rng.choice([1, 2, 4])
    sectors = fewest * rng.choice([1, 1, 2, 8]) + rng.choice([0, 0, launches])
    return {"file": file, "line": line, "kind": kind, "requests": requests, "lanes": lanes, "access_bytes": size, "sectors": sectors,
            "fewest_sectors": fewest, "bytes_used": fewest * rng.choice([8, 32]), "bank_conflicts": requests * rng.choice([0, 1, 31]),
            "addresses": requests * rng.choice([1, 3]), "most_lanes_on_one_address": rng.choice([1, 2, 32]),
            **({"lane_distance_bytes": 4 * rng.randint(-70, 70)} if rng.random() < 0.5 else {})}


def kernel_of(rng, name, file):
    launches = rng.choice([1, 1, 2, 3])
    block = rng.choice([[1, 1, 1], [31, 1, 1], [32, 1, 1], [33, 1, 1], [16, 16, 1], [1024, 1, 1], [8, 8, 8], [96, 1, 1], [160, 1, 1]])
    return {"kernel": name, "launched_at": f"{file}:1", "grid": rng.choice([[1, 1, 1], [2, 1, 1], [5, 3, 1], [2, 1, 4]]), "block": block,
            "launches": launches, "threads": 1, "warps": 1, "barriers_per_thread": rng.choice([0, 1, 2.5]),
            "shared_bytes_per_block": rng.choice([0, 1, 127, 128, 1024, 6272, 6273, 8192, 49152, 100000]),
            "accesses": [access(rng, kind, line, file, launches)
                         for line, kind in enumerate(rng.sample(sorted(tool.NAMES), rng.randint(1, 3)), 1)],
            "divergent_branches": [{"file": file, "line": 4, "count": rng.choice([1, 2]) * launches}] * rng.choice([0, 1])}


def made_up(seed, file):
    """Counts, and of each kernel the sizes beyond the one that asked for most."""
    rng = random.Random(seed)
    kernels = []
    for name in rng.sample(NAMES, rng.randint(1, 3)):
        for _ in range(rng.choice([1, 1, 2, 3, 4])):
            kernels.append(kernel_of(rng, name, file))
    rng.shuffle(kernels)
    return {"device": DEVICE, "kernels": kernels, "streams": []}


# ---- what must be shown ----

def weight(kernel):
    return sum(a["requests"] for a in kernel["accesses"]) / kernel["launches"]


def shown_kernels(counts):
    """{name: (the first of the kernels that asked for most, how many others)}"""
    named = {}
    for kernel in counts["kernels"]:
        named.setdefault(kernel["kernel"], []).append(kernel)
    return {name: (max(all_of_it, key=weight), len(all_of_it) - 1) for name, all_of_it in named.items()}


def product(numbers):
    result = 1
    for n in numbers:
        result *= n
    return result


def most_warps(kernel):
    """By trying: blocks are added until one does not fit."""
    warps, blocks, shared = -(-product(kernel["block"]) // 32), 0, 0
    each = kernel["shared_bytes_per_block"] and -(-(kernel["shared_bytes_per_block"] + 1024) // 128) * 128
    while blocks < 32 and (blocks + 1) * warps <= 64 and shared + each <= 233472:
        blocks, shared = blocks + 1, shared + each
    return blocks * warps


def times(sizes):
    used = [str(n) for n in sizes]
    while len(used) > 1 and used[-1] == "1":
        used.pop()
    return " x ".join(used)


def banks(distance):
    """The banks of shared memory, of four bytes each, that 32 lanes so many bytes apart access."""
    return {lane * distance // 4 % 32 for lane in range(32)}


def facts(kernel, others):
    """Texts that must stand somewhere in what is said of the kernel, in the terminal and on the page."""
    blocks = times(kernel["grid"])
    yield f"{kernel['kernel']}: {blocks} block{'' if blocks == '1' else 's'} of {times(kernel['block'])} threads"
    yield f"{most_warps(kernel)} of 64 warps fit on a multiprocessor"
    if kernel["launches"] > 1:
        yield f"aunched {kernel['launches']} times; counts are for one launch"
    if others:
        yield f"{others} other size{'' if others == 1 else 's'} of launches"
    for a in kernel["accesses"]:
        each = a["requests"] // kernel["launches"]
        yield f"{each} request{'' if each == 1 else 's'}"
        if a["lanes"] < 32 * a["requests"]:
            yield f"{a['lanes'] // a['requests']} of 32 lanes"
        if a["kind"] in ("global_load", "global_store") and a["sectors"] > a["fewest_sectors"] * 1.1:
            yield f"{100 * a['bytes_used'] / (32 * a['sectors']):.0f} % of the bytes transferred are used"
        if a["kind"].startswith("shared") and a["bank_conflicts"] and "lane_distance_bytes" in a:
            distance = a["lane_distance_bytes"]
            shared = "all in the same bank" if len(banks(distance)) == 1 else "and some share a bank"
            yield f"neighboring threads access addresses {abs(distance)} bytes apart, {shared}"
    for branch in kernel["divergent_branches"]:
        yield f"{branch['count'] // kernel['launches']} divergent"


ABSENT = (("launches", lambda kernel, others: kernel["launches"] == 1, "counts are for one launch"),
          ("others", lambda kernel, others: others == 0, "of launches"))


# (what is accessed, bytes each, bytes between neighbors, a part of the advice)
ADVICE = (("global_store", 1, 4, "neighboring threads write single bytes, 4 bytes apart. Let each thread write its 4 bytes at once, as a uchar4"),
          ("global_load", 1, 2, "read its 2 bytes at once, as a uchar2"), ("global_store", 1, 3, "Pad the structure to 4 bytes, and let each thread write a uchar4"),
          ("global_load", 4, 4, "For neighbors of a thread's own element this is normal"), ("global_store", 4, 4, "for example with cudaMallocPitch()"),
          ("global_atomic", 4, None, "If they only add"), ("global_reduction", 4, None, "Add within the block or the warp first"),
          ("global_load", 4, 12, "Use an array for each member, or pad the structure to 16 bytes (float4)"),
          ("global_load", 4, 16, "Use an array for each member, or read 16 bytes at once (float4)"),
          ("global_store", 4, -16, "write 16 bytes at once (float4)"), ("global_load", 4, 8, "or read 8 bytes at once"),
          ("global_load", 4, 28, "28 bytes apart, as members of structures are. Use an array for each member"),
          ("global_load", 4, 36, "36 bytes apart. Let threadIdx.x run along the row"),
          ("global_load", 4, 4096, "Let threadIdx.x run along the row"), ("global_load", 8, 12, "Let threadIdx.x run along the row"),
          ("global_load", 0, 16, "Use an array for each member, or read 16 bytes at once"), ("global_store", 0, 48, "Let threadIdx.x run along the row"),
          ("shared_atomic", 4, None, "Give each lane a column of its own"), ("shared_load", 4, None, "Pad the rows"),
          ("shared_atomic", 4, 128, "Add one element to each row"))


def wrong_advice():
    for kind, width, distance, expected in ADVICE:
        counted = {"kind": kind, "requests": 1, "access_bytes": width, "sectors": 12, "fewest_sectors": 4, "bytes_used": 128,
                   "bank_conflicts": 3, "most_lanes_on_one_address": 2, "lanes": 32,
                   **({} if distance is None else {"lane_distance_bytes": distance})}
        advice = tool.judge(counted)[-1]
        if expected not in advice:
            yield f"{kind} of {width} bytes, {distance} bytes apart: {advice}, not {expected}"
        fewest = {**counted, "sectors": 4, "most_lanes_on_one_address": 1}
        if kind.startswith("global") and tool.judge(fewest)[-1]:
            yield f"{kind} of {width} bytes, {distance} bytes apart, with as few sectors as possible: {tool.judge(fewest)[-1]}"
        if "uchar" not in expected and "uchar" in advice or "float4" not in expected and "float4" in advice:
            yield f"{kind} of {width} bytes, {distance} bytes apart: {advice}"


def sizes_of_types():
    """Advice that names a size and a type: the type has that size, and a thread can access so many bytes at once."""
    for kind in ("global_load", "global_store"):
        for width in (0, 1, 2, 4, 8, 16):
            for distance in range(-70, 71):
                counted = {"kind": kind, "requests": 1, "lanes": 32, "access_bytes": width, "sectors": 32, "fewest_sectors": 4, "bytes_used": 128,
                           "lane_distance_bytes": distance}
                advice = tool.judge(counted)[-1] or ""
                for size, one, other in re.findall(r"(\d+) bytes at once(?:, as an? (\w+)| \((\w+)\))?", advice):
                    name = one or other
                    bytes_of = {"uchar": 1, "float": 4, "uint": 4}.get(name[:-1], 0) * int(name[-1]) if name else int(size)
                    if bytes_of != int(size) or int(size) not in (2, 4, 8, 16):
                        yield f"{kind} of {width} bytes, {distance} bytes apart: {advice}"


def single_bytes():
    """Bytes one after the other are in as few sectors as possible, but need many requests. Larger elements do not."""
    for kind, verb in (("global_load", "read"), ("global_store", "write")):
        for width, distance, lanes in ((1, 1, 32), (1, -1, 20), (1, 1, 3), (1, 0, 32), (1, None, 32), (2, 2, 32), (4, 4, 32), (16, 16, 32), (0, 1, 32)):
            counted = {"kind": kind, "requests": 1, "lanes": lanes, "access_bytes": width, "sectors": 4, "fewest_sectors": 4, "bytes_used": 128,
                       **({} if distance is None else {"lane_distance_bytes": distance})}
            advice = tool.judge(counted)[-1]
            if (f"Let each lane {verb} 4 or 16 bytes at once" in advice) != (width == 1 and distance in (1, -1) and lanes > 16):
                yield f"{kind} of {width} bytes, {distance} bytes apart, with as few sectors as possible: {advice}"


def rare_conflicts():
    """Fewer than one bank conflict in 20 requests: there is nothing to change."""
    for kind in ("shared_load", "shared_store", "shared_atomic"):
        for distance in ({}, {"lane_distance_bytes": 128}, {"lane_distance_bytes": 8}):
            for conflicts in (0, 4, 5, 100):
                counted = {"kind": kind, "requests": 100, "bank_conflicts": conflicts, "most_lanes_on_one_address": 1, **distance}
                _, now, _, _, advice = tool.judge(counted)
                if bool(advice) != (conflicts >= 5) or bool(advice) != (now != "0 bank conflicts per request"):
                    yield f"{kind}, {conflicts} conflicts in 100 requests: {now}, {advice}"


def order():
    """The kernel with most requests comes first, of its size with most."""
    kernels = [{"kernel": name, "launches": launches, "grid": [size], "accesses": [{"requests": requests}]}
               for name, size, launches, requests in (("a", 1, 1, 5), ("b", 1, 10, 40), ("b", 2, 1, 7), ("c", 1, 1, 6), ("d", 1, 1, 5))]
    found = [(kernel["kernel"], kernel["grid"], others) for kernel, others in tool.main_configurations(kernels)]
    if found != [("b", [2], 1), ("c", [1], 0), ("a", [1], 0), ("d", [1], 0)]:
        yield f"the order of the kernels: {found}"


class Text(html.parser.HTMLParser):
    """The text of each <section> of a page, and the tags that it knows."""

    def __init__(self, page):
        super().__init__()
        self.sections, self.inside, self.tags = [], 0, set()
        self.ids, self.links = [], []  # each with the number of its section, 0 before the first
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        if tag == "section":
            self.sections.append("")
            self.inside = 1
        self.tags.add(tag)
        for name, value in attrs:
            if name == "id":
                self.ids.append((len(self.sections), value))
            if name == "href" and value.startswith("#"):
                self.links.append((len(self.sections), value[1:]))

    def handle_endtag(self, tag):
        if tag == "section":
            self.inside = 0

    def handle_data(self, data):
        if self.inside:
            self.sections[-1] += data


def check_said(where, seed, text, kernel, others):
    for fact in facts(kernel, others):
        check(f"seed {seed}, {where}: '{fact}'", fact in text, text)
    for what, applies, words in ABSENT:
        if applies(kernel, others):
            check(f"seed {seed}, {where}: nothing about {what}", words not in text, text)


def words_of_tool():
    return profile_page.Words(tool.judged_lines, tool.main_configurations, tool.occupancy, tool.launch_in_words, tool.number)


def check_seed(seed, file):
    counts = made_up(seed, file)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        tool.print_table(counts)
    parts = printed.getvalue().split("\n\n")
    page = Text(profile_page.page_of(counts, "program<1>", ["--size", "<&>"], words_of_tool()))
    shown = shown_kernels(counts)
    check(f"seed {seed}: {len(shown)} kernels on the page", len(page.sections) == len(shown))
    check(f"seed {seed}: no tags but the template's: {page.tags - KNOWN_TAGS}", page.tags <= KNOWN_TAGS)
    ids = [name for _, name in page.ids]
    check(f"seed {seed}: each id stands once", len(ids) == len(set(ids)), sorted(ids))
    check(f"seed {seed}: each link leads to a place in its own section", all(link in page.ids or link[1] in ids and (0, link[1]) in page.ids for link in page.links),
          f"{page.links}\n{page.ids}")
    for name, (kernel, others) in shown.items():
        of_it = [part for part in parts if part.lstrip("\n").startswith(name + ": ")]
        check(f"seed {seed}: '{name}' stands once in the table", len(of_it) == 1, printed.getvalue())
        check_said("table", seed, "".join(of_it), kernel, others)
        of_page = [text for text in page.sections if text.lstrip().startswith(name + ": ")]
        check(f"seed {seed}: '{name}' stands once on the page", len(of_page) == 1, "\n".join(page.sections))
        check_said("page", seed, "".join(of_page), kernel, others)
        for a in kernel["accesses"]:
            check(f"seed {seed}: line {a['line']} as it is on the page", CODE[a["line"] - 1].strip() in "".join(of_page))
            check(f"seed {seed}: line {a['line']} as it is in the table", CODE[a["line"] - 1].strip() in "".join(of_it))
    with_words = tool.add_words(json.loads(json.dumps(counts)))["kernels"]
    for before, after in zip(counts["kernels"], with_words):
        check(f"seed {seed}: warps in --json", after["occupancy_without_registers"]["warps"] == most_warps(before))
        check(f"seed {seed}: --json keeps counts", all(key in after and after[key] == before[key] for key in before if key != "accesses"))


KNOWN_TAGS = set(re.findall(r"<(\w+)", (ROOT / "tools/profile_page.html").read_text(encoding="utf-8") +
                            (ROOT / "tools/profile_page.py").read_text(encoding="utf-8")))


def main():
    seeds = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    for problem in (*wrong_advice(), *single_bytes(), *sizes_of_types(), *order(), *rare_conflicts()):
        check(problem, False)
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "code.cu"
        file.write_text("\n".join(CODE) + "\n")
        for seed in range(seeds):
            check_seed(seed, str(file))
    return finish()


if __name__ == "__main__":
    sys.exit(main())
