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

DEVICES = 3
NAME = 'odd "name" \\ here'  # of the folder and of the file
SIZES = [(1, 1, 1), (31, 1, 1), (32, 1, 1), (33, 1, 1), (63, 1, 1), (64, 1, 1), (65, 1, 1), (8, 4, 1), (8, 4, 2), (5, 3, 2), (1024, 1, 1)]
GRIDS = [(1, 1, 1), (2, 1, 1), (3, 2, 1), (2, 2, 2)]
failures = 0


def check(good, what, more=""):
    global failures
    if not good:
        failures += 1
        print(f"FAIL: {what}\n{more}", flush=True)


def launches():
    """(kernel, grid, block, dynamic bytes of shared memory, barriers, device, stream, how often)"""
    for number, block in enumerate(SIZES):
        yield (f"plain{number % 2}", GRIDS[number % len(GRIDS)], block, 0, 0, number % DEVICES, number % 2, 1 + number % 3)
    for number, (bytes_, barriers) in enumerate(((4, 1), (128, 2), (4096, 0))):
        yield ("waits", (2, 1, 1), (32 * (number + 1), 1, 1), bytes_, barriers, number, 1, 2)


def source():
    lines = ["#include <cuda_runtime.h>", "__global__ void plain0(int* a) { *a = 1; }", "__global__ void plain1(int* a) { *a = 2; }",
             "__global__ void waits(int* a, int barriers) {", "  extern __shared__ int s[];", "  s[0] = 0;",
             "  for (int i = 0; i < barriers; i++) __syncthreads();", "  *a = s[0];", "}", "int main() {",
             f"  int* a[{DEVICES}];", f"  cudaStream_t s[{DEVICES}][2];", f"  for (int d = 0; d < {DEVICES}; d++) {{",
             "    cudaSetDevice(d);", "    cudaMalloc(&a[d], 4);", "    for (auto& one : s[d]) cudaStreamCreate(&one);", "  }"]
    for kernel, grid, block, shared, barriers, device, stream, often in launches():
        more = f", {barriers}" if kernel == "waits" else ""
        lines.append(f"  cudaSetDevice({device}); for (int i = 0; i < {often}; i++) {kernel}<<<dim3{grid}, dim3{block}, {shared}, "
                     f"s[{device}][{stream}]>>>(a[{device}]{more});")
    lines += [f"  for (int d = 0; d < {DEVICES}; d++) {{", "    cudaSetDevice(d);", "    cudaMemsetAsync(a[d], 0, 4, s[d][0]);",
              "    cudaDeviceSynchronize();", "  }", "}"]
    return "\n".join(lines) + "\n"


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
    check(found.keys() == kernels.keys(), "which launches there are", f"{sorted(found)}\n{sorted(kernels)}")
    for key, facts in kernels.items():
        one = found.get(key, {})
        check({name: one.get(name) for name in facts} == facts, f"{key}: {facts}", json.dumps(one, indent=1))
        where, _, line = one.get("launched_at", "").rpartition(":")
        check(pathlib.Path(where).name == file.name and key[0] in file.read_text().splitlines()[int(line or 1) - 1],
              f"{key}: where it was launched", str(one.get("launched_at")))
        for a in one.get("accesses", []):
            check(pathlib.Path(a["file"]).name == file.name, f"{key}: the file of an access", a["file"])
    seen = sorted((s["device"], s["kernels"], s["copies"]) for s in written["streams"])
    check(seen == streams, f"streams: {streams}", str(seen))
    print(f"{len(kernels)} launches, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
