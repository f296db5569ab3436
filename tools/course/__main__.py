"""Started by the script `course`."""

import os
import sys

if sys.version_info < (3, 9):
    sys.exit("course: Python 3.9 or newer is needed, this is %d.%d" % sys.version_info[:2])
del sys.path[0]  # tools/course itself: its modules belong to the package
sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from course.command_line import main  # noqa: E402

sys.exit(main(sys.argv[1:]))
