#!/usr/bin/env python3
"""The commands of cuda-debug without gdb: made-up programs against a model of our own.

    tests/cpu_device/debugger_commands_test.py [SEEDS]

debugger/made_up_gdb.py makes up a program that has stopped: grids and blocks of several shapes, workers, what each thread does, all in a
memory that is laid out by chance. Here random commands look at it: `info cuda`, `cuda thread`, `cuda block`, `cuda warp`. Compared are
each word that they print, the thread in focus, the addresses of threadIdx and the registers of a thread that waits. Then the parts that
need no program: names of kernels, the words of `break`, findings and failures.
"""

import contextlib
import io
import itertools
import os
import pathlib
import random
import struct
import sys
import types

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "common/cpu_device/debugger"), str(ROOT / "tests/harness"), str(ROOT / "tests/cpu_device/debugger")]
# pylint: disable=wrong-import-position
import made_up_gdb  # noqa: E402
from counting import check, finish  # noqa: E402

gdb = made_up_gdb.install()
from cuda_gdb import blocks, breakpoints, commands, focus, frames, memory, stepping, stops  # noqa: E402

gdb.newest_frame = lambda: gdb.program.newest_frame(focus.waiting().number if focus.waiting() else None)
CUDA, INFO = commands._Cuda(), commands._InfoCuda()
SHAPES = [(x, y, z) for x in (1, 2, 3, 32, 33) for y in (1, 2, 5) for z in (1, 2, 7)]


