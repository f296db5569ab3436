#!/usr/bin/env python3
"""What the pages of ./course watch show, against what the program itself prints: values of every type, which blocks are
recorded, and how much of an array.

    tests/pages/watch_values_check.py NVCC FOLDER
"""

import json
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tools"), str(ROOT / "tests/harness")]
import watch  # noqa: E402
from counting import check, finish  # noqa: E402


# Type, and values of which each is written as C++ has it.
SIGNED = {8: ("signed char", "char"), 16: ("short",), 32: ("int",), 64: ("long", "long long")}
UNSIGNED = {8: ("unsigned char",), 16: ("unsigned short",), 32: ("unsigned", "unsigned int", "uint32_t"),
            64: ("unsigned long", "unsigned long long", "size_t", "uint64_t")}
TYPES = {"bool": ["false", "true"], "float": ["0.5f", "-1e-3f", "3e9f", "1.234567f", "-98765.43f"],
         "double": ["0.25", "-1e-7", "1e300", "1.234567", "-98765.43"]}
for bits, names in SIGNED.items():
    TYPES.update({name: ["0", "1", "-1", f"-{2 ** (bits - 1) - 1} - 1", str(2 ** (bits - 1) - 1)] for name in names})
for bits, names in UNSIGNED.items():
    TYPES.update({name: ["0", "1", f"{2 ** (bits - 1)}u{'ll' * (bits == 64)}", f"{2 ** bits - 1}u{'ll' * (bits == 64)}"]
                  for name in names})
VECTORS = {"uchar4": ("200", 4), "char2": ("-5", 2), "short4": ("-300", 4), "ushort2": ("65535", 2), "int3": ("-70000", 3),
           "uint2": ("4000000000u", 2), "float4": ("1.5f", 4), "double2": ("-2.5", 2)}


def program_of_types():
    """A kernel for each type writes its values, and the host prints them with all their digits."""
    lines = ["#include <cinttypes>", "#include <cstdint>", "#include <cstdio>"]
    body = []
    every = list(TYPES.items()) + [(name, [value] * count) for name, (value, count) in VECTORS.items()]
    for number, (name, values) in enumerate(every):
        vector = name in VECTORS
        lines.append(f"__global__ void k{number}({name}* a{number}) {{")
        if vector:
            lines.append(f"  *a{number} = make_{name}({', '.join(values)});")
        else:
            lines += [f"  a{number}[{i}] = {value};" for i, value in enumerate(values)]
        lines.append("}")
        length = 1 if vector else len(values)
        body += [f"  {{ {name} *p, got[{length}];", f"    cudaMalloc(&p, sizeof got); k{number}<<<1, 1>>>(p);",
                 "    cudaMemcpy(got, p, sizeof got, cudaMemcpyDeviceToHost);", f'    printf("a{number}");']
        parts = [f"got[0].{c}" for c in "xyzw"[:len(values)]] if vector else [f"got[{i}]" for i in range(length)]
        body += [f'    show({part});' for part in parts] + ['    printf("\\n"); }']
    show = ["template <typename T> void show(T value) {", "  if ((T)0.5 != 0 && sizeof(T) > 1) printf(\" %.17g\", (double)value);",
            '  else if ((T)-1 < 0) printf(" %" PRId64, (int64_t)value);', '  else printf(" %" PRIu64, (uint64_t)value);', "}"]
    return "\n".join(lines + show + ["int main() {", *body, "}"]) + "\n", [name for name, _ in every]


def same(shown, printed):
    """A page shows 7 digits of a float, and a long integer in hexadecimal; 1 is how `true` prints."""
    if isinstance(shown, str):
        return int(shown, 16) == int(printed) % (1 << 64)
    return shown is not None and abs(float(shown) - float(printed)) <= 1e-6 * abs(float(printed))


def built(nvcc, folder, name, text):
    source = folder / f"{name}.cu"
    source.write_text(text)
    subprocess.run([nvcc, "--check", "-O1", str(source), "-o", str(folder / name)], check=True)
    return folder / name


