"""`break reduce` stops in the kernel, not in the function that queues its launch.

Both are called reduce for gdb: see include/cpu_device/launch.h. So break and tbreak are commands of ours,
which set gdb's own breakpoints at the kernel's body.
"""
import re

import gdb

_CONDITION = re.compile(r"(?:^|\s+)if(?=[\s(])\s*")
_SYSTEM = re.compile(r"/usr/|.*/cpu_device/include/")
_LOCATION = re.compile(r"^(\d+\.\d+)\s.*\s(0x[0-9a-f]+)\s", re.M)


def body_of(function):
    """How gdb names the body of a kernel's function, which it names `reduce(float*, int)`; None if it is none."""
    spec = "'%s::{lambda()#1}::operator()()'" % function
    try:
        return spec if _is_known(spec) else None
    except gdb.error:
        return None


def _is_known(spec):
    return bool(gdb.decode_line(spec)[1])


def _function_at(pc):
    block = gdb.block_for_pc(pc)
    while block is not None and block.function is None:
        block = block.superblock
    return block.function.print_name if block is not None else None


def _bodies(location):
    """The bodies of the kernels that the location names, and whether it names anything else."""
    if re.fullmatch(r"\d+|\*.*|.*:\d+|[+-]\d+|", location):
        return [], True
    try:
        _, places = gdb.decode_line(location)
    except gdb.error:
        return [], True
    bodies, others = [], False
    for place in places or ():
        function = _function_at(place.pc)
        body = body_of(function) if function else None
        if body is None:
            # `fill` is std::fill(), too, which nobody means.
            others = others or place.symtab is not None and not _SYSTEM.match(place.symtab.fullname())
        elif body not in bodies:
            bodies.append(body)
    return bodies, others


def _disable_launches(breakpoint):
    """Of a line that is in a kernel and in its launch, only the kernel counts."""
    listing = gdb.execute("info breakpoints %d" % breakpoint.number, to_string=True)
    locations = [(number, _function_at(int(pc, 16))) for number, pc in _LOCATION.findall(listing)]
    launches = [number for number, function in locations if function and body_of(function)]
    if launches and len(launches) < len(locations):
        gdb.execute("disable " + " ".join(launches))
        _with_launches.add(breakpoint)


_with_launches = set()


def _disable_again(_=None):
    """gdb finds the locations anew where a program is loaded, and not always knows which were disabled."""
    for breakpoint in list(_with_launches):
        if breakpoint.is_valid():
            _disable_launches(breakpoint)
        else:
            _with_launches.discard(breakpoint)


def _skip_launches(_=None):
    """`step` does not enter the function that queues a launch."""
    listing = gdb.execute("info functions -q cpu_device::run_thread<", to_string=True)
    for function in re.findall(r"run_thread<(.*)::(?:<lambda\(\)>|\{lambda\(\)#1\})", listing):
        if function not in _skipped:
            _skipped.add(function)
            gdb.execute("skip function %s" % function, to_string=True)


_skipped = set()


_ours = False  # the breakpoint that is being made is one of ours
_own_numbers = set()


def _created(breakpoint):
    """A breakpoint that an editor has set, by gdb's machine interface: it names kernels, too."""
    if _ours or breakpoint.type != gdb.BP_BREAKPOINT or breakpoint.number <= 0 or not breakpoint.location:
        return
    bodies, others = _bodies(breakpoint.location.removeprefix("-function "))
    if bodies and not others:
        gdb.post_event(lambda: _replace(breakpoint, bodies))
    else:
        gdb.post_event(lambda: breakpoint.is_valid() and _disable_launches(breakpoint))


def _replace(breakpoint, bodies):
    """Later, since an editor sets the condition after it has set the breakpoint."""
    if breakpoint.is_valid():
        breakpoint.enabled = False
        _replacements[breakpoint.number] = [_set(body, breakpoint.condition, None, breakpoint.temporary) for body in bodies]


def _deleted(breakpoint):
    for one in _replacements.pop(breakpoint.number, ()):
        if one.is_valid():
            gdb.post_event(one.delete)


_replacements = {}  # of breakpoints that an editor has set at a kernel's name, by their number


def _program_changed(event):
    if event.new_objfile.filename == gdb.current_progspace().filename:
        _skip_launches()
        _look_again()
    _disable_again()


def _look_again():
    """An editor may set breakpoints before it names the program: gdb knew no kernels then."""
    for breakpoint in gdb.breakpoints():
        if breakpoint.number not in _own_numbers and breakpoint.number not in _replacements:
            _created(breakpoint)


def _set(location, condition, thread, temporary):
    global _ours
    if not location.startswith("*"):
        gdb.decode_line(location)  # It says what is wrong; gdb.Breakpoint() would wait for a library that has it.
    _ours = True
    try:
        breakpoint = gdb.Breakpoint(location, temporary=temporary)
    finally:
        _ours = False
    _own_numbers.add(breakpoint.number)
    try:
        if condition:
            breakpoint.condition = condition
        if thread is not None:
            breakpoint.thread = thread
    except (gdb.error, RuntimeError, ValueError) as error:
        breakpoint.delete()
        raise gdb.GdbError("%s  (The breakpoint was not set.)" % str(error).rstrip())
    _disable_launches(breakpoint)
    return breakpoint


def set_breakpoint(location, condition=None, thread=None, temporary=False):
    bodies, others = _bodies(location)
    if not bodies or others:
        bodies = [location or "*%d" % gdb.selected_frame().pc()]
    for body in bodies:  # one for each instance of a template
        _set(body, condition, thread, temporary)


def _split(text):
    """Location, condition and number of gdb's thread."""
    found = _CONDITION.search(text)
    condition = text[found.end():].strip() if found else None
    location = (text[:found.start()] if found else text).strip()
    thread = re.search(r"\s+thread\s+(\d+)$", " " + location)
    if thread:
        location = (" " + location)[:thread.start()].strip()
    return location, condition, int(thread.group(1)) if thread else None


class _Break(gdb.Command):
    """Set a breakpoint: break LOCATION [thread N] [if CONDITION]

LOCATION is a line (29 or hw.cu:29), a function or a kernel. In a kernel, the condition may use threadIdx,
blockIdx, blockDim and gridDim:

  break reduce
  break 29 if threadIdx.x == 3 && blockIdx.x == 1"""

    def __init__(self, name, temporary):
        self.temporary = temporary
        super().__init__(name, gdb.COMMAND_BREAKPOINTS, gdb.COMPLETE_LOCATION)

    def invoke(self, text, from_tty):
        self.dont_repeat()
        location, condition, thread = _split(text)
        if text and text.rstrip().endswith(" if"):
            raise gdb.GdbError("A condition is missing: break %s if threadIdx.x == 3" % location)
        try:
            set_breakpoint(location, condition, thread, self.temporary)
        except gdb.error as error:
            raise gdb.GdbError(str(error))


def install():
    gdb.events.new_objfile.connect(_program_changed)
    gdb.events.breakpoint_created.connect(_created)
    gdb.events.breakpoint_deleted.connect(_deleted)
    if gdb.current_progspace().filename:
        _skip_launches()
    _Break("break", False)
    _Break("tbreak", True)