def said_by(action):
    """What a command prints, and its error."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        try:
            action()
        except gdb.GdbError as error:
            return out.getvalue(), str(error)
    return out.getvalue(), ""


# ---- the model: of a worker what its threads do, in words ----

def name(index):
    return f"({','.join(map(str, index))})"


def runs(one):
    return one.kinds[one.current] != "ended"


def waits(one, t):
    return t in one.begun and one.kinds[t] != "ended" and t != one.current


def standing(one, t):
    """What a thread does, with file and line."""
    if t not in one.begun:
        return "not started", None, 0
    kind, (file, _) = one.kinds[t], one.files[t]
    if kind == "ended":
        return "ended", None, 0
    if t == one.current:
        place = one.frames[t][1][0].place
        return "runs", place.symtab.filename, place.line
    words = "passed __syncthreads()" if t in one.ready else made_up_gdb.WORDS[kind]
    return words, file, 0 if kind == "yielding" else one.lines[t]


def table(rows):
    widths = [max(map(len, column)) for column in zip(*rows)]
    return "".join("  ".join(f"{cell:{width}}" for cell, width in zip(row, widths)).rstrip() + "\n" for row in rows)


def folded(one, special):
    """Neighbors that do the same are one row; the thread `special` is alone."""
    key = lambda t: (standing(one, t), t == special)  # noqa: E731
    for (where, star), group in itertools.groupby(range(one.threads), key=key):
        group = list(group)
        yield where, star, group[0], group[-1]


class Model:
    def __init__(self, program):
        self.program, self.listed = program, [one for one in program.workers if one.listed]
        self.listed.sort(key=lambda one: (one.grid.number, one.index[2], one.index[1], one.index[0]))
        self.thread = program.thread
        self.waiting = None  # the number of the thread in focus, if it waits

    def here(self):
        one = self.thread.worker
        return one if one and one.at_work else None

    def number(self, one):
        return one.current if self.waiting is None else self.waiting

    def threads(self):
        here, text = self.here(), ""
        for one in [here] if here in self.listed else self.listed:
            special = self.number(one) if one is here else -1
            count = "1 thread" if one.threads == 1 else f"{one.threads} threads"
            text += f"Kernel {one.grid.number - 1}: {one.grid.kernel}, block {name(one.index)} of grid {name(one.grid.size)}, {count}\n"
            rows = [("", "ThreadIdx", "To ThreadIdx", "Count", "State", "Filename", "Line")]
            for (words, file, line), star, first, last in folded(one, special):
                rows.append(("*" if star else " ", name(one.names[first]), name(one.names[last]) if last > first else "", str(last - first + 1), words,
                             os.path.basename(file or "") if line else "", str(line) if line else ""))
            text += table(rows)
        return text

    def blocks(self):
        text = ""
        for grid in sorted({id(one.grid): one.grid for one in self.listed}.values(), key=lambda grid: grid.number):
            mine = [one for one in self.listed if one.grid is grid]
            text += f"Kernel {grid.number - 1}: {grid.kernel}, grid {name(grid.size)}\n"
            text += table([("", "BlockIdx", "State", "")] + [("*" if one is self.here() else " ", name(one.index), "running",
                                                              f"at work on thread {name(one.names[one.current])}") for one in mine])
            later = max(0, grid.blocks - grid.next) + sum(max(0, one.end - one.position) for one in mine)
            text += f"  {len(mine)} running, {later} not started, {max(0, grid.blocks - later - len(mine))} ended\n"
        return text

    def kernels(self):
        rows, here = [("", "Kernel", "Grid", "Dev", "Status", "GridDim", "BlockDim", "Name", "Launched at")], self.here()
        for number in sorted({one.grid.number for one in self.listed}):
            grid = next(one.grid for one in self.listed if one.grid.number == number)
            rows.append(("*" if here and here.grid is grid else " ", str(number - 1), str(number), str(grid.device), "Active", name(grid.size),
                         name(grid.block), grid.kernel, f"{grid.file or ''}:{grid.line}"))
        return table(rows)

    def where(self, one, t):
        """[Switching focus ...] and the line."""
        own = one.frames[t][1]
        place = own[0].place
        function = f"{one.grid.kernel} ()" if len(own) == 1 else "helper<float (*)(int)> ()"
        return (f"[Switching focus to CUDA kernel {one.grid.number - 1}, block {name(one.index)}, thread {name(one.names[t])}, warp {t // 32}, "
                f"lane {t % 32}]\n{function} at {place.symtab.filename}:{place.line}\n{place.line}\tthe line of {place.symtab.filename}\n")

    def switch(self, wanted):
        """(text, error) of `cuda kernel 1 block (1,0,0) thread 3`, and the focus after it."""
        here = self.here()
        if not self.listed:
            return "", "No kernel is running."
        number = wanted["kernel"][0] + 1 if "kernel" in wanted else wanted["grid"][0] if "grid" in wanted else here.grid.number if here else self.listed[0].grid.number
        mine = [one for one in self.listed if one.grid.number == number]
        if not mine:
            return "", f"Kernel {number - 1} is not running. (`info cuda kernels`)"
        one = next((one for one in mine if here and one.index == here.index), mine[0])
        if "block" in wanted:
            index, size = wanted["block"], mine[0].grid.size
            if not all(i < n for i, n in zip(index, size)):
                return "", f"There is no block {name(index)} in a grid of {name(size)}."
            one = next((one for one in mine if one.index == index), None)
            if one is None:
                return "", (f"Block {name(index)} is not running: it has ended, or not started. (`info cuda blocks`) To stop in it: "
                            f"break {mine[0].grid.kernel} if blockIdx.x == {index[0]}")
        t, exact = self.number(one), True
        if "thread" in wanted:
            index = wanted["thread"]
            t = one.names.index(index) if index in one.names else None
        elif "warp" in wanted or "lane" in wanted:
            lane = wanted["lane"][0] if "lane" in wanted else 0 if "warp" in wanted else t % 32
            t = 32 * (wanted["warp"][0] if "warp" in wanted else t // 32) + lane
            index = (t, 0, 0)
            t = t if lane < 32 and t < one.threads else None
        else:
            exact = False
        if t is None:
            return "", f"There is no thread {name(index)} in a block of {name(one.grid.block)}."
        ready = [n for n in range(one.threads) if waits(one, n) or n == one.current and runs(one)]
        if not exact and t not in ready:
            t = next((n for n in range(one.threads) if waits(one, n)), one.current)
        if t not in ready:
            return "", (f"Thread {name(one.names[t])} has {'ended' if t in one.begun else 'not started'}. A worker executes the threads of a block in turn, "
                        f"each until it waits. (`info cuda threads`) To stop in it: break LINE if threadIdx.x == {one.names[t][0]}")
        self.thread, self.waiting = one.thread, t if waits(one, t) else None
        return self.where(one, t), ""

    def lanes(self, words):
        """`cuda warp mine`"""
        here = self.here()
        first = self.number(here) // 32 * 32
        last = min(first + 31, here.threads - 1)
        values, problem = [], ""
        for t in range(first, last + 1):
            if not (waits(here, t) or t == here.current and runs(here)):
                values.append(f"({standing(here, t)[0]})")
                continue
            found = [frame.values[words] for frame in here.frames[t][1] if words in frame.values]
            if not found:
                problem = "Division by zero" if words == "n / 0" else made_up_gdb.NO_SYMBOL % words
            values += found[:1] or ["(not in scope)" if words != "n / 0" else "(Division by zero)"]
        if problem and all(value[0] == "(" for value in values):
            return "", problem
        text = f"{words} in warp {first // 32}, threads {name(here.names[first])} to {name(here.names[last])}\n"
        return text + lanes_in_words(values), ""


def lanes_in_words(values):
    """Lanes with the same value are one line; of many short values, eight lanes are."""
    groups, text, at, width = [(value, len(list(group))) for value, group in itertools.groupby(values)], "", 0, max(map(len, values))
    if len(groups) > 8 and width <= 12:
        for begin in range(0, len(values), 8):
            some = values[begin:begin + 8]
            text += f"  lanes {begin:2}-{begin + len(some) - 1:<2}  {'  '.join(value.rjust(width) for value in some)}\n"
        return text
    for value, count in groups:
        text += f"  {f'lane  {at}' if count == 1 else f'lanes {at}-{at + count - 1}':11}  {value}\n"
        at += count
    return text


# ---- sessions ----

def index_words(rng, word, index):
    """An index as one may write it, which means the same. After `cuda warp` a parenthesis begins an expression."""
    short = list(index)
    while len(short) > 1 and short[-1] == 0 and rng.random() < 0.7:
        short.pop()
    between = rng.choice([",", ", "])
    return rng.choice(["(%s)", "%s"] if word != "warp" else ["%s"]) % between.join(map(str, short))


def random_focus(rng, program):
    one, wanted = rng.choice(program.workers), {}
    grid = rng.choice([one.grid, one.grid, rng.choice(program.grids)])
    for word, chance in (("kernel", 0.3), ("grid", 0.1), ("block", 0.5), ("thread", 0.6), ("warp", 0.2), ("lane", 0.2)):
        if rng.random() < chance:
            size = {"block": grid.size, "thread": grid.block}.get(word)
            wanted[word] = {"kernel": (grid.number - 1, 0, 0), "grid": (grid.number, 0, 0), "warp": (rng.choice([0, 1, 2, 3]), 0, 0),
                            "lane": (rng.choice([0, 1, 5, 31, 32]), 0, 0)}.get(word) or tuple(rng.randrange(n + (rng.random() < 0.1)) for n in size)
            if word == "block" and rng.random() < 0.7:
                wanted[word] = one.index
            if word == "kernel" and rng.random() < 0.1:
                wanted[word] = (99, 0, 0)
    words = list(wanted)
    rng.shuffle(words)
    return wanted, " ".join(f"{word}{rng.choice([' ', '  '])}{index_words(rng, word, wanted[word])}" for word in words)


def session(seed):
    rng = random.Random(seed)
    program = gdb.program = made_up_gdb.Program(rng)
    memory.forget()
    focus.clear()
    stops._new_process()
    model = Model(program)
    if program.thread is program.host:  # `up` was entered
        program.frame = made_up_gdb.Frame(program, "outer", "host.cu", 20, None)
    for step in range(12):
        kind, where = rng.choice(["info", "info", "cuda", "cuda", "cuda", "values", "lanes"]), f"seed {seed}, command {step}"
        here = model.here()
        if kind == "info":
            full = rng.choice(["kernels", "blocks", "threads"])
            command = f"info cuda {full[:rng.randint(1, len(full))]}"
            expected = (getattr(model, full)(), "") if model.listed else ("", "No kernel is running.")
            frame = program.frame or gdb.newest_frame()
            now = said_by(lambda: INFO.invoke(command[10:], False))
            after = program.frame or gdb.newest_frame()
            check(f"{where}: {command} leaves the selected frame", (after.name(), after.caller) == (frame.name(), frame.caller))
        elif kind == "values":
            words = rng.sample(["kernel", "grid", "block", "thread", "warp", "lane", "device", "sm"], rng.randint(1, 8))
            if words[0] == "warp" and words[1:] in (["grid"], ["device"], ["sm"]):  # a variable
                continue
            command, expected = f"cuda {' '.join(words)}", ("", "The focus is on host code. `info cuda blocks` lists the blocks that run, and `break KERNEL` "
                                                            "stops in a kernel.")
            if here:
                t = model.number(here)
                values = {"kernel": here.grid.number - 1, "grid": here.grid.number, "block": name(here.index), "thread": name(here.names[t]),
                          "warp": t // 32, "lane": t % 32, "device": here.grid.device, "sm": 0}
                expected = ", ".join(f"{word} {values[word]}" for word in words) + "\n", ""
            now = said_by(lambda: CUDA.invoke(command[5:], False))
        elif kind == "lanes" and here:
            variable = rng.choice(["mine", "odd", "inner", "nothing", "n / 0"])
            command, expected = f"cuda warp {variable}", model.lanes(variable)
            now = said_by(lambda: CUDA.invoke(command[5:], False))
        elif program.workers:
            wanted, words = random_focus(rng, program)
            if not wanted:
                continue
            command, expected = f"cuda {words}", model.switch(wanted)
            now = said_by(lambda: CUDA.invoke(words, False))
        else:
            continue
        check(f"{where}: {command}", now == expected, f"{now[0]}{now[1]}\n--- expected ---\n{expected[0]}{expected[1]}")
        there = focus.waiting().number if focus.waiting() else None
        check(f"{where}: the focus after {command}", (program.thread, there) == (model.thread, model.waiting), f"{there} {model.waiting}")
        addresses(where, command, program, model)
        backtrace(where, model)
    executing(f"seed {seed}", program)


def addresses(where, command, program, model):
    """What threadIdx and its family mean, and the registers of the thread in focus."""
    here = model.here()
    for member in ("thread_index", "block_index", "block_size", "grid_size"):
        function = focus._ThreadIndex("", member)
        if here is None:
            check(f"{where}: {member} on the host", "host code" in said_by(function.invoke)[1])
            continue
        index = struct.unpack("<III", program.memory.read_memory(function.invoke().number, 12).tobytes())
        expected = {"thread_index": here.names[model.number(here)], "block_index": here.index, "block_size": here.grid.block, "grid_size": here.grid.size}
        check(f"{where}: {member}", index == expected[member], f"{index} {expected}")
    registers = {}
    info = types.SimpleNamespace(add_saved_register=registers.__setitem__)
    for level in (0, 1):
        registers.clear()
        pending = types.SimpleNamespace(level=lambda: level, read_register=lambda _: 5, create_unwind_info=lambda _: info)  # pylint: disable=cell-var-from-loop
        found = focus._Fibers()(pending)
        if model.waiting is None or level:
            check(f"{where}: frames as they are", found is None)
            continue
        names = made_up_gdb.REGISTERS[program.machine]
        expected = dict(zip(names, here.saved[model.waiting]))
        expected["sp" if program.machine == "arm" else "rsp"] = here.stacks[model.waiting] + 8 * len(names) + 8
        check(f"{where}: the registers of a thread that waits after {command}", registers == expected, f"{registers} {expected}")
        program.thread = program.host
        check(f"{where}: other threads have their frames", focus._Fibers()(pending) is None)
        program.thread = model.thread


def executing(where, program):
    """Which thread a step is about."""
    before = program.thread
    for thread in program.threads:
        program.thread, one = thread, thread.worker
        now = (one.grid.number, one.index, one.current) if one and one.at_work else None
        for wanted in [now] * bool(now) + [(grid, (x, 0, 0), t) for grid in (1, 2, 17) for x in (0, 1) for t in (0, 1)] + (
                [(now[0] + 1, *now[1:]), (*now[:2], now[2] + 1), (now[0], (now[1][0] + 1, *now[1][1:]), now[2])] if now else []):
            stepping._mine = wanted
            check(f"{where}: whether it executes {wanted}", stepping.is_executing(wanted) == (wanted == now) == stepping._Mine().invoke())
            check(f"{where}: at the place where {wanted} goes on", stepping._Resumption(1, wanted).stop() == (wanted == now))
        stepping._mine = None
        check(f"{where}: no thread steps", stepping._Mine().invoke() is True)
    program.thread, gdb.all_breakpoints = before, []


def breakpoints_of_kernels():
    """At a kernel's name, `break` and an editor's breakpoint stop in the body. A line that is also in a launch stops in the kernel alone."""
    rng, kernels = random.Random(4), {"reduce(int*)", "scale<float>(float*)", "scale<int>(int*)"}
    own, system = types.SimpleNamespace(fullname=lambda: "/home/me/a.cu"), types.SimpleNamespace(fullname=lambda: "/usr/include/c++/12/bits/stl_algo.h")
    functions = [(name, own) for name in [*sorted(kernels), "reduce(double)", "main()"]] + [("std::fill(int*)", system), ("memset", None)]
    body = lambda name: f"'{name}::{{lambda()#1}}::operator()()'"  # noqa: E731
    bodies = {body(name) for name in kernels}

    def block_for_pc(pc):
        named = types.SimpleNamespace(function=types.SimpleNamespace(print_name=functions[pc][0]), superblock=None)
        return rng.choice([named, types.SimpleNamespace(function=None, superblock=named)])

    def decode_line(location):
        if location.startswith("'"):
            return "", location in bodies
        if location == "nothing":
            raise gdb.error('Function "nothing" not defined.')
        return "", [types.SimpleNamespace(pc=pc, symtab=functions[pc][1]) for pc in there]
    gdb.block_for_pc, gdb.decode_line = block_for_pc, decode_line
    gdb.program = made_up_gdb.Program(rng)
    for _ in range(300):
        there, gdb.all_breakpoints, gdb.executed, gdb.listing = [rng.randrange(len(functions)) for _ in range(rng.randint(0, 3))], [], [], ""
        breakpoints._with_launches.clear()
        location, condition, thread = rng.choice(["reduce", "x.cu:3", "29", "", "*0x12", "+1"]), rng.choice([None, "x == 3", "nonsense"]), rng.choice([None, 2])
        found = [functions[pc] for pc in there] if location == "reduce" else []
        expected = list(dict.fromkeys(body(name) for name, _ in found if name in kernels))
        others = any(name not in kernels and symtab is own for name, symtab in found)
        expected = [location] if not expected or others else expected
        lines = [(f"1.{n + 1}", rng.randrange(len(functions))) for n in range(rng.randint(0, 4))]
        gdb.listing = "Num Type\n" + "".join(f"{number}   y   0x{pc:x} in f at a.cu:3\n" for number, pc in lines)
        launches = [number for number, pc in lines if functions[pc][0] in kernels]
        gdb.program.frame = types.SimpleNamespace(pc=lambda: 77)
        error = said_by(lambda: breakpoints.set_breakpoint(location, condition, thread, True))[1]  # pylint: disable=cell-var-from-loop
        made = gdb.all_breakpoints
        if condition == "nonsense":
            check("a wrong condition", "The breakpoint was not set" in error and not made[0].valid and len(made) == 1, error)
            continue
        about = f"break {location} at {found} if {condition}"
        check(about, [one.location for one in made] == [one or "*77" for one in expected], f"{[one.location for one in made]} {expected}")
        check(f"{about}: its parts", all((one.condition, one.thread, one.temporary) == (condition, thread, True) for one in made))
        disabled = [words for words in gdb.executed if words.startswith("disable")]
        check(f"{about}: launches", disabled == [f"disable {' '.join(launches)}"] * len(made) * (0 < len(launches) < len(lines)), f"{disabled} {lines}")
        # An editor's, by its own command.
        gdb.all_breakpoints, gdb.posted[:] = [], []
        one = made_up_gdb.Breakpoint(rng.choice(["", "-function "]) + location)
        one.condition = condition
        breakpoints._created(one)
        for event in gdb.posted:
            event()
        replaced = expected != [location]
        rest = gdb.all_breakpoints[1:]
        check(f"{about}: of an editor", one.enabled != replaced and [(new.location, new.condition) for new in rest] == [(new, condition) for new in expected] * replaced)
        gdb.posted[:] = []
        breakpoints._deleted(one)
        for event in gdb.posted:
            event()
        check(f"{about}: it is deleted", not any(new.valid for new in rest))
    gdb.all_breakpoints = []


def resumptions():
    """Where a thread that waits is back in its function: there, or where the function that it waits in returns."""
    run, gdb.execute = gdb.execute, lambda *_, **__: "0x7 <f+3>: ret\n0x9 <f+5>: ret\n"
    for begins, line, newer in itertools.product([5, 4], [1, 2], [None, 7]):
        gdb.find_pc_line = lambda pc: types.SimpleNamespace(pc=begins, line=line)  # pylint: disable=cell-var-from-loop
        frame = types.SimpleNamespace(pc=lambda: 5, find_sal=lambda: types.SimpleNamespace(line=1), newer=lambda: newer and types.SimpleNamespace(pc=lambda: newer))
        at_end = begins == 5 and line == 2 and newer is not None
        check(f"where a thread goes on {begins} {line} {newer}", stepping._resumptions(frame) == (([7, 9], True) if at_end else ([5], False)))
    gdb.execute = run


def backtrace(where, model):
    """The frames that `bt` shows of the thread in focus: the learner's own, without lambdas and types of parameters."""
    here, frame, all_frames = model.here(), gdb.newest_frame(), []
    if here is None or model.waiting is None and not runs(here):
        return
    while frame is not None:
        all_frames.append(made_up_gdb.Decorated(frame))
        frame = frame.older()
    shown = list(frames._Filter().filter(iter(all_frames)))
    own = here.frames[model.number(here)][1]
    expected = ["helper<float (*)(int)>"] * (len(own) - 1) + [here.grid.kernel]
    check(f"{where}: the frames", [one.inferior_frame() for one in shown] == own and [one.function() for one in shown] == expected, str(expected))


