"""next, step, until and finish stay in the thread in focus.

A worker executes the threads of its block in turn, so gdb's own commands do the right thing within a thread:
their temporary breakpoints know the stack that they are for. Two things remain for the hooks here, which
run before the command: other threads must not stop at breakpoints meanwhile, and a thread that waits has to
come on first.
"""
import re

import gdb

from . import blocks, focus, frames, memory

_COMMANDS = ("next", "step", "until", "finish", "advance", "stepi", "nexti")

_mine = None       # while a thread steps: (grid number, block, thread number)
_function = None   # in which it began: (how many functions are below, name)
_conditions = {}   # the breakpoints' own, meanwhile


def stepping():
    return _mine


def is_executing(wanted):
    """Whether gdb's selected thread executes this thread of this block of this grid."""
    block = blocks.block_of(gdb.selected_thread())
    return block is not None and (block.grid_number, block.index, block.current) == wanted


def _function_of(own):
    return (len(own), own[0].name()) if own else None


def is_in_same_function():
    """Whether the thread is where it began its step, which a reader knows: then gdb names the line alone."""
    return _mine is not None and _function == _function_of(frames.kernel_frames()) and is_executing(_mine)


class _Mine(gdb.Function):
    """$_cuda_mine(): whether the thread that steps is the one that came here."""

    def __init__(self):
        super().__init__("_cuda_mine")

    def invoke(self):
        return _mine is None or is_executing(_mine)


class _Resumption(gdb.Breakpoint):
    """Where a thread that waits goes on."""

    def __init__(self, pc, wanted):
        self.wanted = wanted
        super().__init__("*%d" % pc, internal=True)
        self.silent = True

    def stop(self):
        return is_executing(self.wanted)


def _guard_breakpoints():
    for breakpoint in gdb.breakpoints():
        if breakpoint.is_valid() and breakpoint.enabled and breakpoint.type == gdb.BP_BREAKPOINT:
            own = breakpoint.condition
            try:
                breakpoint.condition = "$_cuda_mine() && (%s)" % own if own else "$_cuda_mine()"
            except (gdb.error, RuntimeError):
                continue  # one that a script of the user's decides about
            _conditions[breakpoint] = own


def release_breakpoints():
    global _mine
    _mine = None
    gdb.execute("set step-mode off")
    for breakpoint, own in _conditions.items():
        if breakpoint.is_valid():
            breakpoint.condition = own
    _conditions.clear()


def _returns(function_pc):
    """Where the function that has this address returns."""
    listing = gdb.execute("disassemble %d" % function_pc, to_string=True)
    return [int(pc, 16) for pc in re.findall(r"(0x[0-9a-f]+) <[^>]*>:\s+(?:repz )?ret", listing)]


def _resumptions(frame):
    """Where a thread that waits is back in the frame: the addresses to stop at, and whether the last step is still to do.

    What it waits in may be the last of its line. Then the command itself steps back into the frame, to the next line: it stops
    there as after any step."""
    after = gdb.find_pc_line(frame.pc())
    if after.pc == frame.pc() and after.line != frame.find_sal().line and frame.newer() is not None:
        places = _returns(frame.newer().pc())
        if places:
            return places, True
    return [frame.pc()], False


def _bring_on(wanted, places):
    """Runs until the thread, which is in the runtime, comes to one of the places. False: it never came."""
    from . import stops
    resumptions = [_Resumption(pc, wanted) for pc in places]
    stops.quiet = True
    try:
        focus.clear()
        gdb.execute("continue", to_string=True)
    finally:
        stops.quiet = False
        for one in resumptions:
            if one.is_valid():
                one.delete()
    return gdb.selected_thread() is not None and is_executing(wanted)


def before(command):
    global _mine, _function
    from . import stops
    thread = gdb.selected_thread()
    block = blocks.block_of(thread)
    if block is None:
        return
    waiting, number = focus.waiting(), focus.thread_number(block)
    if waiting is None and not frames.kernel_frames():
        if block.is_current(number) and not stops.starts_here(gdb.newest_frame()):
            return  # in the runtime: as gdb does it
        raise gdb.GdbError("Thread %s has ended. `continue`, or choose another thread (`info cuda threads`)."
                           % blocks.in_words(block.index_of(number)))
    wanted = (block.grid_number, block.index, number)
    if command == "finish":
        selected, own = gdb.selected_frame(), frames.kernel_frames()
        if selected == own[-1]:
            raise gdb.GdbError('"finish" not meaningful in a kernel: it is called by the device. '
                               "`continue` goes on to the next breakpoint.")
        stops.native = True
    _guard_breakpoints()
    _mine, _function = wanted, _function_of(frames.kernel_frames())
    frame = frames.kernel_frames()[0]
    if waiting is None and frame == gdb.newest_frame() or command in ("finish", "advance"):
        return
    places, one_more = _resumptions(frame) if command in ("next", "step") else ([frame.pc()], False)
    if not _bring_on(wanted, places):
        release_breakpoints()
        raise gdb.GdbError("The thread did not continue: it still waits, or its kernel has ended. "
                           "(`info cuda threads`)")
    _guard_breakpoints()
    _mine = wanted
    if one_more:  # The runtime has no lines: then gdb steps a single instruction.
        gdb.execute("set step-mode on")


class _Before(gdb.Command):
    """Prepares for next, step and their like. (Called by their hooks.)"""

    def __init__(self):
        super().__init__("_cuda-before", gdb.COMMAND_OBSCURE)

    def invoke(self, text, _):
        before(text.strip())


def install():
    _Before(), _Mine()
    for command in _COMMANDS:
        gdb.execute("define hook-%s\n_cuda-before %s\nend" % (command, command))
    for file in ("*/cpu_device/include/*", "*/cpu_device/include/*/*", "*/c++/*"):
        gdb.execute("skip -gfi %s" % file, to_string=True)
