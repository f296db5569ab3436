"""Sets everything up in gdb."""
import gdb

from . import breakpoints, commands, focus, frames, stepping, stops

# Learners' programs have one file, and no time to page through.
_SETTINGS = ("pagination off", "confirm off", "print thread-events off", "print inferior-events off",
             "print frame-arguments scalars")


def install():
    for setting in _SETTINGS:
        gdb.execute("set " + setting, to_string=True)
    try:
        gdb.execute("set debuginfod enabled off", to_string=True)
    except gdb.error:
        pass
    gdb.execute("set environment CPU_DEVICE_DEBUGGER 1")
    for part in (focus, frames, breakpoints, stepping, stops, commands):
        part.install()
