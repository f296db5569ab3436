"""Prints a snippet: a small program to copy."""

from ..messages import Problem
from ..programs import nearest
from ..snippets import all_snippets, listing

USAGE = "snippet [NAME]"
ABOUT = """Prints a snippet: a program of 10 to 60 lines that shows one idea and compiles alone. Without NAME
it lists all snippets by topic.

    ./course snippet NAME > homework.cu && nvcc homework.cu"""
MOST_WORDS = 1
CHOOSES_DEVICE = False


def run(_, words):
    if not words:
        print("\n".join(listing()))
        return 0
    name = words[0].rpartition("/")[2].removesuffix(".cu")
    snippets = {snippet.name: snippet for snippet in all_snippets()}
    if name not in snippets:
        near = nearest(name, snippets)
        raise Problem(f"there is no snippet '{name}'{'; did you mean ' + ', '.join(near) + '?' if near else ''} "
                      "(./course snippet lists all)")
    print(snippets[name].code(), end="")
    return 0
