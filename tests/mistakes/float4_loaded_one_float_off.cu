// A vector begins at a multiple of its 16 bytes; the compiler of a CPU may load it in parts, a GPU does not.
__global__ void copy(float4* out, const float* in) {
#ifdef RIGHT
  const int first = 4 * threadIdx.x;
#else
  const int first = 1 + 4 * threadIdx.x;
#endif
  const float4 v = *(const float4*)(in + first);  // finds misaligned
  out[threadIdx.x] = v;
}

int main() {
  float *in, *out;
  cudaMalloc(&in, 32 * sizeof(float));
  cudaMalloc(&out, 16 * sizeof(float));
  cudaMemset(in, 0, 32 * sizeof(float));
  copy<<<1, 4>>>((float4*)out, in);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}
