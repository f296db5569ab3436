"""What ./course says besides a command's own output: one line on stderr."""

import sys


class Problem(Exception):
    """Ends the command with this line and exit code 2."""


def say(text):
    print(f"course: {text}", file=sys.stderr, flush=True)
