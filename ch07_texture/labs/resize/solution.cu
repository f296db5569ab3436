// Scales a picture with a texture's linear filter.
#include "book.h"

__global__ void sample(cudaTextureObject_t texture, float* out, int out_width, int out_height,
                       float x_ratio, float y_ratio) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= out_width || y >= out_height) return;
  // SOLUTION BEGIN: the center of pixel x is at x + 0.5f. Multiply it by x_ratio to get its place in `in`
  const float u = (x + 0.5f) * x_ratio, v = (y + 0.5f) * y_ratio;
  //| const float u = x, v = y;
  // SOLUTION END
  out[y * out_width + x] = tex2D<float>(texture, u, v);
}

// in: width * height, out: out_width * out_height pixels, in the host's memory; all at least 1.
void resize(const float* in, int width, int height, float* out, int out_width, int out_height) {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array;
  HANDLE_ERROR(cudaMallocArray(&array, &format, width, height));
  const size_t row = width * sizeof(float);
  HANDLE_ERROR(cudaMemcpy2DToArray(array, 0, 0, in, row, row, height, cudaMemcpyHostToDevice));
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;

  cudaTextureDesc description = {};
  description.readMode = cudaReadModeElementType;
  description.normalizedCoords = 0;
  // SOLUTION BEGIN: description.filterMode = cudaFilterModeLinear
  //? addressMode[0] is for x, addressMode[1] for y; cudaAddressModeClamp stays at the edge
  description.filterMode = cudaFilterModeLinear;
  description.addressMode[0] = cudaAddressModeClamp;
  description.addressMode[1] = cudaAddressModeClamp;
  //| description.filterMode = cudaFilterModePoint;
  // SOLUTION END
  cudaTextureObject_t texture = 0;
  HANDLE_ERROR(cudaCreateTextureObject(&texture, &resource, &description, nullptr));

  const size_t bytes = sizeof(float) * out_width * out_height;
  float* dev_out;
  HANDLE_ERROR(cudaMalloc(&dev_out, bytes));
  const dim3 threads(16, 16), blocks((out_width + 15) / 16, (out_height + 15) / 16);
  sample<<<blocks, threads>>>(texture, dev_out, out_width, out_height,
                              static_cast<float>(width) / out_width,
                              static_cast<float>(height) / out_height);
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaMemcpy(out, dev_out, bytes, cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaFree(dev_out));
  HANDLE_ERROR(cudaDestroyTextureObject(texture));
  HANDLE_ERROR(cudaFreeArray(array));
}
