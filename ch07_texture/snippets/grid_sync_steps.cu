// Runs many steps in one launch: a cooperative launch, whose blocks wait for each other.
// Topic: threads
#include <cooperative_groups.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#define HANDLE_ERROR(call)        \
  if (cudaError_t error = (call)) \
  printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)), exit(1)

// In each step, each element becomes the sum of itself and its right neighbor (in a ring).
__global__ void all_steps(int* in, int* out, int n, int steps) {
  const cooperative_groups::grid_group grid = cooperative_groups::this_grid();
  for (int step = 0; step < steps; step++) {
    for (int i = grid.thread_rank(); i < n; i += grid.size()) out[i] = in[i] + in[(i + 1) % n];
    grid.sync();  // all blocks have finished the step
    int* const written = out;
    out = in;
    in = written;
  }
}

// As many blocks as can run at the same time; a cooperative launch accepts no more.
int most_blocks(int threads) {
  int per_multiprocessor = 0, multiprocessors = 0;
  HANDLE_ERROR(
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_multiprocessor, all_steps, threads, 0));
  HANDLE_ERROR(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
  return per_multiprocessor * multiprocessors;
}

int main() {
  int n = 1000, steps = 10, *in, *out;
  std::vector<int> numbers(n, 1);
  HANDLE_ERROR(cudaMalloc(&in, n * sizeof(int)));
  HANDLE_ERROR(cudaMalloc(&out, n * sizeof(int)));
  HANDLE_ERROR(cudaMemcpy(in, numbers.data(), n * sizeof(int), cudaMemcpyHostToDevice));
  void* arguments[] = {&in, &out, &n, &steps};  // the addresses of the kernel's arguments
  const int blocks = most_blocks(128) < 8 ? most_blocks(128) : 8;
  HANDLE_ERROR(cudaLaunchCooperativeKernel(all_steps, blocks, 128, arguments));
  HANDLE_ERROR(
      cudaMemcpy(numbers.data(), steps % 2 ? out : in, n * sizeof(int), cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaFree(in));
  HANDLE_ERROR(cudaFree(out));
  printf("after %d steps each element is %d\n", steps, numbers[n - 1]);
  return numbers[0] == 1024 && numbers[n - 1] == 1024 ? 0 : 1;
}
