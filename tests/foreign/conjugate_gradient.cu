// In the manner of samples that solve with one cooperative kernel: a grid-wide barrier, dot products through tiles and a
// double atomic, occupancy for the grid's size, managed memory.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace cg = cooperative_groups;

static const char* sample = "conjugate gradient in one kernel";
#define checkCudaErrors(val) check((val), #val, __FILE__, __LINE__)
template <typename T>
void check(T result, char const* const func, const char* const file, int const line) {
  if (result) {
    fprintf(stderr, "CUDA error at %s:%d code=%d(%s) \"%s\"\n", file, line, static_cast<unsigned int>(result),
            cudaGetErrorName(result), func);
    exit(EXIT_FAILURE);
  }
}

__device__ void spmv(const int* I, const int* J, const float* val, const float* x, float alpha, float* y, int rows,
                     const cg::grid_group& grid) {
  for (int i = grid.thread_rank(); i < rows; i += grid.size()) {
    float out = 0;
    for (int j = I[i]; j < I[i + 1]; j++) out += alpha * val[j] * x[J[j]];
    y[i] = out;
  }
}
__device__ void saxpy(const float* x, float* y, float a, int n, const cg::grid_group& grid) {
  for (int i = grid.thread_rank(); i < n; i += grid.size()) y[i] = a * x[i] + y[i];
}
__device__ void dot(const float* a, const float* b, double* result, int n, const cg::thread_block& cta,
                    const cg::grid_group& grid) {
  extern __shared__ double partial[];
  double sum = 0;
  for (int i = grid.thread_rank(); i < n; i += grid.size()) sum += static_cast<double>(a[i] * b[i]);
  cg::thread_block_tile<32> tile = cg::tiled_partition<32>(cta);
  sum = cg::reduce(tile, sum, cg::plus<double>());
  if (tile.thread_rank() == 0) partial[tile.meta_group_rank()] = sum;
  cg::sync(cta);
  if (tile.meta_group_rank() == 0) {
    sum = tile.thread_rank() < tile.meta_group_size() ? partial[tile.thread_rank()] : 0.0;
    sum = cg::reduce(tile, sum, cg::plus<double>());
    if (tile.thread_rank() == 0) atomicAdd(result, sum);
  }
}
__device__ void scale_add(const float* x, float* y, float a, int n, const cg::grid_group& grid) {
  for (int i = grid.thread_rank(); i < n; i += grid.size()) y[i] = x[i] + a * y[i];
}

extern "C" __global__ void solve(int* I, int* J, float* val, float* x, float* Ax, float* p, float* r, double* dots, int N,
                                 float tol, int* iterations) {
  cg::thread_block cta = cg::this_thread_block();
  cg::grid_group grid = cg::this_grid();
  const int max_iter = 1000;
  for (int i = grid.thread_rank(); i < N; i += grid.size()) {
    r[i] = 1.0f;
    x[i] = 0.0f;
  }
  cg::sync(grid);
  spmv(I, J, val, x, 1.0f, Ax, N, grid);
  cg::sync(grid);
  saxpy(Ax, r, -1.0f, N, grid);
  cg::sync(grid);
  dot(r, r, &dots[0], N, cta, grid);
  cg::sync(grid);
  double r1 = dots[0], r0 = 0;
  int k = 1;
  while (r1 > tol * tol && k <= max_iter) {
    if (k > 1)
      scale_add(r, p, (float)(r1 / r0), N, grid);
    else
      for (int i = grid.thread_rank(); i < N; i += grid.size()) p[i] = r[i];
    cg::sync(grid);
    spmv(I, J, val, p, 1.0f, Ax, N, grid);
    if (grid.thread_rank() == 0) dots[1] = 0, dots[0] = 0;
    cg::sync(grid);
    dot(p, Ax, &dots[1], N, cta, grid);
    cg::sync(grid);
    const float a = (float)(r1 / dots[1]);
    saxpy(p, x, a, N, grid);
    saxpy(Ax, r, -a, N, grid);
    r0 = r1;
    cg::sync(grid);
    dot(r, r, &dots[0], N, cta, grid);
    cg::sync(grid);
    r1 = dots[0];
    k++;
  }
  if (grid.thread_rank() == 0) *iterations = k;
}

