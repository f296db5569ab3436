// What the programs of kernels with private arrays and with copied variables share: each kernel in blocks of eight shapes.
#pragma once

#include <cstdio>
#include <vector>

// Calls launches(sum, in, out) for each shape. sum(launch) calls launch(grid, block), and prints a sum of what the kernel
// writes to `out`, 4096 elements. Returns whether a kernel fails.
template <typename Launches>
int print_sums(const Launches& launches) {
  const int n = 4096;
  std::vector<int> host(n);
  int *in, *out;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, n * sizeof(int));
  for (int i = 0; i < n; i++) host[i] = i * 7 % 101;
  cudaMemcpy(in, host.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  const dim3 shapes[] = {dim3(64), dim3(100), dim3(16, 16), dim3(8, 8), dim3(20, 5), dim3(33, 2, 3), dim3(1), dim3(1024)};
  int failed = 0;
  for (const dim3& block : shapes) {
    printf("%u x %u x %u:", block.x, block.y, block.z);
    const auto sum = [&](auto launch) {
      cudaMemset(out, 0, n * sizeof(int));
      launch(dim3(3), block);
      failed |= cudaMemcpy(host.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost);
      unsigned all = 0;
      for (int i = 0; i < n; i++) all = all * 31 + static_cast<unsigned>(host[i]);
      printf(" %08x", all);
    };
    launches(sum, in, out);
    printf("\n");
  }
  return failed;
}
