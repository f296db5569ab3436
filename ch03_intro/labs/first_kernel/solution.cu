// A polynomial of the second degree, computed by one thread on the device.
#include "book.h"

__global__ void polynomial(int a, int b, int c, int x, int* result) {
  // SOLUTION BEGIN: a kernel returns nothing. It writes its result to the address in `result`
  *result = a * x * x + b * x + c;
  // SOLUTION END
}

// a*x*x + b*x + c
int evaluate(int a, int b, int c, int x) {
  int result = 0;
  // SOLUTION BEGIN: int* dev_result; HANDLE_ERROR(cudaMalloc(&dev_result, sizeof(int)));
  //? the launch: polynomial<<<1, 1>>>(a, b, c, x, dev_result);
  //? cudaMemcpy(to, from, bytes, direction); here from the device to the host
  int* dev_result;
  HANDLE_ERROR(cudaMalloc(&dev_result, sizeof(int)));
  polynomial<<<1, 1>>>(a, b, c, x, dev_result);
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaMemcpy(&result, dev_result, sizeof(int), cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaFree(dev_result));
  //| (void)a, (void)b, (void)c, (void)x;  // remove this line
  // SOLUTION END
  return result;
}
