#!/usr/bin/env python3
"""The script of a watch page, in a browser: made-up launches against a model of our own.

    tests/pages/watch_functions_test.py [SEEDS]

watch_trace_test.py makes up the traces; grids and blocks get other shapes here. One page shows them one after the other. Compared are
the names of blocks and cells, values and who wrote them after each step, where each thread is, what the page says of a step and of its
costs, where each cell is drawn, and what the pointer shows. Launches with few cells have races and other findings: which steps are red,
and the story, against a search of our own. Exit code 77 without a browser.
"""

import itertools
import json
import pathlib
import random
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tools"), str(ROOT / "tests/harness"), str(ROOT / "tests/pages")]
import browser  # noqa: E402  pylint: disable=wrong-import-position
import watch  # noqa: E402  pylint: disable=wrong-import-position
import watch_trace_test as traces  # noqa: E402  pylint: disable=wrong-import-position
from counting import check, finish  # noqa: E402  pylint: disable=wrong-import-position

GRIDS = [(4, 1, 1), (2, 2, 1), (1, 4, 1), (2, 1, 2), (1, 2, 2), (1, 1, 4), (3, 5, 1), (3, 2, 4)]
BLOCKS = [(64, 1, 1), (8, 8, 1), (4, 2, 8), (2, 32, 1), (1, 1, 64), (16, 2, 2)]
WAITS = {"barrier": "barrier", "warp": "warp operation", "part": "named barrier"}


