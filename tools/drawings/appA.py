"""The drawings of appA_hashtable/README.md."""

from drawing import BLUE, DARK, ORANGE, PANEL, RED, SOFT, Drawing


def bucket_lists(narrow):
    d = Drawing(narrow, "appA_hashtable/images/bucket_lists.svg", (380, 756),
                "A table of buckets, each the head of a list of entries; and how an insertion gets lost")
    d.text(d.pick(20, 14), 28, "four buckets, bucket = key % 4; a list for each", d.pick(14, 13), anchor="start", bold=True)
    # An entry: the arrow to it, the box of its key, and the box of its pointer.
    arrow, key_width, next_width = d.pick((44, 46, 24), (28, 28, 16))
    chains = {0: (8, 20), 1: (5,), 2: (), 3: (7, 3, 11)}
    for bucket in range(4):
        y = 44 + 38 * bucket
        d.text(d.pick(20, 12), y + 19, f"entries[{bucket}]", 12, anchor="start", mono=True)
        d.box(d.pick(100, 90), y, d.pick(30, 22), 28, "", BLUE)
        x = d.pick(120, 102)
        for key in chains[bucket]:
            d.arrow(x, y + 14, x + arrow, y + 14)
            d.box(x + arrow + 2, y, key_width, 28, key, ORANGE, 13)
            d.box(x + arrow + 2 + key_width, y, next_width, 28, "", PANEL)
            x += d.pick(106, 66)
        d.arrow(x, y + 14, x + d.pick(26, 20), y + 14)
        d.text(x + d.pick(44, 35), y + 18, "null", 12, color=SOFT)
    d.origin = d.pick((0, 0), (-491, 158))
    d.text(505, 62, "a new entry goes to the front:", 12, anchor="start")
    d.text(505, 82, "entry->next = *head;", 12, anchor="start", mono=True)
    d.text(505, 100, "*head = entry;", 12, anchor="start", mono=True)
    d.text(505, 126, "entries come from a pool:", 12, anchor="start", color=SOFT)
    d.text(505, 142, "nothing is allocated", 12, anchor="start", color=SOFT)
    d.origin = (d.pick(0, -6), d.pick(0, 112))
    d.line(20, 206, d.pick(700, 346), 206)
    d.text(20, 230, "two threads at once, no lock: an entry is lost", d.pick(14, 13), anchor="start", bold=True)
    steps = ("both read: the list is empty", "both set their next to null",
             "both set head: the last one wins")
    for k, words in enumerate(steps):
        left = d.pick(20 + 232 * k, 70)
        d.origin = (d.pick(0, 2), d.pick(0, 112 + 130 * k))
        d.box(left, 244, 216, 122, fill=PANEL, radius=8)
        d.text(left + 108, 262, words, 12)
        d.box(left + 14, 288, 30, 28, "", BLUE)
        d.text(left + 29, 332, "head", 11, color=SOFT)
        for row, word in enumerate(("avocado", "aardvark")):
            y = 272 + 46 * row
            lost = k == 2 and row == 0
            d.box(left + 88, y, 78, 30, word, RED if lost else ORANGE, 12)
            if k > 0:
                d.arrow(left + 166, y + 15, left + 184, y + 15)
                d.text(left + 198, y + 19, "null", 11, color=SOFT)
        if k == 0:
            d.arrow(left + 44, 302, left + 62, 302)
            d.text(left + 76, 306, "null", 11, color=SOFT)
        if k == 1:
            d.arrow(left + 44, 302, left + 60, 302)
            d.text(left + 72, 308, "null", 11, color=SOFT)
        if k == 2:
            d.arrow(left + 44, 304, left + 86, 330)
            d.text(left + 127, 314, "in no list", 11, color=DARK[RED])
    return d


DRAWINGS = (bucket_lists,)
