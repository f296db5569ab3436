#include "book.h"

template <typename T, int Side>
__global__ void transpose_kernel(const T* __restrict__ in, T* __restrict__ out, const int rows, const int columns) {
  extern __shared__ unsigned char raw[];
  T* const tile = reinterpret_cast<T*>(raw);
  constexpr int kPitch = Side + 1;
  auto at = [tile](int row, int column) -> T& { return tile[row * kPitch + column]; };
  {
    const int x = blockIdx.x * Side + threadIdx.x, y = blockIdx.y * Side + threadIdx.y;
    if (x < columns and y < rows) at(threadIdx.y, threadIdx.x) = in[y * columns + x];
  }
  __syncthreads();
  {
    const int x = blockIdx.y * Side + threadIdx.x, y = blockIdx.x * Side + threadIdx.y;
    if (x < rows and y < columns) out[y * rows + x] = at(threadIdx.x, threadIdx.y);
  }
}

void transpose(const float* in, float* out, int rows, int columns) {
  constexpr int side = 32;
  const size_t bytes = sizeof(float) * rows * columns;
  float *dev_in = nullptr, *dev_out = nullptr;
  HANDLE_ERROR(cudaMalloc(&dev_in, bytes));
  HANDLE_ERROR(cudaMalloc(&dev_out, bytes));
  HANDLE_ERROR(cudaMemcpy(dev_in, in, bytes, cudaMemcpyHostToDevice));
  const auto ceil_div = [](auto a, auto b) { return (a + b - 1) / b; };
  const dim3 blocks(ceil_div(columns, side), ceil_div(rows, side));
  transpose_kernel<float, side><<<blocks, dim3{side, side}, side * (side + 1) * sizeof(float)>>>(dev_in, dev_out, rows, columns);
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaMemcpy(out, dev_out, bytes, cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaFree(dev_in));
  HANDLE_ERROR(cudaFree(dev_out));
}
