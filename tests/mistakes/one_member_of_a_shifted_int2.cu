// Only one member of the vector is read, but the pointer to it is that of a vector.
__global__ void pick(const int* in, int* out) {
#ifdef RIGHT
  const int2* pairs = (const int2*)(in + 2);
#else
  const int2* pairs = (const int2*)(in + 1);
#endif
  out[threadIdx.x] = pairs[threadIdx.x].x;  // finds misaligned
}

int main() {
  int *in, *out;
  cudaMalloc(&in, 32 * sizeof(int));
  cudaMalloc(&out, 8 * sizeof(int));
  cudaMemset(in, 0, 32 * sizeof(int));
  pick<<<1, 8>>>(in, out);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}
