#!/usr/bin/env python3
"""The pages of `./course watch`, in a real browser: what they show, and that they need no network.

    watch_page_test.py NVCC FOLDER    NVCC: the CPU device's; FOLDER: for programs and pages
"""

import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
import browser  # noqa: E402
import watch    # noqa: E402

failures = 0


def check(good, what):
    global failures
    if not good:
        failures += 1
        print(f"FAIL: {what}", flush=True)


def built(nvcc, folder, source):
    program = folder / pathlib.Path(source).stem
    subprocess.run([nvcc, "--check", "-std=c++17", "-O2", "-g", str(ROOT / source), "-o", str(program)],
                   check=True)
    return program


def page_of(program, arguments, folder):
    """A page, its data, and the number of accesses that the trace has, by launches."""
    trace, page = folder / f"{program.name}.json", folder / f"{program.name}.html"
    watch.run(program, arguments, trace)
    events = []
    for line in trace.read_text().splitlines():
        record = json.loads(line)
        if "launch" in record:
            events.append(0)
        if "step" in record:
            events[-1] += len(record["step"][3])
    launches, findings = watch.read_trace(trace)
    data = watch.page_data(program, arguments, launches, findings)
    page.write_text(watch.page_of(data))
    return page, data, [n for n in events if n]


def load(chrome, page, data, events):
    name = page.stem
    seconds = chrome.open(page.as_uri())
    check(seconds < 2, f"{name}: the page opens in {seconds:.1f} s")
    check(chrome.run("watch.events()") == events, f"{name}: as many accesses on the page as in the trace")
    check([l["events"] for l in data["launches"]] == events, f"{name}: the recorder counts the same")
    check(page.stat().st_size < 3e6, f"{name}: {page.stat().st_size} bytes")


def quiet(chrome, name):
    check(chrome.complaints() == [], f"{name}: the console says {chrome.complaints()}")
    there = [u for u in chrome.requests() if not u.startswith(("file:", "data:"))]
    check(there == [], f"{name}: requests to {there}")


def find(chrome, condition, last=False):
    """The number of the first step (from 1) for which the JavaScript condition on `s` holds."""
    found = chrome.run(f"watch.steps().map((s, i) => [s, i + 1]).filter(([s]) => {condition})"
                       ".map(([s, i]) => i)")
    check(bool(found), f"a step with {condition}")
    return (found[-1] if last else found[0]) if found else 0


def value(chrome, name, cell, block=None):
    return chrome.run(f"watch.value('{name}', {cell}{'' if block is None else f', {block}'})")


def what_happens(trace):
    """The trace of the first launch, without addresses. How often the program launches its kernel to time it depends on the
    time."""
    lines = [line for line in trace.read_text().splitlines() if not line.startswith('{"array"')]
    return lines[:next(number for number, line in enumerate(lines) if line.startswith('{"end"')) + 1]


def line_of(program, code):
    """The first line of a program of chapter 5 that contains this code, from 1 on."""
    lines = (ROOT / f"ch05_threads/{program}.cu").read_text().splitlines()
    return next(number for number, line in enumerate(lines, 1) if code in line)


def dot(chrome, program, folder):
    arguments = ["--size", "256", "--threads", "64", "--blocks", "2"]
    page, data, events = page_of(program, arguments, folder)
    watch.run(program, arguments, folder / "again.json")
    check(what_happens(folder / "dot.json") == what_happens(folder / "again.json"), "dot: always the same")
    load(chrome, page, data, events)
    a, b = [float(i) for i in range(256)], [2.0 * i for i in range(256)]
    sums = [[sum(a[i] * b[i] for i in (t + 64 * k, t + 64 * k + 128)) for t in range(64)] for k in (0, 1)]
    # The first read: 32 neighbours.
    chrome.run("watch.go(1)")
    check(chrome.run("watch.lit()") == [f"{i}:a[{i}]" for i in range(32)], "dot: warp 0 reads a[0] to a[31]")
    # The first step of the tree.
    chrome.run("watch.go(%d)" % find(
        chrome, f"s.kind === 'write' && s.line === {line_of('dot', 'cache[cache_index] +=')} && s.b === 1"))
    check(chrome.run("watch.lit()") == [f"{i}:cache[{i}]" for i in range(32)], "dot: 32 lanes add")
    check(value(chrome, "cache", 5, 1) == sums[1][5] + sums[1][37], "dot: cache[5] is the sum of two")
    check(value(chrome, "cache", 37, 1) == sums[1][37], "dot: cache[37] is as before")
    # The result.
    chrome.run("watch.go(%d)" % find(
        chrome, f"s.kind === 'write' && s.line === {line_of('dot', 'partial[blockIdx.x] = cache')} && s.b === 1"))
    check(chrome.run("watch.lit()") == ["0:partial[1]"], "dot: thread 0 writes the block's sum")
    check(abs(value(chrome, "partial", 1) - sum(sums[1])) < 1, "dot: partial[1]")
    check(value(chrome, "partial", 1) is not None, "dot: partial[1] is written")
    # Back to the beginning: as if nothing had happened.
    chrome.run("watch.go(0)")
    check(value(chrome, "cache", 5, 1) is None and value(chrome, "partial", 1) is None, "dot: back again")
    controls(chrome)
    legend_and_tips(chrome)
    source_pane(chrome)
    shapes(chrome)
    quiet(chrome, "dot")


