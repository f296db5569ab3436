// The copy goes to the address of the pointer variable instead of the address in it.
int main() {
  int *values, host[2] = {1, 2};
  cudaMalloc(&values, sizeof(host));
#ifdef RIGHT
  cudaMemcpy(values, host, sizeof(host), cudaMemcpyHostToDevice);
#else
  cudaMemcpy(&values, host, sizeof(host), cudaMemcpyHostToDevice);  // finds wrong-pointer
#endif
  cudaFree(values);
}
