// In the manner of programs for tensor cores: a product of matrices in half precision by tiles of
// 16 x 16, one in bytes, and what lanes do to their elements.
#include <cuda_fp16.h>
#include <mma.h>

#include <cstdio>
using namespace nvcuda;

const int m = 64, n = 32, k = 48;

__global__ void product(const half *a, const half *b, float *c, float alpha, float beta) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / warpSize * 16;
  int column = (blockIdx.y * blockDim.y + threadIdx.y) * 16;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> tile_a;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> tile_b;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum, old;
  wmma::fill_fragment(sum, 0.0f);
  for (int i = 0; i < k; i += 16) {
    wmma::load_matrix_sync(tile_a, a + row * k + i, k);
    wmma::load_matrix_sync(tile_b, b + column * k + i, k);
    wmma::mma_sync(sum, tile_a, tile_b, sum);
  }
  wmma::load_matrix_sync(old, c + row * n + column, n, wmma::mem_row_major);
  for (int i = 0; i < old.num_elements; i++) old.x[i] = alpha * sum.x[i] + beta * old.x[i];
  wmma::store_matrix_sync(c + row * n + column, old, n, wmma::mem_row_major);
}

__global__ void bytes(const signed char *a, const signed char *b, int *c) {
  wmma::fragment<wmma::matrix_a, 32, 8, 16, signed char, wmma::col_major> tile_a;
  wmma::fragment<wmma::matrix_b, 32, 8, 16, signed char, wmma::row_major> tile_b;
  wmma::fragment<wmma::accumulator, 32, 8, 16, int> sum;
  wmma::fill_fragment(sum, 1);
  wmma::load_matrix_sync(tile_a, a, 32);
  wmma::load_matrix_sync(tile_b, b, 8);
  wmma::mma_sync(sum, tile_a, tile_b, sum);
  wmma::store_matrix_sync(c, sum, 32, wmma::mem_col_major);
}

int main() {
  half *a, *b;
  float *c;
  cudaMallocManaged(&a, m * k * sizeof(half));
  cudaMallocManaged(&b, n * k * sizeof(half));
  cudaMallocManaged(&c, m * n * sizeof(float));
  for (int i = 0; i < m * k; i++) a[i] = __float2half(i * 7 % 5 - 2);
  for (int i = 0; i < n * k; i++) b[i] = __float2half(i * 3 % 7 - 3);
  for (int i = 0; i < m * n; i++) c[i] = i;
  product<<<dim3(m / 64, n / 16), dim3(128, 1)>>>(a, b, c, 2.0f, 0.5f);
  signed char *byte_a, *byte_b;
  int *byte_c;
  cudaMallocManaged(&byte_a, 32 * 16);
  cudaMallocManaged(&byte_b, 16 * 8);
  cudaMallocManaged(&byte_c, 32 * 8 * sizeof(int));
  for (int i = 0; i < 32 * 16; i++) byte_a[i] = i % 11 - 5;
  for (int i = 0; i < 16 * 8; i++) byte_b[i] = i % 13 - 6;
  bytes<<<1, 32>>>(byte_a, byte_b, byte_c);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      float sum = 0;
      for (int e = 0; e < k; e++) sum += __half2float(a[i * k + e]) * __half2float(b[j * k + e]);
      if (c[i * n + j] != 2 * sum + 0.5f * (i * n + j)) return printf("%d, %d\n", i, j), 1;
    }
  for (int i = 0; i < 32; i++)
    for (int j = 0; j < 8; j++) {
      int sum = 1;
      for (int e = 0; e < 16; e++) sum += byte_a[e * 32 + i] * byte_b[e * 8 + j];
      if (byte_c[j * 32 + i] != sum) return printf("bytes %d, %d\n", i, j), 1;
    }
  printf("right\n");
  return 0;
}
