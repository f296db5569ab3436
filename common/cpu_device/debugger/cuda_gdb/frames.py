"""Which frames are the learner's, and how they are shown: no lambda, nothing of the runtime.

A kernel `reduce` is compiled to a function that queues its launch, with the kernel's body in a lambda (see
include/cpu_device/launch.h). The lambda is called by run_thread<>, which a worker calls for each thread.
"""
import os
import re

import gdb
from gdb.FrameDecorator import FrameDecorator

from . import focus

_BODY = re.compile(r"^(?:static )?(?:void )?(.*?)::(?:\{lambda\(\)#1\}|<lambda\(\)>)(?:::operator\(\)\(\))?")
_OWN_FOLDERS = re.compile(r"/cpu_device/(include|runtime|libraries)/")
_MOST_FRAMES = 400


def older(frame):
    try:
        return frame.older()
    except (gdb.error, RuntimeError):
        return None


def is_runtime(frame):
    """Whether the frame belongs to the CPU device."""
    table = frame.find_sal().symtab
    if table is not None:
        return bool(_OWN_FOLDERS.search(table.fullname())) or "/c++/" in table.filename
    name = frame.name() or ""
    return name.startswith(("cpu_device", "std::")) or name.startswith("__tsan")


def is_runtime_proper(frame):
    """Whether it is of the runtime itself, whose callees are nobody's affair, rather than of a header."""
    table = frame.find_sal().symtab
    if table is not None:
        return "/cpu_device/runtime/" in table.fullname()
    return is_runtime(frame)


def starts_thread(frame):
    """Whether it is the frame that calls a kernel's body."""
    return "cpu_device::run_thread<" in (frame.name() or "")


def is_body(frame):
    caller = older(frame)
    return caller is not None and starts_thread(caller)


def kernel_frames():
    """The frames of the thread in focus, innermost first, that are the learner's own; the last is the kernel's."""
    frame, found = gdb.newest_frame(), []
    if focus.waiting() is not None:
        frame = older(frame)  # frame 0 is that of whatever the worker does
    for _ in range(_MOST_FRAMES):
        if frame is None:
            return []
        if starts_thread(frame):
            return found
        if is_runtime_proper(frame):
            found.clear()
        elif frame.find_sal().symtab is not None and not is_runtime(frame):
            found.append(frame)
        frame = older(frame)
    return []


def own_frame():
    """The innermost frame of the learner's code, in a kernel or on the host; or None."""
    found = kernel_frames()
    if found:
        return found[0]
    frame, own = gdb.newest_frame(), None
    for _ in range(_MOST_FRAMES):
        if frame is None:
            break
        if is_runtime_proper(frame):
            own = None
        elif own is None and frame.find_sal().symtab is not None and not is_runtime(frame):
            own = frame
        frame = older(frame)
    return own


def place_of_running_thread():
    """File and line of what gdb's selected thread executes in a kernel, or None."""
    if focus.waiting() is not None:
        one = focus.waiting()
        focus.clear()
        try:
            return place_of_running_thread()
        finally:
            focus.set_waiting(one.block, one.number)
    found = kernel_frames()
    return (found[0].find_sal().symtab.filename, found[0].find_sal().line) if found else None


def short_name(file):
    """A file as seen from the folder where gdb runs, if that is shorter."""
    relative = os.path.relpath(file) if os.path.isabs(file) else file
    return relative if len(relative) < len(file) else file


def kernel_name(function):
    """reduce, from reduce(int*, int)::{lambda()#1}::operator()()."""
    match = _BODY.match(function or "")
    if match is None:
        return None
    return name_alone(match.group(1))


def name_alone(signature):
    """The function's name: what comes before the parentheses of its parameters."""
    depth = 0
    for i in range(len(signature) - 1, -1, -1):
        if signature[i] == ")":
            depth += 1
        elif signature[i] == "(":
            depth -= 1
            if depth == 0:
                return signature[:i]
    return signature


