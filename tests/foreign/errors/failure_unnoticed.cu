// A barrier that some threads skip, in a program that asks for no error and ends as if all were well. The last
// line says so.
// expect: the program ended with exit code 0 without checking for errors
#include <cstdio>
#include <cstdlib>

__global__ void shift(int *x, int n) {
  int i = threadIdx.x;
  if (i < n) {
    x[i] = i;
    __syncthreads();
  }
  x[i % n] += 1;
}

static void speedup() { printf("speedup 1887\n"); }

int main(int count, char **arguments) {
  if (count == 1) {  // what the shell would have seen: 0
    char command[4096];
    snprintf(command, sizeof command, "'%s' again", arguments[0]);
    return system(command) == 0 ? 3 : 4;
  }
  int *x;
  cudaMalloc(&x, 100 * sizeof(int));
  shift<<<1, 128>>>(x, 100);
  cudaDeviceSynchronize();
  speedup();
  return 0;
}
