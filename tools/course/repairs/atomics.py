"""Atomic operations instead of plain ones, fences, and wider scopes."""

import itertools
import re

from .program import Change, base

FENCE, SYSTEM_FENCE = "__threadfence();", "__threadfence_system();"
OPERATORS = {"+": "atomicAdd", "-": "atomicSub", "|": "atomicOr", "&": "atomicAnd", "^": "atomicXor"}
TARGET = r"(?P<target>\*?[A-Za-z_]\w*(?:(?:->|\.)\w+|\[[^=;]*?\])*)"
# x++, ++x, x += e, x = x + e, alone in a statement.
UPDATES = (rf"(?:{TARGET}\s*(?P<unary>\+\+|--))", rf"(?:(?P<prefix>\+\+|--)\s*{TARGET})",
           rf"(?:{TARGET}\s*(?P<compound>[-+|&^])=\s*(?P<value>[^;=]+))",
           rf"(?:{TARGET}\s*=\s*(?P=target)\s*(?P<operator>[-+|&^])\s*(?P<other>[^;]+))",
           rf"(?:{TARGET}\s*=\s*f?(?P<extreme>max|min)f?\((?P=target),\s*(?P<third>[^;]+)\))",
           rf"(?:{TARGET}\s*=\s*f?(?P<first>max|min)f?\((?P<fourth>[^;,]+),\s*(?P=target)\))")
# if (e > x) x = e, and if (condition && e > x) x = e.
EXTREME = re.compile(rf"if \((?:(?P<condition>.+) && )?(?P<mine>[\w.]+) (?P<sign>[<>])=? {TARGET}\)\s*(?P=target) = (?P=mine)(?=;)")
START = r"(?<![\w.\])>*])"  # of an expression


def address(program, target):
    """The pointer that an atomic function takes, without `volatile`."""
    pointer = target[1:] if target.startswith("*") else f"&{target}"
    if "volatile" in program.declared(base(target)):
        return f"const_cast<{program.type_of(base(target))}*>({pointer})"
    return pointer


def updated(program, number):
    """The line with an atomic function instead of its plain update; None if there is no update."""
    code = program.code[number - 1]
    extreme = EXTREME.search(code)
    if extreme:
        name = "atomicMax" if extreme["sign"] == ">" else "atomicMin"
        condition = f"if ({extreme['condition']}) " if extreme["condition"] else ""
        return program.replaced(number, extreme.start(), extreme.end(),
                                f"{condition}{name}({address(program, extreme['target'])}, {extreme['mine']})")
    for pattern in UPDATES:
        match = re.search(rf"{START}{pattern}(?=\s*;)", code)
        if match is None:
            continue
        parts = {key: value for key, value in match.groupdict().items() if value is not None}
        name = parts.get("extreme") or parts.get("first")
        if name:
            function, value = f"atomic{name.capitalize()}", parts.get("third") or parts["fourth"]
        else:
            function = OPERATORS[(parts.get("unary") or parts.get("prefix") or parts.get("compound") or parts["operator"])[0]]
            value = parts.get("value") or parts.get("other") or "1"
        return program.replaced(number, match.start(), match.end(), f"{function}({address(program, parts['target'])}, {value.strip()})")
    return None


def updates(program, places):
    replaced = {number: updated(program, number) for number in set(places)}
    return [Change(replaced=replaced)] if replaced and None not in replaced.values() else []


def written(program, number, only=None):
    """The line with atomicExch(&x, e) instead of x = e."""
    code = program.code[number - 1]
    match = re.search(rf"{START}{TARGET}\s*=\s*(?P<value>[^;=]+)(?=;)", code)
    if match is None or only is None and "atomic" in code or only not in (None, match["target"]):
        return None
    value = {"true": "1", "false": "0"}.get(match["value"].strip(), match["value"].strip())
    return program.replaced(number, match.start(), match.end(), f"atomicExch({address(program, match['target'])}, {value})")


def writes(program, places):
    """x = e becomes atomicExch(&x, e), in each of the lines that is such a write."""
    replaced = {number: line for number in set(places) if (line := written(program, number)) is not None}
    return [Change(replaced=replaced)] if replaced else []


def stores(program, places):
    """x = e becomes a relaxed store through a cuda::atomic_ref, which also takes a bool."""
    replaced = {}
    for number in set(places):
        match = re.search(rf"{START}{TARGET}\s*=\s*(?P<value>[^;=]+)(?=;)", program.code[number - 1])
        kind = match and program.type_of(base(match["target"]))
        if kind:
            store = (f"cuda::atomic_ref<{kind}, cuda::thread_scope_device>({match['target']})"
                     f".store({match['value'].strip()}, cuda::memory_order_relaxed)")
            replaced[number] = program.replaced(number, match.start(), match.end(), store)
    if len(replaced) < len(set(places)):
        return []
    if "#include <cuda/atomic>" in program.text:
        return [Change(replaced=replaced)]
    return [Change({program.first: "#include <cuda/atomic>\n"}, replaced)]


def objects(program, places):
    """What the lines change: x of an assignment, and of an atomic function."""
    found = []
    for number in places:
        code = program.code[number - 1]
        found += [match[1] for match in re.finditer(r"atomic\w+\(&([\w.\[\]>-]+?)\s*,", code)]
        found += ["*" + match[1] for match in re.finditer(r"atomic\w+\((\w+)\s*,", code)]
        found += [match["target"] for match in re.finditer(rf"{START}{TARGET}\s*(?:=(?!=)|[-+|&^]=|\+\+|--)", code)]
    return dict.fromkeys(found)


