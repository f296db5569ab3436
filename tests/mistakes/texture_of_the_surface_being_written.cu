// A blur that reads a texture of the very array that it writes: other threads have written some of it.
__global__ void blur(cudaTextureObject_t from, cudaSurfaceObject_t to, int size) {
  const int x = threadIdx.x, y = blockIdx.x;
  const float mean = tex2DLod<float>(from, (x + 1.0f) / size, (y + 1.0f) / size, 0);  // finds race-grid
  surf2Dwrite(mean, to, x * sizeof(float), y);                                        // finds race-grid
}

cudaArray_t filled(int size) {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array;
  cudaMallocArray(&array, &format, size, size, cudaArraySurfaceLoadStore);
  static float zeros[16 * 16];
  cudaMemcpy2DToArray(array, 0, 0, zeros, size * sizeof(float), size * sizeof(float), size,
                      cudaMemcpyHostToDevice);
  return array;
}

int main() {
  const int size = 16;
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = filled(size);
  cudaTextureDesc how = {};
  how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
  how.filterMode = cudaFilterModeLinear;
  how.normalizedCoords = 1;
  cudaTextureObject_t from;
  cudaCreateTextureObject(&from, &resource, &how, nullptr);
#ifdef RIGHT
  resource.res.array.array = filled(size);
#endif
  cudaSurfaceObject_t to;
  cudaCreateSurfaceObject(&to, &resource);
  blur<<<size, size>>>(from, to, size);
  cudaDeviceSynchronize();
}
