"""The blocks that workers have in hand, and what each of their threads does."""
import collections

import gdb

from . import frames, memory

# What a thread does; `line` is 0 where there is none to tell.
Standing = collections.namedtuple("Standing", "doing file line")

_WORDS = {
    "running": "run",
    "barrier": "wait at __syncthreads()",
    "warp": "wait in a warp operation",
    "part": "wait at a barrier for part of the block",
    "yielding": "wait in a loop",
    "spinning": "retry an atomic",
    "held": "wait for their warp to leave a loop",
    "parked": "wait for other threads",
    "ended": "ended",
}
NOT_STARTED = Standing("not started", "", 0)
ENDED = Standing("ended", "", 0)


def in_words(index):
    return "(%d,%d,%d)" % tuple(index)


class selected_thread:
    """Looks at a thread of gdb's for as long as the block lasts."""

    def __init__(self, thread):
        self.thread = thread

    def __enter__(self):
        self.before, self.frame = gdb.selected_thread(), None
        try:
            self.frame = gdb.selected_frame()
        except gdb.error:
            pass
        if self.before is not self.thread and self.before != self.thread:
            self.thread.switch()

    def __exit__(self, *_):
        if self.before is not None and self.before.is_valid() and gdb.selected_thread() != self.before:
            self.before.switch()
        if self.frame is not None and self.frame.is_valid():
            self.frame.select()


class Block:
    """What one worker, a thread of the system's, has in hand."""

    def __init__(self, thread, entry):
        self.at = memory.table()
        self.thread = thread
        self.worker = memory.pointer(entry + self.at["DebuggedWorker.worker"])
        self.thread_index_address = memory.pointer(entry + self.at["DebuggedWorker.thread_index"])
        self._block_index = memory.pointer(entry + self.at["DebuggedWorker.block_index"])
        self.grid_address = memory.pointer(self.worker + self.at["Worker.grid"])
        self.launch = memory.pointer(self.grid_address + self.at["Grid.launch"])
        self.index = memory.index(self._block_index)
        self.grid_size = memory.index(self.launch + self.at["Launch.grid"])
        self.size = memory.index(self.launch + self.at["Launch.block"])
        self.grid_number = memory.number(self.grid_address + self.at["Grid.number"], 8)
        for name in ("threads", "started", "finished", "current", "waiting_count", "ready_head", "ready_count"):
            setattr(self, name, memory.number(self.worker + self.at["Worker." + name]))
        self._kinds = {value: name[5:] for name, value in self.at.items() if name.startswith("kind.")}
        self._begun = set(self._numbers(self.worker + self.at["Worker.order"], self.started))

    @property
    def kernel(self):
        return memory.text(memory.pointer(self.launch + self.at["Launch.type.name"]))

    def _numbers(self, address, count):
        data = memory.read(address, 2 * count) if count else b""
        return [int.from_bytes(data[2 * i:2 * i + 2], "little") for i in range(count)]

    def _queue(self, name, first, count):
        address, most = memory.pointer(self.worker + self.at["Worker." + name]), self.at["Worker.most_threads"]
        return {memory.number(address + 2 * ((first + i) % most), 2) for i in range(count)}

    def index_of(self, thread):
        return (thread % self.size[0], thread // self.size[0] % self.size[1],
                thread // (self.size[0] * self.size[1]))

    def number_of(self, index):
        """The thread's number, or None if the block has no such thread."""
        if any(i >= size for i, size in zip(index, self.size)):
            return None
        return index[0] + self.size[0] * (index[1] + self.size[1] * index[2])

    def index_address(self, thread):
        return self.worker + self.at["Worker.index_of"] + 12 * thread

    def state(self, thread):
        return self.worker + self.at["Worker.states"] + thread * self.at["ThreadState"]

    def stack_pointer(self, thread):
        return memory.pointer(self.state(thread) + self.at["ThreadState.stack_pointer"])

    def kind(self, thread):
        return self._kinds.get(memory.number(self.state(thread) + self.at["ThreadState.kind"], 1), "running")

    def is_current(self, thread):
        """Whether the worker is executing this thread just now, rather than choosing the next one."""
        return thread == self.current and thread in self._begun and self.kind(thread) != "ended"

    def waits(self, thread):
        return thread in self._begun and not self.is_current(thread) and self.kind(thread) != "ended"

    def standings(self):
        """What each thread does, by its number."""
        ready = self._queue("ready", self.ready_head, self.ready_count)
        return [self._standing(thread, ready) for thread in range(self.threads)]

    def standing(self, thread):
        return self._standing(thread, self._queue("ready", self.ready_head, self.ready_count))

    def _standing(self, thread, ready):
        if thread not in self._begun:
            return NOT_STARTED
        kind = self.kind(thread)
        if kind == "ended":
            return ENDED
        if self.is_current(thread):
            with selected_thread(self.thread):
                place = frames.place_of_running_thread()
            return Standing("runs", *(place or ("", 0)))
        file = memory.text(memory.pointer(self.state(thread) + self.at["ThreadState.file"]))
        line = memory.signed(self.state(thread) + self.at["ThreadState.line"])
        doing = "passed __syncthreads()" if kind == "barrier" and thread in ready else _WORDS[kind]
        # A thread that waits in a loop says where its kernel was launched.
        return Standing(doing, file, 0) if kind == "yielding" else Standing(doing, file, line)


def entries():
    """The entries of workers in the runtime's list, by the number of their thread."""
    at, start = memory.table(), memory.symbol("cpu_device_debugger_workers")
    found = {}
    for i in range(at["DebuggedWorker.most"]):
        entry = start + i * at["DebuggedWorker"]
        thread = memory.number(entry + at["DebuggedWorker.thread"])
        if thread == 0:
            if i >= 64 and not found:
                break
            continue
        found[thread] = entry
    return found


def is_at_work(entry):
    worker = memory.pointer(entry + memory.table()["DebuggedWorker.worker"])
    return worker != 0 and memory.number(worker + memory.table()["Worker.in_kernel"], 1) != 0


def all_blocks():
    """Every block that a worker has in hand, in the order of kernels and blocks."""
    known = entries()
    found = []
    for thread in gdb.selected_inferior().threads():
        entry = known.get(thread.ptid[1])
        if entry is not None and is_at_work(entry):
            block = Block(thread, entry)
            if block.started > 0 and block.finished < block.threads:
                found.append(block)
    return sorted(found, key=lambda block: (block.grid_number, block.index[::-1]))


def entry_of(thread):
    """The entry of gdb's thread, None if it is no worker: quicker than entries()."""
    at, start = memory.table(), memory.symbol("cpu_device_debugger_workers")
    wanted = thread.ptid[1]
    data = memory.read(start, at["DebuggedWorker"] * at["DebuggedWorker.most"])
    for i in range(at["DebuggedWorker.most"]):
        where = i * at["DebuggedWorker"] + at["DebuggedWorker.thread"]
        if int.from_bytes(data[where:where + 4], "little") == wanted:
            return start + i * at["DebuggedWorker"]
    return None


def block_of(thread):
    """The block that gdb's thread has in hand, or None."""
    if thread is None:
        return None
    try:
        entry = entry_of(thread)
    except (memory.NoTable, gdb.error):
        return None
    return Block(thread, entry) if entry is not None and is_at_work(entry) else None


def block_in_focus():
    block = block_of(gdb.selected_thread())
    if block is None:
        raise gdb.GdbError("The focus is on host code. `info cuda blocks` lists the blocks that run, and "
                           "`break KERNEL` stops in a kernel.")
    return block
