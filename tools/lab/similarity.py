"""Points out submissions that are nearly the same: a hint to look, never a proof."""

import itertools
import re

RUN = 6  # tokens that must follow each other in both
NEARLY = 0.9  # of the runs that either has
SHORTEST = 60  # tokens beyond the starter; shorter answers look alike by themselves

# What does not end goes on to the end of the line or the text: so each character is looked at once.
TOKEN = re.compile(r"""//[^\n]*|/\*(?:.*?\*/|.*\Z)|"(?:\\.|[^"\\\n])*"?|[A-Za-z_]\w*|\d[\w.]*|[^\s\w]""", re.S)


def tokens(text):
    return [token for token in TOKEN.findall(text) if not token.startswith(("//", "/*"))]


def runs(text):
    all_tokens = tokens(text)
    return {tuple(all_tokens[i:i + RUN]) for i in range(len(all_tokens) - RUN + 1)}


def alike(answers, starter):
    """Lines for a person, of [(student, text)]."""
    given = runs(starter)
    own = [(name, runs(text) - given) for name, text in answers]
    own = [(name, some) for name, some in own if len(some) >= SHORTEST]
    lines = []
    for (name, some), (other_name, others) in itertools.combinations(own, 2):
        share = len(some & others) / len(some | others)
        if share >= NEARLY:
            lines.append(f"{name} and {other_name} are nearly the same, {share:.0%} of what they "
                         "added to the starter: only a hint, a person has to look")
    return lines
