// The copy names its direction the wrong way round.
#include <cstdio>

int main() {
  int *values, host[16];
  cudaMalloc(&values, sizeof(host));
  cudaMemset(values, 0, sizeof(host));
#ifdef RIGHT
  cudaMemcpy(host, values, sizeof(host), cudaMemcpyDeviceToHost);
#else
  for (int& value : host) value = 0;
  cudaMemcpy(host, values, sizeof(host), cudaMemcpyHostToDevice);  // finds wrong-pointer
#endif
  printf("%d\n", host[0]);
  cudaFree(values);
}