def host_frames():
    """On the host: what the runtime has called is not shown, nor the runtime; if nothing is left, all is."""
    make = lambda name, file: made_up_gdb.Decorated(made_up_gdb.Frame(None, name, file, 1, None))  # noqa: E731
    kinds = {"own": ("main", "/home/me/a.cu"), "device": ("cpu_device::enqueue()", "/x/cpu_device/runtime/order/queue.cpp"), "named": ("cpu_device::f()", None),
             "std": ("std::sort", "/usr/include/c++/12/bits/stl_algo.h"), "libc": ("memcpy", None), "header": ("cudaMalloc", "/x/cpu_device/include/api.h")}
    for names in itertools.product(kinds, repeat=4):
        listed = [make(*kinds[one]) for one in names]
        last = max((i for i, one in enumerate(names) if one in ("device", "named")), default=-1)
        expected = [one for one, kind in zip(listed[last + 1:], names[last + 1:]) if kind in ("own", "libc")] or listed
        shown = list(frames._Filter._of_host(listed))
        check(f"frames of the host: {names}", shown == expected)


def names():
    """What a kernel and a function are called, from their signatures."""
    functions = ["reduce", "scale<float>", "(anonymous namespace)::fill<3>", "a::b<int (*)(int)>", "apply<void (float, int*)>"]
    parameters = ["", "float*, int", "int (*)(int, float)", "std::array<int, (3)>, void (*)(void (*)())"]
    for function, given in itertools.product(functions, parameters):
        check(f"the name of {function}({given})", frames.name_alone(f"{function}({given})") == function)
        for before, lambda_, call in itertools.product(["", "void ", "static void "], ["{lambda()#1}", "<lambda()>"], ["", "::operator()()", "::operator()() const"]):
            body = f"{before}{function}({given})::{lambda_}{call}"
            check(f"the kernel of {body}", frames.kernel_name(body) == function, str(frames.kernel_name(body)))
    for function in ("main", "std::sort", "", None):
        check(f"{function} is no kernel", frames.kernel_name(function) is None and frames.name_alone(function or "") == (function or ""))
    here = os.getcwd()
    for file, expected in ((f"{here}/a.cu", "a.cu"), (f"{here}/b/c.cu", "b/c.cu"), ("/a.cu", "/a.cu"), ("a.cu", "a.cu"), ("../x/a.cu", "../x/a.cu")):
        check(f"the file {file}", frames.short_name(file) == expected, frames.short_name(file))


