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


def groups(answers, starter):
    """[(names, smallest share of two that are linked)] of [(name, text)]: those who are linked by being nearly
    the same, directly or through others."""
    given = runs(starter)
    own = [(name, runs(text) - given) for name, text in answers]
    own = [(name, some) for name, some in own if len(some) >= SHORTEST]
    group = {name: (name,) for name, _ in own}
    shares = {}
    for (name, some), (other, others) in itertools.combinations(own, 2):
        if min(len(some), len(others)) < NEARLY * max(len(some), len(others)):
            continue
        share = len(some & others) / len(some | others)
        if share >= NEARLY:
            joined = group[name] if group[name] == group[other] else group[name] + group[other]
            lowest = min(share, shares.get(group[name], 1), shares.get(group[other], 1))
            for one in joined:
                group[one] = joined
            shares[joined] = lowest
    return [(list(names), shares[names]) for names in dict.fromkeys(group.values()) if len(names) > 1]


def alike(found):
    """Lines for a person; found: what groups() says."""
    return [f"{', '.join(names[:-1])} and {names[-1]} are nearly the same, {share:.0%} of what they added to the starter: "
            "only a hint: a person must compare them" for names, share in found]
