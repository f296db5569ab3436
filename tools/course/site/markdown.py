"""A Markdown file as the body of a page. cmark-gfm converts it; what it knows nothing of is done here: ids and
links of headings, wide tables, pictures."""

import html
import re
import subprocess

# The space between a number and its unit, where a narrow column must not break the line.
UNIT = re.compile(r"(?<=[0-9]) (?=(?:[numk]?s|min|h|[kMGTP]i?B(?:/s)?|bytes?|[GT]FLOP/s|%|[MG])(?![\w]))")
ANCHOR = re.compile(r' <a class="anchor".*?</a>')


def plain(text):
    """HTML without its tags, as one reads it."""
    return html.unescape(re.sub(r"<[^>]*>", "", ANCHOR.sub("", text))).strip()


def with_ids(body):
    """The headings with the ids that code hosts give them, and a link to each."""
    seen = {}

    def heading(match):
        level, text = match[1], match[2]
        slug = re.sub(r"[^\w\- ]", "", plain(text).lower()).replace(" ", "-")
        count = seen[slug] = seen.get(slug, -1) + 1
        slug += f"-{count}" if count else ""
        anchor = f' <a class="anchor" href="#{slug}" aria-label="Link to this section">#</a>' if level != "1" else ""
        return f'<h{level} id="{slug}">{text}{anchor}</h{level}>'

    return re.sub(r"<h([1-6])>(.*?)</h\1>", heading, body, flags=re.S)


def cell(match):
    """A table's cell. One with a sentence is marked, so that no narrow column stretches it downwards."""
    mark = ' class="long"' if len(plain(f"<td{match[1]}")) > 30 else ""
    return f"<td{mark}{UNIT.sub(chr(0xa0), match[1])}"


def sections(body):
    """The page's sections: (id, words)."""
    return [(slug, plain(text)) for slug, text in re.findall(r'<h2 id="([^"]*)">(.*?)</h2>', body, re.S)]


def figure(match):
    kind = "drawing" if '.svg"' in match[1] else "picture"
    images = re.sub(r'<img src="([^"]*)"[^>]*>', r'<a href="\1">\g<0></a>', match[1])
    return f'<figure class="{kind}" tabindex="0">{images}</figure>'


def converted(path, target, picture):
    """The body. `target(link)`: what a link becomes; `picture(tag)`: what an <img> becomes."""
    command = ["cmark-gfm", "--unsafe", "--extension", "table", "--extension", "strikethrough", str(path)]
    body = subprocess.run(command, stdout=subprocess.PIPE, check=True, encoding="utf-8").stdout
    body = with_ids(re.sub(r"<!--.*?-->\n?", "", body, flags=re.S))
    body = re.sub(r"<[a-z][^>]*>", lambda tag: re.sub(
        r'\b(href|src|srcset)="([^"]*)"',
        lambda m: f'{m[1]}="{html.escape(target(html.unescape(m[2])))}"', tag[0]), body)
    # What may be wider than a phone scrolls in a box of its own; a picture opens in full.
    body = re.sub(r"(<table>.*?</table>)", r'<div class="scroll" tabindex="0">\1</div>', body, flags=re.S)
    # An option in a line of text is not broken behind its hyphens.
    body = re.sub(r"(?<!<pre>)<code>.*?</code>", lambda code: re.sub(
        r"--?[\w][\w-]*", r'<span class="option">\g<0></span>', code[0]), body, flags=re.S)
    body = re.sub(r"<td(.*?</td>)", cell, body, flags=re.S)
    body = body.replace("<pre>", '<pre tabindex="0">')
    body = re.sub(r"<p>((?:<img [^>]*>\s*)+)</p>", figure, body)
    return re.sub(r"<img [^>]*>", lambda tag: picture(tag[0]), body)
