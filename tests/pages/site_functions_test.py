#!/usr/bin/env python3
"""The script of the site's pages, in a browser, on a page of our own: search, colors in code, copy buttons, the filter and themes.

    tests/pages/site_functions_test.py [SEEDS]

Random words are searched in random entries. Their order, the excerpts and what is marked are compared with a search of our own. Code made
of random tokens gets the colors that its tokens have. Exit code 77 without a browser.
"""

import json
import pathlib
import random
import re
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tools"), str(ROOT / "tests/harness")]
import browser  # noqa: E402  pylint: disable=wrong-import-position
from counting import check, finish  # noqa: E402  pylint: disable=wrong-import-position

PAGE = """<!DOCTYPE html><html><head><meta charset="utf-8"></head><body>
<nav class="filter"><a href="#all">all</a><a href="#one">1</a><a href="#two">2</a></nav>
<main class="tour"><section id="one"><h2 id="within">x</h2></section><section id="two"><article id="card" style="height: 2000px"><a rel="next" href="#after">y</a></article>
<article id="after" style="height: 2000px"><a rel="prev" href="#card">z</a></article></section></main>
<h2 id="h1">1</h2><h2 id="h2" style="margin-top: 600px">2</h2><h2 id="h3" style="margin-top: 600px">3</h2><h2 id="h4" style="margin-top: 600px">4</h2>
<div class="sidebar"><div class="section"><a href="#h1">1</a><a href="#h2">2</a><a href="#h3">3</a><a href="#h4">4</a></div></div><input type="checkbox" id="menu-open">
<button id="theme"></button><div class="search"><input id="search"><div id="found" hidden></div></div><dialog id="keys"></dialog>
<script src="%s" data-top="../"></script></body></html>"""
WORDS = ["warp", "warps", "a warp", "barrier", "__syncthreads", "x[i]", "C++", "atomicAdd(", "Block", "superwarp", "ä", "1.5", "a|b", "\\d"]


def begins(text, term):
    return re.search(r"(?<![A-Za-z0-9_])" + re.escape(term), text) is not None


def points(entry, terms):
    """How well an entry fits."""
    page, title, heading, _, text = (part.lower() for part in entry)
    total = 0
    for term in terms:
        if not any(term in part for part in (title, heading, text)):
            return 0
        most = 12 * begins(heading, term) + 5 * begins(title, term) + (3 if begins(text, term) else 1 if term in text else 0)
        total += max(most, 1)
    together = " ".join(terms)
    total += 8 * (len(terms) > 1 and together in text) + 20 * (heading == together)
    return total / 2 if page.endswith((".cu.html", ".h.html")) else total


def search(chrome, seeds):
    rng = random.Random(8)
    for seed in range(seeds):
        entries = [[rng.choice(["a.html", "b c.html", "x/dot.cu.html", "y.h.html"]), " ".join(rng.choices(WORDS, k=2)), rng.choice(["", *WORDS, "warp barrier"]),
                    rng.choice(["", "id-ä"]), " ".join(rng.choices([*WORDS, "and", "the", "of", "much"], k=rng.choice([1, 3, 20, 60])))] for _ in range(30)]
        for entry in entries[::7]:
            entry[2] = entry[1]
        words = rng.choice([rng.choice(WORDS), " ".join(rng.sample(WORDS, 2)), "WARP  barrier", "xyzzy", "warp barrier"])
        terms = words.lower().split()
        found = chrome.run("(([rows, words]) => { field.value = words; course_index(rows); return [found.querySelector('p').textContent, found.hidden, "
                           "[...found.querySelectorAll('a')].map(a => [a.getAttribute('href'), a.querySelector('b').textContent, a.querySelector('span').textContent, "
                           "[...a.querySelectorAll('mark')].map(m => m.textContent)])]; })(%s)" % json.dumps([entries, words]))
        fits = sorted((entry for entry in entries if points(entry, terms)), key=lambda entry: -points(entry, terms))
        note = "No results" if not fits else f"{len(fits)} result{'s' * (len(fits) > 1)}"
        about = f"search {seed} of {words!r}"
        check(f"{about}: how many", found[:2] == [note, False], f"{found[:2]} {note}")
        expected = [[f"../{page}" + ("#id-%C3%A4" if anchor else ""), f"{title} › {heading}" if heading not in ("", title) else title]
                    for page, title, heading, anchor, _ in fits[:20]]
        check(f"{about}: what is found", [one[:2] for one in found[2]] == expected, f"{found[2]} {expected}")
        for (_, _, shown, marked), entry in zip(found[2], fits):
            text = entry[4]
            body = shown.removeprefix("… ")
            check(f"{about}: an excerpt", body in text and body == body.lstrip() and len(body) == min(170, len(text) - text.index(body)) and (shown == body) == text.startswith(body), shown)
            pattern = "|".join(map(re.escape, terms))
            check(f"{about}: marked", marked == re.findall(pattern, shown, re.I), f"{marked} in {shown}")
            first = text.lower().find(next((term for term in terms if term in text.lower()), ""))
            check(f"{about}: the first match is in the excerpt", terms[0] not in text.lower() or text.index(body) <= first < text.index(body) + 70, shown)


TOKENS = {"comment": ["// a \"b\" int\n", "/* for\n 'x' */"], "string": ['"a // b"', '"\\" int"', "'x'", "'\\n'", 'R"(a "b")"'],
          "cuda": ["__global__", "__shared__", "__syncthreads", "__shfl_down_sync", "threadIdx", "blockDim", "dim3", "float4", "cudaMalloc", "atomicAdd", "<<<", ">>>"],
          "keyword": ["int", "for", "return", "constexpr", "unsigned", "true"],
          None: ["integer", "x", "1'000'000", "+", "printf", "format", "a_int", "atomics", "float5", "0x1f"]}