def several(number, one, many=None):
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def block_name(grid, b):
    index = [b % grid[0], b // grid[0] % grid[1], b // (grid[0] * grid[1])]
    used = 3 if grid[2] > 1 else 2 if grid[1] > 1 else 1
    return f"block {b}" if used == 1 else f"block ({','.join(map(str, index[:used]))})"


def label(array, cell):
    """A cell of an array, as C++ names it."""
    fields, dimensions = array["fields"], array["dimensions"]
    if len(fields) > 1:
        return f"{array['name']}[{cell // len(fields)}].{fields[cell % len(fields)]}"
    if array["count"] == 1 and not dimensions:
        return array["name"]
    if len(dimensions) > 1 and 0 <= cell < array["count"]:
        indices = list(itertools.product(*map(range, dimensions)))[cell]
        return array["name"] + "".join(f"[{i}]" for i in indices)
    return f"{array['name']}[{cell}]"


# ---- one launch: what the page must show after each step ----

class Model:
    def __init__(self, launch):
        self.launch, self.steps, self.arrays = launch, launch["steps"], launch["arrays"]
        self.threads = launch["block"][0] * launch["block"][1] * launch["block"][2]
        self.at_first = [dict(zip(one["cells"] or range(len(one["values"])), one["values"])) for one in self.arrays]
        self.values, self.writers, self.unchanged = [self.at_first], [[{} for _ in self.arrays]], []
        for step in self.steps:
            values, writers = [dict(one) for one in self.values[-1]], [dict(one) for one in self.writers[-1]]
            changed = written = False
            for lane, array, first, _, *after in step.get("a", ()):
                for i, value in enumerate(after[0] if after and after[0] is not None else ()):
                    written = True
                    values[array][first + i] = value
                    writers[array][first + i] = lane % 32 if self.threads >= 32 else (step["b"] * self.threads + lane) % 32
            if written:  # compared is the end with the value before each of its writes
                now = [dict(one) for one in self.values[-1]]
                for _, array, first, _, *after in step["a"]:
                    for i, value in enumerate(after[0]):
                        changed |= now[array].get(first + i) != values[array].get(first + i)
                        now[array][first + i] = value
            self.values.append(values)
            self.writers.append(writers)
            self.unchanged.append(written and not changed and launch["places"][step["p"]][2] == "atomic")

    def line(self, i):
        step = self.steps[i]
        return self.launch["places"][step["p"]][1] if step["k"] == "do" else step["n"]

    def own(self, b, t):
        """The steps of a thread."""
        return [i for i, step in enumerate(self.steps) if step["b"] == b and (
            any(32 * step["w"] + access[0] == t for access in step["a"]) if step["k"] == "do" else t in step.get("t", ()))]

    def standing(self, b, t, done, kernel_line):
        """(state, line, whether it accesses memory) after the first `done` steps."""
        own = self.own(b, t)
        before, after = [i for i in own if i < done], [i for i in own if i >= done]
        if not own:
            return "gone", None, False
        following = self.steps[after[0]] if after else None
        if before:
            last = self.steps[before[-1]]
            if last["k"] == "do" and before[-1] == done - 1:
                return "runs", self.line(before[-1]), True
            if last["k"] == "exit":
                return "gone", None, False
            opened = any(step["k"] == "pass" and step["b"] == b for step in self.steps[before[-1] + 1:done])
            if last["k"] in WAITS and not (opened if last["k"] == "barrier" else following is None):
                return "barrier", self.line(before[-1]), False
            if last["k"] == "do" and self.unchanged[before[-1]] and following and following["k"] == "do" and following["p"] == last["p"]:
                return "lock", self.line(before[-1]), False
        if following and following["k"] != "exit":
            return "runs", self.line(after[0]), False
        return "runs", self.line(before[-1]) if before else kernel_line, False

    def cost(self, step):
        """Of a step, in words."""
        (_, at, _, count, *_), n = step["a"][0], step["c"]
        array, places = self.arrays[at], [(access[1], access[2]) for access in step["a"]]
        if self.launch["places"][step["p"]][2] == "atomic":
            most = max(places.count(place) for place in places)
            return f"up to {most} lanes at one address: one after the other" if most > 1 else "each lane at its own address" * (len(places) > 1)
        if array["space"] == "shared":
            return f"{several(n, 'bank conflict')}: it takes {n + 1} passes" if n else "no bank conflict"
        if array["space"] == "global":
            cells = {cell + i for _, cell in places for i in range(count)}
            return f"{several(n, 'sector')} of 32 bytes for {len(cells) * step['s'] // count} bytes"
        return ""

    def tip(self, i):
        step, b = self.steps[i], block_name(self.launch["grid"], self.steps[i]["b"])
        if step["k"] == "pass":
            return f"step {i + 1}: {b}\nthe barrier of line {step['n']} opens"
        if step["k"] != "do":
            what = "finished" if step["k"] == "exit" else f"at the {WAITS[step['k']]}"
            return f"step {i + 1}: {b}, warp {step['t'][0] // 32}\n{several(len(step['t']), 'thread')} {what}"
        cost = self.cost(step)
        return f"step {i + 1}: {b}, warp {step['w']}, line {self.line(i)}\n{several(len(step['a']), 'active lane')}" + (f", {cost}" if cost else "")

    def cells(self, step):
        """Which cells a step accesses, in words."""
        array, count = self.arrays[step["a"][0][1]], step["a"][0][3]
        firsts = sorted({access[2] for access in step["a"]})
        one = (lambda cell: f"{array['name']}[{cell // count}]") if count > 1 else lambda cell: label(array, cell)
        gaps = {b - a for a, b in zip(firsts, firsts[1:])}
        if len(firsts) == 1:
            return one(firsts[0])
        if gaps == {1} and len(array["fields"]) == 1 and len(array["dimensions"]) < 2:
            return f"{array['name']}[{firsts[0]}–{firsts[-1]}]"
        if len(gaps) == 1 and len(firsts) > 2:
            return f"{one(firsts[0])}, {one(firsts[1])} … {one(firsts[-1])}"
        return ", ".join(map(one, firsts[:4])) + ", …" * (len(firsts) > 4)

    def said(self, i):
        """The beginning of what the page says after a step."""
        step, b = self.steps[i], block_name(self.launch["grid"], self.steps[i]["b"])
        if step["k"] == "pass":
            return f"line {step['n']} {b}: all threads have reached the barrier and continue"
        if step["k"] != "do":
            many, threads = len(step["t"]) > 1, several(len(step["t"]), "thread")
            if step["k"] == "exit":
                return f"{b}, warp {step['t'][0] // 32}: {threads} {'are' if many else 'is'} finished"
            return f"line {step['n']} {b}, warp {step['t'][0] // 32}: {threads} {'wait' if many else 'waits'} at the {WAITS[step['k']]}"
        lanes, kind = step["a"], self.launch["places"][step["p"]][2]
        who = f"lane {lanes[0][0]}" if len(lanes) == 1 else f"{len(lanes)} lanes"
        verb = {"read": "read", "write": "write", "atomic": "atomically update"}[kind] + "s" * (len(lanes) == 1)
        return f"line {self.line(i)} {b}, warp {step['w']}: {who} {verb} {self.cells(step)}"


SHOW = """(launch => {
  go(1);  // what was shown of another launch does not matter
  Object.assign(DATA, { launches: [launch], findings: [] });
  choose_launch(0);
  if (state.at !== 0) throw new Error("a launch begins at its beginning");
  choose_block("all");
  const run = state.run, after = [];
  for (let at = 0; at <= run.steps.length; at++) {
    go(at);
    const threads = [];
    for (const b of [0, 1, 2, 3]) for (let t = 0; t < run.threads; t++) {
      const here = thread_at(run, b, t, at - 1);
      threads.push([here.state, here.at ? here.at[1] : null, !!here.active]);
    }
    after.push({ threads, said: watch.said(), tip: step_tip(at - 1), lit: watch.lit(), counts: watch.counts(),
      values: run.arrays.map(a => [...a.now]), writers: run.arrays.map(a => [...a.writer]) });
  }
  const jumps = [], chosen = [];
  for (let at = 0; at <= run.steps.length; at++) {
    choose_block("all");
    jumps.push([-1, 1].map(direction => { go(at); to_barrier(direction); return state.at; }));
    chosen.push(["all", ...run.blocks].map(b => {
      choose_block("all"); go(at); choose_block(b); return [state.steps, state.at, run.at]; }));
  }
  choose_block("all");
  const places = cells.map(e => ({ id: e.array.id, size: e.size, width: e.geometry.width, height: e.geometry.height,
    at: (e.array.cells || Array.from({ length: e.array.visible }, (_, i) => i)).map(c => [c, place_of(e, c)]) }));
  return { after, places, jumps, chosen, kernel_line: run.kernel_line, about: $("about").textContent,
    names: [...$("block").options].map(o => o.textContent) };
})"""


def launches(chrome, seeds):
    with tempfile.TemporaryDirectory() as name:
        for seed in range(seeds):
            rng, folder, about = random.Random(seed), pathlib.Path(name, str(seed)), f"seed {seed}"
            folder.mkdir()
            records = traces.made_up(rng, folder)[0]
            records[0]["grid"], records[0]["block"] = list(rng.choice(GRIDS)), list(rng.choice(BLOCKS))
            if rng.random() < 0.5:  # those of a block wait for each other, and a lock does not open
                records[-1:-1] = records[-4:-1]
            trace = folder / "trace"
            trace.write_text("\n".join(map(json.dumps, records)))
            (launch,), found = watch.read_trace(trace, str(folder / "program"), shared=True)
            launch = json.loads(json.dumps(watch.page_data(str(folder / "program"), [], [launch], found)))["launches"][0]
            check_launch(chrome, about, Model(launch), launch)


def check_launch(chrome, about, model, launch):
    page = chrome.run(f"{SHOW}({json.dumps(launch)})")
    begun = sorted({step["b"] for step in model.steps})
    names = ["all blocks"] * (len(begun) > 1) + [block_name(launch["grid"], b) for b in begun]
    check(f"{about}: names of blocks", page["names"] == names, f"{page['names']} {names}")
    for done, now in enumerate(page["after"]):
        where = f"{about}, after {done} of {len(model.steps)} steps"
        threads = [list(model.standing(b, t, done, page["kernel_line"])) for b in range(4) for t in range(model.threads)]
        wrong = [(n, a, b) for n, (a, b) in enumerate(zip(now["threads"], threads)) if a != b]
        check(f"{where}: where threads are", not wrong, wrong[:3])
        shown = [b * model.threads + t for b in begun for t in range(model.threads)]
        counts = {state: sum(threads[n][0] == state for n in shown) for state in ("runs", "barrier", "lock", "gone", "later")}
        check(f"{where}: how many", now["counts"] == counts, f"{now['counts']} {counts}")
        for i, (values, writers) in enumerate(zip(model.values[done], model.writers[done])):
            there = {cell: value for cell, value in now["values"][i] if value is not None}
            check(f"{where}: values of array {i}", there == {cell: value for cell, value in values.items() if value is not None})
            check(f"{where}: who wrote array {i}", dict(map(tuple, now["writers"][i])) == writers)
        if done:
            step = model.steps[done - 1]
            check(f"{where}: the chart", now["tip"] == model.tip(done - 1), f"{now['tip']} {model.tip(done - 1)}")
            check(f"{where}: what is said", now["said"].startswith(model.said(done - 1)), f"{now['said']}\n{model.said(done - 1)}")
            if step["k"] == "do":
                check(f"{where}: what it costs", model.cost(step) in now["said"], f"{now['said']} {model.cost(step)}")
                lit = [f"{access[0]}:{label(model.arrays[access[1]], access[2])}" for access in step["a"]]
                check(f"{where}: what is lit", now["lit"] == lit, f"{now['lit']} {lit}")
    whole = list(range(len(model.steps)))
    for at, (jumps, chosen) in enumerate(zip(page["jumps"], page["chosen"])):
        passes = [0, *(i + 1 for i in whole if model.steps[i]["k"] == "pass"), len(whole)]
        expected = [max([i for i in passes if i < at], default=0), min([i for i in passes if i > at], default=len(whole))]
        check(f"{about}: barriers around {at}", jumps == expected, f"{jumps} {expected}")
        for b, there in zip([None, *begun], chosen):
            mine = [i for i in whole if b is None or model.steps[i]["b"] == b]
            done = len([i for i in mine if i < at])
            check(f"{about}: block {b} after {at} steps of all", there == [mine, done, mine[done - 1] if done else -1], f"{there} {done}")
    for one in page["places"]:
        check_places(f"{about}, array {one['id']} {launch['arrays'][one['id']]['type']}", one)


def check_places(about, one):
    """Each cell is within the canvas and is alone there; cells of a row are in their order."""
    width, height = one["width"], one["height"]
    right, low = one["size"]
    places = [place for _, place in one["at"] if place]
    check(f"{about}: each cell has a place", len(places) == len(one["at"]))
    check(f"{about}: a place for each cell", len({tuple(place) for place in places}) == len(places))
    check(f"{about}: within the canvas", all(x >= 0 and y >= 0 and x + width <= right and y + height <= low for x, y in places), str(one["size"]))
    rows = {}
    for x, y in places:
        rows.setdefault(y, []).append(x)
    check(f"{about}: none covers another", all(b - a >= width for row in rows.values() for a, b in zip(sorted(row), sorted(row)[1:])) and
          all(b - a >= height for a, b in zip(sorted(rows), sorted(rows)[1:])))


# ---- launches with few cells, which threads share: barriers, locks, races and other findings ----

FILE = {"name": "a.cu", "rows": [[1, "__global__ void k() {"], *([n, f"  line({n});"] for n in range(2, 9))]}
LOOK = """(([launch, findings]) => {
  Object.assign(DATA, { launches: [launch], findings });
  choose_launch(0);
  choose_block("all");
  const run = state.run, after = [], box = $("threads").getBoundingClientRect();
  for (let at = 0; at <= run.steps.length; at++) {
    go(at);
    const box = $("threads").getBoundingClientRect();
    after.push({ red: watch.red(), tips: at % 8 ? [] : watch.dots().map(([key, x, y]) => [key, x, y, thread_tip(box.left + x, box.top + y)]),
      words: at % 8 ? [] : cells.flatMap(e => e.array.values.flatMap((_, c) => {
        const [x, y] = place_of(e, c);
        return [[.5, .5], [0, y ? 0 : .5], [e.geometry.width - .5, e.geometry.height - .5]].map(([right, down]) => {
          show_tip(e, { offsetX: x + (right === .5 ? e.geometry.width / 2 : right), offsetY: y + (right === .5 ? e.geometry.height / 2 : down), clientX: 0, clientY: 0 });
          return [e.array.id, c, $("tip").textContent.split("\\n")[0]];
        });
      })) });
  }
  go(0);
  return { after, near: Math.max(4, run.dot.step / 2 + 1), story: watch.story(), indices: run.story.map(part => part.index),
    touches: [...run.touches].map(([key, all]) => [Math.floor(key / 1e9 + .5), Math.round(key - Math.floor(key / 1e9 + .5) * 1e9), all]),
    at_first: run.arrays.map(a => [a.now.size, a.writer.size]) };
})"""


def shared_cells(rng):
    """(launch, findings)"""
    block = rng.choice([(5, 1, 1), (2, 2, 2), (4, 3, 3), (3, 1, 2)])
    threads = block[0] * block[1] * block[2]
    places = [["a.cu", line, rng.choice(["read", "write", "atomic"])] for line in rng.sample(range(2, 8), 3)]
    arrays = []
    for n, space in enumerate(["global", "shared", "global"]):
        count = rng.choice([1, 6])
        arrays.append({"name": "abc"[n], "space": space, "block": 1 if space == "shared" else -1, "type": "int", "count": count, "bytes": 4 * count,
                       "stride": 4, "origin": 0, "fields": [""], "offsets": [0], "dimensions": [], "columns": 0, "rows": None, "cells": None, "visible": count,
                       "values": [rng.choice([None, 0, 1]) for _ in range(count)], "beyond": [-1, count]})
    steps = []
    for _ in range(rng.randint(5, 25)):
        b, w, kind = rng.randint(0, 2), rng.randrange((threads + 31) // 32), rng.choice(["do"] * 6 + ["barrier", "barrier", "pass", "pass", "warp", "exit"])
        mine = [t for t in range(threads) if t // 32 == w]
        if kind == "pass":
            steps.append({"k": "pass", "b": b, "n": 8})
        elif kind != "do":
            steps.append({"k": kind, "b": b, "n": 8, "t": sorted(rng.sample(mine, rng.randint(1, len(mine))))})
        else:
            p, i = rng.randrange(3), rng.randrange(3)
            first, stride = rng.randint(-1, arrays[i]["count"]), rng.choice([0, 1, 1, 2])
            lanes = sorted(rng.sample([t % 32 for t in mine], rng.randint(1, min(4, len(mine)))))
            cells = [first + stride * k if first + stride * k <= arrays[i]["count"] else first for k in range(len(lanes))]
            steps.append({"k": "do", "b": b, "w": w, "p": p, "s": 4, "c": 1, "a": [
                [lane, i, cell, 1] + [[rng.randint(0, 1)]] * (places[p][2] != "read") for lane, cell in zip(lanes, cells)]})
    findings = [{"kind": rng.choice(["race-block", "race-grid", "warp-sync", "out-of-bounds", "uninitialized"]), "file": "a.cu", "line": rng.choice(places)[1],
                 "others": [["a.cu", rng.choice(places)[1]]], "title": f"finding {n}: more", "details": "", "hint": ""} for n in range(rng.choice([0, 1, 2, 3]))]
    launch = {"name": "k", "grid": [3, 1, 1], "block": list(block), "file": "a.cu", "line": 1, "files": [FILE], "places": places, "arrays": arrays,
              "steps": steps, "events": 1, "cut": False, "failed": rng.random() < 0.7}
    return launch, findings


def red_and_touches(launch, findings):
    """Of each step the cells that a finding is about; of each cell who touched it."""
    red, touches, seen = [set() for _ in launch["steps"]], {}, {}
    now = {(i, c): value for i, array in enumerate(launch["arrays"]) for c, value in enumerate(array["values"])}
    races = [{f["line"], f["others"][0][1]} for f in findings if f["kind"].startswith("race") or f["kind"] == "warp-sync"]
    phase = dict.fromkeys(range(3), 0)
    for index, step in enumerate(launch["steps"]):
        phase[step["b"]] += step["k"] == "pass"
        for lane, i, cell, _, *after in step.get("a", ()):
            _, line, kind = launch["places"][step["p"]]
            outside, fresh = not 0 <= cell < launch["arrays"][i]["count"], now.get((i, cell)) is None
            kinds = {f["kind"] for f in findings if f["line"] == line}
            if outside and "out-of-bounds" in kinds or fresh and kind == "read" and "uninitialized" in kinds:
                red[index].add((i, cell))
            if races:
                mine = {"index": index, "b": step["b"], "w": step["w"], "lane": lane, "kind": kind, "before": now.get((i, cell)), "after": after and after[0][0] or
                        (0 if after else None), "lanes": 1}
                there = touches.setdefault((i, cell), [])
                if there and there[-1]["index"] == index:
                    there[-1].update(lanes=there[-1]["lanes"] + 1, after=mine["after"])
                else:
                    there.append(mine)
                me = (step["b"], 32 * step["w"] + lane, phase[step["b"]], line, bool(after))
                for other, (b, t, when, at, writes) in seen.setdefault((i, cell), [])[:64]:
                    apart = b != me[0] or t != me[1] and when == me[2]
                    if apart and (writes or me[4]) and {at, line} in races:
                        red[index].add((i, cell))
                        red[other].add((i, cell))
                seen[i, cell].append((index, me))
            if after:
                now[i, cell] = after[0][0]
    return red, touches


def end_of(model, launch):
    """Of a launch that failed: who waits, and who does not come."""
    waits = [i for i, step in enumerate(model.steps) if step["k"] in WAITS]
    if not launch["failed"] or not waits:
        return []
    step = model.steps[waits[-1]]
    states = [model.standing(step["b"], t, len(model.steps), 1)[0] for t in range(model.threads)]
    there, gone = states.count("barrier"), states.count("gone")
    missing = model.threads - there
    what = {True: ["has finished", "have finished"], False: ["is elsewhere", "are elsewhere"]}[gone == missing][missing > 1]
    words = [f"{several(there, 'thread')} of block {step['b']} {'waits' if there == 1 else 'wait'} at line {step['n']}"]
    return (words + [f"the other {missing} {what}: the barrier never opens"] * bool(missing)) if there else []


def findings(chrome, seeds):
    for seed in range(seeds):
        launch, found = shared_cells(random.Random(100 + seed))
        about, model = f"shared cells {seed}", Model(launch)
        check_launch(chrome, about, model, launch)
        page = chrome.run(f"{LOOK}({json.dumps([launch, found])})")
        red, touches = red_and_touches(launch, found)
        there = {(i, cell): [{key: one.get(key) for key in ("index", "b", "w", "lane", "kind", "before", "after", "lanes")} for one in all_]
                 for i, cell, all_ in page["touches"]}
        check(f"{about}: who touched each cell", there == touches, f"{there}\n{touches}")
        sizes = [[len(array["values"]), 0] for array in launch["arrays"]]
        check(f"{about}: as it was at the beginning", page["at_first"] == sizes, f"{page['at_first']} {sizes}")
        for done, now in enumerate(page["after"]):
            marked = {label(launch["arrays"][i], cell) for i, cell in red[done - 1]} if done else set()
            check(f"{about}: red after {done} steps", set(now["red"]) == marked, f"{now['red']} {marked}")
            for i, cell, words in now["words"]:
                value = model.values[done][i].get(cell)
                wanted = f"{label(launch['arrays'][i], cell)} = {'not written yet' if value is None else value}"
                check(f"{about}: the pointer on {label(launch['arrays'][i], cell)} after {done} steps", words == wanted, f"{words} {wanted}")
            check_dots(f"{about}, after {done} steps", model, launch, done, now["tips"], page["near"])
        colored = any(red)
        if not colored:
            story = end_of(model, launch) if not found or launch["failed"] else []
            check(f"{about}: the story of the end", page["story"] == story, f"{page['story']} {story}")
        check(f"{about}: a story of its own steps", page["indices"] == sorted(page["indices"]) and (not colored or set(page["indices"]) <= {
            i for i, cells in enumerate(red) if cells} or not all(red)), str(page["indices"]))


def many_findings(chrome, seeds):
    """Red cells and the story of the end alone, which need no drawing."""
    cases = [shared_cells(random.Random(1000 + seed)) for seed in range(seeds)]
    found = chrome.run("""(cases => cases.map(([launch, findings]) => {
      Object.assign(DATA, { launches: [launch], findings });
      const run = prepare(launch);
      return [run.steps.map(s => s.red), story_of(run).map(part => part.words)];
    }))(%s)""" % json.dumps(cases))
    for seed, ((launch, given), (marked, story)) in enumerate(zip(cases, found)):
        red = red_and_touches(launch, given)[0]
        check(f"many findings {seed}: red cells", [set(map(tuple, step)) for step in marked] == red, f"{marked} {red}")
        if not any(red):
            expected = end_of(Model(launch), launch)
            check(f"many findings {seed}: the story of the end", story == expected, f"{story} {expected}")


def check_dots(about, model, launch, done, tips, near):
    """Each thread that stands at a line has a dot, and the pointer on it names a thread whose dot is there."""
    if not tips:
        return
    standing = {b * model.threads + t: model.standing(b, t, done, 1) for b in {step["b"] for step in model.steps} for t in range(model.threads)}
    expected = {key for key, (_, line, _) in standing.items() if line is not None}
    check(f"{about}: dots", {key for key, *_ in tips} == expected, f"{tips} {expected}")
    doing = {"runs": "runs", "barrier": "waits at a barrier", "lock": "waits for a lock"}
    x, y, _ = launch["block"]
    for key, left, top, words in tips:
        first = next(other for other, *at, _ in tips if abs(at[0] - left) <= near and abs(at[1] - top) <= near)
        b, t = divmod(first, model.threads)
        state, line, active = standing[first]
        wanted = (f"thread ({t % x},{t // x % y},{t // (x * y)}) of block {b}\nwarp {t // 32}, lane {t % 32}: "
                  f"{'accesses memory' if active else doing[state]}, line {line}")
        check(f"{about}: the pointer on thread {key}", words == wanted, f"{words} {wanted}")


def choices(chrome):
    """Launches with the same name are numbered; the source keeps between 15 and 85 % of the width."""
    names = ["dot", "fill", "dot", "sum", "fill", "dot"]
    found = chrome.run("(names => { Object.assign(DATA, { launches: names.map(name => ({ ...DATA.launches[0], name })) }); $('launch').replaceChildren(); fill_choices();"
                       f" return [...$('launch').options].map(o => [o.textContent, o.value]); }})({json.dumps(names)})")
    expected = [["dot, launch 1", "0"], ["fill, launch 1", "1"], ["dot, launch 2", "2"], ["sum", "3"], ["fill, launch 2", "4"], ["dot, launch 3", "5"]]
    check("names of launches", found == expected, str(found))
    widths = chrome.run("[0, 15, 40, 85, 99].map(p => { split_at(p); return document.documentElement.style.getPropertyValue('--code-width'); })")
    check("the width of the source", widths == ["15%", "15%", "40%", "85%", "85%"], str(widths))


# ---- functions by themselves ----

def compare(chrome, about, function, cases, expected):
    """A function of the page with each of these lists of arguments."""
    found = chrome.run(f"{json.dumps(cases)}.map(given => ({function})(...given))")
    for case, there, wanted in zip(cases, found, expected):
        check(f"{about}: {case}", there == wanted, f"{there!r} {wanted!r}")


def functions(chrome):
    cases = [({"grid": [x, y, z]}, b) for x in (1, 2, 3) for y in (1, 2, 5) for z in (1, 2, 4) for b in range(x * y * z)]
    compare(chrome, "the name of a block", "block_name", cases, [block_name(run["grid"], b) for run, b in cases])
    shapes = list(itertools.product([1, 2, 64], repeat=3))
    used = [shape[:3 if shape[2] > 1 else 2 if shape[1] > 1 else 1] for shape in shapes]
    compare(chrome, "a shape", "shape", [[shape] for shape in shapes], ["×".join(map(str, one)) for one in used])
    arrays = [{"name": "a", "fields": fields, "count": 24, "dimensions": dimensions} for fields in ([""], ["x", "y", "z"])
              for dimensions in ([], [24], [4, 6], [2, 3, 4], [1, 24])]
    arrays.append({"name": "one", "fields": [""], "count": 1, "dimensions": []})
    cases = [(array, cell) for array in arrays for cell in range(-2, array["count"] + 2)]
    compare(chrome, "the name of a cell", "label_of", cases, [label(*case) for case in cases])
    cases = [({"threads": threads}, b, t) for threads in (1, 4, 31, 32, 33, 64) for b in (0, 1, 9, 40) for t in range(threads)]
    compare(chrome, "a color", "color_index", cases, [(t if run["threads"] >= 32 else b * run["threads"] + t) % 32 for run, b, t in cases])
    compare(chrome, "how many", "plural", [[0, "x"], [1, "x"], [2, "x"], [12345, "x", "xes"], [1, "x", "xes"]], ["0 xs", "1 x", "2 xs", "12,345 xes", "1 x"])
    byte_layout(chrome)
    many_blocks(chrome)
    numbers(chrome)
    stories(chrome)


def many_blocks(chrome):
    """Of more than 16 blocks, the others begin later."""
    order = random.Random(7).sample(range(20), 20)
    steps = [{"k": "warp", "b": b, "n": 5, "t": [0]} for b in order] + [{"k": "exit", "b": b, "t": [0]} for b in order]
    launch = {"name": "k", "grid": [20, 1, 1], "block": [1, 1, 1], "file": "a.cu", "line": 1, "files": [], "places": [], "arrays": [], "steps": steps,
              "events": 0, "cut": False, "failed": False}
    found = chrome.run(f"(run => run.steps.map((_, at) => run.blocks.map(b => thread_at(run, b, 0, at).state)))(prepare({json.dumps(launch)}))")
    for at, there in enumerate(found):
        expected = ["gone" if 20 + order.index(b) <= at else "barrier" if order.index(b) <= at else "runs" if order.index(b) < 16 else "later" for b in range(20)]
        check(f"20 blocks after step {at}", there == expected, f"{there} {expected}")


def byte_layout(chrome):
    arrays = [{"space": space, "fields": ["a"] * len(offsets), "stride": stride, "offsets": offsets, "origin": origin}
              for space in ("shared", "global") for stride, offsets in ((4, [0]), (8, [0]), (24, [0, 4, 8, 16]), (12, [0, 4, 8]), (1, [0])) for origin in (0, 16, 32)]
    cases = [(array, cell) for array in arrays for cell in range(-3, 100)]
    places = [cell // len(a["offsets"]) * a["stride"] + a["offsets"][cell % len(a["offsets"])] for a, cell in cases]
    compare(chrome, "the byte of a cell", "byte_of", cases, places)
    kept = [(case, at) for case, at in zip(cases, places) if at >= 0]
    compare(chrome, "bank or sector", "cost_label", [case for case, _ in kept], [
        f"b{at // 4 % 32}" if a["space"] == "shared" else f"s{(at + a['origin']) // 32}" for (a, _), at in kept])


def numbers(chrome):
    """A value in a cell: short, and not another number."""
    rng = random.Random(5)
    values = [0, 1, -1, 123456, 999999, -999999, 1000000, 1234567, 0.1, 0.125, 1 / 3, -1 / 3, 99999.96, 123456.789, 1e-3, 9.99e-4, 1e-30, -2.5e30, 3.4e38]
    values += [rng.uniform(-1, 1) * 10 ** rng.randint(-9, 12) for _ in range(300)] + [rng.randint(-10 ** 7, 10 ** 7) for _ in range(100)]
    for value, there in zip(values, chrome.run(f"{json.dumps(values)}.map(short)")):
        check(f"{value} is short", len(there) <= (7 if 1e-2 <= abs(value) < 1e5 else 8), there)
        check(f"{value} is {there}", abs(float(there) - value) <= 0.051 * abs(value) and (abs(value) >= 1e5 or abs(value) < 1e-3 or
              abs(float(there) - value) <= 0.006 * abs(value)), there)
        check(f"{value}: a whole number of six digits stays", not isinstance(value, int) or abs(value) >= 10 ** 6 or there == str(value), there)
    check("what has no value", chrome.run("[short(null), short(undefined), short('0x7f12345678')]") == ["", "", "0x7f12345678"])


def lost_update(touches):
    """A read, a write by another warp, then a write by the first: the first such, and what the other read last before it wrote."""
    for i, mine in enumerate(touches):
        me = (mine["b"], mine["w"])
        writes = [k for k in range(i + 1, len(touches)) if (touches[k]["b"], touches[k]["w"]) == me and touches[k]["kind"] == "write"]
        if mine["kind"] != "read" or not writes:
            continue
        for k in range(i + 1, writes[0]):
            them = (touches[k]["b"], touches[k]["w"])
            if them != me and touches[k]["kind"] != "read":
                read = [t for t in touches[:k] if (t["b"], t["w"]) == them and t["kind"] == "read"][-1:]
                return sorted([mine, *read, touches[k], touches[writes[0]]], key=lambda t: t["index"])
    return None


def first_race(touches, harmless):
    for i, second in enumerate(touches):
        for first in reversed(touches[:i]):
            other = any(first[key] != second[key] for key in ("b", "w", "lane"))
            if other and not (first["kind"] == second["kind"] and first["kind"] in harmless):
                return [first, second]
    return None


def stories(chrome):
    rng, cases = random.Random(6), []
    for _ in range(400):
        kinds = rng.choice([["read", "write"], ["read", "write", "atomic"], ["read", "read", "atomic"]])
        cases.append([{"index": i, "b": rng.randint(0, 1), "w": rng.randint(0, 1), "lane": rng.randint(0, 1), "kind": rng.choice(kinds)}
                      for i in range(rng.randint(0, 8))])
    compare(chrome, "a lost update", "lost_update", [[case] for case in cases], [lost_update(case) for case in cases])
    for harmless in (["read"], ["read", "atomic"]):
        compare(chrome, "a race", "first_race", [[case, harmless] for case in cases], [first_race(case, harmless) for case in cases])
    cases, expected = [], []
    for kind, before, after, lanes, then, warps, threads in itertools.product(["read", "write", "atomic"], [None, 3], [None, 3, 4], [1, 5], ["", "why"], [1, 2], [1, 64]):
        who = "Block (1,0)" + ", warp 1" * (warps > 1) + ", lane 2" * (lanes == 1 and threads > 1)
        value = before if kind == "read" else after
        if value is None:
            words = {"read": "reads c", "write": "writes c", "atomic": "changes c"}[kind]
        elif kind == "atomic":
            words = f"atomically reads {after} from c" if before == after else f"changes c to {after}"
        else:
            words = f"reads {before} from c" if kind == "read" else f"writes {after} to c"
        cases.append([{"grid": [2, 2, 1], "warps": warps, "threads": threads},
                      {"index": 7, "b": 1, "w": 1, "lane": 2, "lanes": lanes, "kind": kind, "before": before, "after": after}, "c", then])
        expected.append({"index": 7, "words": f"{who} {words}" + " (5 lanes)" * (lanes > 1) + f": {then}" * bool(then)})
    compare(chrome, "a part of a story", "part_of", cases, expected)


def main():
    seeds = int(sys.argv[1]) if len(sys.argv) > 1 else 6
    if browser.find() is None:
        print("skipped: there is no browser (apt-get install chromium)")
        return 77
    with tempfile.TemporaryDirectory() as name, browser.Browser() as chrome:
        launch = {"name": "k", "grid": [1, 1, 1], "block": [1, 1, 1], "file": "a.cu", "line": 1, "files": [], "places": [], "arrays": [],
                  "steps": [{"k": "exit", "b": 0, "n": 1, "t": [0]}], "events": 0, "cut": False, "failed": False}
        page = pathlib.Path(name, "page.html")
        page.write_text(watch.page_of({"program": "p", "arguments": "", "launches": [launch], "findings": []}), encoding="utf-8")
        chrome.open(page.as_uri())
        functions(chrome)
        launches(chrome, seeds)
        findings(chrome, seeds)
        many_findings(chrome, 50 * seeds)
        choices(chrome)
        check("the console is quiet", chrome.complaints() == [], str(chrome.complaints()))
    return finish()


if __name__ == "__main__":
    sys.exit(main())
