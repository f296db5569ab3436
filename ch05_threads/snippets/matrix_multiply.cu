// Multiplies two square matrices: each block computes a tile from tiles in shared memory.
// Topic: shared memory
#include <cstdio>
#include <cstdlib>
#include <vector>

#define HANDLE_ERROR(call)        \
  if (cudaError_t error = (call)) \
  printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)), exit(1)

constexpr int kTile = 16;

// c = a * b, n x n elements each.
__global__ void multiply_kernel(const float* a, const float* b, float* c, int n) {
  __shared__ float tile_a[kTile][kTile], tile_b[kTile][kTile];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int x = blockIdx.x * kTile + tx, y = blockIdx.y * kTile + ty;
  float sum = 0;
  for (int first = 0; first < n; first += kTile) {
    tile_a[ty][tx] = y < n && first + tx < n ? a[y * n + first + tx] : 0;
    tile_b[ty][tx] = x < n && first + ty < n ? b[(first + ty) * n + x] : 0;
    __syncthreads();
    for (int k = 0; k < kTile; k++) sum += tile_a[ty][k] * tile_b[k][tx];
    __syncthreads();  // before the tiles are overwritten
  }
  if (x < n && y < n) c[y * n + x] = sum;
}

void multiply(const float* a, const float* b, float* c, int n) {
  const size_t bytes = n * n * sizeof(float);
  float *dev_a, *dev_b, *dev_c;
  HANDLE_ERROR(cudaMalloc(&dev_a, bytes));
  HANDLE_ERROR(cudaMalloc(&dev_b, bytes));
  HANDLE_ERROR(cudaMalloc(&dev_c, bytes));
  HANDLE_ERROR(cudaMemcpy(dev_a, a, bytes, cudaMemcpyHostToDevice));
  HANDLE_ERROR(cudaMemcpy(dev_b, b, bytes, cudaMemcpyHostToDevice));
  const dim3 blocks((n + kTile - 1) / kTile, (n + kTile - 1) / kTile);
  multiply_kernel<<<blocks, dim3(kTile, kTile)>>>(dev_a, dev_b, dev_c, n);
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaMemcpy(c, dev_c, bytes, cudaMemcpyDeviceToHost));
  cudaFree(dev_a);
  cudaFree(dev_b);
  cudaFree(dev_c);
}

int main() {
  const int n = 50;
  std::vector<float> a(n * n), b(n * n, 0.0f), c(n * n);
  for (int i = 0; i < n * n; i++) a[i] = i;
  for (int i = 0; i < n; i++) b[i * n + i] = 2;  // twice the identity
  multiply(a.data(), b.data(), c.data(), n);
  int wrong = 0;
  for (int i = 0; i < n * n; i++) wrong += c[i] != 2 * a[i];
  printf("%d elements are wrong\n", wrong);
  return wrong == 0 ? 0 : 1;
}