def words_of_break():
    for location, thread, (condition, expected) in itertools.product(
            ["", "reduce", "29", "hw.cu:29", "ifs.cu:3", "scale<float>", "*0x1234", "thread_sum", "+1"], [None, 1, 27],
            [("", None), (" if x == 3", "x == 3"), ("  if (a) && b", "(a) && b"), (" if(a if b)", "(a if b)"), (" if threadIdx.x == 3 && thread 4", "threadIdx.x == 3 && thread 4")]):
        text = f"{location}{f' thread {thread}' if thread else ''}{condition}".strip()
        check(f"break {text}", breakpoints._split(text) == (location, expected, thread), str(breakpoints._split(text)))


def finding(program, rng):
    """A finding of a checked run, with or without a second access, in memory: (address, its parts)."""
    put = program.memory
    parts = {name: rng.choice(choices) for name, choices in {
        "title": ["race on a[3]", "index 7 of b", "é"], "file": ["a.cu", "b.cu", ""], "line": [3, 4, -1], "details": ["", "\n  more"], "hint": ["", "add a barrier"],
        "kind": ["race", "bounds"], "level": ["error", "warning", "note"], "other": [None, 3, 4]}.items()}
    second = program.object("Second", line=parts["other"]) if parts["other"] is not None else 0
    strings = {name: put.string(parts[name]) for name in ("title", "file", "details", "hint")}
    return program.object("Finding", line=parts["line"] % 2 ** 32, kind=put.text(parts["kind"]), level=put.text(parts["level"]), others=second, **strings), parts


