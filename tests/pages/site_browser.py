"""What a reader does on the site, done in a browser, on pages opened as files: for tour_page_check.py."""

import pathlib
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]

WAIT = "new Promise(done => setTimeout(done, %d))"


def wait(chrome, condition, seconds=5):
    """Waits until a JavaScript condition holds; whether it came to that."""
    return chrome.run(f"""(async () => {{
      for (let i = 0; i < {seconds * 20}; i++) {{
        if ({condition}) return true;
        await new Promise(done => setTimeout(done, 50));
      }}
      return false;
    }})()""")


def search(chrome, words):
    """What is found: [[link, name]]."""
    chrome.key("/")
    chrome.run(f"(() => {{ field.value = {words!r}; field.dispatchEvent(new Event('input')); }})()")
    wait(chrome, "entries !== null")
    return chrome.run("[...found.querySelectorAll('a')].map(a => [a.getAttribute('href'), a.querySelector('b').textContent])")


def check_search(chrome, folder, check):
    chrome.open((folder / "ch05_threads/README.html").as_uri())
    check(not chrome.run("[...document.scripts].some(s => s.src.includes('search_index'))"), "the index loads before it is needed")
    results = search(chrome, "coalescing")
    check(chrome.run("document.activeElement === field"), "/ goes to the search")
    check(bool(results) and results[0][0] == "../GLOSSARY.html#coalescing", f"coalescing: {results[:3]}")
    results = search(chrome, "lost updates")
    check(any(link == "../ch09_atomics/README.html#the-problem-lost-updates" for link, _ in results[:3]), f"lost updates: {results[:3]}")
    results = search(chrome, "__shfl_down_sync")
    check(any(link.endswith(".cu.html") for link, _ in results), f"a function of CUDA leads to no source: {results[:3]}")
    for words in ("atomicAdd(", "s[threadIdx.x]", "printf(\"%d", "a[i] * b[i]", "1 << n", "{", "+", "C++", "x\\y", "a|b", "^$"):
        search(chrome, "barrier")
        results = search(chrome, words)
        check(chrome.run("found.querySelector('b')?.textContent ?? found.textContent") != "" and not any("barrier" in name.lower() for _, name in results[:1]),
              f"{words}: the results are still those of another search: {results[:2]}")
    check(any("atomic" in name.lower() or link.endswith(".cu.html") for link, name in search(chrome, "atomicAdd(")), "atomicAdd( finds nothing")
    check(search(chrome, "xyzzyx") == [] and chrome.run("found.textContent") == "No results", "what nobody wrote is found")
    for link, _ in search(chrome, "barrier"):
        page = (folder / "ch05_threads" / link.partition("#")[0]).resolve()
        check(page.is_file() and folder in page.parents, f"a result leads to {link}, which is not there")
    marked = chrome.run("[...found.querySelectorAll('mark')].map(m => m.textContent.toLowerCase())")
    check(bool(marked) and set(marked) == {"barrier"}, f"marked: {set(marked)}")
    # The keys: down twice, up, Enter.
    for key in ("ArrowDown", "ArrowDown", "ArrowUp"):
        chrome.key(key)
    check(chrome.run("[...found.querySelectorAll('a')].findIndex(a => a.matches('.chosen'))") == 0, "the arrows choose a result")
    chrome.key("Escape")
    check(chrome.run("found.hidden"), "Escape closes the results")
    search(chrome, "contention")
    chrome.key("Enter")
    check(wait_for_page(chrome, "GLOSSARY.html#contention"), "Enter opens the first result")
    check(chrome.complaints() == [], f"searching, the console says {chrome.complaints()}")


def wait_for_page(chrome, end):
    for _ in range(100):
        try:
            if chrome.run("location.href").endswith(end) and chrome.run("document.readyState") == "complete":
                return True
        except RuntimeError:  # between two pages
            pass
        time.sleep(0.05)
    return False


