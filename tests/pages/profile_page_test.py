#!/usr/bin/env python3
"""The pages of `./course profile --page`, in a real browser: the counts stand below the lines that they are of.

    profile_page_test.py FOLDER    FOLDER: for programs and pages; CPU_DEVICE_CACHE: where the CPU device is built
"""

import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
sys.dont_write_bytecode = True
import browser  # noqa: E402

failures = 0
# The waste of one line is spread over two kinds of accesses, and a name asks to be escaped.
PROGRAM = """#include <cstdio>
// Copies a column: neighbors are far apart.
template <int N>
__global__ void column(const float* in, float* out) {
  out[threadIdx.x] = in[threadIdx.x * N];  // <b>&amp;
}
int main() {
  float *in, *out;
  cudaMalloc(&in, 256 * 33 * sizeof(float));
  cudaMalloc(&out, 256 * sizeof(float));
  column<33><<<1, 256>>>(in, out);
  return cudaDeviceSynchronize() != cudaSuccess;
}
"""


def check(good, what):
    global failures
    if not good:
        failures += 1
        print(f"FAIL: {what}", flush=True)


def page_of(source, folder, *arguments):
    """The page, and the counts as JSON."""
    page = folder / f"{source.stem}.html"
    done = subprocess.run([sys.executable, ROOT / "tools/profile.py", "--json", "--page", page, "--in", folder, source, *arguments],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    check(done.returncode == 0, f"{source.name}: {done.stderr}")
    check(f"open {page} in a browser" in done.stderr, f"{source.name}: the page is not named: {done.stderr}")
    return page, json.loads(done.stdout)


def note(chrome, line, kernel=0):
    """The counts below a line of a kernel: its table's rows."""
    return chrome.run(f"""(() => {{
      const row = [...document.querySelectorAll('section')][{kernel}].querySelector('[id$="-{line}"]');
      return row ? [...row.nextElementSibling.querySelectorAll('tr')].map(r => [...r.cells].map(c => c.textContent)) : null;
    }})()""")


def looks(chrome, page):
    for width, dark in ((1280, False), (390, True)):
        chrome.shape(width, 900, dark, width < 600)
        chrome.open(page.as_uri())
        there = chrome.run("document.scrollingElement.scrollWidth")
        check(there <= width, f"{page.name}: {there} pixels wide on a screen of {width}")
    dark = chrome.run("getComputedStyle(document.body).backgroundColor")
    chrome.run("document.getElementById('theme').click()")
    check(chrome.run("getComputedStyle(document.body).backgroundColor") != dark, f"{page.name}: the switch makes it light")
    chrome.run("localStorage.removeItem('course-theme')")
    chrome.shape(1280, 900)
    check(chrome.complaints() == [], f"{page.name}: the console says {chrome.complaints()}")
    check([url for url in chrome.requests() if not url.startswith("file:")] == [], f"{page.name}: it needs a network")
    check(str(ROOT) not in page.read_text() and str(page.parent) not in page.read_text(), f"{page.name} names folders of this machine")


def column(chrome, folder):
    source = folder / "a column.cu"
    source.write_text(PROGRAM)
    page, counts = page_of(source, folder)
    access = {a["kind"]: a for a in counts["kernels"][0]["accesses"]}
    check(access["global_load"]["sectors"] == 32 * access["global_load"]["requests"], "column: 32 sectors per request")
    chrome.open(page.as_uri())
    check(chrome.run("document.querySelector('.row .n').textContent") == "2", "column: it begins with the comment")
    rows = note(chrome, 5)
    check(rows and rows[0][:3] == ["loads", "32 sectors per request", "possible: 4"], f"column: {rows}")
    check("132 bytes apart" in rows[1][1], f"column: the advice is {rows[1]}")
    check(rows[2][:3] == ["stores", "4 sectors per request", "optimal"], f"column: {rows[2:]}")
    check(chrome.run("document.querySelector('.row.bad code').textContent") == PROGRAM.splitlines()[4], "column: the line is escaped")
    chrome.run("document.querySelector('.lines a').click()")
    check(chrome.run("document.querySelector('.row:target .n').textContent") == "5", "column: the table leads to the line")
    check(chrome.run("document.querySelector('.share i').getBoundingClientRect().width") > 50, "column: the bar of the waste")
    looks(chrome, page)


def transpose(chrome, folder):
    page, counts = page_of(ROOT / "ch05_threads/transpose.cu", folder, "--size", "96")
    chrome.open(page.as_uri())
    titles = chrome.run("[...document.querySelectorAll('h2')].map(h => h.textContent)")
    check(len(titles) == len({k["kernel"] for k in counts["kernels"]}), f"transpose: {titles}")
    check(chrome.run("document.querySelector('h3').textContent") == "ch05_threads/transpose.cu", "transpose: the file, from the course")
    check(chrome.run("(c => c.scrollWidth <= c.clientWidth)(document.querySelector('.code'))"), "transpose: lines are cut off")
    looks(chrome, page)


def main():
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    if browser.find() is None:
        print("the pages are not looked at: there is no browser (apt-get install chromium)")
        return 77
    folder = pathlib.Path(sys.argv[1]).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    with browser.Browser(1280, 900) as chrome:
        column(chrome, folder)
        transpose(chrome, folder)
    print("all as it should be" if failures == 0 else f"{failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
