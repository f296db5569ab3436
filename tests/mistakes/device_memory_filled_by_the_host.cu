// The host fills memory of the device in a loop, instead of copying to it.
int main() {
  int *values, host[16];
  cudaMalloc(&values, sizeof(host));
#ifdef RIGHT
  for (int i = 0; i < 16; i++) host[i] = i;
#else
  for (int i = 0; i < 16; i++) host[i] = values[i] = i;  // finds wrong-side
#endif
  cudaMemcpy(values, host, sizeof(host), cudaMemcpyHostToDevice);
  cudaFree(values);
}
