// The first ticket's holder calls the second by a plain store; the other polls with atomics.
__device__ int next, serving;

__global__ void take_turns() {
  const int ticket = atomicAdd(&next, 1);
  while (atomicAdd(&serving, 0) != ticket) __nanosleep(20);  // finds race-atomic
#ifdef RIGHT
  if (ticket == 0) atomicExch(&serving, 1);
#else
  if (ticket == 0) serving = 1;  // finds race-atomic
#endif
}

int main() {
  take_turns<<<2, 1>>>();
  cudaDeviceSynchronize();
}
