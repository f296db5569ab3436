"""cuda, info cuda: cuda-gdb's words."""
import os
import re

import gdb

from . import blocks, focus, frames, memory, stops
from .blocks import in_words

# `cuda warp i` shows a variable, which may be called grid. `cuda warp grid block` is the focus.
_WARP_VARIABLE = re.compile(r"\s*warp\s+(?!\d)(?!lane\b|block\b|thread\b|kernel\b)"
                            r"(?!(?:grid|device|sm)\s+(?:kernel|grid|block|thread|lane|device|sm)\b)(\S.*)$")
_FOCUS = re.compile(r"\s*(kernel|grid|block|thread|warp|lane|device|sm)\b\s*(\([\d,\s]*\)|[\d]+(?:\s*,\s*\d+)*)?")


def _numbers(text, word):
    found = [int(one) for one in re.findall(r"\d+", text)]
    if not 1 <= len(found) <= 3:
        raise gdb.GdbError("%s: one to three numbers, such as: cuda %s (3,0,0)" % (text, word))
    return tuple(found + [0] * (3 - len(found)))


def _parse(text):
    """{"block": (1,0,0), "thread": None}: None where no number was given."""
    wanted, at = {}, 0
    while at < len(text.rstrip()):
        match = _FOCUS.match(text, at)
        if match is None:
            raise gdb.GdbError("cuda %s: unknown. Try: cuda thread 20, cuda block (1,0,0), cuda kernel block thread, "
                               "cuda warp VARIABLE" % text.strip())
        word, value = match.groups()
        wanted[word] = _numbers(value, word) if value else None
        at = match.end()
    return wanted


def _current_values(block):
    number = focus.thread_number(block)
    return {"kernel": block.grid_number - 1, "grid": block.grid_number, "block": in_words(block.index),
            "thread": in_words(block.index_of(number)), "warp": number // 32, "lane": number % 32,
            "device": memory.number(block.launch + block.at["Launch.device"]), "sm": 0}


def _find_block(wanted):
    """The block that is asked for: of what is not named, that in focus."""
    here = blocks.block_of(gdb.selected_thread())
    grid = wanted["kernel"][0] + 1 if wanted.get("kernel") else wanted["grid"][0] if wanted.get("grid") else None
    index = wanted.get("block")
    running = blocks.all_blocks()
    if not running:
        raise gdb.GdbError("No kernel is running.")
    if grid is None:
        grid = here.grid_number if here else running[0].grid_number
    of_grid = [one for one in running if one.grid_number == grid]
    if not of_grid:
        raise gdb.GdbError("Kernel %d is not running. (`info cuda kernels`)" % (grid - 1))
    if index is None:
        same = [one for one in of_grid if here and one.index == here.index]
        return (same or of_grid)[0]
    for one in of_grid:
        if one.index == index:
            return one
    first = of_grid[0]
    if any(i >= size for i, size in zip(index, first.grid_size)):
        raise gdb.GdbError("There is no block %s in a grid of %s." % (in_words(index), in_words(first.grid_size)))
    raise gdb.GdbError("Block %s is not running: it has ended, or not started. (`info cuda blocks`) To stop in it: "
                       "break %s if blockIdx.x == %d" % (in_words(index), first.kernel, index[0]))


def _thread_number(block, wanted):
    number = focus.thread_number(block)
    if wanted.get("thread"):
        index = wanted["thread"]
        if index[1:] == (0, 0) and block.size[1:] != (1, 1) and block.number_of(index) is None:
            return None, index
        number = block.number_of(index)
        return number, index
    warp = wanted["warp"][0] if wanted.get("warp") else number // 32
    lane = wanted["lane"][0] if wanted.get("lane") else number % 32 if not wanted.get("warp") else 0
    if wanted.get("warp") or wanted.get("lane"):
        number = 32 * warp + lane
        return (number if lane < 32 and number < block.threads else None), (number, 0, 0)
    return number, None


