// Spreads heat on a plate: each step computes a cell from its four neighbors, with two buffers.
// Topic: stencils
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

#define HANDLE_ERROR(call)        \
  if (cudaError_t error = (call)) \
  printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)), exit(1)

// One step for one cell. Beyond the edge it is as warm as at the edge, so no heat flows there.
__global__ void heat_step(float* out, const float* in, int size) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= size || y >= size) return;
  const int cell = y * size + x;
  const float left = in[x > 0 ? cell - 1 : cell];
  const float right = in[x < size - 1 ? cell + 1 : cell];
  const float top = in[y > 0 ? cell - size : cell];
  const float bottom = in[y < size - 1 ? cell + size : cell];
  out[cell] = in[cell] + 0.25f * (top + bottom + left + right - 4.0f * in[cell]);
}

// Advances size x size temperatures by a number of steps.
void heat(float* temperatures, int size, int steps) {
  const size_t bytes = sizeof(float) * size * size;
  const dim3 threads(16, 16), blocks((size + 15) / 16, (size + 15) / 16);
  float *in, *out;
  HANDLE_ERROR(cudaMalloc(&in, bytes));
  HANDLE_ERROR(cudaMalloc(&out, bytes));
  HANDLE_ERROR(cudaMemcpy(in, temperatures, bytes, cudaMemcpyHostToDevice));
  for (int i = 0; i < steps; i++) {
    heat_step<<<blocks, threads>>>(out, in, size);
    HANDLE_ERROR(cudaGetLastError());
    std::swap(in, out);  // the output of this step is the input of the next one
  }
  HANDLE_ERROR(cudaMemcpy(temperatures, in, bytes, cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaFree(in));
  HANDLE_ERROR(cudaFree(out));
}

int main() {
  const int size = 50;
  std::vector<float> plate(size * size, 0.0f);
  plate[20 * size + 30] = 1024;  // one hot cell
  heat(plate.data(), size, 5);
  float sum = 0;
  for (float temperature : plate) sum += temperature;
  printf("after 5 steps: %g next to the hot cell, %g in all\n", plate[20 * size + 31], sum);
  return plate[20 * size + 31] == 100 && sum == 1024 ? 0 : 1;
}
