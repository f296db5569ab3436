"""The index of the search, as a script that loads from any folder, also without a server."""

import json
import re

from .markdown import ANCHOR, plain

BREAKS = re.compile(r"</(?:p|li|td|th|tr|h\d|pre|summary|figure)>|<br ?/?>")
# Where an entry begins: at a heading, or at a term that is explained.
BEGINS = re.compile(r'(<h[1-4] id="[^"]*">.*?</h[1-4]>|<a id="[^"]*"></a><strong>.*?</strong>)', re.S)


def words(body):
    """What one reads of a piece of HTML, on one line."""
    return re.sub(r"\s+", " ", plain(BREAKS.sub(r"\g<0> ", ANCHOR.sub("", body)))).strip()


class Index:
    """Its entries are sections: [page, title of the page, heading, id, text]."""

    def __init__(self):
        self.entries = []

    def add_page(self, page, title, body):
        """A page made of Markdown: an entry for each of its sections, and for each term that it explains."""
        heading, slug = title, ""
        for part in BEGINS.split(body):
            if BEGINS.fullmatch(part):
                heading = plain(part)
                slug = "" if part.startswith("<h1") else re.search(r'id="([^"]*)"', part)[1]
            elif text := words(part):
                self.entries.append([page, title, heading, slug, text.lstrip(":., ")])

    def add_source(self, page, title, purpose, text):
        """A source file: what it is for, and every word of it once."""
        names = dict.fromkeys(re.findall(r"[A-Za-z_]\w{2,}", text))
        self.entries.append([page, title, purpose, "", " ".join(names)])

    def script(self):
        """Sorted, so that it is the same whenever it is written again."""
        lines = ",\n".join(json.dumps(entry, ensure_ascii=False) for entry in sorted(self.entries))
        return f"course_index([\n{lines}\n]);\n".replace("</", "<\\/")
