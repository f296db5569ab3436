"""Starts what a command ends in."""

import os
import signal
import sys


def become(*command):
    """Replaces this process by a program, which gets its signals as a shell would pass them on."""
    sys.stdout.flush()
    sys.stderr.flush()
    for name in ("SIGPIPE", "SIGXFSZ"):  # which Python ignores
        signal.signal(getattr(signal, name), signal.SIG_DFL)
    os.execv(command[0], [os.fspath(word) for word in command])


def become_python(*words):
    """Replaces this process by a Python script."""
    become(sys.executable, "-B", *words)
