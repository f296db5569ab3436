// The kernel's result stays on the device: the program prints its own array, which nobody has filled.
// environment: CPU_DEVICE_UNREAD=error
#include <cstdio>

__global__ void square(const int* values, int* squares) {
  const int t = threadIdx.x;
  squares[t] = values[t] * values[t];
}

int main() {
  int values[64], squares[64] = {};
  for (int i = 0; i < 64; i++) values[i] = i;
  int *dev_values, *dev_squares;
  cudaMalloc(&dev_values, sizeof values);
  cudaMalloc(&dev_squares, sizeof squares);  // finds unread-result
  cudaMemcpy(dev_values, values, sizeof values, cudaMemcpyHostToDevice);
  square<<<1, 64>>>(dev_values, dev_squares);
#ifdef RIGHT
  cudaMemcpy(squares, dev_squares, sizeof squares, cudaMemcpyDeviceToHost);
#endif
  printf("7 * 7 = %d\n", squares[7]);
  cudaFree(dev_values);
  cudaFree(dev_squares);
}
