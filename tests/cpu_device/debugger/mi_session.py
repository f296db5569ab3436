"""A session as Visual Studio Code's cppdbg holds it, through gdb's machine interface: mi_session.py CUDA_DEBUG PROGRAM"""
import re
import subprocess
import sys

gdb = subprocess.Popen([sys.argv[1], "--workers", "1", "--interpreter=mi", sys.argv[2]], stdin=subprocess.PIPE,
                       stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
log = []


def read_until(pattern):
    """Every line until one matches."""
    seen = []
    for line in gdb.stdout:
        log.append(line)
        seen.append(line)
        if re.search(pattern, line):
            return "".join(seen)
    sys.exit("gdb ended before %s came:\n%s" % (pattern, "".join(log[-40:])))


def command(text, done=r"^\d+\^"):
    log.append("> %s\n" % text)
    gdb.stdin.write("1" + text + "\n")
    gdb.stdin.flush()
    return read_until(done)


def expect(text, *patterns):
    for pattern in patterns:
        if not re.search(pattern, text):
            sys.exit("%s is not in:\n%s\nAll:\n%s" % (pattern, text, "".join(log[-60:])))


command("-enable-frame-filters")
expect(command('-break-insert -f "session.cu:15"'), r"\^done,bkpt=.*line=\"15\"")
expect(command('-break-condition 1 "threadIdx.x == 3 && blockIdx.x == 2"'), r"\^done")
expect(command("-break-insert -f transpose"), r"\^done")
stop = command("-exec-run", r"^\*stopped")
expect(stop, r"\*stopped,reason=\"breakpoint-hit\".*bkptno=\"1\".*line=\"15\"")
read_until(r"Switching focus to CUDA kernel 0, block \(2,0,0\), thread \(3,0,0\)")
stack = command("-stack-list-frames 0 100")
expect(stack, r"stack=\[frame=\{level=\"0\".*func=\"dot\".*line=\"15\".*\}\]")
if "run_thread" in stack or "fiber_main" in stack:
    sys.exit("frames of the runtime: " + stack)
expect(command("-stack-list-arguments 1 0 0"), r"name=\"n\",value=\"250\"")
expect(command("-stack-list-variables --thread 1 --frame 0 --simple-values"), r"name=\"i\"")
expect(command('-var-create - * "threadIdx.x"'), r"value=\"3\"")
expect(command('-data-evaluate-expression "i"'), r"value=\"131\"")
stop = command("-exec-next", r"^\*stopped")
expect(stop, r"reason=\"end-stepping-range\".*line=\"16\"")
# The focus follows cuda's commands, which people type into the debug console.
expect(command('-interpreter-exec console "cuda thread 20"'), r"thread \(20,0,0\)")
expect(command("-stack-list-frames 0 100"), r"func=\"dot\".*line=\"15\"")
level = re.search(r"level=\"(\d+)\"", log[-1]).group(1)
command("-stack-select-frame " + level)
expect(command('-data-evaluate-expression "i"'), r"value=\"148\"")
expect(command('-data-evaluate-expression "threadIdx.x"'), r"value=\"20\"")
expect(command('-interpreter-exec console "info cuda threads"'), r"\(20,0,0\)")
stop = command("-exec-next", r"^\*stopped,reason|\^error")  # after one that brings the thread on
expect(stop, r"reason=\"end-stepping-range\".*line=\"16\"")
expect(command('-data-evaluate-expression "threadIdx.x"'), r"value=\"20\"")
# A breakpoint at a kernel by its name is one in the kernel.
command("-break-delete 1")
stop = command("-exec-continue", r"^\*stopped")
expect(stop, r"breakpoint-hit.*line=\"25\"")
expect(command("-stack-list-frames 0 100"), r"level=\"0\".*func=\"transpose\".*line=\"25\"")
expect(command("-stack-list-arguments 1 0 0"), r"name=\"width\",value=\"8\"")
command("-break-delete 2")
expect(command("-exec-continue", r"^\*stopped"), r"reason=\"exited-normally\"")
gdb.stdin.write("2-gdb-exit\n")
gdb.stdin.close()
gdb.wait(timeout=30)
