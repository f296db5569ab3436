// Reads a stencil through a tile with a halo in shared memory.
// Topic: stencils
#include <cstdio>
#include <cstdlib>
#include <vector>

#define HANDLE_ERROR(call)        \
  if (cudaError_t error = (call)) \
  printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)), exit(1)

constexpr int kTile = 16;

// The temperature at (x, y); beyond the edge, that at the edge.
__device__ float at(const float* in, int x, int y, int size) {
  x = max(0, min(x, size - 1));
  y = max(0, min(y, size - 1));
  return in[y * size + x];
}

__global__ void heat_step(float* out, const float* in, int size) {
  __shared__ float tile[kTile + 2][kTile + 2];  // one ring more than the block's cells: the halo
  const int x = blockIdx.x * kTile + threadIdx.x, y = blockIdx.y * kTile + threadIdx.y;
  const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  tile[ty][tx] = at(in, x, y, size);
  if (tx == 1) tile[ty][0] = at(in, x - 1, y, size);
  if (tx == kTile) tile[ty][kTile + 1] = at(in, x + 1, y, size);
  if (ty == 1) tile[0][tx] = at(in, x, y - 1, size);
  if (ty == kTile) tile[kTile + 1][tx] = at(in, x, y + 1, size);
  __syncthreads();  // threads beyond the edge must reach it as well
  if (x >= size || y >= size) return;
  const float sum = tile[ty - 1][tx] + tile[ty + 1][tx] + tile[ty][tx - 1] + tile[ty][tx + 1];
  out[y * size + x] = tile[ty][tx] + 0.25f * (sum - 4.0f * tile[ty][tx]);
}

int main() {
  const int size = 50, blocks = (size + kTile - 1) / kTile;
  std::vector<float> plate(size * size), after(size * size);
  for (int i = 0; i < size * size; i++) plate[i] = i * 37 % 101;
  float *in, *out;
  HANDLE_ERROR(cudaMalloc(&in, plate.size() * sizeof(float)));
  HANDLE_ERROR(cudaMalloc(&out, plate.size() * sizeof(float)));
  HANDLE_ERROR(cudaMemcpy(in, plate.data(), plate.size() * sizeof(float), cudaMemcpyHostToDevice));
  heat_step<<<dim3(blocks, blocks), dim3(kTile, kTile)>>>(out, in, size);
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaMemcpy(after.data(), out, after.size() * sizeof(float), cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaFree(in));
  HANDLE_ERROR(cudaFree(out));
  int wrong = 0;  // inside, each cell becomes the mean of its four neighbors
  for (int y = 1; y < size - 1; y++)
    for (int i = y * size + 1; i < y * size + size - 1; i++)
      wrong += after[i] != (plate[i - size] + plate[i + size] + plate[i - 1] + plate[i + 1]) / 4;
  printf("wrong cells: %d\n", wrong);
  return wrong == 0 ? 0 : 1;
}
