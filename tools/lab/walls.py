"""What the kernel itself offers to keep a process in: Landlock for files, TCP and signals, and a filter for system
calls. No privileges are needed, so this works in containers where bubblewrap does not."""

import ctypes
import errno
import os
import platform
import stat
import struct

LIBC = ctypes.CDLL(None, use_errno=True)
PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 22, 2

# ---- Landlock: its numbers are the same on all machines ----

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
SIGNALS = 6  # the version that can keep signals in
EXECUTE, WRITE_FILE, READ_FILE, READ_DIR, TRUNCATE = 1, 2, 4, 8, 1 << 14
OF_FILES = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE
FILE_BITS = {1: 13, 2: 14, 3: 15, 4: 15}  # kinds of access that a version knows; later ones 16
READABLE = ("/usr", "/bin", "/lib", "/lib32", "/lib64", "/libx32", "/sbin", "/etc/alternatives", "/etc/ld.so.cache", "/proc")
DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")


def landlock_version():
    """0: the kernel has none, or it is turned off."""
    return max(0, LIBC.syscall(CREATE_RULESET, None, 0, 1))


def must(result, what):
    if result < 0:
        raise OSError(ctypes.get_errno(), f"{what}: {os.strerror(ctypes.get_errno())}")
    return result


def keep_in(readable, writable):
    """From now on this process and its children read only those places, and write only these."""
    version = landlock_version()
    every = (1 << FILE_BITS.get(version, 16)) - 1
    attributes = struct.pack("=Q", every)
    if version >= 4:
        attributes += struct.pack("=Q", 3)  # TCP: neither bind nor connect
    if version >= SIGNALS:
        attributes += struct.pack("=Q", 3)  # no abstract sockets and no processes of others
    rules = must(LIBC.syscall(CREATE_RULESET, attributes, ctypes.c_size_t(len(attributes)), 0), "Landlock")
    for paths, access in (((*READABLE, *readable), EXECUTE | READ_FILE | READ_DIR),
                          (DEVICES, READ_FILE | WRITE_FILE), (writable, every)):
        for path in paths:
            allow(rules, path, access & every)
    must(LIBC.syscall(RESTRICT_SELF, rules, 0), "Landlock")
    os.close(rules)


def allow(rules, path, access):
    try:
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except FileNotFoundError:
        return
    if not stat.S_ISDIR(os.fstat(place).st_mode):
        access &= OF_FILES
    rule = struct.pack("=Qi", access, place)
    must(LIBC.syscall(ADD_RULE, rules, 1, rule, 0), f"Landlock, {path}")
    os.close(place)


# ---- the filter for system calls ----

# Name: number on x86-64 and on 64-bit ARM. What makes memory that no process has, what looks into other
# processes or changes their priority, sockets, and what opens ways into the kernel that neither compilers nor
# answers need.
DENIED = {
    "memfd_create": (319, 279), "memfd_secret": (447, 447), "shmget": (29, 194), "shmat": (30, 196), "msgget": (68, 186),
    "semget": (64, 190), "mq_open": (240, 180), "socket": (41, 198), "ptrace": (101, 117),
    "process_vm_readv": (310, 270), "process_vm_writev": (311, 271), "pidfd_getfd": (438, 438), "kcmp": (312, 272),
    "io_uring_setup": (425, 425), "io_uring_enter": (426, 426), "io_uring_register": (427, 427), "bpf": (321, 280),
    "userfaultfd": (323, 282), "perf_event_open": (298, 241), "add_key": (248, 217), "request_key": (249, 218),
    "keyctl": (250, 219), "mount": (165, 40), "umount2": (166, 39), "fsopen": (430, 430), "open_tree": (428, 428),
    "move_mount": (429, 429), "unshare": (272, 97), "setns": (308, 268), "pivot_root": (155, 41), "chroot": (161, 51),
    "open_by_handle_at": (304, 265), "fanotify_init": (300, 262), "quotactl": (179, 60),
    "acct": (163, 89), "personality": (135, 92), "setpriority": (141, 140), "ioprio_set": (251, 30),
    "sched_setparam": (142, 118), "sched_setscheduler": (144, 119), "sched_setattr": (314, 274),
}
# Allowed if the first argument, a process, is 0: the caller itself.
FOR_ITSELF = {"prlimit64": (302, 261), "sched_setaffinity": (203, 122)}
# Landlock lets the owner of a file, which an ordinary user is, change all this. Only compilers need some of it.
# -1: this machine has no such call.
OF_THE_OWNER = {
    "chmod": (90, -1), "fchmod": (91, 52), "fchmodat": (268, 53), "fchmodat2": (452, 452), "chown": (92, -1),
    "fchown": (93, 55), "lchown": (94, -1), "fchownat": (260, 54), "utime": (132, -1), "utimes": (235, -1),
    "futimesat": (261, -1), "utimensat": (280, 88), "setxattr": (188, 5), "lsetxattr": (189, 6), "fsetxattr": (190, 7),
    "removexattr": (197, 14), "lremovexattr": (198, 15), "fremovexattr": (199, 16), "setxattrat": (463, 463),
    "removexattrat": (466, 466), "file_setattr": (469, 469),
}
CLONE, CLONE3 = (56, 220), (435, 435)
NAMESPACES = 0x7E020000  # flags of clone()
MACHINES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
ALLOW, KILL, ERRNO = 0x7FFF0000, 0x80000000, 0x00050000


def filter_code(compiles=False):
    """The program of the filter; empty on machines whose numbers are not known here. `compiles`: for a compiler,
    which makes what it has linked executable."""
    if platform.machine() not in MACHINES:
        return b""
    column, architecture = MACHINES[platform.machine()]
    load, equal, at_least, any_bit, give = 0x20, 0x15, 0x35, 0x45, 0x06

    def step(code, value, if_true=0, if_false=0):
        return struct.pack("=HBBI", code, if_true, if_false, value)

    steps = [step(load, 4), step(equal, architecture, 1, 0), step(give, KILL), step(load, 0)]
    if column == 0:
        steps += [step(at_least, 0x40000000, 0, 1), step(give, KILL)]  # x32 has numbers of its own
    for numbers in (*DENIED.values(), *(() if compiles else OF_THE_OWNER.values())):
        if numbers[column] >= 0:
            steps += [step(equal, numbers[column], 0, 1), step(give, ERRNO | errno.EPERM)]
    for numbers in FOR_ITSELF.values():
        steps += [step(equal, numbers[column], 0, 4), step(load, 16), step(equal, 0, 0, 1), step(give, ALLOW),
                  step(give, ERRNO | errno.EPERM)]
    steps += [step(equal, CLONE3[column], 0, 1), step(give, ERRNO | errno.ENOSYS)]  # its flags are in memory
    steps += [step(equal, CLONE[column], 0, 3), step(load, 16), step(any_bit, NAMESPACES, 0, 1), step(give, ERRNO | errno.EPERM)]
    return b"".join(steps + [step(give, ALLOW)])


def filter_calls(compiles=False):
    """For this process and its children, from now on. They must have no_new_privs."""
    code = filter_code(compiles)
    if not code:
        return
    memory = ctypes.create_string_buffer(code, len(code))
    program = struct.pack("@HP", len(code) // 8, ctypes.addressof(memory))
    must(LIBC.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, program, 0, 0), "seccomp")
