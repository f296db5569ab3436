"""The snippets, CHAPTER/snippets/NAME.cu: small programs to copy. tests/pages/snippets_check.py has their form."""

import os
import re

from . import ROOT
from .one_file import one_file
from .programs import CHAPTERS, purpose

TOPIC = re.compile(r"^// Topic: (.+)\n", re.M)
PAGE = ROOT / "SNIPPETS.md"

HEAD = """\
<!-- Written by tools/snippets.py; do not edit. -->
# Snippets

Each snippet is a whole program of 10 to 60 lines. It shows one idea, checks its result and compiles alone. Copy it from
here, or use these commands:

```sh
./course snippet                               # the list
./course snippet NAME > homework.cu            # one of them, as a file of your own
```

All are tested with NVIDIA's nvcc and with that of the CPU device, in ordinary and in checked runs.
"""


class Snippet:
    def __init__(self, path):
        self.path, self.name, self.chapter = path, path.stem, path.parent.parent.name
        text = path.read_text(encoding="utf-8")
        topic = TOPIC.search(text)
        self.topic = topic[1].strip() if topic else "other"
        self.about = purpose(path)

    @property
    def source(self):
        return f"{self.chapter}/snippets/{self.name}.cu"

    def told_on(self):
        """The page of the chapter that links the snippet, README.md first: (its title, its path)."""
        folder = self.path.parent.parent
        pages = [folder / "README.md", *sorted(folder.glob("[!R]*.md"))]
        page = next((page for page in pages if f"snippets/{self.name}.cu" in page.read_text(encoding="utf-8")), pages[0])
        title = re.search(r"^# (.+)", page.read_text(encoding="utf-8"), re.M)
        return title[1], page.relative_to(ROOT).as_posix()

    def code(self):
        """What a user gets: the file, without the line for us; a header of the course is put in."""
        text = self.path.read_text(encoding="utf-8")
        if re.search(r'^[ \t]*#[ \t]*include[ \t]*"', text, re.M):
            text = one_file(self.source)
        return TOPIC.sub("", text, count=1)


def all_snippets():
    """In the order of the chapters, and in each by name."""
    return [Snippet(path) for chapter in CHAPTERS for path in sorted((ROOT / chapter / "snippets").glob("*.cu"))]


def by_topic(snippets):
    """[(topic, its snippets)], the topics by name."""
    topics = {}
    for snippet in snippets:
        topics.setdefault(snippet.topic, []).append(snippet)
    return sorted(topics.items())


def anchor(words):
    return re.sub(r"[^\w\- ]", "", words.lower()).replace(" ", "-")


def page():
    """The text of SNIPPETS.md."""
    topics = by_topic(all_snippets())
    text = HEAD + "\n| topic | snippets |\n| --- | --- |\n"
    for topic, snippets in topics:
        links = ", ".join(f"[{s.name}](#{anchor(s.name)})" for s in snippets)
        text += f"| [{topic}](#{anchor(topic)}) | {links} |\n"
    for topic, snippets in topics:
        text += f"\n## {topic[0].upper()}{topic[1:]}\n"
        for s in snippets:
            code = TOPIC.sub("\n", s.path.read_text(encoding="utf-8"), count=1).rstrip("\n")
            # The comment's first sentence stands above the code.
            title, page = s.told_on()
            text += (f"\n### {s.name}\n\n{s.about} From [{title}]({page}), "
                     f"[{s.name}.cu]({s.source}).\n\n<!-- from {s.source} -->\n```cpp\n{code}\n```\n")
    return text


def listing():
    """Lines of the list: topic by topic, each snippet with its sentence."""
    topics = by_topic(all_snippets())
    width = max((len(s.name) for _, snippets in topics for s in snippets), default=0)
    for number, (topic, snippets) in enumerate(topics):
        yield f"{os.linesep if number else ''}{topic}"
        for s in snippets:
            yield f"  {s.name:{width}}  {s.about}"
