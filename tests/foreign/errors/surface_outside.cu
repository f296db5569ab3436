// expect: is outside the surface of 32 bytes in a row
__global__ void fill(cudaSurfaceObject_t to) { surf2Dwrite(1.0f, to, 8 * sizeof(float), 0); }

int main() {
  cudaArray_t array;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaMallocArray(&array, &format, 8, 8, cudaArraySurfaceLoadStore);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaSurfaceObject_t surface;
  cudaCreateSurfaceObject(&surface, &resource);
  fill<<<1, 1>>>(surface);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