def values_of_types(nvcc, folder):
    text, names = program_of_types()
    program = built(nvcc, folder, "types", text)
    code, output, launches, findings = watch.record(program, [], {})
    check(f"types: exit code {code}", code == 0, output)
    printed = {words[0]: words[1:] for words in map(str.split, output.splitlines()) if words and words[0][0] == "a"}
    data = watch.page_data(str(program), [], launches, findings)
    check(f"{len(data['launches'])} of {len(names)} launches are on the page", len(data["launches"]) == len(names))
    for page in data["launches"]:
        number = int(page["name"][1:])
        (array,) = page["arrays"]
        written = {}
        for step in page["steps"]:
            for access in step.get("a", []):
                written.update(zip(range(access[2], access[2] + access[3]), access[4]))
        wanted = printed[f"a{number}"]
        check(f"the name of the array of {names[number]}", array["name"] == f"a{number}", str(array))
        check(f"values of {names[number]}",
              len(written) == len(wanted) and all(same(written[i], value) for i, value in enumerate(wanted)), f"{written}\n{wanted}")


BLOCKS = """\
__global__ void touch(int* a) { a[blockIdx.x] = blockIdx.x; }
int main() {
  int* a;
  cudaMalloc(&a, 40);
  touch<<<10, 1>>>(a);
  touch<<<6, 1>>>(a);
  return cudaDeviceSynchronize();
}
"""


def blocks_that_were_asked_for(nvcc, folder):
    program = built(nvcc, folder, "blocks", BLOCKS)
    for first, last in ((0, 0), (0, 1), (1, 3), (4, 5), (5, 5), (9, 9), (3, 9), (0, 9), (5, 20)):
        _, output, launches, _ = watch.record(program, [], {"CPU_DEVICE_WATCH_BLOCKS": f"{first}-{last}"})
        for launch, grid in zip(launches, [g for g in (10, 6) if first < g]):
            seen = sorted({entry["step"][0] for entry in launch.raw if "step" in entry})
            check(f"blocks {first}-{last} of {grid}: {seen}", seen == list(range(first, min(last, grid - 1) + 1)), output)
        check(f"blocks {first}-{last}: {len(launches)} launches", len(launches) == sum(first < g for g in (10, 6)))


LARGE = """\
#include <cstdlib>
__global__ void touch(char* a, size_t n) { a[n - 1] = a[0]; }
int main(int, char** words) {
  char* a;
  size_t n = atol(words[1]);
  cudaMalloc(&a, n);
  cudaMemset(a, 7, n);
  touch<<<1, 1>>>(a, n);
  return cudaDeviceSynchronize();
}
"""


def arrays_up_to_the_limit(nvcc, folder):
    """64 KiB are recorded whole; of more, what was touched is known all the same."""
    program, trace = built(nvcc, folder, "large", LARGE), folder / "large.json"
    for size in (1, 3, 4, 65535, 65536, 65537, 70000):
        watch.run(program, [str(size)], trace)
        records = [json.loads(line) for line in trace.read_text().splitlines()]
        (array,) = [record for record in records if "array" in record]
        check(f"an array of {size} bytes", array["bytes"] == size and len(array["data"]) == (2 * size if size <= 65536 else 0))
        (launch,), _ = watch.read_trace(trace, str(program), shared=True)
        (page,) = watch.page_data(str(program), [], [launch], [])["launches"]
        writes = [access for step in page["steps"] for access in step.get("a", []) if len(access) > 4]
        check(f"{size} bytes: what was written", [access[2:] for access in writes] == [[size - 1, 1, [7]]], str(writes))


STEPS = """\
#include <cstdlib>
__global__ void meet(int* a, int n) {
  __shared__ int s[128];
  const int t = threadIdx.x, at = blockIdx.x * blockDim.x + t;
  s[t] = a[at];  // first
  __syncthreads();  // meets
  if (t < n) a[at] = s[blockDim.x - 1 - t];  // second
}
__global__ void spin(int* flag, int* a) {
  if (threadIdx.x == 0) {
    while (atomicAdd(flag, 0) == 0) {  // asks
    }
    a[0] = 1;
  } else if (threadIdx.x == 32) {
    for (int i = 0; i < 10; i++) a[i] = i;
    atomicExch(flag, 1);  // tells
  }
}
int main(int, char** words) {
  const int blocks = atoi(words[1]), threads = atoi(words[2]), n = atoi(words[3]), launches = atoi(words[4]);
  int *a, host[1024];
  for (int i = 0; i < 1024; i++) host[i] = 1000 + i;
  cudaMalloc(&a, sizeof host);
  for (int i = 0; i < launches; i++) {
    cudaMemcpy(a, host, sizeof host, cudaMemcpyHostToDevice);
    if (n < 0) cudaMemset(a, 0, sizeof host);
    if (n < 0) spin<<<1, threads>>>(a, a + 32);
    if (n >= 0) meet<<<blocks, threads>>>(a, n);
  }
  return cudaDeviceSynchronize();
}
"""


