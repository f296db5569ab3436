"""cuda-gdb's commands for programs of the CPU device.

    gdb -x cpu_device_gdb.py PROGRAM        or simply: cuda-debug PROGRAM

`help cuda` and `help info cuda` list the commands. See DEBUGGING.md for a tour.
"""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from cuda_gdb import install  # noqa: E402  (the folder must be on the path first)

install.install()