def switch(wanted):
    block = _find_block(wanted)
    number, index = _thread_number(block, wanted)
    if number is None:
        raise gdb.GdbError("There is no thread %s in a block of %s." % (in_words(index), in_words(block.size)))
    if index is None and not block.is_current(number) and not block.waits(number):
        number = next((t for t in range(block.threads) if block.waits(t)), block.current)
    if not block.is_current(number) and not block.waits(number):
        state = "has ended" if block.standing(number) == blocks.ENDED else "has not started"
        x = block.index_of(number)[0]
        raise gdb.GdbError("Thread %s %s. A worker executes the threads of a block in turn, each until it waits. "
                           "(`info cuda threads`) To stop in it: break LINE if threadIdx.x == %d"
                           % (in_words(block.index_of(number)), state, x))
    focus.clear()
    if block.thread != gdb.selected_thread():
        block.thread.switch()
    if block.waits(number):
        focus.set_waiting(block, number)
    stops.show_focus(always=True)


# ---- lists ----

def _table(head, rows):
    widths = [max(len(str(row[i])) for row in [head] + rows) for i in range(len(head))]
    for row in [head] + rows:
        print("  ".join(str(cell).ljust(width) for cell, width in zip(row, widths)).rstrip())


def _count(number, what):
    return "%d %s%s" % (number, what, "" if number == 1 else "s")


def print_kernels(running):
    here, grids = blocks.block_of(gdb.selected_thread()), {}
    for block in running:
        grids.setdefault(block.grid_number, block)
    rows = []
    for number, block in sorted(grids.items()):
        at, launch = block.at, block.launch
        site = "%s:%d" % (frames.short_name(memory.text(memory.pointer(launch + at["Launch.site.file"]))),
                          memory.signed(launch + at["Launch.site.line"]))
        rows.append(("*" if here and here.grid_number == number else " ", number - 1, number,
                     memory.number(launch + at["Launch.device"]), "Active", in_words(block.grid_size),
                     in_words(block.size), block.kernel, site))
    _table(("", "Kernel", "Grid", "Dev", "Status", "GridDim", "BlockDim", "Name", "Launched at"), rows)


def print_blocks(running):
    here = blocks.block_of(gdb.selected_thread())
    for number in sorted({block.grid_number for block in running}):
        of_grid = [block for block in running if block.grid_number == number]
        first = of_grid[0]
        print("Kernel %d: %s, grid %s" % (number - 1, first.kernel, in_words(first.grid_size)))
        rows = [("*" if here and (here.grid_number, here.index) == (number, block.index) else " ",
                 in_words(block.index), "running", "at work on thread %s" % in_words(block.index_of(block.current)))
                for block in of_grid]
        _table(("", "BlockIdx", "State", ""), rows)
        total = memory.number(first.grid_address + first.at["Grid.blocks"], 8)
        ahead = total - min(total, memory.number(first.grid_address + first.at["Grid.next"], 8))
        for block in of_grid:
            ahead += max(0, memory.number(block.worker + block.at["Worker.end"], 8) -
                         memory.number(block.worker + block.at["Worker.position"], 8))
        print("  %d running, %d not started, %d ended" % (len(of_grid), ahead, max(0, total - ahead - len(of_grid))))


def _print_threads_of(block, in_focus):
    standings = block.standings()
    rows, first = [], 0
    for thread in range(1, block.threads + 1):
        if thread < block.threads and standings[thread] == standings[first] and in_focus not in (thread, thread - 1):
            continue
        one = standings[first]
        last = thread - 1
        rows.append(("*" if first == in_focus else " ", in_words(block.index_of(first)),
                     in_words(block.index_of(last)) if last > first else "", last - first + 1, one.doing,
                     os.path.basename(one.file) if one.line else "", one.line or ""))
        first = thread
    print("Kernel %d: %s, block %s of grid %s, %s" % (block.grid_number - 1, block.kernel, in_words(block.index),
          in_words(block.grid_size), _count(block.threads, "thread")))
    _table(("", "ThreadIdx", "To ThreadIdx", "Count", "State", "Filename", "Line"), rows)


def _number_in_focus():
    block = blocks.block_of(gdb.selected_thread())
    return (block.worker, focus.thread_number(block)) if block else (0, -1)


def print_threads(running):
    """Of the block in focus, or of all if none is."""
    worker, number = _number_in_focus()
    chosen = [block for block in running if block.worker == worker] or running
    for block in chosen:
        _print_threads_of(block, number if block.worker == worker else -1)


def print_all_threads():
    worker, number = _number_in_focus()
    for block in blocks.all_blocks():
        _print_threads_of(block, number if block.worker == worker else -1)


