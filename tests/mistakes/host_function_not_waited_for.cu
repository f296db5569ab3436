// A host function queued in a stream writes what the host reads without waiting.
#include <cstdio>

static int result;

static void finish(void* value) {
  result = *static_cast<int*>(value);  // finds race-host
}

int main() {
  cudaStream_t stream;
  static int value = 5;
  cudaStreamCreate(&stream);
  cudaLaunchHostFunc(stream, finish, &value);
#ifdef RIGHT
  cudaStreamSynchronize(stream);
#endif
  printf("%d\n", result);  // finds race-host
  cudaStreamSynchronize(stream);
  cudaStreamDestroy(stream);
}