def in_file(parts):
    return f"{parts['file']}:{parts['line']}: " if parts["file"] else ""


def findings(seed):
    """Which findings and failures stop the program, and what is said of them."""
    rng = random.Random(seed)
    program = gdb.program = made_up_gdb.Program(rng)
    program.symbols["cpu_device_debugger_findings"] = program.table(program.more)
    memory.forget()
    stops._new_process()
    frame = made_up_gdb.Frame(program, "f", "a.cu", 1, None)
    first, third = ("rdi", "rdx") if program.machine == "x86" else ("x0", "x2")
    told, gdb.newest_frame = set(), lambda: frame
    for _ in range(12):
        where, stops._message = f"seed {seed}", None
        program.registers = dict.fromkeys(("rdi", "rsi", "rdx", "x0", "x1", "x2"), 0)
        if rng.random() < 0.3:
            parts = {"what": rng.choice(["race on a[3]", "no progress: é"]), "file": rng.choice(["a.cu", ""]), "line": rng.choice([5, -1]),
                     "hint": rng.choice(["", "wait"]), "kind": rng.choice(["barrier", "shuffle", "no-progress", "other", ""])}
            strings = {name: program.memory.string(parts[name]) for name in ("what", "file", "hint")}
            program.registers[third] = program.object("Failure", line=parts["line"] % 2 ** 32, kind=program.memory.text(parts["kind"]), **strings)
            stopped, expected = stops._FailureStop("f").stop(), True
            told.add(parts["what"])
            words = f"{in_file(parts)}CPU device: {parts['what']}"
            check(f"{where}: whether all threads are of interest", stops._all_threads == (parts["kind"] in ("barrier", "shuffle", "no-progress")))
        else:
            program.registers[first], parts = finding(program, rng)
            lines = [parts["line"], parts["other"] or 0]
            key = (parts["kind"], parts["file"], min(lines), max(lines))
            expected = parts["level"] != "note" and parts["title"] not in told and key not in told
            stopped = stops._FindingStop("f").stop()
            words = f"{in_file(parts)}CPU device: {parts['title']}{parts['details']}"
            if expected:
                told.add(key)
        words += f"\n  hint: {parts['hint']}" if parts["hint"] else ""
        check(f"{where}: whether {parts} stops", stopped == expected, str(told))
        check(f"{where}: what is said of {parts}", stops._message == (words if expected else None), str(stops._message))
    for number, signal in ((4, "SIGILL"), (6, "SIGABRT"), (7, "SIGBUS"), (8, "SIGFPE"), (11, "SIGSEGV")):
        program.registers[first] = number
        check(f"{where}: {signal}", stops._HostFaultStop("f").stop() and f"received signal {signal} in host code" in stops._message, str(stops._message))


