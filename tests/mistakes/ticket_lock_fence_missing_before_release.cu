// A ticket lock calls the next ticket without a fence after the work.
__device__ int next, serving, total;

__global__ void add() {
  const int ticket = atomicAdd(&next, 1);
  while (atomicAdd(&serving, 0) != ticket) __nanosleep(20);
  __threadfence();
  total += ticket;  // finds race-fence
#ifdef RIGHT
  __threadfence();
#endif
  atomicAdd(&serving, 1);
}

int main() {
  add<<<4, 1>>>();
  cudaDeviceSynchronize();
}
