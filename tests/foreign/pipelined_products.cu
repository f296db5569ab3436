// In the manner of samples about asynchronous copies: a matrix product whose tiles come through cuda::pipeline, cuda::barrier
// with a completion, memcpy_async of a group, and tensor cores beside it.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda_fp16.h>
#include <mma.h>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace cg = cooperative_groups;
#define check(x) do { cudaError_t status = (x); if (status != cudaSuccess) { printf("line %d: %s\n", __LINE__, cudaGetErrorString(status)); return 1; } } while (0)

template <int TILE>
__global__ void product_barrier(const float* A, const float* B, float* C, int n) {
  __shared__ alignas(16) float as[2][TILE][TILE], bs[2][TILE][TILE];
  using barrier_t = cuda::barrier<cuda::thread_scope_block>;
  __shared__ barrier_t ready[2];
  auto block = cg::this_thread_block();
  if (block.thread_rank() < 2) init(&ready[block.thread_rank()], block.size());
  block.sync();
  const int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
  auto fetch = [&](int tile, int stage) {
    cuda::memcpy_async(&as[stage][ty][tx], &A[row * n + tile * TILE + tx], sizeof(float), ready[stage]);
    cuda::memcpy_async(&bs[stage][ty][tx], &B[(tile * TILE + ty) * n + col], sizeof(float), ready[stage]);
  };
  fetch(0, 0);
  float sum = 0;
  const int tiles = n / TILE;
  for (int t = 0; t < tiles; t++) {
    if (t + 1 < tiles) fetch(t + 1, (t + 1) & 1);
    ready[t & 1].arrive_and_wait();
    for (int k = 0; k < TILE; k++) sum += as[t & 1][ty][k] * bs[t & 1][k][tx];
    block.sync();
  }
  C[row * n + col] = sum;
}

__global__ void product_pipeline(const float* A, const float* B, float* C, int n) {
  constexpr int TILE = 16, STAGES = 3;
  __shared__ float as[STAGES][TILE * TILE], bs[STAGES][TILE * TILE];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, STAGES> state;
  auto block = cg::this_thread_block();
  auto pipeline = cuda::make_pipeline(block, &state);
  const int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
  float sum = 0;
  for (int t = 0, fetched = 0; t < n / TILE; t++) {
    for (; fetched < n / TILE && fetched < t + STAGES; fetched++) {
      pipeline.producer_acquire();
      const auto shape = cuda::aligned_size_t<alignof(float)>(sizeof(float));
      cuda::memcpy_async(&as[fetched % STAGES][ty * TILE + tx], &A[row * n + fetched * TILE + tx], shape, pipeline);
      cuda::memcpy_async(&bs[fetched % STAGES][ty * TILE + tx], &B[(fetched * TILE + ty) * n + col], shape, pipeline);
      pipeline.producer_commit();
    }
    pipeline.consumer_wait();
    block.sync();
    for (int k = 0; k < TILE; k++) sum += as[t % STAGES][ty * TILE + k] * bs[t % STAGES][k * TILE + tx];
    block.sync();
    pipeline.consumer_release();
  }
  C[row * n + col] = sum;
}

__global__ void row_sums(const float* A, float* out, int n) {
  extern __shared__ float row[];
  auto block = cg::this_thread_block();
  cg::memcpy_async(block, row, A + blockIdx.x * n, sizeof(float) * n);
  cg::wait(block);
  if (block.thread_rank() == 0) {
    float sum = 0;
    for (int i = 0; i < n; i++) sum += row[i];
    out[blockIdx.x] = sum;
  }
}

using namespace nvcuda;
__global__ void tensor_product(const half* a, const half* b, float* c, int n) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
  wmma::fill_fragment(fc, 0.0f);
  const int row = blockIdx.y * 16, col = blockIdx.x * 16;
  for (int k = 0; k < n; k += 16) {
    wmma::load_matrix_sync(fa, a + row * n + k, n);
    wmma::load_matrix_sync(fb, b + col * n + k, n);
    wmma::mma_sync(fc, fa, fb, fc);
  }
  for (int i = 0; i < fc.num_elements; i++) fc.x[i] *= 2.0f;
  wmma::store_matrix_sync(c + row * n + col, fc, n, wmma::mem_row_major);
}
__global__ void to_half(const float* in, half* out, half* transposed, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n * n) out[i] = __float2half(in[i]), transposed[i % n * n + i / n] = __float2half(in[i]);
}

int main() {
  const int n = 64;
  std::vector<float> a(n * n), b(n * n), c(n * n);
  for (int i = 0; i < n * n; i++) a[i] = (i * 7 % 11) - 5, b[i] = (i * 5 % 13) - 6;
  std::vector<float> expected(n * n, 0.0f);
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++)
      for (int j = 0; j < n; j++) expected[i * n + j] += a[i * n + k] * b[k * n + j];
  float *A, *B, *C;
  half *ha, *hat, *hb, *hbt;
  check(cudaMalloc(&A, n * n * 4));
  check(cudaMalloc(&B, n * n * 4));
  check(cudaMalloc(&C, n * n * 4));
  check(cudaMalloc(&ha, n * n * 2));
  check(cudaMalloc(&hb, n * n * 2));
  check(cudaMalloc(&hat, n * n * 2));
  check(cudaMalloc(&hbt, n * n * 2));
  check(cudaMemcpy(A, a.data(), n * n * 4, cudaMemcpyHostToDevice));
  check(cudaMemcpy(B, b.data(), n * n * 4, cudaMemcpyHostToDevice));
  int wrong = 0;
  auto compare = [&](const char* name, float factor) {
    cudaMemcpy(c.data(), C, n * n * 4, cudaMemcpyDeviceToHost);
    int bad = 0;
    for (int i = 0; i < n * n; i++) bad += c[i] != factor * expected[i];
    printf("%s: %d wrong\n", name, bad);
    wrong += bad;
    cudaMemset(C, 0, n * n * 4);
  };
  dim3 block(16, 16), grid(n / 16, n / 16);
  product_barrier<16><<<grid, block>>>(A, B, C, n);
  check(cudaGetLastError());
  compare("barriers", 1);
  product_pipeline<<<grid, block>>>(A, B, C, n);
  check(cudaGetLastError());
  compare("pipeline", 1);
  to_half<<<n * n / 256, 256>>>(A, ha, hat, n);
  to_half<<<n * n / 256, 256>>>(B, hb, hbt, n);
  tensor_product<<<grid, 32>>>(ha, hbt, C, n);
  check(cudaGetLastError());
  compare("tensor cores", 2);
  row_sums<<<n, 32, n * 4>>>(A, C, n);
  check(cudaMemcpy(c.data(), C, n * 4, cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; i++) {
    float sum = 0;
    for (int j = 0; j < n; j++) sum += a[i * n + j];
    wrong += sum != c[i];
  }
  printf("%s\n", wrong ? "wrong" : "right");
  return wrong != 0;
}
