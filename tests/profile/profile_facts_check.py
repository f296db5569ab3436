#!/usr/bin/env python3
"""What the profiler writes of launches and streams, against a count of our own: threads, warps, barriers, shared memory, devices.

    tests/profile/profile_facts_check.py NVCC FOLDER

The program is written here, from a list of launches with sizes next to a multiple of a warp, on three devices, in several
streams. Its file has a name that JSON must escape.
"""

import json
import os
import pathlib
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
    """A warp asks for 8 bytes in two halves, for 16 in four quarters. Two of them are one pass for loads whose lanes have the same
    address as their neighbor, or all as the lane after the next."""
    at = {t: size * eval(place, {"t": t}) for t in range(32) if lanes >> t & 1}  # pylint: disable=eval-used
    sum_ = 0
    for first in range(0, 32, 256 // size):
        both = [t for t in at if first <= t < first + 256 // size]
        paired = loads and any(all(at.get(t ^ apart, at[t]) == at[t] for t in both) for apart in (1, 2))
        parts = [both] if paired else [[t for t in both if t // (128 // size) % 2 == half] for half in (0, 1)]
        sum_ += sum(passes_beyond_the_first([at[t] for t in part], size) for part in parts)
    return sum_


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
    return finish()


if __name__ == "__main__":
    sys.exit(main())
