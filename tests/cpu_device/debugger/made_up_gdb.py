"""A gdb that does not exist, with a program that does not run: for debugger_commands_test.py.

`Program` makes up workers, blocks and threads from a seed, and lays them into memory as the runtime's table says. The places of members
and the numbers of kinds are made up, too. install() puts a module `gdb` in place, so that the debugger's own modules can be loaded.
"""

import bisect
import struct
import sys
import types

WORDS = {"barrier": "wait at __syncthreads()", "warp": "wait in a warp operation", "part": "wait at a barrier for part of the block",
         "yielding": "wait in a loop", "spinning": "retry an atomic", "held": "wait for their warp to leave a loop",
         "parked": "wait for other threads", "running": "run"}
NO_SYMBOL = 'No symbol "%s" in current context.'
# Members of the runtime's classes, with their sizes in bytes.
MEMBERS = {
    "DebuggedWorker": {"thread": 4, "worker": 8, "thread_index": 8, "block_index": 8, "block_size": 8, "grid_size": 8},
    "Worker": {"grid": 8, "position": 8, "end": 8, "threads": 4, "started": 4, "finished": 4, "current": 4, "waiting": 8, "waiting_count": 4,
               "ready": 8, "ready_head": 4, "ready_count": 4, "order": 2 * 1024, "index_of": 12 * 1024, "in_kernel": 1},
    "ThreadState": {"stack_pointer": 8, "file": 8, "line": 4, "kind": 1},
    "Grid": {"launch": 8, "number": 8, "blocks": 8, "next": 8},
    "Launch": {"type.name": 8, "grid": 12, "block": 12, "device": 4, "depth": 4, "site.file": 8, "site.line": 4},
    "Failure": {"file": 32, "line": 4, "what": 32, "hint": 32, "kind": 8},
}
FINDING = {"Finding": {"kind": 8, "level": 8, "file": 32, "line": 4, "title": 32, "details": 32, "hint": 32, "others": 8}, "Second": {"file": 32, "line": 4}}
REGISTERS = {"x86": ["r15", "r14", "r13", "r12", "rbx", "rbp", "rip"], "arm": [*(f"x{n}" for n in range(19, 30)), "pc"]}


class Frame:
    def __init__(self, program, name, file, line, caller, values=()):
        self.program, self._name, self.caller, self.values = program, name, caller, dict(values)
        self.place = types.SimpleNamespace(line=line, symtab=file and types.SimpleNamespace(filename=file, fullname=lambda: file))

    def older(self):
        return self.caller

    def name(self):
        return self._name

    def find_sal(self):
        return self.place

    def is_valid(self):
        return True

    def select(self):
        self.program.frame = self

    def block(self):
        raise RuntimeError("no block")

    def read_var(self, name):
        raise ValueError(name)

    def read_register(self, name):
        return self.program.registers[name]


class Thread:
    """A thread of the system's."""

    def __init__(self, program, number):
        self.program, self.ptid, self.worker = program, (1, number, 0), None

    def switch(self):
        self.program.thread, self.program.frame = self, None

    def is_valid(self):
        return True


