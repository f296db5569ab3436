"""What comes from a submission: files in its scratch folder, names and text. It may have put anything
there: a FIFO, a link to /dev/zero, folders thousands of levels deep, a name with control characters."""

import os
import stat
import subprocess

LONGEST = 2000  # characters of a text that is shown


class NotOrdinary(OSError):
    """It is not a regular file, or too large; strerror says which."""


def read_file(path, most):
    """The bytes of a regular file of at most `most` bytes. Never waits and never follows a link."""
    file = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    with open(file, "rb") as opened:
        about = os.fstat(file)
        if not stat.S_ISREG(about.st_mode):
            raise NotOrdinary(None, "it is not an ordinary file")
        data = opened.read(most + 1)
        if len(data) > most:
            raise NotOrdinary(None, f"it is larger than {most / 1e6:.0f} MB")
        return data


def remove_folder(folder):
    """By chmod and rm: shutil.rmtree() calls itself for each level, and Python allows a thousand. Folders may
    be closed to their owner, too."""
    if os.geteuid() != 0:
        subprocess.run(["chmod", "-R", "u+rwx", "--", str(folder)], stdin=subprocess.DEVNULL,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    subprocess.run(["rm", "-rf", "--one-file-system", "--", str(folder)], stdin=subprocess.DEVNULL,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)


def shown(text, most=LONGEST):
    """The text on one or more lines, without control characters and cut if it is long. Bytes of a
    name that is not UTF-8 are shown as \\xNN."""
    text = str(text).encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    if len(text) > most:
        text = text[:most] + " [...]"
    return "".join(c if c.isprintable() or c == "\n" else f"\\x{ord(c):02x}" for c in text)


def shown_name(name):
    """The same for a name, which has one line."""
    return shown(name, 200).replace("\n", "\\x0a")