int main(int argc, char** argv) {
  printf("Starting [%s]...\n", sample);
  cudaDeviceProp prop;
  int dev = 0;
  checkCudaErrors(cudaGetDevice(&dev));
  checkCudaErrors(cudaGetDeviceProperties(&prop, dev));
  if (!prop.managedMemory || !prop.cooperativeLaunch) return 77;
  printf("> %s: %d multiprocessors, compute %d.%d\n", prop.name, prop.multiProcessorCount, prop.major, prop.minor);

  const int N = 2048, nz = 3 * N - 2;
  int *I, *J, *iterations;
  float *val, *x, *Ax, *p, *r;
  double* dots;
  checkCudaErrors(cudaMallocManaged((void**)&I, sizeof(int) * (N + 1)));
  checkCudaErrors(cudaMallocManaged((void**)&J, sizeof(int) * nz));
  checkCudaErrors(cudaMallocManaged((void**)&val, sizeof(float) * nz));
  checkCudaErrors(cudaMallocManaged((void**)&x, sizeof(float) * N));
  checkCudaErrors(cudaMallocManaged((void**)&Ax, sizeof(float) * N));
  checkCudaErrors(cudaMallocManaged((void**)&p, sizeof(float) * N));
  checkCudaErrors(cudaMallocManaged((void**)&r, sizeof(float) * N));
  checkCudaErrors(cudaMallocManaged((void**)&dots, 2 * sizeof(double)));
  checkCudaErrors(cudaMallocManaged((void**)&iterations, sizeof(int)));
  int at = 0;
  for (int i = 0; i < N; i++) {
    I[i] = at;
    for (int j = i - 1; j <= i + 1; j++)
      if (j >= 0 && j < N) J[at] = j, val[at++] = j == i ? 4.0f : -1.0f;
  }
  I[N] = at;
  dots[0] = dots[1] = 0;
  float tol = 1e-5f;
  int threads = 256, per_sm = 0;
  size_t shared = threads / 32 * sizeof(double);
  checkCudaErrors(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_sm, solve, threads, shared));
  dim3 grid(prop.multiProcessorCount * per_sm, 1, 1), block(threads, 1, 1);
  if (grid.x > 16) grid.x = 16;
  int n = N;
  void* args[] = {(void*)&I, (void*)&J, (void*)&val, (void*)&x, (void*)&Ax, (void*)&p, (void*)&r, (void*)&dots, (void*)&n,
                  (void*)&tol, (void*)&iterations};
  cudaEvent_t start, stop;
  checkCudaErrors(cudaEventCreate(&start));
  checkCudaErrors(cudaEventCreate(&stop));
  checkCudaErrors(cudaEventRecord(start, 0));
  checkCudaErrors(cudaLaunchCooperativeKernel((void*)solve, grid, block, args, shared, NULL));
  checkCudaErrors(cudaEventRecord(stop, 0));
  checkCudaErrors(cudaDeviceSynchronize());
  float time;
  checkCudaErrors(cudaEventElapsedTime(&time, start, stop));
  double err = 0;
  for (int i = 0; i < N; i++) {
    double sum = 0;
    for (int j = I[i]; j < I[i + 1]; j++) sum += val[j] * x[J[j]];
    err = fmax(err, fabs(sum - 1.0));
  }
  printf("%d iterations, residual %e, largest error %g\n", *iterations, sqrt(dots[0]), err);
  const int count = *iterations;
  checkCudaErrors(cudaFree(iterations));
  checkCudaErrors(cudaFree(I));
  checkCudaErrors(cudaFree(J));
  checkCudaErrors(cudaFree(val));
  checkCudaErrors(cudaFree(x));
  checkCudaErrors(cudaFree(Ax));
  checkCudaErrors(cudaFree(p));
  checkCudaErrors(cudaFree(r));
  checkCudaErrors(cudaFree(dots));
  checkCudaErrors(cudaEventDestroy(start));
  checkCudaErrors(cudaEventDestroy(stop));
  printf("&&&& %s %s\n", sample, err < 1e-4 ? "PASSED" : "FAILED");
  exit(err < 1e-4 && count > 2 ? EXIT_SUCCESS : EXIT_FAILURE);
}
