// expect: tex2D() does not work with a layered two-dimensional texture
__global__ void look(cudaTextureObject_t layers, float *to) { *to = tex2D<float>(layers, 0.5f, 0.5f); }

int main() {
  cudaArray_t array;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaMalloc3DArray(&array, &format, make_cudaExtent(8, 8, 3), cudaArrayLayered);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc how = {};
  cudaTextureObject_t texture;
  cudaCreateTextureObject(&texture, &resource, &how, NULL);
  float *to;
  cudaMalloc(&to, sizeof(float));
  look<<<1, 1>>>(texture, to);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