def arguments_of_body(frame):
    """Names and values of a kernel's parameters, as far as the kernel uses them: those it has copies of."""
    try:
        closure = frame.read_var("__closure").dereference()
        given = {re.sub("^__", "", field.name): closure[field] for field in closure.type.fields() if field.name}
    except (ValueError, gdb.error, RuntimeError):
        return []
    # The copies are in the order of their first use.
    names = [name for name in _parameter_names(frame) if name in given]
    return [(name, given[name]) for name in names + [name for name in given if name not in names]]


_parameters = {}  # of kernels' functions, by name


def _parameter_names(frame):
    match = re.match(r".*run_thread<(.*)::(?:\{lambda\(\)#1\}|<lambda\(\)>)", older(frame).name() or "")
    function = match.group(1) if match else ""
    if function and function not in _parameters:
        try:
            block = gdb.block_for_pc(gdb.decode_line("'%s'" % function)[1][0].pc)
            while block.function is None:
                block = block.superblock
            _parameters[function] = [symbol.name for symbol in block if symbol.is_argument]
        except (gdb.error, AttributeError, TypeError, IndexError):
            _parameters[function] = []
    return _parameters.get(function, [])


def _format(value):
    try:
        return value.format_string(symbols=False, max_elements=8)
    except gdb.error:
        return "..."


def describe(frame):
    """reduce (in=0x7ffff7a00000, n=1000) at hw.cu:13"""
    sal = frame.find_sal()
    at = " at %s:%d" % (short_name(sal.symtab.filename), sal.line) if sal.symtab is not None else ""
    if is_body(frame):
        name, given = body_name(frame), arguments_of_body(frame)
    else:
        name, given = name_alone(frame.name() or "??"), _arguments(frame)
    return "%s (%s)%s" % (name, ", ".join("%s=%s" % (one, _format(value)) for one, value in given), at)


def body_name(frame):
    """The kernel's name. gdb calls a body operator(), and its caller run_thread<reduce(int*)::{lambda()#1}>."""
    caller = older(frame)
    match = re.search(r"run_thread<(.*)>", caller.name() or "")
    return kernel_name(frame.name()) or (match and kernel_name(match.group(1))) or "kernel"


def _arguments(frame):
    found = []
    try:
        block = frame.block()
        while block is not None and block.function is None:
            block = block.superblock
        for symbol in block or ():
            if symbol.is_argument:
                found.append((symbol.name, symbol.value(frame)))
    except (gdb.error, RuntimeError):
        pass
    return found


class _Variable:
    def __init__(self, name, value):
        self._name, self._value = name, value

    def symbol(self):
        return self._name

    def value(self):
        return self._value


class _Function(FrameDecorator):
    """The frame of a function that a kernel calls. Some gdbs name it without its parameters' types, as we do."""

    def function(self):
        name = super().function()
        return name_alone(name) if isinstance(name, str) else name


class _Body(FrameDecorator):
    """The frame of a kernel's body."""

    def function(self):
        return body_name(self.inferior_frame())

    def frame_args(self):
        return [_Variable(name, value) for name, value in arguments_of_body(self.inferior_frame())]


class _Filter:
    name, priority, enabled = "cpu_device", 100, True

    def filter(self, frames):
        frames = list(frames)
        kernel = self._of_kernel(frames)
        return iter(kernel if kernel else self._of_host(frames))

    @staticmethod
    def _of_kernel(frames):
        first = 1 if focus.waiting() is not None else 0
        found = []
        for decorated in frames[first:_MOST_FRAMES]:
            frame = decorated.inferior_frame()
            if starts_thread(frame):
                return found
            if is_runtime_proper(frame):
                found.clear()
            elif frame.find_sal().symtab is not None and not is_runtime(frame):
                found.append(_Body(decorated) if is_body(frame) else _Function(decorated))
        return []

    @staticmethod
    def _of_host(frames):
        last = -1  # of the runtime's frames: what it has called itself is its own affair
        for i, decorated in enumerate(frames):
            if is_runtime(decorated.inferior_frame()) and "cpu_device" in (decorated.inferior_frame().name() or ""):
                last = i
        kept = [one for one in frames[last + 1:] if not is_runtime(one.inferior_frame())]
        return kept or frames


def install():
    gdb.frame_filters[_Filter.name] = _Filter()
