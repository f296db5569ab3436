#!/usr/bin/env python3
"""What the profiler writes of launches and streams, against a count of our own: threads, warps, barriers, shared memory, devices.

    tests/profile/profile_facts_check.py NVCC FOLDER

The program is written here, from a list of launches with sizes next to a multiple of a warp, on three devices, in several
streams. Its file has a name that JSON must escape. Then every fact of an access, in random patterns: each kind of memory, each
size, lanes that take part and lanes that do not, several warps and blocks.
"""

import json
import os
import pathlib
import random
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "harness"))
from counting import check, finish  # noqa: E402  pylint: disable=wrong-import-position

DEVICES = 3
NAME = 'odd "name" \\ here'  # of the folder and of the file
SIZES = [(1, 1, 1), (31, 1, 1), (32, 1, 1), (33, 1, 1), (63, 1, 1), (64, 1, 1), (65, 1, 1), (8, 4, 1), (8, 4, 2), (5, 3, 2), (1024, 1, 1)]
GRIDS = [(1, 1, 1), (2, 1, 1), (3, 2, 1), (2, 2, 2)]
# Bytes between what two lanes read in shared memory, in elements of so many bytes.
APART = [(size, words * 4 + more) for size in (1, 2, 4) for words in (0, 1, 2, 31, 32, 33, 63, 64, 65, 96) for more in range(0, 4, size)]

# Wide elements in shared memory: bytes of each, which one each lane of a warp takes, and which lanes take part.
WIDE = [(size, place, lanes) for size in (8, 16) for place in ("t", "t & ~1", "t & ~2", "t & ~3", "t >> 1", "t & 5", "t * 2", "(t & ~1) * 3",
                                                               "(t & ~2) * 3", "(t & ~2) * 8", "(t >> 2) * 16", "(t & 1) * 16 + 5")
        for lanes in (0xffffffff, 0x7ffffffe, 0x33333333, 0x0000ffff)]


def launches():
    """(kernel, grid, block, dynamic bytes of shared memory, barriers, device, stream, how often)"""
    for number, block in enumerate(SIZES):
        yield (f"plain{number % 2}", GRIDS[number % len(GRIDS)], block, 0, 0, number % DEVICES, number % 2, 1 + number % 3)
    for number, (bytes_, barriers) in enumerate(((4, 1), (128, 2), (4096, 0))):
        yield ("waits", (2, 1, 1), (32 * (number + 1), 1, 1), bytes_, barriers, number, 1, 2)
    for number, block in enumerate(SIZES):
        yield ("waits", GRIDS[number % len(GRIDS)], block, 8, 1 + number % 3, number % DEVICES, 1, 1)


def source():
    lines = ["#include <cuda_runtime.h>", "__global__ void plain0(int* a) { *a = 1; }", "__global__ void plain1(int* a) { *a = 2; }",
             "__global__ void waits(int* a, int barriers) {", "  extern __shared__ int s[];", "  s[0] = 0;",
             "  for (int i = 0; i < barriers; i++) __syncthreads();", "  *a = s[0];", "}", *pairs(), *wide(), "int main() {",
             f"  int* a[{DEVICES}];", f"  cudaStream_t s[{DEVICES}][2];", f"  for (int d = 0; d < {DEVICES}; d++) {{",
             "    cudaSetDevice(d);", "    cudaMalloc(&a[d], 4);", "    for (auto& one : s[d]) cudaStreamCreate(&one);", "  }"]
    for kernel, grid, block, shared, barriers, device, stream, often in launches():
        more = f", {barriers}" if kernel == "waits" else ""
        lines.append(f"  cudaSetDevice({device}); for (int i = 0; i < {often}; i++) {kernel}<<<dim3{grid}, dim3{block}, {shared}, "
                     f"s[{device}][{stream}]>>>(a[{device}]{more});")
    lines += ["  cudaSetDevice(0);", *(f"  pair{number}<<<1, 32, 0, s[0][0]>>>(a[0]);" for number in range(len(APART)))]
    lines += [f"  wide{number}<<<1, 32, 0, s[0][0]>>>(a[0]);" for number in range(len(WIDE))]
    lines += [f"  for (int d = 0; d < {DEVICES}; d++) {{", "    cudaSetDevice(d);", "    cudaMemsetAsync(a[d], 0, 4, s[d][0]);",
              "    cudaDeviceSynchronize();", "  }", "}"]
    return "\n".join(lines) + "\n"