class Memory:
    def __init__(self, rng):
        self.rng, self.end, self.begins, self.parts = rng, 0x10000, [], []

    def put(self, data):
        """The address of the data. What follows it cannot be read."""
        return self.put_at(self.end + self.rng.randrange(16, 9000, 8), data)

    def put_at(self, address, data):
        self.begins.append(address)
        self.parts.append(bytearray(data))
        self.end = address + len(data)
        return address

    def at(self, address, size):
        part = bisect.bisect(self.begins, address) - 1
        begin, data = self.begins[part], self.parts[part]
        if begin <= address and address + size <= begin + len(data):
            return data, address - begin
        raise sys.modules["gdb"].error(f"Cannot access memory at address {address:#x}")

    def read_memory(self, address, size):
        data, at = self.at(address, size)
        return memoryview(bytes(data[at:at + size]))

    def write(self, address, data):
        where, at = self.at(address, len(data))
        where[at:at + len(data)] = data

    def text(self, words):
        """A string that ends with a zero; the rest of its page can be read, the next page cannot."""
        if words is None:
            return 0
        data, page = words.encode() + b"\0", 4096
        after = self.rng.choice([0, 0, 1, 60, 64, 65, 1000])  # bytes
        address = -(-(self.end + 2 * page) // page) * page - len(data) - after
        return self.put_at(address, data + self.rng.randbytes(after))

    def string(self, words):
        """The bytes of a std::string, which has no zero at its end here."""
        data = words.encode()
        return struct.pack("<QQ16x", self.put(data) if data else 0, len(data))


class Program:
    """Grids with their kernel, size and launch; workers, each with a block of a grid and what its threads do."""

    def __init__(self, rng):
        self.rng, self.memory, self.thread, self.frame, self.registers = rng, Memory(rng), None, None, {}
        self.machine = rng.choice(["x86", "arm"])
        self.lay_out()
        self.symbols = {"cpu_device_debugger_table": self.table(self.places)}
        if rng.random() < 0.5:
            self.symbols["cpu_device_debugger_findings"] = self.table(self.more)
        self.grids = [self.make_grid(number) for number in sorted(rng.sample(range(1, 40), rng.randint(1, 3)))]
        self.host = Thread(self, 100)
        self.threads = [self.host]
        self.workers = [self.make_worker(n) for n in range(rng.choice([0, 1, 2, 5, 6]))]
        self.symbols["cpu_device_debugger_workers"] = self.memory.put(self.entries())
        rng.shuffle(self.threads)
        self.thread = rng.choice(self.threads)

    def lay_out(self):
        rng, self.places, self.sizes = self.rng, {}, {}
        for name, members in {**MEMBERS, **FINDING}.items():
            at, order = rng.choice([0, 8]), list(members)
            rng.shuffle(order)
            for member in order:
                size = members[member]
                at = -(-at // min(size, 8)) * min(size, 8) + rng.choice([0, 0, 8])
                self.places[f"{name}.{member}"] = at
                at += size
            self.sizes[name] = -(-at // 8) * 8
        self.places["Worker.states"] = self.sizes["Worker"]
        self.sizes["Worker"] += 1024 * self.sizes["ThreadState"]
        self.more = {name: at for name, at in self.places.items() if name.startswith(("Finding.", "Second."))}
        self.places = {name: at for name, at in self.places.items() if name not in self.more}
        self.places.update({"DebuggedWorker": self.sizes["DebuggedWorker"], "ThreadState": self.sizes["ThreadState"], "DebuggedWorker.most": 100,
                            "Worker.most_threads": 1024, "string": 32})
        names = [*WORDS, "ended"]
        self.kinds = dict(zip(names, rng.sample(range(200), len(names))))
        self.places.update({f"kind.{name}": number for name, number in self.kinds.items()})
        saved = REGISTERS[self.machine]
        self.places.update({f"saved.{name}": 8 * n for n, name in enumerate(saved)} | {"saved": 8 * len(saved) + 8})

    def table(self, places):
        entries = b"".join(struct.pack("<40sQ", name.encode(), value) for name, value in places.items())
        return self.memory.put(struct.pack("<8sII", b"CUDADBG\0", 1, len(places)) + entries)

    def object(self, what, /, **members):
        """The address of an object with these members, numbers or bytes; the others are noise."""
        address = self.memory.put(self.rng.randbytes(self.sizes[what]))
        for name, value in members.items():
            self.set(address, what, name.replace("__", "."), value)
        return address

    def set(self, address, kind, name, value):
        size = {**MEMBERS, **FINDING}[kind][name]
        data = value if isinstance(value, bytes) else value.to_bytes(size, "little")
        self.memory.write(address + {**self.places, **self.more}[f"{kind}.{name}"], data)

    def make_grid(self, number):
        rng = self.rng
        size = rng.choice([(4, 1, 1), (3, 2, 1), (2, 3, 2), (1, 2, 3), (5, 1, 2)])
        block = rng.choice([(1, 1, 1), (7, 1, 1), (32, 1, 1), (64, 1, 1), (70, 1, 1), (8, 4, 1), (4, 2, 2), (3, 5, 4), (2, 2, 9), (1, 33, 1), (1, 1, 40)])
        grid = types.SimpleNamespace(number=number, size=size, block=block, kernel=rng.choice(["reduce", "dot", "ä", "x" * 70]), device=rng.randint(0, 3),
                                     file=rng.choice(["/far/away/launch.cu", "near.cu", None]), line=rng.randint(1, 999),
                                     blocks=size[0] * size[1] * size[2], left=[])
        grid.left = rng.sample(range(grid.blocks), grid.blocks)
        grid.next = rng.choice([0, 1, grid.blocks, grid.blocks + 3])
        launch = self.object("Launch", type__name=self.memory.text(grid.kernel), grid=struct.pack("<III", *size), block=struct.pack("<III", *block),
                             device=grid.device, site__file=self.memory.text(grid.file), site__line=grid.line)
        grid.address = self.object("Grid", launch=launch, number=number, blocks=grid.blocks, next=grid.next)
        return grid

    def make_worker(self, n):
        rng, grid = self.rng, self.rng.choice(self.grids)
        thread = Thread(self, 200 + n)
        self.threads.append(thread)
        x, y, z = grid.block
        linear = grid.left.pop() if grid.left else 0
        one = types.SimpleNamespace(thread=thread, grid=grid, threads=x * y * z, at_work=bool(grid.left) and rng.random() < 0.85)
        one.index = (linear % grid.size[0], linear // grid.size[0] % grid.size[1], linear // (grid.size[0] * grid.size[1]))
        one.names = [(a, b, c) for c in range(z) for b in range(y) for a in range(x)]  # the threads in the order of their numbers
        one.started = rng.choice([one.threads, rng.randint(1, one.threads)])
        order = rng.sample(range(one.threads), one.threads) if rng.random() < 0.3 else list(range(one.threads))
        one.begun = set(order[:one.started])
        one.current = order[rng.randrange(one.started)]
        one.position, one.end = rng.choice([(0, 0), (1, 3), (4, 2)])
        self.make_threads(one)
        if rng.random() < 0.1:  # between two blocks
            one.kinds, one.started, one.begun = ["ended"] * one.threads, one.threads, set(order)
        one.finished = sum(one.kinds[t] == "ended" for t in one.begun)
        one.listed = one.at_work and one.finished < one.threads
        states = bytearray()
        for t in range(one.threads):
            state = bytearray(rng.randbytes(self.sizes["ThreadState"]))
            for name, value, size in (("stack_pointer", one.stacks[t], 8), ("file", one.files[t][1], 8), ("line", one.lines[t] % 2 ** 32, 4),
                                      ("kind", self.kinds[one.kinds[t]], 1)):
                at = self.places[f"ThreadState.{name}"]
                state[at:at + size] = value.to_bytes(size, "little")
            states += state
        head, others = rng.choice([0, 1020, 1023, rng.randrange(1024)]), [t for t in range(one.threads) if t not in one.ready]
        ring = [rng.choice(others or [1023]) for _ in range(1024)]
        for i, t in enumerate(one.ready):
            ring[(head + i) % 1024] = t
        one.address = self.object("Worker", grid=grid.address, position=one.position, end=one.end, threads=one.threads, started=one.started,
                                  finished=one.finished, current=one.current, ready=self.memory.put(struct.pack("<1024H", *ring)), ready_head=head,
                                  ready_count=len(one.ready), order=struct.pack(f"<{one.threads}H", *order), in_kernel=int(one.at_work),
                                  index_of=b"".join(struct.pack("<III", *name) for name in one.names))
        self.memory.write(one.address + self.places["Worker.states"], bytes(states))
        one.builtin = {"thread_index": self.memory.put(struct.pack("<III", *one.names[one.current])), "block_index": self.memory.put(struct.pack("<III", *one.index)),
                       "block_size": self.memory.put(struct.pack("<III", *grid.block)), "grid_size": self.memory.put(struct.pack("<III", *grid.size))}
        thread.worker = one
        self.make_frames(one)
        return one

    def make_threads(self, one):
        """Mostly many neighbors do the same."""
        rng, choices = self.rng, []
        for name in rng.sample(["a.cu", "b/c.cu", "/d/e.cuh"], 3):
            choices.append((name, self.memory.text(name)))
        one.kinds, one.files, one.lines, kind = [], [], [], "barrier"
        for _ in range(one.threads):
            if rng.random() < 0.2 or not one.kinds:
                kind, file, line = rng.choice([*WORDS, "ended", "barrier", "barrier"]), rng.choice([*choices, (None, 0)]), rng.choice([0, 7, 8, 12345])
            one.kinds.append(kind)
            one.files.append(file)
            one.lines.append(line)
        if rng.random() < 0.2:
            one.kinds = ["ended"] * one.threads
        if rng.random() < 0.7:
            one.kinds[one.current] = "running"
        one.ready = [t for t in sorted(one.begun) if one.kinds[t] == "barrier" and t != one.current and rng.random() < 0.3]
        one.saved = [[rng.getrandbits(64) for _ in REGISTERS[self.machine]] for _ in range(one.threads)]
        one.stacks = [self.memory.put(struct.pack(f"<{len(saved)}Q", *saved)) for saved in one.saved]

    def make_frames(self, one):
        """Of each thread that has begun: the kernel, perhaps a function that it calls, and the runtime's functions around them."""
        rng, one.frames = self.rng, {}
        runtime = Frame(self, "cpu_device::Worker::run_block()", "/x/cpu_device/runtime/execution/worker.cpp", 1, None)
        one.idle = Frame(self, "cpu_device::Worker::next()", "/x/cpu_device/runtime/execution/worker.cpp", 2, runtime)
        values = rng.choice([["1"], ["1", "2"], [str(n) for n in range(40)], ["a value of many letters", "1"], ["twelve chars", "1"]])
        for t in one.begun:
            name = f"{one.grid.kernel}(int*)::{{lambda()#1}}"
            start = Frame(self, f"cpu_device::run_thread<{name}>(void*)", "/x/cpu_device/include/launch.h", 3, runtime)
            body = Frame(self, f"{name}::operator()() const", "a.cu", rng.randint(1, 99), start, {"mine": rng.choice(values), "odd": str(t)})
            if rng.random() < 0.1:
                del body.values["mine"]
            own, top = [body], body
            if rng.random() < 0.4:
                top = Frame(self, "helper<float (*)(int)>(float (*)(int), int)", "b/c.cu", rng.randint(1, 99), body, {"inner": str(t % 3)})
                own.insert(0, top)
            if t != one.current or rng.random() < 0.4:  # in the runtime, which has called a function of C++
                top = Frame(self, "__syncthreads()", "/x/cpu_device/include/threads.h", 4, top)
                top = Frame(self, "cpu_device::Worker::wait()", rng.choice(["/x/cpu_device/runtime/execution/wait.cpp", None]), 5, top)
                top = Frame(self, rng.choice(["memset", "foreign"]), rng.choice([None, "/usr/src/memset.c"]), 6, top)
            one.frames[t] = (top, own)

    def entries(self):
        rng = self.rng
        size, entries = self.sizes["DebuggedWorker"], bytearray()
        workers = list(self.workers)
        for i in range(100):
            entry = bytearray(rng.randbytes(size))
            fields = [("thread", 0, 4)]
            if workers and (rng.random() < 0.3 or len(workers) >= 30 - i):
                one = workers.pop()
                fields = [("thread", one.thread.ptid[1], 4), ("worker", one.address, 8), *((name, at, 8) for name, at in one.builtin.items())]
            for name, value, width in fields:
                at = self.places[f"DebuggedWorker.{name}"]
                entry[at:at + width] = value.to_bytes(width, "little")
            entries += entry
        return bytes(entries)

    def newest_frame(self, waiting):
        """`waiting`: the number of the thread that the unwinder shows, or None."""
        if self.thread is None or self.thread.worker is None:
            return Frame(self, "main", "host.cu", 10, None)
        one = self.thread.worker
        running = one.kinds[one.current] != "ended" and one.current in one.begun
        real = one.frames[one.current][0] if running else one.idle
        return Frame(self, real.name(), "/x/cpu_device/runtime/execution/worker.cpp", 9, one.frames[waiting][0]) if waiting is not None else real

    def evaluate(self, words):
        if words.startswith("(long)&"):
            if words[7:].strip("'") in self.symbols:
                return self.symbols[words[7:].strip("'")]
            raise sys.modules["gdb"].error(NO_SYMBOL % words[7:])
        if words == "n / 0":
            raise sys.modules["gdb"].error("Division by zero")
        if self.frame is None or words not in self.frame.values:
            raise sys.modules["gdb"].error(NO_SYMBOL % words)
        return types.SimpleNamespace(format_string=lambda **_: self.frame.values[words])


class Decorated:
    """gdb's decorator of a frame, of a frame or of another decorator."""

    def __init__(self, base):
        self.base = base

    def inferior_frame(self):
        return self.base if isinstance(self.base, Frame) else self.base.inferior_frame()

    def function(self):
        return self.base.name() if isinstance(self.base, Frame) else self.base.function()


class Breakpoint:
    """One of gdb's."""

    def __init__(self, location="", internal=False, temporary=False, **_):
        gdb = sys.modules["gdb"]
        self.location, self.temporary, self.enabled, self.type, self.words = location, temporary, True, 1, None
        self.number, self.hit_count, self.valid, self.internal, self.thread = len(gdb.all_breakpoints) + 1, 0, True, internal, None
        gdb.all_breakpoints.append(self)

    @property
    def condition(self):
        return self.words

    @condition.setter
    def condition(self, words):
        if words == "nonsense":
            raise sys.modules["gdb"].error(NO_SYMBOL % words)
        self.words = words

    def is_valid(self):
        return self.valid

    def delete(self):
        self.valid = False


def install():
    """Puts the module `gdb` in place, with no program yet."""
    gdb = types.ModuleType("gdb")
    gdb.error = type("error", (RuntimeError,), {})
    gdb.GdbError = type("GdbError", (Exception,), {})
    gdb.Breakpoint, gdb.BP_BREAKPOINT, gdb.program, gdb.all_breakpoints, gdb.executed = Breakpoint, 1, None, [], []
    for name in ("Command", "Function"):
        setattr(gdb, name, type(name, (), {"__init__": lambda self, *_: None, "dont_repeat": lambda self: None}))
    for name in ("COMMAND_STATUS", "COMMAND_RUNNING", "COMMAND_OBSCURE", "COMMAND_BREAKPOINTS", "COMPLETE_LOCATION"):
        setattr(gdb, name, 0)
    for name, members in (("unwinder", {"Unwinder": type("Unwinder", (), {"__init__": lambda self, name: None})}),
                          ("FrameDecorator", {"FrameDecorator": Decorated})):
        module = types.ModuleType(f"gdb.{name}")
        vars(module).update(members)
        sys.modules[f"gdb.{name}"] = module
        setattr(gdb, name, module)
    gdb.selected_thread = lambda: gdb.program.thread
    gdb.selected_inferior = lambda: types.SimpleNamespace(read_memory=gdb.program.memory.read_memory, threads=lambda: list(gdb.program.threads))
    gdb.parse_and_eval = lambda words: gdb.program.evaluate(words)
    gdb.breakpoints = lambda: tuple(gdb.all_breakpoints)
    gdb.selected_frame = lambda: gdb.program.frame or gdb.newest_frame()
    gdb.invalidate_cached_frames = lambda: None

    def execute(words, **_):
        gdb.executed.append(words)
        if words.startswith("info breakpoints"):
            return gdb.listing
        if words.startswith("list "):
            return f"{words.rpartition(',')[2]}\tthe line of {words[5:].partition(':')[0]}\n"
        return "#0 a frame\n"
    gdb.execute = execute
    gdb.Value = lambda number: types.SimpleNamespace(cast=lambda kind: number, number=number)
    gdb.lookup_type = lambda name: name
    gdb.listing, gdb.posted = "", []
    gdb.post_event = gdb.posted.append
    sys.modules["gdb"] = gdb
    return gdb