def controls(chrome):
    """The slider, the keys, the buttons."""
    chrome.run("(() => { const t = document.getElementById('time'); t.value = 7;"
               " t.dispatchEvent(new Event('input')); })()")
    check(chrome.run("watch.at()") == 7, "the slider moves")
    chrome.key("ArrowRight")
    check(chrome.run("watch.at()") == 8, "the right arrow is a step")
    chrome.key("ArrowLeft")
    check(chrome.run("watch.at()") == 7, "the left arrow is a step back")
    chrome.key("ArrowRight", shift=True)
    check(chrome.run("watch.steps()[watch.at() - 1].k") == "pass", "Shift and the arrow go to a barrier")
    chrome.key("Home")
    check(chrome.run("watch.at()") == 0, "Home is the beginning")
    chrome.key(" ")
    chrome.run("new Promise(done => setTimeout(done, 300))")
    check(chrome.run("watch.at()") > 0, "Space plays")
    chrome.key(" ")
    before = chrome.run("watch.at()")
    chrome.run("new Promise(done => setTimeout(done, 900))")
    check(chrome.run("watch.at()") == before, "Space stops")
    chrome.run("document.getElementById('next').click()")
    check(chrome.run("watch.at()") == before + 1, "the button is a step")
    chrome.key("v")
    check("values" in chrome.run("document.getElementById('view').textContent"), "v shows sectors and banks")
    chrome.key("v")


def legend_and_tips(chrome):
    """What the marks mean, and what the pointer is on."""
    seen = "document.getElementById('legend').getClientRects().length > 0"
    check(not chrome.run(seen), "the legend is folded at first")
    chrome.key("?")
    check(chrome.run(seen), "? shows the legend")
    words = chrome.run("document.getElementById('legend').textContent")
    check(all(word in words for word in ("waits at a barrier", "is read", "is written", "a mistake", "Space")), f"legend: {words}")
    chrome.key("Escape")
    check(not chrome.run(seen), "Escape folds it")
    chrome.run("watch.go(1)")
    # The dots of warp 0 of block 0: lane 3 is the fourth.
    words = chrome.run("""(() => {
      const [, x, y] = watch.dots().find(([key]) => key === 3), box = document.getElementById('threads').getBoundingClientRect();
      const at = {clientX: box.left + x, clientY: box.top + y, bubbles: true};
      document.getElementById('code').dispatchEvent(new MouseEvent('mousemove', at));
      return document.getElementById('tip').textContent;
    })()""")
    check(words.startswith("thread (3,0,0) of block 0\nwarp 0, lane 3: accesses memory, line "), f"the tip of a dot: {words!r}")
    barrier = find(chrome, "s.k === 'pass'")
    check("the barrier of line" in chrome.run(f"watch.step_tip({barrier - 1})"), "the tip of a barrier on the chart")
    check("32 active lanes, 4 sectors" in chrome.run("watch.step_tip(0)"), f"the tip of a step: {chrome.run('watch.step_tip(0)')}")
    titles = chrome.run("[...document.querySelectorAll('button, select')].filter(b => !b.title && !b.getAttribute('aria-label')).length")
    check(titles == 0, f"{titles} buttons without a tip")


