// In the manner of programs about dynamic parallelism: what is launched in cudaStreamTailLaunch begins when all else
// that the kernel has launched, and what that has launched, has ended. Compile with -rdc=true on a GPU.
#include <cstdio>

__global__ void add(int *sum, int value) { atomicAdd(sum, value); }
__global__ void add_twice(int *sum, int value) {
  add<<<1, 8>>>(sum, value);
  add<<<1, 8, 0, cudaStreamTailLaunch>>>(sum, value);
}
__global__ void copy(const int *sum, int *result) { *result = *sum; }
__global__ void copy_and_clear(int *sum, int *result) {
  *result = *sum;
  *sum = 0;
}

__global__ void parent(int *sum, int *first, int *second) {
  if (threadIdx.x == 0) {
    copy_and_clear<<<1, 1, 0, cudaStreamTailLaunch>>>(sum, first);
    add_twice<<<1, 1>>>(sum, 100);
    copy<<<1, 1, 0, cudaStreamTailLaunch>>>(sum, second);  // after the other tail
  }
  add<<<1, 4, 0, cudaStreamFireAndForget>>>(sum, 1);
}

int main() {
  int *memory;  // sum, first, second
  cudaMallocManaged(&memory, 3 * sizeof(int));
  memory[0] = 0;
  memory[1] = memory[2] = -1;
  parent<<<1, 32>>>(memory, memory + 1, memory + 2);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  printf("%d, then %d\n", memory[1], memory[2]);
  return memory[1] == 16 * 100 + 32 * 4 && memory[2] == 0 ? 0 : 1;
}
