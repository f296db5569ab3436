#!/usr/bin/env python3
"""What a checked run knows of a piece of memory must hold for each word of it, from the first to the last one.

    tests/checked_run/each_word_check.py NVCC FOLDER

Flags of one to four words that a copy sets, of which a kernel polls any; results of which a kernel has written any part, in
elements of every size.
"""

import os
import pathlib
import subprocess
import sys

FLAGS = """\
#include <cstdlib>
__global__ void wait(volatile int* flags, int polled, const int* data, int* out) {
  while (flags[polled] == 0) {
  }
  __threadfence();
  *out = *data;
}
int main(int, char** arguments) {
  const int words = atoi(arguments[1]), polled = atoi(arguments[2]);
  int *flags, *data, *out, *host, got = 0;
  cudaMalloc(&flags, 4 * words), cudaMalloc(&data, 4), cudaMalloc(&out, 4), cudaMallocHost(&host, 4 * (words + 1));
  for (int i = 0; i <= words; i++) host[i] = i + 1;
  cudaMemset(flags, 0, 4 * words);
  cudaDeviceSynchronize();
  cudaStream_t waiting, copying;
  cudaStreamCreateWithFlags(&waiting, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&copying, cudaStreamNonBlocking);
  wait<<<1, 1, 0, waiting>>>(flags, polled, data, out);
  cudaStreamQuery(waiting);
  cudaMemcpyAsync(data, host + words, 4, cudaMemcpyHostToDevice, copying);
  cudaMemcpyAsync(flags, host, 4 * words, cudaMemcpyHostToDevice, copying);
  cudaDeviceSynchronize();
  cudaMemcpy(&got, out, 4, cudaMemcpyDeviceToHost);
  return got != words + 1;
}
"""

RESULTS = """\
#include <cstdio>
#include <cstdlib>
extern "C" bool cpu_device_from_kernel(const void* element, size_t bytes);  // see tools/lab/harness.h
template <typename T>
__global__ void fill(T* a, int from, int to) {
  for (int i = from; i < to; i++) a[i] = T(100 + i);
}
template <typename T>
int run(int count, int from, int to) {
  T *device, host[16];
  for (int i = 0; i < count; i++) host[i] = T(50 + i);
  cudaMalloc(&device, sizeof host);
  cudaMemcpy(device, host, count * sizeof(T), cudaMemcpyHostToDevice);
  fill<<<1, 1>>>(device, from, to);
  cudaMemcpy(host, device, count * sizeof(T), cudaMemcpyDeviceToHost);
  for (int i = 0; i < count; i++)
    if (cpu_device_from_kernel(&host[i], sizeof(T)) != (from <= i && i < to)) return printf("element %d\\n", i), 3;
  return 0;
}
int main(int, char** arguments) {
  const int count = atoi(arguments[2]), from = atoi(arguments[3]), to = atoi(arguments[4]);
  switch (atoi(arguments[1])) {
    case 1: return run<unsigned char>(count, from, to);
    case 2: return run<short>(count, from, to);
    case 4: return run<float>(count, from, to);
    default: return run<double>(count, from, to);
  }
}
"""

failures = 0


def check(program, *words):
    """It must end with 0 and without a finding."""
    global failures
    environment = {k: v for k, v in os.environ.items() if not k.startswith("CPU_DEVICE_")}
    done = subprocess.run([program, *map(str, words)], env={**environment, "CPU_DEVICE_LEAKS": "none"}, capture_output=True, text=True,
                          timeout=60, check=False)
    if done.returncode != 0 or "no findings" not in done.stderr:
        failures += 1
        print(f"FAIL: {program.name} {words}: exit code {done.returncode}\n{done.stdout}{done.stderr}", flush=True)


def main():
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    nvcc, folder = sys.argv[1], pathlib.Path(sys.argv[2]).absolute()
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in (("flags", FLAGS), ("results", RESULTS)):
        (folder / f"{name}.cu").write_text(text)
        subprocess.run([nvcc, "--check", folder / f"{name}.cu", "-o", folder / name], check=True)
    for words in range(1, 5):
        for polled in range(words):
            check(folder / "flags", words, polled)
    for size in (1, 2, 4, 8):
        for count in (1, 2, 3, 7):
            for first, last in ((0, count), (0, count - 1), (count - 1, count), (count // 2, count // 2 + 1)):
                check(folder / "results", size, count, first, last)
    print(f"{failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
