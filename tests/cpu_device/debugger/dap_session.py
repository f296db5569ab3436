"""A session as editors hold it through the Debug Adapter Protocol, which gdb 14 and newer speak:

    dap_session.py CUDA_DEBUG PROGRAM [WORDS...]    WORDS: more for CUDA_DEBUG's command line, such as the program
"""
import json
import os
import re
import signal
import subprocess
import sys

gdb = subprocess.Popen([sys.argv[1], "--workers", "1", "--interpreter=dap", *sys.argv[3:]],
                       stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
log, waiting, number = [], [], 0


def receive():
    """The next message of gdb's."""
    signal.alarm(120)
    length = 0
    while line := gdb.stdout.readline().strip():
        length = int(line.split(b":")[1])
    if length == 0:
        fail("gdb ended")
    message = json.loads(gdb.stdout.read(length))
    log.append(message)
    return message


def fail(what):
    sys.exit("%s; the last messages: %s" % (what, "\n".join(json.dumps(one) for one in log[-12:])))


def send(command, **arguments):
    global number
    number += 1
    text = json.dumps({"seq": number, "type": "request", "command": command, "arguments": arguments}).encode()
    gdb.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(text), text))
    gdb.stdin.flush()
    return number


def request(command, **arguments):
    """The answer to a request. Events that come meanwhile wait."""
    sent = send(command, **arguments)
    while True:
        message = receive()
        if message["type"] == "response" and message["request_seq"] == sent:
            if not message["success"]:
                fail("%s failed" % command)
            return message.get("body", {})
        waiting.append(message)


def stop(reason):
    """The thread of the next stop for this reason."""
    while True:
        message = waiting.pop(0) if waiting else receive()
        if message.get("event") == "stopped" and message["body"]["reason"] == reason:
            return message["body"]["threadId"]


def top(thread):
    """The innermost frame: its id, function and line; none of the frames is the runtime's."""
    frames = request("stackTrace", threadId=thread, levels=20)["stackFrames"]
    for frame in frames:
        if "run_thread" in frame["name"] or "fiber_main" in frame["name"]:
            fail("a frame of the runtime")
    return frames[0]["id"], frames[0]["name"], frames[0]["line"]


def variables(frame):
    found = {}
    for scope in request("scopes", frameId=frame)["scopes"]:
        if scope["name"] in ("Arguments", "Locals"):
            for one in request("variables", variablesReference=scope["variablesReference"])["variables"]:
                found[one["name"]] = one["value"]
    return found


def value(expression, frame):
    return request("evaluate", expression=expression, frameId=frame, context="watch")["result"]


def expect(got, wanted):
    if got != wanted:
        fail("%s instead of %s" % (got, wanted))


signal.signal(signal.SIGALRM, lambda *_: fail("gdb says nothing"))
program = os.path.abspath(sys.argv[2])
request("initialize", clientID="test", adapterID="gdb", linesStartAt1=True, columnsStartAt1=True, pathFormat="path")
launch = send("launch", program=program)
where = {"path": os.path.join(os.path.dirname(program), "session.cu")}
request("setBreakpoints", source=where,
        breakpoints=[{"line": 15, "condition": "threadIdx.x == 3 && blockIdx.x == 2"}])
request("setFunctionBreakpoints", breakpoints=[{"name": "transpose", "condition": "threadIdx.x == 2"}])
request("configurationDone")

thread = stop("breakpoint")
frame, name, line = top(thread)
expect((name, line), ("dot", 15))
known = variables(frame)
expect((known["n"], known["i"]), ("250", "131"))
expect(value("threadIdx.x", frame), "3")
send("next", threadId=thread)
frame, name, line = top(stop("step"))
expect((name, line), ("dot", 16))

# The focus follows cuda's commands, which people type into the debug console.
if not re.search(r"thread \(20,0,0\)", request("evaluate", expression="cuda thread 20", context="repl")["result"]):
    fail("cuda thread 20 does not say where the focus is")
frame, name, line = top(stop("goto"))  # for the editor, the program has stopped once more
expect((name, line), ("dot", 15))
expect((variables(frame)["i"], value("threadIdx.x", frame)), ("148", "20"))
send("next", threadId=thread)
frame, name, line = top(stop("step"))
expect((name, line, value("threadIdx.x", frame)), ("dot", 16, "20"))

# A breakpoint at a kernel by its name is one in the kernel.
request("setBreakpoints", source=where, breakpoints=[])
request("continue", threadId=thread)
frame, name, line = top(stop("breakpoint"))
expect((name, line, variables(frame)["width"], value("threadIdx.x", frame)), ("transpose", 25, "8", "2"))
request("setFunctionBreakpoints", breakpoints=[{"name": "scale<int>"}])  # the other one is gone
request("continue", threadId=thread)
frame, name, line = top(stop("breakpoint"))
expect((name, line), ("scale<int>", 53))
send("disconnect", terminateDebuggee=True)
gdb.wait(timeout=60)
