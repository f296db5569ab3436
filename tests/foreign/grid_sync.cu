// In the manner of "cooperative launch" samples: one kernel, several steps, a barrier of the grid
// between them. Jacobi's method for x[i] = (x[i-1] + x[i+1]) / 2 between 0 and 1, and a reduction.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cstdio>
#include <cmath>
namespace cg = cooperative_groups;

__global__ void jacobi(float *a, float *b, int n, int steps) {
  cg::grid_group grid = cg::this_grid();
  for (int step = 0; step < steps; step++) {
    const float *from = step % 2 ? b : a;
    float *to = step % 2 ? a : b;
    for (unsigned long long i = grid.thread_rank(); i < n; i += grid.size())
      to[i] = i == 0 || i == n - 1 ? from[i] : 0.5f * (from[i - 1] + from[i + 1]);
    grid.sync();
  }
}

__global__ void sum_of_squares(const float *x, int n, double *partial, double *result) {
  cg::grid_group grid = cg::this_grid();
  cg::thread_block block = cg::this_thread_block();
  auto warp = cg::tiled_partition<32>(block);
  double mine = 0;
  for (unsigned long long i = grid.thread_rank(); i < n; i += grid.size()) mine += x[i] * x[i];
  mine = cg::reduce(warp, mine, cg::plus<double>());
  __shared__ double warps[32];
  if (warp.thread_rank() == 0) warps[warp.meta_group_rank()] = mine;
  cg::sync(block);
  if (block.thread_rank() == 0) {
    double all = 0;
    for (int i = 0; i < warp.meta_group_size(); i++) all += warps[i];
    partial[blockIdx.x] = all;
  }
  cg::sync(grid);
  if (grid.thread_rank() == 0) {
    *result = 0;
    for (int i = 0; i < gridDim.x; i++) *result += partial[i];
  }
}

int main() {
  int device = 0, supported = 0, per_processor = 0, processors = 0;
  cudaDeviceGetAttribute(&supported, cudaDevAttrCooperativeLaunch, device);
  if (!supported) return 77;
  const int n = 16, threads = 64;
  int steps = 600;
  cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_processor, jacobi, threads, 0);
  int blocks = processors * per_processor < 4 ? processors * per_processor : 4;
  float *a, *b;
  double *partial, *result;
  cudaMallocManaged(&a, n * sizeof(float));
  cudaMallocManaged(&b, n * sizeof(float));
  cudaMallocManaged(&partial, blocks * sizeof(double));
  cudaMallocManaged(&result, sizeof(double));
  for (int i = 0; i < n; i++) a[i] = i == n - 1;
  int count = n;
  void *arguments[] = {&a, &b, &count, &steps};
  cudaError_t error = cudaLaunchCooperativeKernel((void *)jacobi, dim3(blocks), dim3(threads),
                                                  arguments, 0, 0);
  if (error == cudaSuccess) error = cudaDeviceSynchronize();
  if (error != cudaSuccess) {
    fprintf(stderr, "%s\n", cudaGetErrorString(error));
    return 1;
  }
  double expected = 0;
  for (int i = 0; i < n; i++) {
    if (fabs(a[i] - i / (n - 1.0)) > 0.1) {
      fprintf(stderr, "x[%d] = %g\n", i, a[i]);
      return 1;
    }
    expected += a[i] * a[i];
  }
  void *more[] = {&a, &count, &partial, &result};
  cudaLaunchCooperativeKernel((const void *)&sum_of_squares, blocks, threads, more);
  cudaDeviceSynchronize();
  printf("%d blocks, sum of squares %g, expected %g\n", blocks, *result, expected);
  if (fabs(*result - expected) > 1e-6) return 1;
  // More blocks than fit at once.
  error = cudaLaunchCooperativeKernel((void *)jacobi, 1000000, 1024, arguments, 0, 0);
  return error == cudaErrorCooperativeLaunchTooLarge ? 0 : 1;
}