def check_theme(chrome, folder, check):
    color = "getComputedStyle(document.body).backgroundColor"
    chrome.shape(1280, 900)
    chrome.open((folder / "README.html").as_uri())
    light = chrome.run(color)
    for name, expected in (("Light", True), ("Dark", False)):
        chrome.run("theme_button.click()")
        check((chrome.run(color) == light) == expected and chrome.run("theme_button.textContent") == name, f"the switch: {name}")
    chrome.open((folder / "ch05_threads/README.html").as_uri())
    check(chrome.run(color) != light, "the next page has forgotten the colors")
    chrome.shape(1280, 900, dark=False)
    chrome.key("t")
    check(chrome.run("theme_button.textContent") == "System" and chrome.run(color) == light, "t: as the system, which is light")
    chrome.shape(1280, 900, dark=True)
    check(chrome.run(color) != light, "as the system, which is dark")
    chrome.shape(1280, 900)


def check_copy(chrome, folder, check):
    chrome.open((folder / "README.html").as_uri())
    chrome.run("(() => { window.copied = []; copy = async text => { copied.push(text); }; })()")
    chrome.run("[...document.querySelectorAll('.block')].find(b => b.textContent.includes('./course tour')).querySelector('.copy').click()")
    copied = chrome.run("copied")
    check(len(copied) == 1 and copied[0].startswith("./course tour    #") and not copied[0].endswith("\n"), f"copied: {copied}")
    check(chrome.run("document.querySelectorAll('main pre').length === document.querySelectorAll('.copy').length"), "a block has no button")
    session = chrome.run("to_copy(Object.assign(document.createElement('pre'), {textContent: '$ ./course run dot\\n256\\n$ ls\\n'}))")
    check(session == "./course run dot\nls", f"of a session: {session!r}")
    # The clipboard itself, as far as a headless browser has one.
    chrome.call("Browser.grantPermissions", session=None, permissions=["clipboardReadWrite", "clipboardSanitizedWrite"])
    chrome.open((folder / "README.html").as_uri())
    text = chrome.run("(async () => { document.querySelector('.copy').click(); await new Promise(d => setTimeout(d, 200));"
                      " try { return await navigator.clipboard.readText(); } catch (e) { return null; } })()")
    check(text is None or text.startswith("./course tour"), f"the clipboard holds {text!r}")


def check_sidebar(chrome, folder, check):
    chrome.shape(1280, 900)
    chrome.open((folder / "ch05_threads/README.html").as_uri())
    links = chrome.run("[...document.querySelectorAll('.sidebar a')].map(a => a.getAttribute('href'))")
    for link in ("../index.html", "../README.html", "../ch09_atomics/README.html", "../GLOSSARY.html", "../report.html", "#exercises", "MORE.html"):
        check(link in links, f"the sidebar lacks {link}")
    check(chrome.run("document.querySelector('.sidebar [aria-current=page]').textContent") == "5. Threads that work together",
          "the sidebar marks another page")
    chrome.run("document.getElementById('exercises').scrollIntoView(); " + WAIT % 200)
    check(chrome.run("document.querySelector('.sidebar .here')?.hash") == "#exercises", "the sidebar does not follow the reader")
    anchors = chrome.run("[...document.querySelectorAll('main h2')].filter(h => !h.querySelector(`a.anchor[href='#${h.id}']`)).map(h => h.id)")
    check(anchors == [], f"headings without a link: {anchors}")
    # A phone: folded, and it opens.
    chrome.shape(390, 844, mobile=True)
    seen = "document.querySelector('.sidebar').getClientRects().length > 0"
    check(not chrome.run(seen), "a phone shows the sidebar unasked")
    chrome.run("document.querySelector('label.menu').click()")
    check(chrome.run(seen), "a phone's menu does not open")
    check(chrome.run("document.scrollingElement.scrollWidth") <= 390, "the open menu is wider than a phone")
    chrome.shape(1280, 900)


