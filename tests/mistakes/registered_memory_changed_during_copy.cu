// Registered memory is copied asynchronously, and changed by the host before the copy is done.
static int host[64];

int main() {
  int* values;
  cudaMalloc(&values, sizeof(host));
  cudaHostRegister(host, sizeof(host), cudaHostRegisterDefault);
  cudaMemcpyAsync(values, host, sizeof(host), cudaMemcpyHostToDevice);  // finds race-host
#ifdef RIGHT
  cudaDeviceSynchronize();
#endif
  host[63] = 1;  // finds race-host
  cudaDeviceSynchronize();
  cudaHostUnregister(host);
  cudaFree(values);
}
