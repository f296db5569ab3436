// A ticket lock goes to work without a fence after its ticket was called.
__device__ int next, serving, total;

__global__ void add() {
  const int ticket = atomicAdd(&next, 1);
  while (atomicAdd(&serving, 0) != ticket) __nanosleep(20);
#ifdef RIGHT
  __threadfence();
#endif
  total += ticket;  // finds race-fence
  __threadfence();
  atomicAdd(&serving, 1);
}

int main() {
  add<<<4, 1>>>();
  cudaDeviceSynchronize();
}