def check_arrows(chrome, folder, check):
    chrome.open((folder / "ch05_threads/README.html").as_uri())
    chrome.key("ArrowRight")
    check(wait_for_page(chrome, "/ch06_constant/README.html"), "the right arrow does not lead to the next chapter")
    chrome.key("ArrowLeft")
    check(wait_for_page(chrome, "/ch05_threads/README.html"), "the left arrow does not lead back")
    is_open = "document.getElementById('keys').open"
    check(not chrome.run(is_open), "the list of keys is shown unasked")
    chrome.key("?")
    check(chrome.run(is_open) and "previous page" in chrome.run("document.getElementById('keys').innerText"), "? lists no keys")
    chrome.key("Escape", code=27)
    check(not chrome.run(is_open), "Escape does not close the list of keys")
    for key, control in (("s", False), ("k", True)):
        chrome.run("document.activeElement.blur()")
        chrome.key(key, control=control)
        check(chrome.run("document.activeElement === field && field.value === ''"), f"{key} does not go to the search")
        chrome.key("Escape")
    chrome.key("k")
    check(not chrome.run("document.activeElement === field"), "k alone goes to the search")


def check_moving(chrome, folder, check):
    """The large animation: a still, until it is clicked."""
    chrome.open((folder / "README.html").as_uri())
    check(chrome.run("!document.querySelector(\"img[src$='galaxies.webp']\")"), "the large animation loads at once")
    check(chrome.run("(i => i.complete && i.naturalWidth === 512)(document.querySelector(\"img[src$='galaxies.still.webp']\"))"),
          "its still is not shown")
    tops = chrome.run("[...document.querySelectorAll('main p > a > img')].slice(0, 5).map(i => Math.round(i.getBoundingClientRect().top))")
    check(len(tops) == 5 and len(set(tops)) == 1, f"the overview's five pictures are not in one row: {tops}")
    chrome.open((folder / "nbody/README.html").as_uri())
    chrome.run("document.querySelector('[data-moving]').click()")
    check(chrome.run("!!document.querySelector(\"img[src$='galaxies.webp']\")"), "a click does not play the animation")


def check_cover(chrome, folder, check):
    chrome.open((folder / "index.html").as_uri())
    check(chrome.run("document.querySelector('.buttons .main').getAttribute('href')") == "ch03_intro/README.html", "Start with chapter 3")
    cards = chrome.run("[...document.querySelectorAll('.chapter')].map(c => c.getAttribute('href'))")
    check(len(cards) == 11 and cards[0] == "ch03_intro/README.html", f"the chapters' cards: {cards}")
    check(chrome.run("[...document.querySelectorAll('.strip img')].every(i => i.complete && i.naturalWidth > 0)"), "a picture of the first page is not shown")
    check(not chrome.run("document.querySelector('article')"), "the first page is a test report")


def check_growing(chrome, folder, check):
    """While a tour runs, an open page grows, and says how far the tour is."""
    sys.path.append(str(ROOT / "tools"))
    from course.programs import choose
    from course.site.report import Card, Results
    from course.site.writing import Site
    page = folder.parent / "growing"
    (page / "dot").mkdir(parents=True)
    (page / "dot/output.txt").write_text("the first output\n")
    site, results = Site(page, []), Results("a test", 3)
    site.write_results(results)
    chrome.open((page / "report.html").as_uri())
    check("0 of 3 programs" in chrome.run("document.body.textContent"), "a report that has just begun")
    card = Card(choose(["dot"])[0], page / "dot")
    card.verdict = "verified"
    results.cards.append(card)
    site.write_results(results)
    check(wait_for_text(chrome, "1 of 3 programs") and "the first output" in chrome.run("document.body.textContent"),
          "the open report does not grow")
    results.running = False
    site.write_results(results)
    check(wait_for_text(chrome, "is running", there=False), "the open report does not notice the end")
    check("1 verified" in chrome.run("document.body.textContent"), "the report at the end")


def wait_for_text(chrome, words, there=True):
    for _ in range(160):
        try:
            if (words in chrome.run("document.body.textContent")) == there:
                return True
        except RuntimeError:  # while it loads again
            pass
        time.sleep(0.05)
    return False


def check_all(chrome, folder, check):
    for part in (check_cover, check_search, check_theme, check_copy, check_sidebar, check_arrows, check_moving, check_growing):
        part(chrome, folder, check)