def traced(program, words, settings, trace):
    """[(record of the launch, its other records)] of a trace, read line by line."""
    watch.run(program, list(map(str, words)), trace, settings)
    launches = []
    for line in trace.read_text().splitlines():
        record = json.loads(line)
        if "launch" in record:
            launches.append((record, []))
        else:
            launches[-1][1].append(record)
    return launches


def end_of(records):
    return next((one for one in records if "end" in one), None)


def steps_of_threads(nvcc, folder):
    """Each thread's accesses, waits and its end are in the trace once, in an order that the barrier allows."""
    program, trace, lines = built(nvcc, folder, "steps", STEPS), folder / "steps.json", STEPS.splitlines()
    line = {name: number for number, text in enumerate(lines, 1) for name in re.findall(r"// (\w+)$", text)}
    cases = ((1, 1, 1, 1), (1, 32, 5, 1), (2, 33, 33, 1), (3, 96, 0, 2), (4, 64, 64, 3), (1, 70, 32, 5),
             (20, 33, 33, 1), (70, 4, 4, 2))  # more blocks than workers
    for blocks, threads, n, launches in cases:
        about = f"{blocks} blocks of {threads} threads, {n} of them write, {launches} launches"
        found = traced(program, (blocks, threads, n, launches), {}, trace)
        check(f"{about}: how many are recorded", len(found) == min(launches, 3), str(len(found)))
        for record, records in found:
            facts = [record[key] for key in ("launch", "grid", "block", "shared")]
            check(f"{about}: the launch", facts == ["meet", [blocks, 1, 1], [threads, 1, 1], 0], str(record))
            check_steps(about, records, blocks, threads, n, line)
    for most in (1, 32, 33, 64, 96, 127, 128, 200):
        ((_, records),) = traced(program, (1, 64, 64, 1), {"CPU_DEVICE_WATCH_EVENTS": str(most)}, trace)
        end = end_of(records)
        wanted = min(256, -(-most // 32) * 32)  # steps of 32 lanes
        check(f"at most {most} accesses: {wanted} are recorded", (end["end"], end["cut"]) == (wanted, wanted < 256), str(end))
        told = sum(len(one["step"][3]) for one in records if "step" in one)
        check(f"at most {most} accesses: {wanted} are told", told == wanted, str(told))
    check_spin(traced(program, (1, 64, -1, 1), {}, trace), line)


def check_steps(about, records, blocks, threads, n, line):
    places, arrays, owners, done = {}, {}, {}, {block: [] for block in range(blocks)}
    for one in records:
        if "place" in one:
            check(f"{about}: a place is told once", one["place"] not in places, str(one))
            places[one["place"]] = (one["line"], one["access"])
        elif "array" in one:
            arrays[one["array"]], owners[one["array"]] = one["space"], one["block"]
        elif "step" in one:
            block, warp, place, lanes = one["step"]
            numbers = [lane[0] for lane in lanes]
            check(f"{about}: lanes of a step", len(set(numbers)) == len(numbers) and set(numbers) <= set(range(32)), str(one))
            wrong = [array for _, array, *_ in lanes if arrays[array] == "shared" and owners[array] != block]
            check(f"{about}: shared memory is the block's own", not wrong, f"{one}: {wrong} of {owners}")
            done[block] += [(*places[place], arrays[array], 32 * warp + lane, at // 4, before, after)
                            for lane, array, at, _, before, after in lanes]
        elif "wait" in one:
            block, what, where, who = one["wait"]
            done[block] += [(where, what, "", thread) for thread in who]
        elif "exit" in one:
            done[one["exit"][0]] += [(0, "exit", "", thread) for thread in one["exit"][1]]
        elif "pass" in one:
            done[one["pass"][0]].append((one["pass"][1], "pass", "", -1))

    def number(value):
        return value.to_bytes(4, "little").hex()

    writers = range(min(n, threads))
    for block, came in done.items():
        passed = (line["meets"], "pass", "", -1)
        behind = came.index(passed) if passed in came else len(came)
        before, after = came[:behind], came[behind + 1:]
        at = block * threads
        values = [number(1000 + at + t) for t in range(threads)]
        expected = {
            "reads before the barrier": (before, "read", [("first", "global", t, at + t, values[t]) for t in range(threads)]),
            "writes before it": (before, "write", [("first", "shared", t, t, values[t]) for t in range(threads)]),
            "reads behind it": (after, "read", [("second", "shared", t, threads - 1 - t, values[-1 - t]) for t in writers]),
            "writes behind it": (after, "write", [("second", "global", t, at + t, values[-1 - t]) for t in writers])}
        for what, (some, kind, rows) in expected.items():
            # Where it is, whose, what was there before; of a write, what is there now.
            told = sorted(one[:5] + (one[6 if kind == "write" else 5],) for one in some if one[1] == kind)
            wanted = sorted((line[where], kind, *more) for where, *more in rows)
            check(f"{about}: {what}", told == wanted, f"{told}\n{wanted}")
        waits = sorted(one for one in before if one[1] == "barrier")
        check(f"{about}: who waits", waits == [(line["meets"], "barrier", "", t) for t in range(threads)], str(waits))
        ends = sorted(one[3] for one in after if one[1] == "exit")
        check(f"{about}: each thread ends once", ends == list(range(threads)), str(ends))
        check(f"{about}: nothing else", len(came) == 4 * threads + 1 + 2 * min(n, threads), str(came))
    end = end_of(records)
    total = blocks * 2 * (threads + min(n, threads))
    check(f"{about}: {total} accesses", (end["end"], end["cut"], end["failed"]) == (total, False, False), str(end))


def check_spin(found, line):
    """A thread that waits for a flag is told of once until the flag changes."""
    ((_, records),) = found
    places = {one["place"]: one["line"] for one in records if "place" in one}
    of_line = {}
    for one in records:
        if "step" in one:
            of_line.setdefault(places[one["step"][2]], []).extend(one["step"][3])
    asked = [(before, after) for *_, before, after in of_line[line["asks"]]]
    check("a thread asks, waits, and asks again", asked == [("00000000", "00000000"), ("01000000", "01000000")], str(asked))
    check("another one tells", [lane[4:] for lane in of_line[line["tells"]]] == [["00000000", "01000000"]], str(of_line))
    total = sum(map(len, of_line.values()))
    check("accesses while a thread waits", (total, end_of(records)["end"]) == (14, 14), f"{total} {end_of(records)}")


KINDS = """\
__global__ void kinds(int* a, volatile int* b) {
  int x = a[0]; // read
  x += b[0]; // read
  x += *(volatile int*)&a[1]; // read
  a[2] = x; // write
  b[3] = x; // write
  atomicAdd(&a[4], x); // atomic
  atomicCAS(&a[5], 0, x); // atomic
}
int main() {
  int* a;
  cudaMallocManaged(&a, 64);
  for (int i = 0; i < 16; i++) a[i] = i;
  kinds<<<1, 1>>>(a, a);
  return cudaDeviceSynchronize();
}
"""


def kinds_of_accesses(nvcc, folder):
    """What a page calls an access: plain and volatile ones are reads and writes."""
    (folder / "kinds.cu").write_text(KINDS)
    subprocess.run([nvcc, "--check", folder / "kinds.cu", "-o", folder / "kinds"], check=True)
    watch.run(folder / "kinds", [], folder / "kinds.json")
    records = [json.loads(line) for line in (folder / "kinds.json").read_text().splitlines()]
    told = {one["line"]: one["access"] for one in records if "place" in one}
    wanted = {number: line.split("// ")[1] for number, line in enumerate(KINDS.splitlines(), 1) if "// " in line}
    check("kinds of accesses", {line: told.get(line) for line in wanted} == wanted, f"{told}\n{wanted}")


def main():
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    nvcc, folder = sys.argv[1], pathlib.Path(sys.argv[2]).absolute()
    folder.mkdir(parents=True, exist_ok=True)
    os.environ.setdefault("CPU_DEVICE_THREADS", "2")
    for part in (values_of_types, blocks_that_were_asked_for, arrays_up_to_the_limit, steps_of_threads, kinds_of_accesses):
        part(nvcc, folder)
    return finish()


if __name__ == "__main__":
    sys.exit(main())
