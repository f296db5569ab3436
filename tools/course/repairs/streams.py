"""Order between streams, and between a stream and the host."""

import re

from .program import Change, after

WAIT = "cudaDeviceSynchronize();"
LAUNCH = re.compile(r"<<<(?P<shape>.*?)>>>\(")
ASYNC = re.compile(r"\bcuda\w+Async\((?P<arguments>.*)\);")


def waits(program, places):
    numbers = sorted(set(places), reverse=True)  # the host's line mostly comes last, after the kernel
    return [Change({n: WAIT}) for n in numbers if program.lines[n - 1].strip()]


def parts_of(text):
    """The arguments of a call."""
    found, depth = [""], 0
    for letter in text:
        depth += (letter in "([{") - (letter in ")]}")
        if letter == "," and depth == 0:
            found.append("")
        else:
            found[-1] += letter
    return [part.strip() for part in found]


class Operation:
    """A launch or an asynchronous call, in one line of the program: its stream, "" if that is the default one."""

    def __init__(self, program, number):
        self.number, self.program = number, program
        code = program.code[number - 1]
        self.launch, call = LAUNCH.search(code), ASYNC.search(code)
        self.valid, self.stream, self.call = bool(self.launch or call), "", call
        if self.launch:
            parts = parts_of(self.launch["shape"])
            self.parts, self.stream = parts, parts[3] if len(parts) > 3 else ""
        elif call:
            self.parts = parts_of(call["arguments"])
            last = self.parts[-1]
            name = re.match(r"(\w+)", last)
            self.stream = last if name and re.search(rf"\bcudaStream_t\b[^;]*\b{name[1]}\b", program.text) else ""

    def in_stream(self, stream):
        """The line with another stream."""
        if self.launch:
            shape = [*self.parts[:2], *(self.parts[2:3] or ["0"]), stream] if stream else self.parts[:2]
            return self.program.replaced(self.number, self.launch.start("shape"), self.launch.end("shape"), ", ".join(shape))
        arguments = [*(self.parts[:-1] if self.stream else self.parts), stream or "0"]
        return self.program.replaced(self.number, self.call.start("arguments"), self.call.end("arguments"), ", ".join(arguments))


def recorded(program):
    """(line, event, stream) of each cudaEventRecord() that is a statement of its own."""
    found = []
    for number, code in enumerate(program.code, 1):
        match = re.match(r"\s*cudaEventRecord\((?P<event>[^,;]+)(?:, (?P<stream>[^;]+))?\);", code)
        if match:
            found.append((number, match["event"], match["stream"] or "0"))
    return found


def orders(program, text):
    """Changes for two operations that a finding says are queued in two lines in no defined order."""
    match = re.search(r"queued in line (\d+) and in line (\d+), in no defined order", text)
    if not match or max(int(match[1]), int(match[2])) > len(program.lines):
        return []
    first, second = (Operation(program, n) for n in sorted({int(match[1]), int(match[2])})[:1] + [max(int(match[1]), int(match[2]))])
    found = moves(program, first, second) + graph_nodes(program)
    if not (first.valid and second.valid):
        return found + waits(program, [second.number])
    streams = (first.stream or "0", second.stream or "0")
    found += events(program, first, second)
    found += [Change({second.number: f"cudaStreamSynchronize({streams[0]});"})]
    found += [after(program, n, f"cudaStreamSynchronize({stream});") for n, stream in ((first.number, streams[0]), (second.number, streams[1]))]
    found += blocking_streams(program, first, second)
    if first.stream != second.stream:
        found.append(Change(replaced={second.number: second.in_stream(first.stream)}))
    found.append(Change(replaced={second.number: second.in_stream("cudaStreamTailLaunch")}))
    return found + waits(program, [second.number])


def events(program, first, second):
    """The stream of the second operation waits for an event that is recorded after the first one: one that is recorded there
    already, or one that the program has."""
    wait, found, own = "cudaStreamWaitEvent({}, {}, 0);".format, [], []
    for number, event, stream in recorded(program):
        if stream == (first.stream or "0") and number > first.number:
            own.append(event)
            found += [Change({second.number: wait(second.stream or "0", event)}), after(program, number, wait(second.stream or "0", event))]
        if stream == (second.stream or "0") and number > second.number:  # around a loop
            found.append(after(program, number, wait(first.stream or "0", event)))
    names = dict.fromkeys(own + [event for _, event, _ in recorded(program)])
    return found + [Change({second.number: f"cudaEventRecord({event}, {first.stream or '0'});\n{wait(second.stream or '0', event)}"}) for event in names]


def moves(program, first, second):
    """An event that is recorded before the work, or waited for after it, changes places with it."""
    found = []
    for operation, neighbour, call in ((first, -1, "cudaEventRecord"), (second, 1, "cudaStreamWaitEvent")):
        other = operation.number + neighbour
        if 1 <= other <= len(program.code) and re.match(rf"\s*{call}\(", program.code[other - 1]):
            found.append(Change(replaced={operation.number: program.lines[other - 1], other: program.lines[operation.number - 1]}))
    for number in range(1, first.number):  # a wait for an event that is recorded later
        match = re.match(r"\s*(cudaStreamWaitEvent\([^;]*\);)", program.code[number - 1])
        if match:
            found.append(Change({second.number: match[1]}, {number: ""}))
    return found


def graph_nodes(program):
    """A node of a graph depends on the one that was added before."""
    found, earlier = [], None
    for number, code in enumerate(program.code, 1):
        match = re.search(r"cudaGraphAdd\w+Node\((&\w+), \w+, (?P<none>(?:nullptr|NULL|0), 0),", code)
        if match:
            if earlier:
                found.append(Change(replaced={number: program.replaced(number, match.start("none"), match.end("none"), f"{earlier}, 1")}))
            earlier = match[1]
    return found


def blocking_streams(program, first, second):
    """Streams that are created so that they do not wait for the default stream do wait for it."""
    found = []
    for operation in (first, second):
        for number, code in enumerate(program.code, 1):
            match = re.search(rf"cudaStreamCreateWithFlags\(&{re.escape(operation.stream)}, cudaStreamNonBlocking\)", code) if operation.stream else None
            if match and not (first.stream and second.stream):
                found.append(Change(replaced={number: program.replaced(number, match.start(), match.end(), f"cudaStreamCreate(&{operation.stream})")}))
    if "cudaStreamPerThread" in (first.stream, second.stream):
        number = first.number if first.stream == "cudaStreamPerThread" else second.number
        found.append(Change(replaced={number: program.lines[number - 1].replace("cudaStreamPerThread", "cudaStreamLegacy")}))
    return found