class _InfoCuda(gdb.Command):
    """List the kernels, blocks or threads that run.

info cuda kernels   the kernels, with grid and block size, and where they were launched
info cuda blocks    the blocks that run, and how many wait or have ended
info cuda threads   what each thread of the block in focus does; threads that do the same form one row"""

    _LISTS = {"kernels": print_kernels, "blocks": print_blocks, "threads": print_threads}

    def __init__(self):
        super().__init__("info cuda", gdb.COMMAND_STATUS)

    def complete(self, text, word):
        return [name for name in self._LISTS if name.startswith(word)]

    def invoke(self, text, _):
        wanted = [name for name in self._LISTS if text.strip() and name.startswith(text.strip())]
        if len(wanted) != 1:
            raise gdb.GdbError("info cuda kernels, info cuda blocks or info cuda threads")
        if gdb.selected_thread() is None:
            raise gdb.GdbError("The program is not being run.")
        running = blocks.all_blocks()
        if not running:
            raise gdb.GdbError("No kernel is running.")
        self._LISTS[wanted[0]](running)


# ---- a variable of all lanes ----

def _value_in_lane(block, number, expression):
    if not block.is_current(number) and not block.waits(number):
        return "(%s)" % block.standing(number).doing
    if block.waits(number):
        focus.set_waiting(block, number)
    else:
        focus.clear()
    own = frames.kernel_frames()
    if not own:
        return "(no frame)"
    for frame in own:  # the variable may be the kernel's, and the lane in a function that it calls
        frame.select()
        try:
            return gdb.parse_and_eval(expression).format_string(symbols=False, max_elements=16)
        except gdb.error as error:
            problem = error
    raise problem


def print_warp(expression):
    block = blocks.block_in_focus()
    before, number = focus.waiting(), focus.thread_number(block)
    first = number // 32 * 32
    last = min(first + 32, block.threads) - 1
    values, problem = [], None
    try:
        for lane in range(first, last + 1):
            try:
                values.append(_value_in_lane(block, lane, expression))
            except gdb.error as error:
                problem = error
                values.append("(not in scope)" if "No symbol" in str(error) else "(%s)" % error)
    finally:
        focus.clear()
        if before is not None:
            focus.set_waiting(before.block, before.number)
        own = frames.kernel_frames()
        if own:
            own[0].select()
    if problem is not None and all(value.startswith("(") for value in values):
        raise gdb.GdbError(str(problem))
    print("%s in warp %d, threads %s to %s" % (expression, first // 32, in_words(block.index_of(first)),
                                               in_words(block.index_of(last))))
    _print_lanes(values)


def _print_lanes(values):
    runs, start = [], 0
    for i in range(1, len(values) + 1):
        if i == len(values) or values[i] != values[start]:
            runs.append((start, i - 1))
            start = i
    width = max(len(value) for value in values)
    if len(runs) > 8 and width <= 12:  # eight lanes to a line
        for start in range(0, len(values), 8):
            some = values[start:start + 8]
            print("  lanes %2d-%-2d  %s" % (start, start + len(some) - 1, "  ".join(v.rjust(width) for v in some)))
        return
    for first, last in runs:
        lanes = "lane  %d" % first if first == last else "lanes %d-%d" % (first, last)
        print("  %-11s  %s" % (lanes, values[first]))


class _Cuda(gdb.Command):
    """Look at a kernel, a block, a thread, or the lanes of a warp.

cuda kernel block thread     print the focus
cuda thread 20               look at thread (20,0,0) of this block
cuda thread (3,1,0)
cuda block (1,0,0)           look at a block that runs
cuda kernel 1 block 0 thread 5
cuda warp 2 lane 3           the same thread as number 67 of the block
cuda warp VARIABLE           a variable or expression in each lane of this warp"""

    def __init__(self):
        super().__init__("cuda", gdb.COMMAND_RUNNING)

    def complete(self, text, word):
        return [name for name in ("kernel", "block", "thread", "warp", "lane") if name.startswith(word)]

    def invoke(self, text, _):
        if gdb.selected_thread() is None:
            raise gdb.GdbError("The program is not being run.")
        of_warp = _WARP_VARIABLE.match(text)
        if of_warp:
            return print_warp(of_warp.group(1).strip())
        wanted = _parse(text)
        if not any(wanted.values()):
            values = _current_values(blocks.block_in_focus())
            print(", ".join("%s %s" % (word, values[word]) for word in wanted or ("kernel", "block", "thread")))
            return None
        return switch(wanted)


def install():
    _Cuda(), _InfoCuda()
