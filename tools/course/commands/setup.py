"""Installs what is missing."""

from ..devices import choose_device
from ..packages import set_up

USAGE = "setup"
ABOUT = "Installs the packages that are missing. (tour, test and run do so on their own.)"
MOST_WORDS = 0


def run(options, _):
    set_up("tests")
    print(f"Everything is installed. Programs will run on {choose_device(options.device).words()}.")
    return 0