def pairs():
    """A kernel for each distance: two lanes read, and the others have left."""
    types = {1: "unsigned char", 2: "short", 4: "int"}
    for number, (size, bytes_) in enumerate(APART):
        yield (f"__global__ void pair{number}(int* a) {{ __shared__ {types[size]} s[512]; s[threadIdx.x] = 1; __syncthreads(); "
               f"if (threadIdx.x != 0 && threadIdx.x != 17) return; *a = s[threadIdx.x == 0 ? 3 : 3 + {bytes_ // size}]; }}")


def wide():
    types = {8: "unsigned long long", 16: "ulonglong2"}
    for number, (size, place, lanes) in enumerate(WIDE):
        use, member = ("unsigned(v)", "") if size == 8 else ("unsigned(v.x ^ v.y)", ".x")
        yield (f"__global__ void wide{number}(int* a) {{ __shared__ {types[size]} s[512]; const unsigned t = threadIdx.x; {types[size]} v = {{}}; "
               f"if ({lanes:#x}u >> t & 1) {{ v = s[{place}];")
        yield f" v{member} += 1; s[{place}] = v; }} if ({use} == 77) *a = 1; }}"


def passes_beyond_the_first(places, size):
    """In 32 banks of 4 bytes: the words of the busiest one, less one."""
    words = {at // 4 for place in places for at in range(place, place + size, 4)}
    return max(sum(other % 32 == word % 32 for other in words) for word in words) - 1 if words else 0


def wide_conflicts(size, place, lanes, loads):
    at = {t: size * eval(place, {"t": t}) for t in range(32) if lanes >> t & 1}  # pylint: disable=eval-used
    return conflicts_of_wide(at, size, loads)


def conflicts_of_wide(at, size, loads):
    """A warp asks for 8 bytes in two halves, for 16 in four quarters. Two of them are one pass for loads whose lanes have the same
    address as their neighbor, or all as the lane after the next."""
    sum_ = 0
    for first in range(0, 32, 256 // size):
        both = [t for t in at if first <= t < first + 256 // size]
        paired = loads and any(all(at.get(t ^ apart, at[t]) == at[t] for t in both) for apart in (1, 2))
        parts = [both] if paired else [[t for t in both if t // (128 // size) % 2 == half] for half in (0, 1)]
        sum_ += sum(passes_beyond_the_first([at[t] for t in part], size) for part in parts)
    return sum_


# ---- every fact of an access ----

TYPES = {1: "unsigned char", 2: "unsigned short", 4: "unsigned", 8: "unsigned long long", 16: "ulonglong2"}
ELEMENTS = 700  # of an array
# Kind: the statement, the array, and the sizes of its elements.
KINDS = {"global_load": ("v = a[at];", "a", TYPES), "global_store": ("a[at] = v;", "a", TYPES),
         "global_atomic": ("v = atomicAdd(&a[at], v);", "a", (4, 8)), "global_reduction": ("atomicAdd(&a[at], v);", "a", (4, 8)),
         "shared_load": ("v = s[at];", "s", TYPES), "shared_store": ("s[at] = v;", "s", TYPES),
         "shared_atomic": ("atomicAdd(&s[at], v);", "s", (4,)), "constant_load": ("v = c{size}[at];", "c", (1, 2, 4, 8, 16))}
EACH = 12  # launches of each kernel


def random_places(rng, threads):
    """Which element each thread takes; -1: none."""
    most = ELEMENTS - 1
    way, first = rng.choice(["same", "apart", "apart", "back", "rows", "few", "any"]), rng.randrange(ELEMENTS)
    step, row = rng.choice([1, 1, 2, 3, 4, 8, 17, 31, 32, 33]), rng.choice([2, 4, 8, 16])
    places = [{"same": first, "apart": first + step * t, "back": first - step * t, "rows": first + t % row + 40 * (t // row),
               "few": rng.randrange(5), "any": rng.randrange(ELEMENTS)}[way] % most for t in range(threads)]
    absent = rng.choice([0, 0, 0.1, 0.5, 0.95])
    return [-1 if rng.random() < absent else place for place in places]


def random_launches():
    """(kind, bytes of an element, blocks, threads of each, places), in the order of the launches."""
    rng = random.Random(1)
    for kind, (_, _, sizes) in KINDS.items():
        for size in sizes:
            for _ in range(EACH):
                blocks, threads = rng.choice([1, 1, 2, 3]), rng.choice([1, 7, 32, 32, 32, 33, 64, 70])
                yield kind, size, blocks, threads, random_places(rng, blocks * threads)


def source_of_accesses():
    lines = ["#include <cuda_runtime.h>"]
    lines += [f"__constant__ {TYPES[size]} c{size}[{ELEMENTS}];" for size in TYPES]
    for kind, (statement, array, sizes) in KINDS.items():
        for size in sizes:
            kernel = f"{kind}{size}"
            value = "v.x == 77" if size == 16 else "v == 77"
            lines += [f"__global__ void {kernel}(const int* where, {TYPES[size]}* a, int* out) {{",
                      "  extern __shared__ int dynamic[];",
                      f"  __shared__ __align__(16) {TYPES[size]} s[{ELEMENTS}];" if array == "s" else "",
                      "  const int at = where[blockIdx.x * blockDim.x + threadIdx.x];", f"  {TYPES[size]} v = {{}};",
                      "  if (at >= 0) {",
                      f"    {statement.format(size=size)}  // {kernel}", "  }", f"  if ({value}) *out = dynamic[0];", "}"]
    numbers, offsets = [], []
    for _, _, _, _, places in random_launches():
        offsets.append(len(numbers))
        numbers += places
    lines += [f"static const int places[] = {{{', '.join(map(str, numbers))}}};", "int main() {", "  int *where, *out;",
              "  cudaMalloc(&where, sizeof places), cudaMalloc(&out, 4);", "  void* a;",
              "  cudaMalloc(&a, 16 * 1024), cudaMemset(a, 0, 16 * 1024);",
              "  cudaMemcpy(where, places, sizeof places, cudaMemcpyHostToDevice);"]
    for number, (kind, size, blocks, threads, _) in enumerate(random_launches()):
        lines.append(f"  {kind}{size}<<<{blocks}, {threads}, {16 * (number + 1)}>>>(where + {offsets[number]}, "
                     f"static_cast<{TYPES[size]}*>(a), out);")
    return "\n".join([*lines, "  return cudaDeviceSynchronize();", "}"]) + "\n"


def facts_of_access(kind, size, blocks, threads, places):
    """What the profiler must say of the line, or None if no thread came there."""
    facts = dict.fromkeys(("requests", "lanes", "sectors", "fewest_sectors", "bytes_used", "bank_conflicts", "addresses",
                           "most_lanes_on_one_address"), 0)
    distances, of_global = set(), kind.startswith("global")
    for block in range(blocks):
        for warp in range(0, threads, 32):
            lanes = {lane: size * places[block * threads + warp + lane] for lane in range(min(32, threads - warp))}
            lanes = {lane: at for lane, at in lanes.items() if at >= 0}
            at, different = list(lanes.values()), set(lanes.values())
            facts["requests"] += bool(at)
            facts["lanes"] += len(at)
            facts["addresses"] += len(different)
            facts["most_lanes_on_one_address"] = max([facts["most_lanes_on_one_address"], *(at.count(one) for one in different)])
            sectors = {one // 32 for one in different}
            busiest = {sector: max(at.count(one) for one in different if one // 32 == sector) for sector in sectors}
            atomic = kind in ("global_atomic", "global_reduction")
            facts["sectors"] += of_global * (sum(busiest.values()) if atomic else len(sectors))
            facts["bytes_used"] += of_global * size * len(different)
            facts["fewest_sectors"] += of_global * -(-size * len(different) // 32)
            if kind.startswith("shared"):
                facts["bank_conflicts"] += (conflicts_of_wide(lanes, size, kind == "shared_load") if size > 4 else
                                            passes_beyond_the_first(different, size))
            distances.update(b - a for a, b in zip(at, at[1:]))
    if len(distances) == 1:
        facts["lane_distance_bytes"] = distances.pop()
    return facts if facts["requests"] else None


def random_accesses(nvcc, folder):
    file, path = folder / "accesses.cu", folder / "accesses.json"
    file.write_text(source_of_accesses())
    subprocess.run([nvcc, "--branches", str(file), "-o", str(folder / "accesses")], check=True)
    environment = {k: v for k, v in os.environ.items() if not k.startswith("CPU_DEVICE_")}
    subprocess.run([folder / "accesses"], env={**environment, "CPU_DEVICE_PROFILE": str(path)}, check=True, cwd=folder)
    lines = file.read_text().splitlines()
    # Each launch has another amount of dynamic shared memory; variables that are used count, too.
    found = {}
    for one in json.loads(path.read_text())["kernels"]:
        for a in one["accesses"]:
            if lines[a["line"] - 1].endswith("// " + one["kernel"]):
                found.setdefault((one["kernel"], one["shared_bytes_per_block"]), []).append(a)
    for number, (kind, size, blocks, threads, places) in enumerate(random_launches()):
        facts, dynamic = facts_of_access(kind, size, blocks, threads, places), 16 * (number + 1)
        static = size * ELEMENTS if kind.startswith("shared") else 0
        written = found.get((f"{kind}{size}", dynamic + static), []) or found.get((f"{kind}{size}", dynamic), [])
        told = [{key: value for key, value in a.items() if key not in ("file", "line", "kind", "access_bytes")} for a in written]
        what = f"{kind} of {size} bytes by {blocks} blocks of {threads} threads, {places}"
        check(f"{what}: {facts}", told == ([facts] if facts else []), str(told))
        check(f"{what}: its kind and size", all((a["kind"], a["access_bytes"]) == (kind, size) for a in written), str(written))


# ---- branches ----

# Each in a kernel of its own: of several, g++ makes copies of what follows.
BRANCHES = {
    "single": "  if (m & 1)  // single\n    a[0] = 1;",
    "nested": "  if (m & 2) {  // outer\n    a[1] = 2;\n    if (m & 4)  // inner\n      a[2] = 3;\n    else\n      a[3] = 4;\n  }",
    "loop": "  for (int i = 0; i < n; i++)  // loop\n    a[4] = i;",
    "both": "  if ((m & 8) && a[5] == 0)  // both\n    a[6] = 6;",
    "again": ("  int left = n + 1;\n  do {\n    a[9] = left;\n    if (left == 2) break;  // leaves\n"
              "  } while (--left > 0);  // again"),
    "waits": "  while (a[10] < n)  // waits\n    a[10] = a[10] + 1;"}
BRANCH_KERNEL = """\
__global__ void @(const int* bits, const int* times, volatile int* a, int step) {
  extern __shared__ int dynamic[];
  const int at = blockIdx.x * blockDim.x + threadIdx.x, m = bits[at], n = times[at];
  a += step * at;
"""
BRANCH_WORDS = 12  # of each thread; a[5] is set before


def branch_launches():
    """(blocks, threads, [(bits, times, a[5])] of each thread), in the order of the launches."""
    rng = random.Random(2)
    for _ in range(60):
        blocks, threads = rng.choice([1, 1, 2]), rng.choice([1, 31, 32, 33, 64])
        alike, most = rng.random() < 0.3, rng.choice([0, 1, 2, 5])
        one = (rng.randrange(16), rng.randint(0, most), rng.randrange(2))
        yield blocks, threads, [one if alike and rng.random() < 0.97 else
                                (rng.randrange(16), rng.randint(0, most), rng.randrange(2)) for _ in range(blocks * threads)]


def source_of_branches():
    numbers, lines, first = [[], [], []], [], 0
    for number, (blocks, threads, values) in enumerate(branch_launches()):
        for bits, times, fifth in values:
            numbers[0].append(bits)
            numbers[1].append(times)
            numbers[2] += [fifth if word == 5 else 0 for word in range(BRANCH_WORDS)]
        arguments = f"(p[0] + {first}, p[1] + {first}, p[2] + {BRANCH_WORDS * first}, {BRANCH_WORDS})"
        lines += [f"  {kernel}<<<{blocks}, {threads}, {4 * (number + 1)}>>>{arguments};" for kernel in BRANCHES]
        first += blocks * threads
    arrays = [f"static const int numbers{i}[] = {{{', '.join(map(str, one))}}};" for i, one in enumerate(numbers)]
    copies = [f"  cudaMalloc(&p[{i}], sizeof numbers{i});\n"
              f"  cudaMemcpy(p[{i}], numbers{i}, sizeof numbers{i}, cudaMemcpyHostToDevice);" for i in range(3)]
    kernels = [BRANCH_KERNEL.replace("@", kernel) + body + "\n  a[11] = 1;\n}" for kernel, body in BRANCHES.items()]
    main_function = ["int main() {", "  int* p[3];", *copies, *lines, "  return cudaDeviceSynchronize();", "}"]
    return "\n".join(["#include <cuda_runtime.h>", *kernels, *arrays, *main_function]) + "\n"


def differ(answers):
    return int(len(set(answers)) > 1)


def leaving(counts):
    """How often some lanes leave a loop and others stay, if each goes round so many times."""
    return len(set(counts)) - 1 if counts else 0


def divergent(lanes):
    """How often the lanes of a warp part at each branch."""
    # The do-while: with left from n + 1 on, a lane leaves at 2 or, if it begins below, at 0.
    rounds = [(max(1, n), n >= 1) for _, n, _ in lanes]
    leaves = again = 0
    for turn in range(1, 1 + max(count for count, _ in rounds)):
        inside = [(count, broken) for count, broken in rounds if count >= turn]
        answers = [count == turn and broken for count, broken in inside]
        leaves += differ(answers)
        again += differ([count == turn for (count, broken), answer in zip(inside, answers) if not answer])
    return {"single": differ([m & 1 for m, *_ in lanes]), "outer": differ([m & 2 for m, *_ in lanes]),
            "inner": differ([m & 4 for m, *_ in lanes if m & 2]), "loop": leaving([n for _, n, *_ in lanes]),
            "both": differ([m & 8 for m, *_ in lanes]) + differ([fifth for m, _, fifth in lanes if m & 8]),
            "leaves": leaves, "again": again, "waits": leaving([n for _, n, *_ in lanes])}


def random_branches(nvcc, folder):
    file, path = folder / "branches.cu", folder / "branches.json"
    file.write_text(source_of_branches())
    subprocess.run([nvcc, "--branches", str(file), "-o", str(folder / "branches")], check=True)
    environment = {k: v for k, v in os.environ.items() if not k.startswith("CPU_DEVICE_")}
    subprocess.run([folder / "branches"], env={**environment, "CPU_DEVICE_PROFILE": str(path)}, check=True, cwd=folder)
    lines = file.read_text().splitlines()
    found = {}
    for one in json.loads(path.read_text())["kernels"]:
        for b in one["divergent_branches"]:
            found.setdefault(one["shared_bytes_per_block"], {})[lines[b["line"] - 1].partition("  // ")[2]] = b["count"]
    for number, (blocks, threads, values) in enumerate(branch_launches()):
        wanted = {}
        for block in range(blocks):
            of_block = values[block * threads:(block + 1) * threads]
            for warp in range(0, threads, 32):
                for branch, count in divergent(of_block[warp:warp + 32]).items():
                    wanted[branch] = wanted.get(branch, 0) + count
        wanted = {branch: count for branch, count in wanted.items() if count}
        told = found.get(4 * (number + 1), {})
        check(f"divergent branches of {blocks} blocks of {threads} threads: {wanted}", told == wanted, f"{told}\n{values}")


def product(numbers):
    result = 1
    for n in numbers:
        result *= n
    return result


def expected():
    """{(kernel, grid, block, dynamic bytes): facts}, {(device, kernels, copies): streams}"""
    kernels, streams = {}, {(device, stream): [0, 0] for device in range(DEVICES) for stream in range(2)}
    for kernel, grid, block, shared, barriers, device, stream, often in launches():
        one = kernels.setdefault((kernel, grid, block, shared), {"launches": 0, "threads": 0, "warps": 0, "barriers_per_thread": barriers})
        one["launches"] += often
        one["threads"] += often * product(grid) * product(block)
        one["warps"] += often * product(grid) * len(range(0, product(block), 32))
        streams[device, stream][0] += often
    streams[0, 0][0] += len(APART) + len(WIDE)
    for device in range(DEVICES):
        streams[device, 0][1] += 1
    return kernels, sorted((device, *counts) for (device, _), counts in streams.items() if any(counts))


def main():
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    nvcc, folder = str(pathlib.Path(sys.argv[1]).absolute()), pathlib.Path(sys.argv[2]).absolute() / NAME
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{NAME}.cu"
    file.write_text(source())
    subprocess.run([nvcc, "--branches", str(file), "-o", str(folder / "program")], check=True)
    path = folder / f"{NAME}.json"
    environment = {k: v for k, v in os.environ.items() if not k.startswith("CPU_DEVICE_")}
    subprocess.run([folder / "program"], env={**environment, "CPU_DEVICE_PROFILE": str(path), "CPU_DEVICE_COUNT": str(DEVICES)}, check=True,
                   cwd=folder)
    written = json.loads(path.read_text())
    kernels, streams = expected()
    found = {(k["kernel"], tuple(k["grid"]), tuple(k["block"]), k["shared_bytes_per_block"]): k for k in written["kernels"]}
    found = {key: one for key, one in found.items() if not key[0].startswith(("pair", "wide"))}
    check("which launches there are", found.keys() == kernels.keys(), f"{sorted(found)}\n{sorted(kernels)}")
    for key, facts in kernels.items():
        one = found.get(key, {})
        check(f"{key}: {facts}", {name: one.get(name) for name in facts} == facts, json.dumps(one, indent=1))
        where, _, line = one.get("launched_at", "").rpartition(":")
        check(f"{key}: where it was launched",
              pathlib.Path(where).name == file.name and key[0] in file.read_text().splitlines()[int(line or 1) - 1], str(one.get("launched_at")))
        for a in one.get("accesses", []):
            check(f"{key}: the file of an access", pathlib.Path(a["file"]).name == file.name, a["file"])
    by_name = {k["kernel"]: k for k in written["kernels"]}
    for number, (size, bytes_) in enumerate(APART):
        loads = [a for a in by_name[f"pair{number}"]["accesses"] if a["kind"] == "shared_load"]
        check(f"bank conflicts of elements of {size} bytes, {bytes_} bytes apart",
              [(a["requests"], a["bank_conflicts"]) for a in loads] == [(1, passes_beyond_the_first([3 * size, 3 * size + bytes_], size))], str(loads))
    for number, (size, place, lanes) in enumerate(WIDE):
        for kind in ("shared_load", "shared_store"):
            found = [(a["access_bytes"], a["bank_conflicts"]) for a in by_name[f"wide{number}"]["accesses"] if a["kind"] == kind]
            wanted = [(size, wide_conflicts(size, place, lanes, kind == "shared_load"))]
            check(f"{kind} of {size} bytes at {place} by lanes {lanes:#x}: bank conflicts {wanted}", found == wanted, str(found))
    seen = sorted((s["device"], s["kernels"], s["copies"]) for s in written["streams"])
    check(f"streams: {streams}", seen == streams, str(seen))
    random_accesses(nvcc, folder)
    random_branches(nvcc, folder)
    return finish()


if __name__ == "__main__":
    sys.exit(main())
