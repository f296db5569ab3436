"""The program's memory, and the runtime's table of where things are (runtime/execution/debugger_table.cpp).

Memory is read directly, not through gdb's expressions: those ask for frames, and an unwinder makes frames.
"""
import struct

import gdb

VERSION = 1
_ENTRY = struct.Struct("<40sQ")
_HEADER = struct.Struct("<8sII")

_table = None


def read(address, size):
    return gdb.selected_inferior().read_memory(address, size).tobytes()


def number(address, size=4):
    return int.from_bytes(read(address, size), "little")


def signed(address):
    return int.from_bytes(read(address, 4), "little", signed=True)


def pointer(address):
    return number(address, 8)


def index(address):
    """An x, y and z, one after the other."""
    return struct.unpack("<III", read(address, 12))


def text(address, limit=4096):
    """A string that ends with a zero."""
    if address == 0:
        return ""
    found = b""
    while len(found) < limit:
        # A page at a time: what follows may not be readable.
        chunk = read(address + len(found), min(64, 4096 - (address + len(found)) % 4096))
        end = chunk.find(b"\0")
        if end >= 0:
            return (found + chunk[:end]).decode("utf-8", "replace")
        found += chunk
    return found.decode("utf-8", "replace")


def string(address):
    """A std::string of GNU's library: a pointer and a length."""
    length = pointer(address + 8)
    return read(pointer(address), min(length, 65536)).decode("utf-8", "replace") if length else ""


def symbol(name):
    """The address of a symbol of the program, or None."""
    try:
        return int(gdb.parse_and_eval("(long)&" + name))
    except gdb.error:
        return None


class NoTable(gdb.GdbError):
    pass


def table():
    """Names and values, of the program that is being debugged."""
    global _table
    if _table is None:
        _table = _read_table()
    return _table


def forget():
    global _table
    _table = None


def _read_table():
    address = symbol("cpu_device_debugger_table")
    if address is None:
        raise NoTable("The program does not use the CPU device, or its runtime is older than this script: "
                      "compile it again with common/cpu_device/bin/nvcc -g -G")
    found = _entries(address)
    findings = symbol("cpu_device_debugger_findings")  # of a checked run
    return {**found, **(_entries(findings) if findings else {})}


def _entries(address):
    mark, version, count = _HEADER.unpack(read(address, _HEADER.size))
    if mark[:7] != b"CUDADBG" or version != VERSION:
        raise NoTable("The program's runtime has version %d of the debugger's table, and this script reads "
                      "version %d: compile the program again" % (version, VERSION))
    entries = read(address + _HEADER.size, count * _ENTRY.size)
    return {name.rstrip(b"\0").decode(): value for name, value in _ENTRY.iter_unpack(entries)}