def source_pane(chrome):
    """100 columns at 1280 pixels, with all dots below the lines; a border that moves."""
    chrome.shape(1280, 900)
    chrome.run("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    longest = chrome.run("Math.max(...[...document.querySelectorAll('.row .text')].map(t => t.textContent.length))")
    check(90 <= longest <= 100, f"the longest line of dot has {longest} columns")
    check(chrome.run("(c => c.scrollWidth <= c.clientWidth)(document.getElementById('code'))"), "the source is cut off at 1280 pixels")
    below = chrome.run("""(() => {
      const top = document.getElementById('threads').getBoundingClientRect().top, rows = [...document.querySelectorAll('.row')];
      const texts = rows.map(r => r.querySelector('.text').getBoundingClientRect());
      return watch.dots().every(([, , y]) => texts.every(t => top + y < t.top || top + y > t.bottom - 2));
    })()""")
    check(below, "dots stand in the text of a line")
    check(chrome.run("document.getElementById('memory').clientWidth") > 350, "no room for the arrays at 1280 pixels")
    chrome.run("document.getElementById('splitter').focus()")
    before = chrome.run("document.getElementById('code').clientWidth")
    chrome.key("ArrowLeft")
    after = chrome.run("document.getElementById('code').clientWidth")
    check(20 < before - after < 60, f"the splitter moves the border: {before} to {after}")
    chrome.run("document.getElementById('splitter').dispatchEvent(new MouseEvent('dblclick'))")
    check(chrome.run("document.getElementById('code').clientWidth") == before, "a double click resets it")
    chrome.run("document.activeElement.blur()")
    chrome.shape(1400, 900)


def shapes(chrome):
    """Phone, dark."""
    light = chrome.run("getComputedStyle(document.body).backgroundColor")
    chrome.shape(390, 844, dark=True, mobile=True)
    chrome.run("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    check(chrome.run("document.documentElement.scrollWidth <= 390"), "no wider than a phone")
    check(chrome.run("document.getElementById('play').getBoundingClientRect().bottom <= innerHeight"),
          "the controls are on a phone's screen")
    check(chrome.run("getComputedStyle(document.body).backgroundColor") != light, "dark is dark")
    chrome.run("document.getElementById('theme').click()")
    check(chrome.run("getComputedStyle(document.body).backgroundColor") == light, "the switch makes it light")
    chrome.run("postMessage({theme: 'dark'}, '*'); new Promise(done => setTimeout(done, 50))")
    check(chrome.run("getComputedStyle(document.body).backgroundColor") != light, "the page around it makes it dark")
    chrome.run("remember_as('course-theme', ''); set_theme()")
    chrome.shape(1400, 900)


def dot_broken(chrome, program, folder):
    page, data, events = page_of(program, ["--size", "256"], folder)
    load(chrome, page, data, events)
    story = chrome.run("watch.story()")
    check(len(story) == 2 and "128 threads of block 0 wait at line" in story[0].lower() and "the other 128 have finished" in story[1],
          f"dot_broken: the story is {story}")
    # Everybody has come to the right barrier.
    chrome.run("watch.go(%d)" % (find(chrome, "s.k === 'pass'") - 1))
    check(chrome.run("watch.counts().barrier") == 256, "dot_broken: 256 threads at the first barrier")
    check(value(chrome, "cache", 3) == 2 * 3.0 * 3, "dot_broken: cache[3]")
    # The first step of the tree.
    chrome.run("watch.go(%d)" % find(
        chrome, f"s.kind === 'write' && s.line === {line_of('dot_broken', 'cache[cache_index] +=')} && s.w === 0"))
    check(chrome.run("watch.lit()") == [f"{i}:cache[{i}]" for i in range(32)], "dot_broken: 32 lanes add")
    check(value(chrome, "cache", 3) == 2 * 3.0 * 3 + 2 * 131.0 * 131, "dot_broken: cache[3] + cache[131]")
    # The end: half of them wait forever.
    chrome.run("watch.go(1e9)")
    counts = chrome.run("watch.counts()")
    check(counts["barrier"] == 128 and counts["gone"] == 128, f"dot_broken: at the end {counts}")
    check("divergent barrier" in chrome.run("watch.said()"), "dot_broken: the page says what is wrong")
    check(chrome.run("[...document.querySelectorAll('.row.wrong .n')].map(n => n.textContent)") ==
          [str(line_of("dot_broken", "// WRONG:"))], "dot_broken: the line of the barrier is red")
    quiet(chrome, "dot_broken")


def histogram(chrome, program, folder):
    page, data, events = page_of(
        program, ["--size", "256", "--bins", "16", "--threads", "64", "--blocks", "2"], folder)
    load(chrome, page, data, events)
    bytes_read = chrome.run("Array.from({length: 256}, (_, i) => watch.value('data', i))")
    bins = [b * 16 // 256 for b in bytes_read]
    # Shared counters are zero behind the first barrier.
    chrome.run("watch.go(%d)" % find(chrome, "s.k === 'pass' && s.b === 0"))
    check([value(chrome, "block_counts", i, 0) for i in range(16)] == [0] * 16, "histogram: zeros")
    # 32 lanes at once, on 16 counters.
    at = find(chrome, "s.kind === 'atomic' && s.b === 0 && s.w === 0")
    chrome.run(f"watch.go({at})")
    check(chrome.run("watch.lit()") == [f"{i}:block_counts[{bins[i]}]" for i in range(32)],
          "histogram: each lane counts its byte")
    check("lanes at one address" in chrome.run("watch.said()"), "histogram: the page speaks of contention")
    busiest = max(range(16), key=lambda b: bins[:32].count(b))
    first = find(chrome, "s.kind === 'atomic' && s.b === 0") == at
    check(not first or value(chrome, "block_counts", busiest, 0) == bins[:32].count(busiest),
          "histogram: the counter has all of them")
    # The end.
    chrome.run("watch.go(1e9)")
    check([value(chrome, "counts", i) for i in range(16)] == [bins.count(b) for b in range(16)],
          "histogram: the result")
    quiet(chrome, "histogram")


def lost_update(chrome, program, folder):
    page, data, events = page_of(program, ["--blocks", "2", "--threads", "32"], folder)
    load(chrome, page, data, events)
    check(data["launches"][chrome.run("state.index")]["name"] == "count_plainly", "the launch of the finding")
    # It opens where the update is lost, with both blocks.
    check(chrome.run("state.block") == "all", f"lost_update: it opens on block {chrome.run('state.block')}")
    check(chrome.run("document.getElementById('story').textContent") ==
          "The bug:1. Block 0 reads 0 from x (32 lanes)2. Block 1 reads 0 from x (32 lanes)3. Block 0 writes 1 to x (32 lanes)"
          "4. Block 1 writes 1 to x (32 lanes): the other update is lost", f"lost_update: {chrome.run('watch.story()')}")
    check(value(chrome, "x", 0) == 1 and chrome.run("watch.red().includes('x')"), "lost_update: the lost update is to be seen")
    check(chrome.run("document.querySelector('#story .here').textContent").startswith("4."), "lost_update: the story's last step")
    chrome.run("document.querySelectorAll('#story button')[1].click()")
    check(value(chrome, "x", 0) == 0 and "block 1, warp 0: 32 lanes read x" in chrome.run("watch.said()"), "lost_update: a button of the story")
    plays_a_finding(chrome)
    # 64 threads read 0, and write 1: all but one are lost.
    chrome.run("watch.go(1)")
    check(value(chrome, "x", 0) == 0 and chrome.run("watch.red().includes('x')"), "lost_update: x is red")
    chrome.run("watch.go(1e9)")
    check(value(chrome, "x", 0) == 1, "lost_update: one of 64 is left")
    quiet(chrome, "lost_update")


def two_threads_of_a_race(chrome, program, folder):
    """The two steps of the story are a race: one of them writes."""
    page, data, events = page_of(program, [], folder)
    load(chrome, page, data, events)
    check(chrome.run("watch.story()") == ["Block 0, warp 0, lane 0 writes 1 to counts[0]",
                                          "Block 0, warp 1, lane 0 reads 1 from counts[0]: nothing orders the two accesses"],
          f"histogram_in_block_without_atomics: the story is {chrome.run('watch.story()')}")
    chrome.shape(390, 844, dark=True, mobile=True)
    chrome.open(page.as_uri())
    check(chrome.run("document.documentElement.scrollWidth <= 390"), "a long name of a program makes the page wider than a phone")
    chrome.shape(1400, 900)
    quiet(chrome, "histogram_in_block_without_atomics")


def a_race_with_an_atomic(chrome, program, folder):
    page, data, events = page_of(program, [], folder)
    load(chrome, page, data, events)
    story = chrome.run("watch.story()")
    check(len(story) == 2 and any(" atomically reads 0 from now_serving" in part for part in story) and
          any(" writes 1 to now_serving" in part for part in story), f"ticket_lock_left_by_a_plain_store: the story is {story}")
    quiet(chrome, "ticket_lock_left_by_a_plain_store")


def a_read_beside_an_atomic(chrome, program, folder):
    """Reads are followed by atomics: no update is lost."""
    page, data, events = page_of(program, [], folder)
    load(chrome, page, data, events)
    story = chrome.run("watch.story()")
    check(len(story) == 2 and any(" reads 0 from best" in part for part in story) and any(" changes best to " in part for part in story) and
          not any("lost" in part for part in story), f"best_looked_at_plainly: the story is {story}")
    quiet(chrome, "best_looked_at_plainly")


def plays_a_finding(chrome):
    """The button of a finding goes through the steps of its story, from the first one to the last one."""
    chrome.run("watch.go(0)")
    check(chrome.run("document.querySelectorAll('.finding summary button').length") == 1, "a finding has a button")
    # The page's clock is replaced, so that the test waits for nothing.
    seen = chrome.run("(() => { const later = []; const real = window.setTimeout;"
                      " window.setTimeout = f => later.push(f);"
                      " document.querySelector('.finding summary button').click();"
                      " const seen = [document.querySelector('#story .here').textContent];"
                      " while (later.length) { later.shift()(); seen.push(document.querySelector('#story .here').textContent); }"
                      " window.setTimeout = real; return seen; })()")
    check([words[:10] for words in seen] == ["1. Block 0", "2. Block 1", "3. Block 0", "4. Block 1"],
          f"the button of a finding plays {seen}")
    check(chrome.run("document.querySelector('.finding').open") is False, "the button does not open the finding")
    check(chrome.run("document.getElementById('play').textContent").startswith("▶"), "the story has ended")


def told_in_words(where):
    """A story that the steps of a launch do not show: [(words, line of the step that it goes to)]."""
    def test(chrome, program, folder):
        page, data, events = page_of(program, [], folder)
        load(chrome, page, data, events)
        seen = chrome.run("(() => { const later = []; const real = window.setTimeout;"
                          " window.setTimeout = f => later.push(f);"
                          " const look = () => [document.querySelector('#story .here').textContent,"
                          " (watch.steps()[watch.at() - 1] || {}).line];"
                          " document.querySelector('.finding summary button').click();"
                          " while (later.length) later.shift()();"
                          " window.setTimeout = real;"
                          " return [...document.querySelectorAll('#story button')].map(b => { b.click(); return [b.textContent, look()[1]]; }); })()")
        check(len(seen) == 5, f"{program.name}: the story has {len(seen)} parts: {seen}")
        for (words, line), (text, at) in zip(where, seen[1:3]):
            check(words in text and at == line, f"{program.name}: '{text}' goes to line {at}, not '{words}' to line {line}")
        check(seen[3][0].startswith("4. In this order: ") and seen[4][0].startswith("5. In the other order: "),
              f"{program.name}: what each order yields: {seen[3:]}")
        quiet(chrome, program.name)
    return test


def lost_insert(chrome, program, folder):
    page, data, events = page_of(program, ["--size", "64", "--buckets", "4"], folder)
    load(chrome, page, data, events)
    story = chrome.run("watch.story()")
    check(len(story) == 2 and story[0].startswith("Block 0 reads null from entries") and
          "lanes of block 0 write entries at the same time: only pool[" in story[1], f"hash_lost_insert: the story is {story}")
    quiet(chrome, "hash_lost_insert")


def nbody(chrome, program, folder):
    page, data, events = page_of(program, ["--size", "64"], folder)
    load(chrome, page, data, events)
    check(len(data["launches"]) == 1 and events[0] >= 20000, f"nbody: {events} accesses")
    chrome.run("watch.go(1e9)")
    check(value(chrome, "tile", 0) is not None, "nbody: the tile is filled")
    quiet(chrome, "nbody_shared")


NAMED_BARRIER = """
__global__ void swap_halves(int* a) {
  __shared__ int half[64];
  half[threadIdx.x] = threadIdx.x;
  asm volatile("bar.sync 1, 64;" ::: "memory");
  a[threadIdx.x] = half[threadIdx.x ^ 32];
}
int main() {
  int* a;
  cudaMalloc(&a, 64 * sizeof(int));
  swap_halves<<<1, 64>>>(a);
  return cudaDeviceSynchronize() != cudaSuccess;
}
"""


def named_barrier(chrome, program, folder):
    page, data, events = page_of(program, [], folder)
    load(chrome, page, data, events)
    chrome.run("watch.go(%d)" % find(chrome, "s.k === 'part'"))
    check("wait at the named barrier" in chrome.run("watch.said()"), "a named barrier: what the page says")
    chrome.run("watch.go(1e9)")
    check([value(chrome, "a", i) for i in (0, 63)] == [32, 31], "a named barrier: the result")
    quiet(chrome, "named_barrier")


def lines_of(*arguments):
    done = subprocess.run([sys.executable, str(ROOT / "tools/watch.py"), *map(str, arguments)],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return done.returncode, done.stdout.strip().splitlines()


def bad_input(program, no_launch, folder):
    code, lines = lines_of(no_launch, folder / "none.html", "--size", "10")
    check(code == 2 and len(lines) == 1 and "launched no kernel" in lines[0], f"no launch: {lines}")
    check(not (folder / "none.html").exists(), "no launch: no page")
    (folder / "file").write_text("")
    code, lines = lines_of(program, folder / "file" / "page.html")
    check(code == 2 and len(lines) == 1 and "cannot be written" in lines[0], f"not writable: {lines}")
    code, lines = lines_of(program, folder / "option.html", "--nonsense")
    check(code == 2 and len(lines) == 1 and "nonsense" in lines[0], f"an unknown option: {lines}")
    code, lines = lines_of(program, folder / "large.html")
    check(code == 0 and len(lines) == 2 and "smaller: ./course watch dot --size 64 --threads 32" in lines[1],
          f"too large: {lines}")


def main():
    if len(sys.argv) < 3:
        print(__doc__, file=sys.stderr)
        return 2
    if browser.find() is None:
        print("the pages are not looked at: there is no browser (apt-get install chromium)")
        return 77
    nvcc, folder = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    tests = {"ch05_threads/dot.cu": dot, "ch05_threads/dot_broken.cu": dot_broken,
             "ch09_atomics/histogram_shared_atomics.cu": histogram, "ch09_atomics/lost_update.cu": lost_update,
             "tests/mistakes/histogram_in_block_without_atomics.cu": two_threads_of_a_race,
             "tests/mistakes/ticket_lock_left_by_a_plain_store.cu": a_race_with_an_atomic,
             "tests/mistakes/best_looked_at_plainly.cu": a_read_beside_an_atomic,
             "tests/mistakes/pipeline_copy_read_without_waiting.cu": told_in_words(
                 [("A copy by thread (0,0,0) writes tile[0] in line 7", 7), ("Thread (0,0,0) reads tile[0] in line 12", 12)]),
             "tests/mistakes/cluster_written_after_it_arrived.cu": told_in_words(
                 [("Thread (63,0,0) of block (0,0,0) writes tile[63]", 16), ("Thread (0,0,0) of block (1,0,0) reads tile[63]", 21)]),
             "tests/mistakes/result_copied_in_another_stream.cu": told_in_words(
                 [("A copy reads values[0] in line 19", 3), ("Kernel produce writes values[0] in line 3", 3)]),
             "appA_hashtable/hash_lost_insert.cu": lost_insert, "nbody/nbody_shared.cu": nbody, folder / "named_barrier.cu": named_barrier}
    (folder / "named_barrier.cu").write_text(NAMED_BARRIER)
    programs = {source: built(nvcc, folder, source) for source in tests}
    bad_input(programs["ch05_threads/dot.cu"], built(nvcc, folder, "ch04_parallel/vector_add_cpu.cu"), folder)
    with browser.Browser() as chrome:
        for source, test in tests.items():
            test(chrome, programs[source], folder)
    print("all as it should be" if failures == 0 else f"{failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
