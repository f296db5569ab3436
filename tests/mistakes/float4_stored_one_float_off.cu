// A whole vector is stored at an odd float.
__global__ void set(float* out) {
#ifdef RIGHT
  *(float4*)(out + 4) = make_float4(1, 2, 3, 4);
#else
  *(float4*)(out + 1) = make_float4(1, 2, 3, 4);  // finds misaligned
#endif
}

int main() {
  float* out;
  cudaMalloc(&out, 16 * sizeof(float));
  set<<<1, 1>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
