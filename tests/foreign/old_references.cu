// In the manner of books of CUDA 3 to 5: texture and surface references, by name and by address.
#include <stdio.h>
#include <stdlib.h>

texture<float, 1> line;
texture<unsigned char, cudaTextureType2D, cudaReadModeNormalizedFloat> gray(0, cudaFilterModePoint,
                                                                            cudaAddressModeClamp);
texture<float, cudaTextureType2DLayered> layers;
surface<void, 2> plane;
surface<void, cudaSurfaceType2D> other;

__global__ void scale(float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 2 * tex1Dfetch(line, i);
}
__global__ void brighten(float *out, int width, int height) {
  int x = threadIdx.x, y = threadIdx.y;
  if (x < width && y < height) out[y * width + x] = tex2D(gray, x, y) + tex2DLayered(layers, x, y, 1);
}
__global__ void copy_plane(int width, int height) {
  int x = threadIdx.x, y = threadIdx.y;
  if (x >= width || y >= height) return;
  float value;
  surf2Dread(&value, plane, x * 4, y);
  surf2Dwrite(value + surf2Dread<float>(plane, -4, y, cudaBoundaryModeZero), other, x * 4, y);
}

int main() {
  const int width = 12, height = 5, n = width * height;
  float numbers[2 * n], result[n];
  unsigned char bytes[n];
  for (int i = 0; i < 2 * n; i++) numbers[i] = i;
  for (int i = 0; i < n; i++) bytes[i] = 4 * i;
  float *dev, *out;
  cudaMalloc((void **)&dev, n * sizeof(float));
  cudaMalloc((void **)&out, n * sizeof(float));
  cudaMemcpy(dev, numbers, n * sizeof(float), cudaMemcpyHostToDevice);
  cudaBindTexture(0, line, dev);
  scale<<<1, 64>>>(out, n);
  cudaMemcpy(result, out, n * sizeof(float), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; i++)
    if (result[i] != 2 * i) return printf("line: %d is %f\n", i, result[i]), 1;
  const textureReference *found;
  cudaGetTextureReference(&found, &line);
  const cudaChannelFormatDesc number = cudaCreateChannelDesc<float>();
  size_t offset;
  cudaBindTexture(&offset, found, dev, &number, n / 2 * sizeof(float));
  scale<<<1, 64>>>(out, n);  // beyond the half there are zeros
  cudaMemcpy(result, out, n * sizeof(float), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; i++)
    if (result[i] != (i < n / 2 ? 2 * i : 0)) return printf("half a line: %d is %f\n", i, result[i]), 1;
  cudaUnbindTexture(line);

  cudaArray *picture, *stack;
  const cudaChannelFormatDesc byte = cudaCreateChannelDesc<unsigned char>();
  cudaMallocArray(&picture, &byte, width, height);
  cudaMemcpyToArray(picture, 0, 0, bytes, n, cudaMemcpyHostToDevice);
  cudaBindTextureToArray(gray, picture, byte);
  cudaMalloc3DArray(&stack, &number, make_cudaExtent(width, height, 2), cudaArrayLayered);
  cudaMemcpy3DParms copy = {0};
  copy.srcPtr = make_cudaPitchedPtr(numbers, width * sizeof(float), width, height);
  copy.dstArray = stack;
  copy.extent = make_cudaExtent(width, height, 2);
  copy.kind = cudaMemcpyHostToDevice;
  cudaMemcpy3D(&copy);
  cudaBindTextureToArray(layers, stack);
  brighten<<<1, dim3(16, 16)>>>(out, width, height);
  cudaMemcpy(result, out, n * sizeof(float), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; i++)
    if (result[i] != bytes[i] / 255.0f + numbers[n + i]) return printf("gray: %d is %f\n", i, result[i]), 1;

  cudaArray *from, *to;
  cudaMallocArray(&from, &number, width, height, cudaArraySurfaceLoadStore);
  cudaMallocArray(&to, &number, width, height, cudaArraySurfaceLoadStore);
  cudaMemcpyToArray(from, 0, 0, numbers, n * sizeof(float), cudaMemcpyHostToDevice);
  cudaBindSurfaceToArray(plane, from);
  cudaBindSurfaceToArray(other, to);
  copy_plane<<<1, dim3(16, 16)>>>(width, height);
  cudaMemcpyFromArray(result, to, 0, 0, n * sizeof(float), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; i++)
    if (result[i] != numbers[i]) return printf("plane: %d is %f\n", i, result[i]), 1;
  if (cudaGetLastError() != cudaSuccess) return 1;
  puts("all references are right");
  return 0;
}
