"""The thread that commands are about.

Mostly it is the one that its worker executes. The focus can also be on a thread that waits: its registers lie
on its stack (runtime/execution/fiber.cpp), and an unwinder puts its frames behind the real frame 0. So nothing
in the program is changed, and `continue` is always safe.
"""
import sys

import gdb
from gdb.unwinder import Unwinder

from . import blocks, memory


class Waiting:
    def __init__(self, block, number):
        self.block, self.number = block, number
        self.ptid = block.thread.ptid
        self.saved = block.stack_pointer(number)


_waiting = None
_must_tell = False


def _invalidate_frames():
    """Of gdb, and of an editor that speaks the Debug Adapter Protocol (gdb --interpreter=dap)."""
    global _must_tell
    gdb.invalidate_cached_frames()
    adapter = sys.modules.get("gdb.dap.frames")
    if adapter is not None:
        adapter._clear_frame_ids(None)  # It does so itself only when the program continues.
        _must_tell = True
        gdb.post_event(_tell_editor)


def _tell_editor():
    global _must_tell
    told, _must_tell = _must_tell, False
    thread = gdb.selected_thread()
    if told and thread is not None and thread.is_stopped():
        sys.modules["gdb.dap.server"].send_event(
            "stopped", {"reason": "goto", "threadId": thread.global_num, "allThreadsStopped": True})


def waiting():
    """The thread in focus, if it is one that waits on gdb's selected thread; else None."""
    thread = gdb.selected_thread()
    if _waiting is None or thread is None or thread.ptid != _waiting.ptid:
        return None
    return _waiting


def set_waiting(block, number):
    global _waiting
    _waiting = Waiting(block, number)
    _invalidate_frames()


def clear(resumed=False):
    global _waiting
    if _waiting is not None:
        _waiting = None
        if not resumed:
            _invalidate_frames()


def thread_number(block):
    """The number of the thread in focus of the block that gdb's selected thread has in hand."""
    one = waiting()
    return block.current if one is None else one.number


class _FrameId:
    def __init__(self, sp, pc):
        self.sp, self.pc = sp, pc


def _word(number):
    return gdb.Value(number).cast(gdb.lookup_type("unsigned long"))


class _Fibers(Unwinder):
    def __init__(self):
        super().__init__("cpu_device_fibers")

    def __call__(self, pending):
        one = _waiting
        if one is None or pending.level() != 0:
            return None
        thread = gdb.selected_thread()
        if thread is None or thread.ptid != one.ptid:
            return None
        at = one.block.at
        here = pending.read_register("pc")
        # Stacks lie in any order, and gdb wants the frames of callers above: so this one is below all.
        info = pending.create_unwind_info(_FrameId(_word(8), here))
        for name, offset in at.items():
            if name.startswith("saved."):
                info.add_saved_register(name[6:], _word(memory.pointer(one.saved + offset)))
        info.add_saved_register("sp" if "saved.pc" in at else "rsp", _word(one.saved + at["saved"]))
        return info


class _ThreadIndex(gdb.Function):
    """$_cuda_thread_index(), $_cuda_block_index(), ...: the addresses of threadIdx and its family."""

    def __init__(self, name, member):
        super().__init__(name)
        self.member = member

    def invoke(self):
        one = waiting()
        if one is not None and self.member == "thread_index":
            return self.at(one.block.index_address(one.number))
        if gdb.selected_thread() is None:
            raise gdb.GdbError("The program is not being run.")
        entry = blocks.entry_of(gdb.selected_thread())
        if entry is None or not blocks.is_at_work(entry):
            raise gdb.GdbError("The focus is on host code, which has no threadIdx. `info cuda threads` lists "
                               "the threads of kernels.")
        return self.at(memory.pointer(entry + memory.table()["DebuggedWorker." + self.member]))

    @staticmethod
    def at(address):
        return gdb.Value(address)


_BUILTINS = (("threadIdx", "thread_index"), ("blockIdx", "block_index"), ("blockDim", "block_size"),
             ("gridDim", "grid_size"))


def _define_builtins(event=None):
    """As macros: so they work in conditions and wherever an expression may stand."""
    if event is not None and event.new_objfile.filename != gdb.current_progspace().filename:
        return
    kind = "cpu_device::ReadOnlyIndex *"
    # An editor may set breakpoints before it names the program. gdb reads their conditions in the language of that
    # moment, as soon as there is a program, which is before this event.
    if gdb.current_progspace().filename is None:
        gdb.execute("set language c++")
    else:
        gdb.execute("set language auto")
        try:
            gdb.lookup_type("cpu_device::ReadOnlyIndex")
        except gdb.error:  # the program was compiled without -g
            kind = "unsigned int (*)[3]"
    for builtin, member in _BUILTINS:
        # The cast is for gdb, which wants types before it calls functions.
        gdb.execute("macro define %s (*(%s)$_cuda_%s())" % (builtin, kind, member))


def _resumed(_):
    global _must_tell
    _must_tell = False  # gdb tells of the next stop itself
    clear(resumed=True)


def install():
    gdb.unwinder.register_unwinder(None, _Fibers(), replace=True)
    for _, member in _BUILTINS:
        _ThreadIndex("_cuda_" + member, member)
    gdb.execute("macro define warpSize 32")
    _define_builtins()
    gdb.events.new_objfile.connect(_define_builtins)
    gdb.events.cont.connect(_resumed)
