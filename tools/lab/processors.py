"""How many processors there are for the grader: a container may have two of a large machine's 64."""

import math
import os
import pathlib

QUOTA = pathlib.Path("/sys/fs/cgroup/cpu.max")  # of cgroup v2: "max 100000", or microseconds in each period
QUOTA_V1 = pathlib.Path("/sys/fs/cgroup/cpu/cpu.cfs_quota_us")  # -1: no limit
PERIOD_V1 = pathlib.Path("/sys/fs/cgroup/cpu/cpu.cfs_period_us")


def processors(quota=QUOTA, quota_v1=QUOTA_V1, period_v1=PERIOD_V1):
    """At least 1: those on which this process may run, and no more than its control group may use at a time."""
    usable = len(os.sched_getaffinity(0))
    for files in ((quota,), (quota_v1, period_v1)):
        try:
            limit, period = " ".join(file.read_text(encoding="ascii") for file in files).split()
            if int(limit) > 0 and int(period) > 0:
                usable = min(usable, math.ceil(int(limit) / int(period)))
        except (OSError, ValueError):
            continue  # no such file, or "max"
    return max(1, usable)
