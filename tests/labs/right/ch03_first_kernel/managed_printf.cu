/* evaluate a quadratic on the gpu -- managed memory version */
#include <stdio.h>
#include <stdlib.h>
#include "book.h"

static __device__ int square(int v) { return v * v; }

__global__ void polynomial(int a, int b, int c, int x, int* result) {
  *result = a * square(x) + b * x + c;
  printf("DEBUG kernel: %d\n", *result);
}

int evaluate(int a, int b, int c, int x) {
  int *r = NULL, value;
  HANDLE_ERROR(cudaMallocManaged((void**)&r, sizeof(*r)));
  *r = -1;
  polynomial<<<1, 1>>>(a, b, c, x, r);
  HANDLE_ERROR(cudaDeviceSynchronize());
  value = *r;
  fprintf(stderr, "DEBUG host: %d\n", value);
  HANDLE_ERROR(cudaFree(r));
  return value;
}
