// A mipmap of which only the first level was filled; the kernel looks between the first and the second.
__global__ void look(cudaTextureObject_t levels, float* to) {
  to[threadIdx.x] = tex2DLod<float>(levels, 0.5f, 0.5f, 0.25f * threadIdx.x);  // finds uninitialized
}

int main() {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaMipmappedArray_t levels;
  cudaMallocMipmappedArray(&levels, &format, make_cudaExtent(4, 4, 0), 2);
  static float zeros[16];
#ifdef RIGHT
  const unsigned filled = 2;
#else
  const unsigned filled = 1;
#endif
  for (unsigned i = 0; i < filled; i++) {
    cudaArray_t level;
    cudaGetMipmappedArrayLevel(&level, levels, i);
    const size_t row = (4 >> i) * sizeof(float);
    cudaMemcpy2DToArray(level, 0, 0, zeros, row, row, 4 >> i, cudaMemcpyHostToDevice);
  }
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeMipmappedArray;
  resource.res.mipmap.mipmap = levels;
  cudaTextureDesc how = {};
  how.mipmapFilterMode = cudaFilterModeLinear;
  how.normalizedCoords = 1;
  how.maxMipmapLevelClamp = 1;
  cudaTextureObject_t texture;
  cudaCreateTextureObject(&texture, &resource, &how, nullptr);
  float* to;
  cudaMalloc(&to, 4 * sizeof(float));
  look<<<1, 4>>>(texture, to);
  cudaDeviceSynchronize();
}