def guards():
    """While a thread steps, other threads do not stop at breakpoints; afterwards the conditions are as before."""
    rng = random.Random(1)
    for _ in range(50):
        gdb.all_breakpoints = []
        for _ in range(4):
            made_up_gdb.Breakpoint()
        for one in gdb.all_breakpoints:
            one.enabled, one.type, one.condition = rng.random() < 0.7, rng.choice([1, 1, 2]), rng.choice([None, "x == 3 || y"])
            one.number, one.hit_count = rng.choice([-1, 1, 2]), rng.randint(0, 2)
        before = [one.condition for one in gdb.all_breakpoints]
        stepping._guard_breakpoints()
        expected = [own if not one.enabled or one.type != 1 else f"$_cuda_mine() && ({own})" if own else "$_cuda_mine()" for one, own in zip(gdb.all_breakpoints, before)]
        check("conditions while a thread steps", [one.condition for one in gdb.all_breakpoints] == expected)
        stepping.release_breakpoints()
        check("conditions afterwards", [one.condition for one in gdb.all_breakpoints] == before and stepping.stepping() is None)
        stops._hits = {one: rng.randint(0, 2) for one in gdb.all_breakpoints[:3]}
        event = types.SimpleNamespace(breakpoints=gdb.all_breakpoints)
        expected = [one for one in gdb.all_breakpoints if one.number > 0 and one.hit_count > stops._hits.get(one, 0)]
        check("the breakpoints that stopped the program", stops._breakpoints_of(event) == expected)
    gdb.all_breakpoints, stops._hits = [], None
    listing = "   0x00401000 <+0>:\tpush %rbp\n   0x00401005 <+5>:\tret\n=> 0x0040100a <+10>:\trepz ret\n   0x0040100c <+12>:\tcall 0x5 <retry>\n   0x0040100e <+14>:\tretq\n"
    run, gdb.execute = gdb.execute, lambda *_, **__: listing
    check("where a function returns", stepping._returns(1) == [0x401005, 0x40100a, 0x40100e], str(stepping._returns(1)))
    gdb.execute = run


