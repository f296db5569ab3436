"""What programs print, made fit for a page."""

import os
import re

from . import ROOT


def printable(text):
    """Text that a browser accepts: without control characters and the colors of terminals."""
    text = re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", text)
    return re.sub("[\x00-\x08\x0b\x0c\x0e-\x1f]", "", text)


def without_paths(text):
    """Text in which the course's own folder, wherever it is on this machine, is not named."""
    for root in dict.fromkeys((str(ROOT), os.path.realpath(ROOT))):
        text = text.replace(f"{root}/", "").replace(root, ".")
    return text
