"""What is printed when the program stops, and stops of our own: findings of a checked run, faults, kernels that
cannot go on."""
import gdb

from . import blocks, focus, frames, memory, stepping

quiet = False    # the next stop is part of a command of ours
native = False   # gdb prints the next stop itself

_announced = None   # the thread that was named last
_all_threads = False  # whether all threads are of interest then
_message = None     # why it stopped, for a stop of our own
_told = set()       # what findings have stopped the program already


def source_line(sal):
    try:
        text = gdb.execute("list %s:%d,%d" % (sal.symtab.filename, sal.line, sal.line), to_string=True)
        return text.rstrip("\n").split("\n")[-1]
    except gdb.error:
        return str(sal.line)


def location_in_words(frame):
    sal = frame.find_sal()
    return "%s\n%s" % (frames.describe(frame), source_line(sal)) if sal.symtab is not None else frames.describe(frame)


def focus_in_words(block, number):
    return "kernel %d, block %s, thread %s, warp %d, lane %d" % (
        block.grid_number - 1, blocks.in_words(block.index), blocks.in_words(block.index_of(number)),
        number // 32, number % 32)


def announce(block, number, always=False):
    """Says which thread the focus is on, unless it is the one that was named last."""
    global _announced
    now = (block.grid_number, block.index, number)
    if always or now != _announced:
        print("[Switching focus to CUDA %s]" % focus_in_words(block, number))
    _announced = now


def show_focus(always=False, why="", source=True):
    """Selects the learner's innermost frame of the thread in focus, and prints where it is."""
    block = blocks.block_of(gdb.selected_thread())
    own = frames.kernel_frames() if block is not None else []
    if own:
        announce(block, focus.thread_number(block), always)
    frame = own[0] if own else frames.own_frame()
    if frame is None:
        print(why + gdb.execute("frame", to_string=True), end="")
        return
    frame.select()
    print(why + (location_in_words(frame) if source else frames.describe(frame)))


def _summary_of_threads():
    from . import commands
    commands.print_all_threads()


class _Stop(gdb.Breakpoint):
    """Stops where the runtime has something to say about the thread that it executes."""

    def __init__(self, function):
        self.function = function
        super().__init__("*&'%s'" % function, internal=True)
        self.silent = True

    @staticmethod
    def argument(number):
        names = ("x0", "x1", "x2") if "saved.pc" in memory.table() else ("rdi", "rsi", "rdx")
        return int(gdb.newest_frame().read_register(names[number])) & 0xFFFFFFFFFFFFFFFF


def _place(file, line):
    return "%s:%d: " % (frames.short_name(file), line) if file else ""


class _FailureStop(_Stop):
    """Worker::abort_grid(error, failure)"""

    def stop(self):
        global _message, _all_threads
        at, failure = memory.table(), self.argument(2)
        kind = memory.text(memory.pointer(failure + at["Failure.kind"]))
        _all_threads = kind in ("barrier", "shuffle", "no-progress")
        what = memory.string(failure + at["Failure.what"])
        place = _place(memory.string(failure + at["Failure.file"]), memory.signed(failure + at["Failure.line"]))
        _told.add(what)
        _message = "%sCPU device: %s" % (place, what)
        hint = memory.string(failure + at["Failure.hint"])
        if hint:
            _message += "\n  hint: " + hint
        return True


class _FindingStop(_Stop):
    """check::add_finding(finding)"""

    def stop(self):
        global _message
        at, finding = memory.table(), self.argument(0)
        title = memory.string(finding + at["Finding.title"])
        place = (memory.string(finding + at["Finding.file"]), memory.signed(finding + at["Finding.line"]))
        if memory.text(memory.pointer(finding + at["Finding.level"])) == "note" or title in _told:
            return False
        # One finding for each kind and pair of lines, as the run counts them.
        others = memory.pointer(finding + at["Finding.others"])
        other = memory.signed(others + at["Second.line"]) if others else 0
        key = (memory.text(memory.pointer(finding + at["Finding.kind"])), place[0], tuple(sorted((place[1], other))))
        if key in _told:
            return False
        _told.add(key)
        _message = "%sCPU device: %s%s" % (_place(*place), title,
                                           memory.string(finding + at["Finding.details"]))
        hint = memory.string(finding + at["Finding.hint"])
        if hint:
            _message += "\n  hint: " + hint
        return True


class _HostFaultStop(_Stop):
    def stop(self):
        global _message
        signal = {6: "SIGABRT", 7: "SIGBUS", 8: "SIGFPE", 4: "SIGILL"}.get(self.argument(0), "SIGSEGV")
        _message = "Program received signal %s in host code. `continue` prints what the CPU device knows." % signal
        return True


_own_stops = []


def _set_own_stops(_=None):
    """For the program that is about to run: not all programs have all of these functions."""
    wanted = {"cpu_device::Worker::abort_grid(cudaError, cpu_device::Failure)": _FailureStop,
              "cpu_device::check::add_finding(cpu_device::check::Finding)": _FindingStop,
              "cpu_device_debugger_host_fault": _HostFaultStop}
    have = {stop.function for stop in _own_stops if stop.is_valid()}
    for function, kind in wanted.items():
        if function not in have and memory.symbol("'%s'" % function) is not None:
            _own_stops.append(kind(function))


def _suppress(on):
    try:
        gdb.execute("set suppress-cli-notifications %s" % ("on" if on else "off"), to_string=True)
    except gdb.error:  # before gdb 12: it prints a little more
        pass


def _resumed(_):
    global _hits
    # What gdb prints at a stop names lambdas and the runtime. Of watchpoints it tells the values, though.
    watches = any(b.is_valid() and b.enabled and b.type != gdb.BP_BREAKPOINT for b in gdb.breakpoints())
    _suppress(quiet or not (native or watches))
    gdb.execute("set print frame-info %s" % ("source-line" if native else "auto"))
    if _hits is None:  # else a thread was created, perhaps after a breakpoint was hit
        _hits = {b: b.hit_count for b in gdb.breakpoints() if b.is_valid()}


def _breakpoints_of(event):
    """The breakpoints that stopped the program. gdb also names those whose condition was false."""
    return [b for b in getattr(event, "breakpoints", ())
            if b.is_valid() and b.number > 0 and b.hit_count > (_hits or {}).get(b, 0)]


_hits = None  # of breakpoints, when the program was resumed; None while it is stopped


def _stopped(event):
    global _message, _all_threads, native, _hits
    _suppress(False)
    stepped, same_function = stepping.stepping(), stepping.is_in_same_function()
    stepping.release_breakpoints()
    was_native, native = native, False
    breakpoints = _breakpoints_of(event)
    _hits = None
    if quiet:
        return
    message, _message = _message, None
    all_threads, _all_threads = _all_threads, False
    interrupted = getattr(event, "stop_signal", "") in ("SIGINT", "SIGTRAP", "SIGSTOP", "0") and not breakpoints
    why = ""
    try:
        if message is not None:
            print("\n" + message)
        elif breakpoints and not was_native:
            print()
            why = "%s %d, " % ("Temporary breakpoint" if breakpoints[0].temporary else "Breakpoint",
                               breakpoints[0].number)
        elif interrupted:
            _look_at_a_kernel()
        if stepped is not None and _has_ended(stepped):
            return
        if all_threads:
            _look_at_one_that_waits()
        if same_function and not (why or message or interrupted or all_threads):
            frame = frames.kernel_frames()[0]
            frame.select()
            print(source_line(frame.find_sal()))
        else:
            show_focus(why=why, source=not was_native)
        if interrupted or all_threads:
            _summary_of_threads()
    except memory.NoTable:
        print(gdb.execute("frame", to_string=True), end="")


def _look_at_one_that_waits():
    """Of a block that cannot go on, the last thread has often ended: the others are of interest."""
    block = blocks.block_of(gdb.selected_thread())
    if block is None or frames.kernel_frames():
        return
    for number in range(block.threads):
        if block.waits(number):
            return focus.set_waiting(block, number)


def _look_at_a_kernel():
    """After Ctrl-C, the focus is on a kernel if one runs, rather than on a thread that waits for it."""
    block = blocks.block_of(gdb.selected_thread())
    if block is None or not frames.kernel_frames():
        for other in blocks.all_blocks():
            with blocks.selected_thread(other.thread):
                runs = bool(frames.kernel_frames())
            if runs:
                other.thread.switch()
                return


def _has_ended(stepped):
    grid, index, number = stepped
    block = blocks.block_of(gdb.selected_thread())
    if block is None or (block.grid_number, block.index) != (grid, index) or frames.kernel_frames():
        return False
    frame = gdb.newest_frame()
    if not starts_here(frame):
        return False
    print("[Thread %s of block %s has ended]" % (blocks.in_words(block.index_of(number)), blocks.in_words(index)))
    return True


def starts_here(frame):
    return frame is not None and (frames.starts_thread(frame) or frames.is_runtime(frame))


def _new_process(_=None):
    global _announced, _hits
    _announced = None
    _told.clear()
    _hits = None
    memory.forget()


def install():
    gdb.events.cont.connect(_resumed)
    gdb.events.stop.connect(_stopped)
    gdb.events.exited.connect(_new_process)
    gdb.events.new_objfile.connect(_set_own_stops)
    # The runtime fills fresh memory when it is first touched, and asks workers where they are.
    for signal in ("SIGSEGV", "SIG%d" % 61, "SIGURG"):
        gdb.execute("handle %s nostop noprint pass" % signal, to_string=True)
    _set_own_stops()