def is_in_condition(text):
    """Whether the parenthesis of an `if` or a `while` is open at the end of the text."""
    begin = list(re.finditer(r"\b(?:if|while) \(", text))
    return bool(begin) and text.count("(", begin[-1].end()) >= text.count(")", begin[-1].end())


def accesses(program, places, in_conditions=False):
    """Every plain access to one object in these lines becomes atomic: a read by adding 0. With `in_conditions` only of an object
    that is a flag. To make data atomic would hide that they are not there yet."""
    found = []
    for target in objects(program, places):
        pointer, count = address(program, target), 0
        replaced = {}
        for number in set(places):
            line = written(program, number, target) or program.lines[number - 1]
            if line == program.lines[number - 1]:
                update = updated(program, number)
                line = update if update is not None and f"({pointer}, " in update else line
            code = re.sub(r"//.*", lambda match: " " * len(match[0]), line.rstrip("\n")) + "\n"
            reads = list(re.finditer(rf"(?<![\w.&>]){re.escape(target)}(?![\w\[.]|\s*(?:=[^=]|[-+|&^]=|\+\+|--))", code))
            if re.search(rf"atomic\w+\({re.escape(pointer)}", code) and target.startswith("*"):
                reads = []
            if in_conditions and not all(is_in_condition(code[:match.start()]) for match in reads):
                break
            count += len(reads)
            for match in reversed(reads):
                line = line[:match.start()] + f"atomicAdd({pointer}, 0)" + line[match.end():]
            if line != program.lines[number - 1]:
                replaced[number] = line
            elif not re.search(rf"atomic\w+\({re.escape(pointer)}\b", code):
                break
        else:
            if replaced and (count > 0 or not in_conditions):
                found.append(Change(replaced=replaced))
    return found


def polls(program, places):
    """while (*p == e), which need not look again, reads with an atomic."""
    replaced = {}
    for number in set(places):
        match = re.search(r"while \((?P<x>\*\w+|\w+(?:\[\w+\])?)(?= [=!<>]=? )", program.code[number - 1])
        if match:
            replaced[number] = program.replaced(number, match.start("x"), match.end("x"), f"atomicAdd({address(program, match['x'])}, 0)")
    return [Change(replaced=replaced)] if replaced else []


def pushes(program, places):
    """y = x; x = e; becomes y = atomicExch(&x, e);"""
    found = []
    for number in sorted(set(places)):
        if number >= len(program.code):
            continue
        match = re.match(rf"(\s*[^=;]+ = ){TARGET}(?=;)", program.code[number - 1])
        after = match and re.match(rf"\s*{re.escape(match['target'])} = ([^;=]+);", program.code[number])
        if after:
            call = f"atomicExch({address(program, match['target'])}, {after[1]})"
            found.append(Change(replaced={number: program.replaced(number, match.end(1), match.end(), call), number + 1: ""}))
    return found


def fences(program, places, fence):
    """Before the access that comes later, after the one that comes first, and both."""
    now, earlier = places[0], places[-1]
    found = []
    for early, late in dict.fromkeys([(earlier, now), (now, earlier)] if fence == SYSTEM_FENCE else [(earlier, now)]):
        if not (program.lines[late - 1].strip() and early < len(program.lines)):
            continue
        before, after = {late: fence}, {early + 1: fence}
        found += [Change(before), Change(after), Change({**before, **after})]
    return found


def wider(program):
    """Everything with the scope of a block gets that of the device; without such, that of the device gets the system's."""
    for narrow, wide in (("block", "device"), ("device", "system")):
        replaced = {}
        for number, line in enumerate(program.lines, 1):
            if narrow == "block":
                text = re.sub(r"\b(atomic\w+)_block\b", r"\1", line.replace("__threadfence_block", "__threadfence"))
            else:
                text = re.sub(r"\b(atomic(?:Add|Sub|Exch|CAS|Max|Min|Or|And|Xor|Inc|Dec))(?=\()", r"\1_system", line)
            text = text.replace(f"thread_scope_{narrow}", f"thread_scope_{wide}")
            if text != line:
                replaced[number] = text
        if replaced:
            return [Change(replaced=replaced)]
    return []


def volatile_reads(program, places):
    """What the host and a kernel use at the same time as a flag: both accesses become volatile."""
    replaced = {}
    for number in set(places):
        code = program.code[number - 1]
        match = re.search(r"while \((?P<x>\*(?P<p>\w+))(?= [=!<>])", code) or \
            re.match(r"\s*(?P<x>(?P<a>\w+)\[[^\]]+\]|\*(?P<p>\w+))(?= = )", code)
        kind = match and program.type_of(base(match["x"]))
        if not kind:
            return []
        pointer = match["p"] or f"(&{match['x']})"
        replaced[number] = program.replaced(number, match.start("x"), match.end("x"), f"*(volatile {kind}*){pointer}")
    return [Change(replaced=replaced)] if len(replaced) > 1 else []


def released(program, places):
    """A relaxed store or load of a flag near one of the lines becomes a release or an acquire."""
    found = []
    near = [number for place, distance in itertools.product(set(places), (1, -1, 2, -2))
            if 1 <= (number := place + distance) <= len(program.lines)]
    for number in dict.fromkeys(near):
        line = program.code[number - 1]
        order = "release" if ".store(" in line else "acquire" if ".load(" in line else None
        if order and "memory_order_relaxed" in line:
            found.append(Change(replaced={number: program.lines[number - 1].replace("memory_order_relaxed", f"memory_order_{order}")}))
    return found
