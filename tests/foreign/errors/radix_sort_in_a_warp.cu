// A radix sort of 32 numbers by one warp: each pass moves them from one half of the buffer to the other.
// notes: CPU device: warp-synchronous code in kernel sortWarp
#include <cstdio>
#include <cstdlib>

__global__ void sortWarp(unsigned *data) {
  __shared__ volatile unsigned buf[64];
  unsigned lane = threadIdx.x, half = 0, below = (1u << lane) - 1;
  buf[lane] = data[lane];
  for (int bit = 0; bit < 32; bit++) {
    unsigned key = buf[half + lane];
    unsigned ones = __ballot_sync(0xffffffffu, key >> bit & 1), zeros = ~ones;
    unsigned at = key >> bit & 1 ? __popc(zeros) + __popc(ones & below) : __popc(zeros & below);
    half ^= 32;
    buf[half + at] = key;
  }
  data[lane] = buf[half + lane];
}

int main() {
  unsigned *data;
  cudaMallocManaged(&data, 32 * sizeof(unsigned));
  for (int i = 0; i < 32; i++) data[i] = (i * 2654435761u) ^ 0x5bd1e995u;
  sortWarp<<<1, 32>>>(data);
  cudaDeviceSynchronize();
  for (int i = 1; i < 32; i++)
    if (data[i - 1] > data[i]) return printf("not sorted at %d\n", i), 1;
  printf("sorted\n");
  return 0;
}
