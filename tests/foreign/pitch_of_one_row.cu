// A table of colors for a texture: one row, whose pitch nobody needs and programs leave at 0.
#include <cstdio>
#include <cstring>

__global__ void look_up(cudaTextureObject_t table, float* sums, int n) {
  const int i = threadIdx.x;
  if (i >= n) return;
  const float4 color = tex1D<float4>(table, i + 0.5f);
  sums[i] = color.x + color.y + color.z + color.w;
}

int main() {
  const int n = 5;
  float4 colors[n];
  for (int i = 0; i < n; i++) colors[i] = make_float4(i, 1, 2, 3);
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float4>();
  cudaArray_t table;
  if (cudaMallocArray(&table, &format, n, 1) != cudaSuccess) return 1;
  if (cudaMemcpy2DToArray(table, 0, 0, colors, 0, sizeof colors, 1, cudaMemcpyHostToDevice) != cudaSuccess) return 2;
  cudaResourceDesc resource;
  memset(&resource, 0, sizeof resource);
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = table;
  cudaTextureDesc how;
  memset(&how, 0, sizeof how);
  cudaTextureObject_t texture;
  if (cudaCreateTextureObject(&texture, &resource, &how, nullptr) != cudaSuccess) return 3;
  float *sums, got[n];
  cudaMalloc(&sums, sizeof got);
  look_up<<<1, 32>>>(texture, sums, n);
  if (cudaMemcpy(got, sums, sizeof got, cudaMemcpyDeviceToHost) != cudaSuccess) return 4;
  int wrong = 0;
  for (int i = 0; i < n; i++) wrong += got[i] != i + 6;
  // Two rows do need one.
  const cudaError_t two = cudaMemcpy2DToArray(table, 0, 0, colors, 0, 16, 2, cudaMemcpyHostToDevice);
  printf("%d wrong, two rows: %s\n", wrong, cudaGetErrorName(two));
  return wrong != 0 || two == cudaSuccess;
}
