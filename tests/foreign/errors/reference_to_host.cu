// A kernel whose parameter is a reference to a variable of the host.
// expect: reference_to_host.cu:9: CPU device: kernel add cannot run: its parameter 'x' refers to host memory
#include <cstdio>

__global__ void add(int &x) { x += 1; }

int main() {
  int x = 1;
  add<<<1, 1>>>(x);
  return cudaDeviceSynchronize() == cudaSuccess && cudaGetLastError() == cudaSuccess ? 0 : 1;
}