def colors(chrome, seeds):
    rng, cases, expected = random.Random(9), [], []
    for _ in range(20 * seeds):
        kinds = [rng.choice(list(TOKENS)) for _ in range(rng.randint(1, 12))]
        words = [rng.choice(TOKENS[kind]) for kind in kinds]
        cases.append(" ".join(words))
        expected.append([[kind, word.rstrip("\n") if word.startswith("//") else word] for kind, word in zip(kinds, words) if kind])
    paint = """(cases => cases.map(text => { const code = document.createElement("code"); code.className = "language-cpp"; code.textContent = text; paint(code); paint(code);
      return [code.textContent, [...code.querySelectorAll("span")].map(s => [s.className, s.textContent])]; }))(%s)"""
    for text, there, wanted in zip(cases, chrome.run(paint % json.dumps(cases)), expected):
        check(f"colors of {text!r}", there == [text, wanted], f"{there} {wanted}")


def rest(chrome):
    sessions = ["$ ls\na\n$ ./course run dot\n256\n", "int x;\nint y;\n", "a $ b\n", "$ one", "\n$ two\n\n", "  int x;\n\n"]
    expected = ["ls\n./course run dot", "int x;\nint y;", "a $ b", "one", "two", "  int x;\n"]
    found = chrome.run("%s.map(text => to_copy(Object.assign(document.createElement('pre'), { textContent: text })))" % json.dumps(sessions))
    check("what is copied", found == expected, str(found))
    for place, shown in (("", ["one", "two"]), ("#one", ["one"]), ("#card", ["two"]), ("#within", ["one"]), ("#all", ["one", "two"]), ("#nothing", ["one", "two"])):
        there = chrome.run("(place => { history.replaceState(null, '', place || '#'); filter('all'); for (const s of sections) s.hidden = s.id !== 'none'; follow();"
                           " return [sections.filter(s => !s.hidden).map(s => s.id), [...document.querySelectorAll('.filter [aria-current]')].map(a => a.hash)]; })(%s)" % json.dumps(place))
        check(f"the filter at {place}", there == [shown, ["#all" if len(shown) > 1 else f"#{shown[0]}"]], str(there))
    themes = chrome.run("(() => { localStorage.clear(); const seen = []; for (let i = 0; i < 4; i++) { next_theme();"
                        " seen.push([theme_button.textContent, document.documentElement.dataset.theme ?? null, localStorage.getItem('course-theme')]); } return seen; })()")
    expected = [["Light", "light", "light"], ["Dark", "dark", "dark"], ["System", None, None], ["Light", "light", "light"]]
    check("themes in their order", themes == expected, str(themes))
    chosen = chrome.run("(() => { field.value = 'w'; course_index([...'abc'].map(name => [name, 'w', '', '', 'w'])); return [1, 1, 1, 1, -1, -1, -1].map(step => { choose(step);"
                        " return [...found.querySelectorAll('a')].map(a => a.matches('.chosen')).indexOf(true); }); })()")
    check("the arrows go around", chosen == [0, 1, 2, 0, 2, 1, 0], str(chosen))


def cards(chrome):
    """n and p: from the card in the address while it is to be seen, else to the first to be seen."""
    steps = [("", 0, "next", "#card"), ("#card", 0, "next", "#after"), ("#after", 2200, "prev", "#card"), ("#card", 2200, "next", "#after"), ("", 2200, "prev", "#card"), ("#after", 0, "prev", "#after")]
    for place, top, wanted, expected in steps:
        there = chrome.run("(async ([place, top, wanted]) => { history.replaceState(null, '', place || '#'); filter('all'); scrollTo(0, top); to_neighbor(wanted);"
                           " await new Promise(done => setTimeout(done, 30)); return location.hash; })(%s)" % json.dumps([place, top, wanted]))
        check(f"{wanted} at {place}, {top} pixels down", there == expected, there)
    found = chrome.run("(() => { const seen = []; for (let top = 0; top < document.body.scrollHeight; top += 150) { scrollTo(0, top); mark_section(); seen.push(["
                       "scrollY + innerHeight >= document.body.scrollHeight - 4, marks.map(a => document.querySelector(a.hash).getBoundingClientRect().top),"
                       " marks.map(a => a.matches('.here'))]); } return seen; })()")
    for end, tops, here in found:
        above = [i for i, top in enumerate(tops) if top < 130]
        expected = 3 if end else above[-1] if above else None
        check(f"the section that is marked, with headings at {tops}", [i for i, one in enumerate(here) if one] == [expected] * (expected is not None), str(here))


def main():
    seeds = int(sys.argv[1]) if len(sys.argv) > 1 else 40
    if browser.find() is None:
        print("skipped: there is no browser (apt-get install chromium)")
        return 77
    with tempfile.TemporaryDirectory() as name, browser.Browser() as chrome:
        page = pathlib.Path(name, "page.html")
        page.write_text(PAGE % (ROOT / "tools/course/site/static/site.js").as_uri(), encoding="utf-8")
        chrome.open(page.as_uri())
        search(chrome, seeds)
        colors(chrome, seeds)
        rest(chrome)
        cards(chrome)
        check("the console is quiet", chrome.complaints() == [], str(chrome.complaints()))
    return finish()


if __name__ == "__main__":
    sys.exit(main())
