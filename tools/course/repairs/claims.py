"""Claims: a thread looks at a word and changes it in a second step, between which another thread may do the same.

A change makes one atomic operation of the two steps, repeats a compare-and-swap that may fail, or brings two steps into the other
order. A word is written here as the programs do: `&x`, `&x[i]` or `p`.
"""

import itertools
import re

from .atomics import FENCE
from .program import Change, Spans, indentation

WORD = r"(?P<word>&?\w+(?:\[[^\[\]]*\]|(?:->|\.)\w+)*)"
ZERO = r"0[uUlL]*"
LOOK = rf"atomic(?:Add|Or|Sub)\({WORD}, {ZERO}\)"
SAME = r"(?P=word)"
LEFT = r"(?P<indent>[ \t]*)(?P<left>(?:const )?(?:[\w:]+ )*?(?P<name>[A-Za-z_][\w\[\].]*) = )"
NUMBER = r"-?\d+[uUlL]*"
# Statements that order threads. Two of them next to each other may be in the wrong order.
ORDERING = re.compile(r"^\s*(?:if \([^;{]*\)\s*)?(?:while \(.*atomic\w+\(.*|atomic(?:Exch|Add|Sub)\(.*;|asm volatile\(\"(?:bar|barrier)\.(?:cta\.)?arrive.*|"
                      r"[\w.]+\.barrier_arrive\(\);|\w+\.arrive\(\);)\s*$")


def claims(program, places):
    """Changes of the claims in the functions that the finding is about, and in the others of the program."""
    near = [program.function(number) for number in places]
    found = [change for make in (two_steps, looks, locks, extremes, wraps, loops, renewals, bits, releases, swaps_of_all, empties)
             for change in make(program)]
    return sorted(found, key=lambda change: not any(first <= line_of(program, change) <= last for first, last in near))


def line_of(program, change):
    if isinstance(change, Spans):
        return program.line_of(change.parts[0][0])
    return min([*change.before, *change.replaced])


def with_number(text, added):
    """The sum, in the same type."""
    return f"{int(re.match(r'-?[0-9]+', text)[0]) + added}{re.sub(r'^-?[0-9]+', '', text)}"


def two_steps(program):
    """x = look; change; becomes x = change, whose result is the old value. With a test, it becomes a compare-and-swap."""
    found = []
    for match in re.finditer(rf"^{LEFT}{LOOK}(?P<rest>[^;]*);\s*(?:if \((?P<condition>\w+)\)\s*)?"
                             rf"atomic(?P<op>Add|Sub|Exch|Inc)\({SAME}, (?P<value>[^;]+)\);[ \t]*\n?", program.text, re.M):
        begin = f"{match['indent']}{match['left']}"
        word, value, op = match["word"], match["value"], match["op"]
        tested = re.fullmatch(rf" == (?P<number>{NUMBER})", match["rest"])
        if tested and match["condition"] in (None, match["name"]):
            number = tested["number"]
            if op != "Exch" and not re.fullmatch(NUMBER, value):
                continue
            new = value if op == "Exch" else with_number(number, int(re.match("-?[0-9]+", value)[0]) * (1 if op == "Add" else -1))
            found.append(Spans((match.start(), match.end(), f"{begin}atomicCAS({word}, {number}, {new}) == {number};\n")))
        elif not match["rest"] and not match["condition"]:
            step = re.fullmatch(rf"{re.escape(match['name'])} ([+-]) (.+)", value)
            if op == "Exch" and step:
                op, value = {"+": "Add", "-": "Sub"}[step[1]], step[2]
            if not re.search(rf"\b{re.escape(match['name'])}(?!\w)", value):
                found.append(Spans((match.start(), match.end(), f"{begin}atomic{op}({word}, {value});\n")))
    # The change first, and a look afterwards.
    for match in re.finditer(rf"^[ \t]*atomic(?P<op>Add|Sub)\({WORD}, (?P<value>{NUMBER})\);\s*"
                             rf"^{LEFT}atomic(?:Add|Or|Sub)\({SAME}, {ZERO}\) == (?P<number>{NUMBER});", program.text, re.M):
        step = int(re.match("-?[0-9]+", match["value"])[0])
        number = with_number(match["number"], step if match["op"] == "Sub" else -step)
        call = f"atomic{match['op']}({match['word']}, {match['value']}) == {number};"
        found.append(Spans((match.start(), match.end(), f"{match['indent']}{match['left']}{call}")))
    return found


def looks(program):
    """if (look == a) { ... } becomes if (atomicCAS(a, b) == a) { ... }. b is what the block writes first, or a new number."""
    found = []
    for match in re.finditer(rf"if \({LOOK} == (?P<number>{NUMBER})\)(?P<begin> \{{\s*)(?P<set>atomicExch\({SAME}, (?P<new>[^;]+)\);\s*)?",
                             program.text):
        word, number = match["word"], match["number"]
        if match["set"]:
            found.append(Spans((match.start(), match.end(), f"if (atomicCAS({word}, {number}, {match['new']}) == {number}){match['begin']}")))
        else:
            used = re.findall(rf"atomic\w+\({re.escape(word)}[^;]*?(?:, |[!=]= )(\d+)", program.text)
            free = next(n for n in itertools.count(int(re.match("-?[0-9]+", number)[0]) + 1) if str(n) not in used)
            found.append(Spans((match.start(), match.end(), f"if (atomicCAS({word}, {number}, {free}) == {number}){match['begin']}")))
    return found


