// A function of the host in a stream reads settings, which the host changes meanwhile for the next round.
#include <cstdio>

static int settings = 1, seen[2];

static void CUDART_CB look(void* to) { *static_cast<int*>(to) = settings; }  // finds race-host

__global__ void work() {}

int main() {
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  work<<<1, 1, 0, stream>>>();
  cudaLaunchHostFunc(stream, look, &seen[0]);
#ifdef RIGHT
  cudaStreamSynchronize(stream);
#endif
  settings = 2;  // finds race-host
  cudaLaunchHostFunc(stream, look, &seen[1]);
  cudaStreamSynchronize(stream);
  printf("%d %d\n", seen[0], seen[1]);
  cudaStreamDestroy(stream);
}
