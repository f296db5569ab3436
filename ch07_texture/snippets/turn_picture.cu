// Turns a picture with a linearly filtered texture over a CUDA array.
// Topic: textures
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define HANDLE_ERROR(call)        \
  if (cudaError_t error = (call)) \
  printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)), exit(1)

// For each new pixel: where in the old picture does it come from? The filter mixes four pixels.
__global__ void turn(float* out, cudaTextureObject_t in, int size, float angle) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= size || y >= size) return;
  const float middle = size / 2.0f, dx = x + 0.5f - middle, dy = y + 0.5f - middle;
  const float from_x = middle + cosf(angle) * dx + sinf(angle) * dy;
  const float from_y = middle - sinf(angle) * dx + cosf(angle) * dy;
  out[y * size + x] = tex2D<float>(in, from_x, from_y);
}

void turn_picture(float* picture, int size, float angle) {
  const size_t row = size * sizeof(float);
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array;  // a layout made for 2-D access; only textures and surfaces can read it
  HANDLE_ERROR(cudaMallocArray(&array, &format, size, size));
  HANDLE_ERROR(cudaMemcpy2DToArray(array, 0, 0, picture, row, row, size, cudaMemcpyHostToDevice));
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc how = {};
  how.addressMode[0] = how.addressMode[1] = cudaAddressModeBorder;  // 0 outside of the picture
  how.filterMode = cudaFilterModeLinear;
  cudaTextureObject_t texture;
  HANDLE_ERROR(cudaCreateTextureObject(&texture, &resource, &how, nullptr));
  float* out;
  HANDLE_ERROR(cudaMalloc(&out, size * row));
  const dim3 threads(16, 16), blocks((size + 15) / 16, (size + 15) / 16);
  turn<<<blocks, threads>>>(out, texture, size, angle);
  HANDLE_ERROR(cudaMemcpy(picture, out, size * row, cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaDestroyTextureObject(texture));
  HANDLE_ERROR(cudaFreeArray(array));
  HANDLE_ERROR(cudaFree(out));
}

int main() {
  const int size = 32;
  std::vector<float> picture(size * size, 0.0f);
  picture[3 * size + 5] = 1;  // a point at x = 5, y = 3
  turn_picture(picture.data(), size, acosf(0.0f));  // a quarter turn
  const float value = picture[5 * size + size - 1 - 3];
  printf("after a quarter turn the point is at (%d, 5): %g\n", size - 1 - 3, value);
  return fabsf(value - 1) < 0.01f ? 0 : 1;
}