def locks(program):
    """The loop that takes a lock: it looks and takes in one step, repeats, and compares with the value of a free lock."""
    found = []
    for match in re.finditer(rf"while \({LOOK} != (?P<free>{NUMBER})\)(?P<body>\s*\{{\s*\}}| [^;]*;|\s*;)\s*atomicExch\({SAME}, (?P<taken>{NUMBER})\);",
                             program.text):
        loop = f"while (atomicCAS({match['word']}, {match['free']}, {match['taken']}) != {match['free']}){match['body']}"
        found.append(Spans((match.start(), match.end(), loop)))
    for match in re.finditer(rf"\bif (?=\(atomicCAS\({WORD}, (?P<free>{NUMBER}), {NUMBER}\) != (?P=free)\))", program.text):
        found.append(Spans((match.start(), match.end(), "while ")))
    for match in re.finditer(rf"while \(atomicCAS\({WORD}, (?P<old>{NUMBER}), (?P<new>{NUMBER})\) == (?P=old)\)", program.text):
        free = re.search(rf"(?<!== 0\) )atomicExch\({re.escape(match['word'])}, ({NUMBER})\);", program.text[match.end():])
        if free:
            taken = match["new"] if match["new"] != free[1] else match["old"] if match["old"] != free[1] else with_number(free[1], 1)
            found.append(Spans((match.start(), match.end(), f"while (atomicCAS({match['word']}, {free[1]}, {taken}) != {free[1]})")))
    return found


def extremes(program):
    """if (mine > look) atomicExch(mine) becomes atomicMax(mine); the same with an old value, and with a compare-and-swap."""
    found = []
    for match in re.finditer(rf"if \((?P<mine>[\w.]+) (?P<sign>[<>])=? (?:{LOOK}|(?P<old>\w+))\)\s*"
                             rf"(?:atomicExch\((?P<to>[^,;]+), (?P=mine)\)|atomicCAS\((?P<at>[^,;]+), (?P=old), (?P=mine)\))", program.text):
        word = match["to"] or match["at"]
        if match["word"] in (None, word):
            found.append(Spans((match.start(), match.end(), f"atomic{'Max' if match['sign'] == '>' else 'Min'}({word}, {match['mine']})")))
    return found


def wraps(program):
    """x = atomicAdd(&n, 1); if (x == last) atomicExch(&n, 0); becomes x = atomicInc(&n, last)."""
    return [Spans((match.start(), match.end(), f"{match['indent']}{match['left']}atomicInc({match['word']}, {match['last']});\n"))
            for match in re.finditer(rf"^{LEFT}atomicAdd\({WORD}, 1u?\);\s*if \((?P=name) == (?P<last>[^;()]+)\)\s*"
                                     rf"atomicExch\({SAME}, {ZERO}\);[ \t]*\n", program.text, re.M)]


def loops(program):
    """x = look; ...; one compare-and-swap or exchange with a value made of x: a loop that repeats it until no other thread
    has come between."""
    found = []
    for match in re.finditer(rf"^(?P<indent>[ \t]*)(?P<const>const )?(?P<type>[\w: ]+?) (?P<name>\w+) = (?:{LOOK}|\*(?P<pointer>\w+));[ \t]*\n"
                             r"(?P<body>(?:[^{}\n]*;[ \t]*\n){0,4}?)"
                             r"[ \t]*atomic(?:CAS\((?P<at>[^,;]+), (?P=name), (?P<new>[^;]+)\)|Exch\((?P<to>[^,;]+), (?P<made>[^;]*\b(?P=name)\b[^;]*)\));",
                             program.text, re.M):
        word = match["at"] or match["to"]
        if word not in (match["word"], match["pointer"]):
            continue
        indent, name = match["indent"], match["name"]
        new = re.sub(rf"\b{name}\b", "assumed", match["new"] or match["made"])
        look = program.text[program.text.index("= ", match.end("name")) + 2:match.start("body")].strip()
        body = "".join(f"  {line}\n" for line in match["body"].splitlines())
        loop = (f"{indent}{match['type']} {name} = {look.rstrip(';')}, assumed;\n{indent}do {{\n{indent}  assumed = {name};\n{body}"
                f"{indent}  {name} = atomicCAS({word}, assumed, {new});\n{indent}}} while ({name} != assumed);")
        found.append(Spans((match.start(), match.end(), loop)))
    return found