def announcements():
    """The focus is named when it changes, and whenever one asks for it."""
    rng, last = random.Random(2), None
    stops._new_process()
    for _ in range(100):
        block = types.SimpleNamespace(grid_number=rng.choice([1, 2]), index=(rng.choice([0, 1]), 0, 0), size=(4, 2, 2))
        block.index_of = lambda t, block=block: blocks.Block.index_of(block, t)
        t, always = rng.choice([0, 9]), rng.random() < 0.2
        now = (block.grid_number, block.index, t)
        expected = f"[Switching focus to CUDA kernel {now[0] - 1}, block {name(now[1])}, thread {'(1,0,1)' if t else '(0,0,0)'}, warp 0, lane {t}]\n"
        text = said_by(lambda: stops.announce(block, t, always))[0]  # pylint: disable=cell-var-from-loop
        check("what is said of the focus", text == (expected if always or now != last else ""), f"{now} {last} {text}")
        last = now


def tables():
    """A program that is older or newer than the script, or none of the CPU device."""
    rng = random.Random(3)
    program = gdb.program = made_up_gdb.Program(rng)
    address = program.symbols["cpu_device_debugger_table"]
    for data, said in ((b"CUDADBG\0" + struct.pack("<I", 2), "version 2"), (b"NOTADBG\0" + struct.pack("<I", 1), "compile the program again")):
        program.memory.write(address, data)
        memory.forget()
        check("a table of another version", said in said_by(memory.table)[1])
    del program.symbols["cpu_device_debugger_table"]
    check("no table", "does not use the CPU device" in said_by(memory.table)[1])


