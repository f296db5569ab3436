// expect: part_barrier_too_few.cu:8: CPU device: incomplete barrier in kernel wait_for_two_warps
// a named barrier says how many threads come; here one warp of two does
#include <cstdio>

__global__ void wait_for_two_warps(int* out) {
  out[threadIdx.x] = 1;
  if (threadIdx.x < 32)
    asm volatile("bar.sync 3, 64;" ::: "memory");
}

int main() {
  int* out;
  cudaMalloc(&out, 256);
  wait_for_two_warps<<<1, 64>>>(out);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