def renewals(program):
    """What depends on the old value, before a loop of compare-and-swaps, moves into the loop."""
    found = []
    for match in re.finditer(r"^(?P<set>[ \t]*[\w\[\].>-]+ = (?P<name>\w+);[^\n]*\n)[ \t]*do \{\s*\n[ \t]*(?P<assumed>\w+) = (?P=name);[ \t]*\n", program.text, re.M):
        line = f"  {match['set'].rstrip()}\n"
        found.append(Spans((match.start("set"), match.end("set"), ""), (match.end(), match.end(), line)))
    return found


def bits(program):
    """x = the place of a free bit, then the bit is set: repeat until this thread is the one that has set it."""
    found = []
    for match in re.finditer(rf"^(?P<indent>[ \t]*)(?:const )?(?P<type>[\w:]+) (?P<name>\w+) = (?P<look>[^;\n]*atomicOr\({WORD}, {ZERO}\)[^;\n]*);[ \t]*\n"
                             rf"[ \t]*(?P<set>atomicOr\({SAME}, (?P<mask>[^;]*\b(?P=name)\b[^;]*)\));", program.text, re.M):
        indent, name = match["indent"], match["name"]
        found.append(Spans((match.start(), match.end(), f"{indent}{match['type']} {name};\n{indent}do {{\n{indent}  {name} = {match['look']};\n"
                                                        f"{indent}}} while (({match['set']} & ({match['mask']})) != 0);")))
    return found


def releases(program):
    """A lock is released only by the thread that has taken it, and once."""
    found = []
    for match in re.finditer(rf"bool (?P<mine>\w+) = atomicCAS\({WORD}, (?P<free>{NUMBER}), {NUMBER}\) == (?P=free);", program.text):
        release = re.compile(rf"^(?P<indent>[ \t]*)(?=atomicExch\({re.escape(match['word'])}, {match['free']}\);)", re.M).search(program.text, match.end())
        if release:
            found.append(Spans((release.end(), release.end(), f"if ({match['mine']}) ")))
    for match in re.finditer(rf"^[ \t]*(?P<first>atomicExch\({WORD}, {NUMBER}\);)\s*^(?P<second>[ \t]*(?P=first)[^\n]*\n)", program.text, re.M):
        found.append(Spans((match.start("second"), match.end("second"), "")))
    return found


def exchanged(program, one, other, fence=None):
    """The two lines change places. With a fence before what is then the second."""
    lines = program.lines
    second = f"{indentation(lines[one - 1])}{fence}\n{lines[one - 1]}" if fence else lines[one - 1]
    return Change(replaced={one: lines[other - 1], other: second})


def swaps_of(program, numbers):
    found = []
    for one in numbers:
        for other in range(one + 1, min(one + 4, len(program.code)) + 1):
            first, second = program.code[one - 1], program.code[other - 1]
            if indentation(first) != indentation(second) or not second.rstrip().endswith(";") or not first.rstrip().endswith(";"):
                continue
            orders = [bool(ORDERING.match(line)) for line in (first, second)]
            skipped = program.code[one:other - 1]
            if not any(orders) or not all(not line.strip() or "threadfence" in line for line in skipped):
                continue
            flag = orders[0] and not orders[1] and "atomic" in first
            if all(orders) or orders[0] and not orders[1]:
                found.append(exchanged(program, one, other, FENCE if flag else None))
    return found


def swaps(program, places):
    """A statement that orders threads, right before one of the lines, comes after it."""
    return swaps_of(program, sorted({n for place in places for n in (place - 1, place - 2) if n > 0}))


def late_data(program, places):
    """Data that the host writes right after its volatile flag come before it."""
    found = []
    for number in sorted(set(places)):
        flag = re.match(r"\s*\*(\w+) = [^;=]+;", program.code[number - 2]) if number > 1 else None
        if flag and "volatile" in program.declared(flag[1]):
            found.append(exchanged(program, number - 1, number))
    return found


def swaps_of_all(program):
    return [change for change in swaps_of(program, range(1, len(program.code)))
            if all(ORDERING.match(program.code[n - 1]) for n in change.replaced)]


def empties(program):
    """A word that says that data is there, set after it and cleared by who took it: wait until it is cleared before the data
    is written again."""
    found = []
    for match in re.finditer(rf"^(?P<indent>[ \t]*)[\w\[\]]+ = [^;=]+;[^\n]*\n\s*__threadfence\(\);\s*atomicExch\({WORD}, (?P<full>{NUMBER})\);", program.text, re.M):
        empty = [value for value in re.findall(rf"atomicExch\({re.escape(match['word'])}, ({NUMBER})\);", program.text) if value != match["full"]]
        if empty:
            wait = f"{match['indent']}while (atomicAdd({match['word']}, 0) != {empty[0]}) __nanosleep(20);\n{match['indent']}{FENCE}\n"
            found.append(Spans((match.start(), match.start(), wait)))
    return found


def targets(program):
    """A loop that waits until a certain number of blocks has arrived waits for all of them."""
    found = []
    for number, code in enumerate(program.code, 1):
        match = re.search(rf"while \({LOOK} < (?P<number>\d+)\)", code)
        if match:
            found.append(Change(replaced={number: program.replaced(number, match.start("number"), match.end("number"), "gridDim.x")}))
    return found