def lanes():
    for count, many, width in itertools.product([1, 8, 9, 31, 32], [1, 7, 8, 9, 32], [1, 11, 12, 13]):
        values = [f"{i * many // count:{width}}" for i in range(count)]
        text = said_by(lambda: commands._print_lanes(values))[0]  # pylint: disable=cell-var-from-loop
        check(f"{count} lanes with up to {many} values of {width} letters", text == lanes_in_words(values), text)


def wrong_words():
    for words, said in (("fish", "cuda fish: unknown"), ("thread fish", "unknown"), ("thread (1,2,3,4)", "one to three numbers"), ("block ()", "one to three numbers")):
        check(f"cuda {words}", said in said_by(lambda: CUDA.invoke(words, False))[1])  # pylint: disable=cell-var-from-loop
    for words in ("", "fish", "kernelsx"):
        check(f"info cuda {words}", said_by(lambda: INFO.invoke(words, False))[1] == "info cuda kernels, info cuda blocks or info cuda threads")  # pylint: disable=cell-var-from-loop


def numbers():
    """Each thread of a block, from its number to its index and back; indices outside."""
    for size in SHAPES:
        block = types.SimpleNamespace(size=size)
        indices = [(x, y, z) for z in range(size[2]) for y in range(size[1]) for x in range(size[0])]
        check(f"indices in a block of {size}", [blocks.Block.index_of(block, t) for t in range(len(indices))] == indices)
        check(f"numbers in a block of {size}", [blocks.Block.number_of(block, index) for index in indices] == list(range(len(indices))))
        outside = [tuple(size[i] if i == k else 0 for i in range(3)) for k in range(3)]
        check(f"outside of a block of {size}", [blocks.Block.number_of(block, index) for index in outside] == [None] * 3)


def main():
    seeds = int(sys.argv[1]) if len(sys.argv) > 1 else 150
    numbers()
    for seed in range(seeds):
        session(seed)
    lanes()
    wrong_words()
    host_frames()
    names()
    words_of_break()
    guards()
    resumptions()
    breakpoints_of_kernels()
    announcements()
    tables()
    for seed in range(20):
        findings(seed)
    return finish()


if __name__ == "__main__":
    sys.exit(main())
