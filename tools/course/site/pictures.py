"""Pictures: an animation that is too large to load with a page is shown as a still, and loads when one clicks it."""

import html
import re
import struct

LARGEST = 300_000  # bytes of a picture that loads with a page


def chunks(data, begin):
    """The chunks of a RIFF file: (name, contents)."""
    while begin + 8 <= len(data):
        name, size = data[begin:begin + 4], struct.unpack_from("<I", data, begin + 4)[0]
        yield name, data[begin + 8:begin + 8 + size]
        begin += 8 + size + size % 2


def still_of(path):
    """A WebP of a frame of an animated WebP, from its middle if there is one that covers the whole picture. None if
    the file is something else."""
    data = path.read_bytes()
    if data[:4] != b"RIFF" or data[8:12] != b"WEBP":
        return None
    size, whole = b"", []
    for name, contents in chunks(data, 12):
        if name == b"VP8X":
            size = contents[4:10]
        if name == b"ANMF" and contents[:6] == bytes(6) and contents[6:12] == size:
            whole.append(contents[16:])
    if not whole:
        return None
    frame = whole[len(whole) // 2] if len(whole) > 2 else whole[0]
    parts = dict(chunks(frame, 0))
    body = b""
    if b"ALPH" in parts:
        body += chunk(b"VP8X", b"\x10\0\0\0" + size) + chunk(b"ALPH", parts[b"ALPH"])
    for name in (b"VP8 ", b"VP8L"):
        if name in parts:
            body += chunk(name, parts[name])
    return b"RIFF" + struct.pack("<I", 4 + len(body)) + b"WEBP" + body


def chunk(name, contents):
    return name + struct.pack("<I", len(contents)) + contents + b"\0" * (len(contents) % 2)


def lazy(tag):
    """An <img> that loads when it comes into view."""
    return tag if " loading=" in tag else tag.replace("<img ", '<img loading="lazy" ', 1)


def for_phones(tag, narrow):
    """An <img> that shows `narrow` on a phone: where a page has one column, see site.css."""
    return f'<picture><source media="screen and (max-width: 40rem)" srcset="{html.escape(narrow)}">{tag}</picture>'


def as_still(tag, still):
    """An <img> that shows the still; a click shows what it is of."""
    source = re.search(r'src="([^"]*)"', tag)[1]
    return tag.replace(f'src="{source}"', f'src="{html.escape(still)}" data-moving="{source}"', 1)
