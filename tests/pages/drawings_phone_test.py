#!/usr/bin/env python3
"""Drawings on a phone: each has a form whose words can be read there, in which nothing is cut.

    tests/pages/drawings_phone_test.py

The sizes of words are read from the files. In a browser, where there is one: no word is outside of a drawing, wider than
its box or on top of another, and on a site of the course, on a screen of 390 pixels, each page shows the narrow forms whole.
"""

import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tools"), str(ROOT / "tests/harness")]
import browser  # noqa: E402  pylint: disable=wrong-import-position
from counting import check, finish  # noqa: E402  pylint: disable=wrong-import-position

PHONE = 390  # pixels
SMALLEST = 10.5  # pixels of a word on it: 12 in a drawing, which is smaller within a list

# The faults of the drawings on a page, as [drawing, what, words ...].
WORDS = """(() => {
  const faults = [];
  for (const svg of document.querySelectorAll("svg")) {
    const {width, height} = svg.viewBox.baseVal, report = (...what) => faults.push([svg.dataset.name, ...what]);
    const texts = [...svg.querySelectorAll("text")].map(text => [text.getBBox(), text.textContent]);
    const boxes = [...svg.querySelectorAll("rect")].map(box => box.getBBox()).filter(box => box.width > 30 && box.width < width - 20);
    texts.forEach(([at, words], k) => {
      const right = at.x + at.width, bottom = at.y + at.height, x = at.x + at.width / 2, y = at.y + at.height / 2;
      if (at.x < 3 || right > width - 3 || at.y < 1 || bottom > height) report("outside", words);
      for (const box of boxes)
        if (x > box.x && x < box.x + box.width && y > box.y && y < box.y + box.height && (at.x < box.x || right > box.x + box.width))
          report("wider than its box", words);
      for (const [other, others] of texts.slice(0, k))
        if (Math.min(right, other.x + other.width) > Math.max(at.x, other.x)
            && Math.min(bottom, other.y + other.height) - Math.max(at.y, other.y) > 4) report("on top of another", words, others);
    });
  }
  return JSON.stringify(faults);
})()"""

# [file, shown width, own width, pixels that are cut] of each drawing of a page, and the page's width.
SHOWN = """(async () => {
  const images = [...document.querySelectorAll("figure.drawing img")].filter(image => /\\.svg$/.test(image.src));
  for (const image of images) image.loading = "eager";
  await Promise.all(images.map(image => image.decode().catch(() => 0)));
  const cut = image => Math.max(image.getBoundingClientRect().right - innerWidth,
                                image.closest("figure").scrollWidth - image.closest("figure").clientWidth);
  return JSON.stringify([images.map(image => [image.currentSrc.replace(/.*[/]/, ""), image.getBoundingClientRect().width,
                                              image.naturalWidth, cut(image)]), document.documentElement.scrollWidth]);
})()"""


def width_and_smallest(path):
    """Of a drawing: its width, and the size of its smallest words."""
    text = path.read_text(encoding="utf-8")
    return (float(re.search(r'viewBox="0 0 ([\d.]+)', text)[1]), min(float(size) for size in re.findall(r'font-size="([\d.]+)"', text)))


def sizes(drawings):
    for path in drawings:
        name, (width, smallest) = path.relative_to(ROOT), width_and_smallest(path)
        if path.stem.endswith("_narrow"):
            check(f"{name} has a wide form", path.with_name(path.name.replace("_narrow", "")).exists())
            check(f"{name}: its words can be read", width <= 360 and smallest >= 12, f"width {width:g}, smallest words {smallest:g}")
        elif smallest * 360 / width < 11:
            check(f"{name} has a narrow form", path.with_name(f"{path.stem}_narrow.svg").exists(),
                  f"its words have {smallest * 360 / width:.1f} pixels on a phone")


def words(chrome, drawings):
    with tempfile.NamedTemporaryFile("w", suffix=".html") as page:
        page.write("".join(path.read_text(encoding="utf-8").replace("<svg ", f'<svg data-name="{path.relative_to(ROOT)}" ', 1)
                           for path in drawings))
        page.flush()
        chrome.open(pathlib.Path(page.name).as_uri())
        faults = json.loads(chrome.run(WORDS))
    check("the words of the drawings have space", not faults, "\n  ".join(": ".join(fault) for fault in faults))


def pages(chrome, drawings):
    seen = set()
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([ROOT / "course", "site", folder], check=True, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)
        chrome.shape(PHONE, 844, mobile=True)
        for page in sorted(pathlib.Path(folder).rglob("*.html")):
            if 'class="drawing"' not in page.read_text(encoding="utf-8", errors="replace"):
                continue
            name = page.relative_to(folder)
            chrome.open(page.as_uri())
            shown, width = json.loads(chrome.run(SHOWN))
            check(f"{name} fits on a phone", width <= PHONE, f"{width} pixels")
            for file, width, own_width, cut in shown:
                seen.add(file)
                check(f"{name} shows {file} whole", own_width > 0 and cut <= 0, f"{own_width} pixels wide, {cut} are cut")
                check(f"{name}: the words of {file} can be read", file.endswith("_narrow.svg") and 12 * width / 360 >= SMALLEST, f"{width:g} pixels wide")
    check("pages show all narrow forms", seen >= {path.name for path in drawings}, str({path.name for path in drawings} - seen))


def main():
    drawings = sorted(ROOT.glob("[!.]*/images/*.svg")) + sorted(ROOT.glob("common/*/images/*.svg"))
    drawings = [path for path in drawings if path.relative_to(ROOT).parts[0] != "build"]
    sizes(drawings)
    narrow = [path for path in drawings if path.stem.endswith("_narrow")]
    check("there are drawings", len(narrow) > 20)
    if browser.find() is None:
        print("without a browser: the sizes of words only")
        return finish()
    with browser.Browser(1200, 900) as chrome:
        words(chrome, narrow)
        if shutil.which("cmark-gfm"):
            pages(chrome, narrow)
    return finish()


if __name__ == "__main__":
    sys.exit(main())
