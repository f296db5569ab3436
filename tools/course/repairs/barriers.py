"""Barriers: of a block, a warp, a cluster or the whole grid. Waits for copies in the background are here, too."""

import itertools
import re

from .program import Change, indentation, is_statement

BLOCK, WARP = "__syncthreads();", "__syncwarp();"
# x[i] = what is read from x[j], perhaps after a condition.
STORE = re.compile(r"(?P<indent>\s*)(?P<condition>if \((?:[^()]|\([^()]*\))*\) )?(?P<target>(?P<array>[A-Za-z_]\w*)\[[^;=]*\](?:\.\w+)?)"
                   r" (?P<op>[-+*/|&^]?)= (?P<value>[^;=]*\b(?P=array)\b[^;=]*);")


def between(program, first, last, text):
    """The text before one of the lines after `first` up to `last`: the least indented and the last ones first."""
    numbers = [n for n in range(first + 1, last + 1) if program.code[n - 1].strip() and not program.code[n - 1].lstrip().startswith("#")]
    numbers.sort(key=lambda n: (len(indentation(program.lines[n - 1])), -n))
    return [Change({n: text}) for n in numbers]


def loop_ends(program, first, last, text):
    """The text at the end of the loops that hold both lines, the innermost first."""
    found = []
    lines = program.lines
    for n in range(first, 0, -1):
        if not re.match(r"\s*(for|while|do)\b.*\{\s*$", program.code[n - 1]):
            continue
        indent = indentation(lines[n - 1])
        end = next((m for m in range(n + 1, len(lines) + 1) if lines[m - 1].startswith(indent + "}")), None)
        if end is not None and end >= last:
            inner = lines[end - 2]
            found.append((end, indentation(inner) + text))
    return found


def before(program, places, text):
    """The text before each of the lines."""
    return [Change({n: text}) for n in sorted(set(places)) if is_statement(program.code[n - 1])]


def barriers(program, places, text):
    first, last = min(places), max(places)
    inner = between(program, first, last, text)
    ends = [Change(replaced={end: f"{inner_text}\n{program.lines[end - 1]}"})
            for end, inner_text in loop_ends(program, first, last, text)]
    both = [Change(one.before, other.replaced) for one, other in itertools.product(inner[:3], ends[:1])]
    found = ends[:1] + inner[:4] + both + ends[1:2] if first != last else ends[:2]
    again = ends or "__device__" in program.code[program.function(first)[0] - 1]  # in a loop, or in a function that is called again
    return found + (before(program, [first], text) if again and first != last else [])


def is_operand(value, op):
    """Whether it needs no parentheses behind the operator: a name, an element or a call; behind a +, a product of them."""
    while (shorter := re.sub(r"\([^()]*\)|\[[^][]*\]", "", value)) != value:
        value = shorter
    return re.fullmatch(r"[\w.\s*]+" if op == "+" else r"[\w.]+", value.replace("->", ".").replace("::", ".")) is not None


def splits(program, places, text):
    """x[i] = f(x[j]) in two steps: all threads read, then all write; in a loop with a second barrier at the end."""
    number = places[0]
    match = STORE.match(program.code[number - 1])
    if match is None or set(places) != {number} or match["condition"] and text != WARP:
        return []
    indent, target, op = match["indent"], match["target"], match["op"]
    element = program.type_of(match["array"]) or "auto"
    value = match["value"]
    if op:
        value = f"{target} {op} {value if is_operand(value, op) else f'({value})'}"
    inner = indent + ("  " if match["condition"] else "")
    rest = program.lines[number - 1][match.end():]
    halves = [f"const {element} value = {value};{rest}", f"{text}\n", f"{target} = value;\n"]
    again = f"{text}\n" if text == WARP and loop_ends(program, number, number, text) else ""

    def written(last):
        inside = "".join(inner + line for line in [*halves, *([last] if last else [])])
        return f"{indent}{match['condition']}{{\n{inside}{indent}}}\n" if match["condition"] else inside

    return [Change(replaced={number: written(last)}) for last in dict.fromkeys(["", again, f"{text}\n"])]


def set_by_one(program, places):
    """What all threads of a block write is written by one, before a barrier."""
    found = []
    for number in set(places):
        match = re.match(r"(\s*)([A-Za-z_]\w*(?:\[\w+\])? = [^;=]+;)", program.code[number - 1])
        if match and "atomic" not in match[2]:
            line = program.replaced(number, 0, len(match[1]), f"{match[1]}if (threadIdx.x == 0) ")
            found.append(Change(replaced={number: f"{line}{match[1]}{BLOCK}\n"}))
    return found


def group_barriers(program):
    """How this program calls the barrier of a cluster or of the grid, if it uses one of them."""
    text = program.text
    alias = re.search(r"namespace (\w+) = cooperative_groups;", text)
    space = alias[1] if alias else "cooperative_groups"
    calls = []
    for kind, function in (("cluster", "this_cluster"), ("grid", "this_grid")):
        variable = re.search(rf"\b{kind}_group (\w+) = |\bauto (\w+) = [\w:]*{function}\(\)", text)
        if variable:
            calls.append(f"{variable[1] or variable[2]}.sync();")
        elif kind == "grid" and "cudaLaunchCooperativeKernel" in text and "cooperative_groups.h" in text:
            calls.append(f"{space}::{function}().sync();")
    return calls


def groups(program, places):
    """A barrier of the cluster or the grid, instead of one of the block or in addition to what is there."""
    found, (first, last) = [], program.function(min(places))
    for call in group_barriers(program):
        for n in range(first, last + 1):
            if "__syncthreads();" in program.code[n - 1]:
                at = program.code[n - 1].index("__syncthreads();")
                found.append(Change(replaced={n: program.replaced(n, at, at + len("__syncthreads();"), call)}))
        found += barriers(program, places, call)
        if program.lines[last - 1].startswith("}"):  # the last statement of the kernel
            found.append(Change(replaced={last: f"  {call}\n{program.lines[last - 1]}"}))
    return found


LAUNCH = re.compile(r"^(?P<indent>[ \t]*)(?P<kernel>\w+)<<<(?P<grid>(?:[^<>,()]|\([^()]*\))+), (?P<block>(?:[^<>,()]|\([^()]*\))+)>>>"
                    r"\((?P<arguments>[^;]*)\);", re.M)


def of_the_grid(program, places):
    """A kernel without a barrier of the grid gets one, and a cooperative launch, for which all its blocks must fit."""
    first, last = program.function(max(places))
    launches = list(LAUNCH.finditer(program.text))
    if "cooperative_groups" in program.text or not launches:
        return []
    barrier, found = "cooperative_groups::this_grid().sync();", []
    kernels = {match["kernel"] for match in launches}
    if not any(re.search(rf"\b{kernel}\(", program.code[first - 1]) for kernel in kernels):  # in a function that a kernel calls
        caller = next((n for n in range(len(program.code), 0, -1)
                       if re.search(r"__global__.*\b(?:" + "|".join(map(re.escape, kernels)) + r")\(", program.code[n - 1])), None)
        if caller is None:
            return []
        first, last = program.function(caller)
        places = [first, last]
    changes = [Change(replaced={n: program.lines[n - 1].replace(BLOCK, barrier)})
               for n in range(first, last + 1) if BLOCK in program.code[n - 1]]
    changes += splits(program, places, barrier)[:1] + barriers(program, places, barrier)[:4]
    for change in changes:
        replaced = dict(change.replaced)
        for match in launches:
            number = program.line_of(match.start("kernel"))
            if number not in replaced:
                replaced[number] = "".join(cooperative(match, program.lines[number - 1]))
        include = "#include <cooperative_groups.h>\n" + change.before.get(program.first, "")
        found.append(Change({**change.before, program.first: include}, replaced))
    return found


def cooperative(match, line):
    """The lines of the launch through cudaLaunchKernelEx()."""
    indent = match["indent"]
    rest = line[line.index(match[0].strip()) + len(match[0].strip()):] if match[0].strip() in line else "\n"
    arguments = f", {match['arguments']}" if match["arguments"].strip() else ""
    return [f"{indent}cudaLaunchAttribute cooperative = {{}};\n", f"{indent}cooperative.id = cudaLaunchAttributeCooperative;\n",
            f"{indent}cooperative.val.cooperative = 1;\n", f"{indent}cudaLaunchConfig_t launch = {{}};\n",
            f"{indent}launch.gridDim = {match['grid']};\n", f"{indent}launch.blockDim = {match['block']};\n",
            f"{indent}launch.attrs = &cooperative;\n", f"{indent}launch.numAttrs = 1;\n",
            f"{indent}cudaLaunchKernelEx(&launch, {match['kernel']}{arguments});{rest}"]


def waits_for_copies(program, places):
    """A wait for all copies, or for one more: __pipeline, cp.async, a cuda::barrier."""
    first, last = program.function(max(places))
    found = []
    for n in range(1, len(program.code) + 1):
        line = program.code[n - 1]
        fewer = re.search(r"(?:wait_prior\(|wait<|wait_group )(\d+)", line)
        if fewer and int(fewer[1]) > 0:
            found.append(Change(replaced={n: program.replaced(n, fewer.start(1), fewer.end(1), str(int(fewer[1]) - 1))}))
        waits = re.search(r'"cp\.async\.wait_group 0;"', line)
        if waits:
            found.append(Change(replaced={n: program.replaced(n, waits.start(), waits.end(), '"cp.async.wait_all;"')}))
    text = "".join(program.code)
    barrier = re.search(r"memcpy_async\([^;]*,\s*(\w+)\);", text)
    if barrier and re.search(rf"barrier<[^;]*>\s+{barrier[1]};", text):
        found += [Change(replaced={n: program.lines[n - 1].replace(BLOCK, f"{barrier[1]}.arrive_and_wait();")})
                  for n in range(first, last + 1) if BLOCK in program.code[n - 1]]
    wait = ("__pipeline_wait_prior(0);" if "__pipeline_commit()" in text else
            'asm volatile("cp.async.wait_all;");' if "cp.async." in text else None)
    if wait:
        syncs = [n for n in range(first, last + 1) if BLOCK in program.code[n - 1]]
        found += [Change({n: wait}) for n in syncs] + [Change({max(places): wait}), Change({max(places): f"{wait}\n{BLOCK}"})]
    return found
