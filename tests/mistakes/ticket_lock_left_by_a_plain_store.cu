// The lock is left by a plain store, which passes nothing on: so its account is not guarded either.
__device__ unsigned next_ticket, now_serving;
__device__ int account;

__global__ void deposit() {
  const unsigned mine = atomicAdd(&next_ticket, 1u);
  while (atomicAdd(&now_serving, 0u) != mine) __nanosleep(20);  // finds race-atomic
  __threadfence();
  account += 1;  // finds race-atomic
  __threadfence();
#ifdef RIGHT
  atomicAdd(&now_serving, 1u);
#else
  now_serving = mine + 1;  // finds race-atomic
#endif
}

int main() {
  deposit<<<8, 1>>>();
  cudaDeviceSynchronize();
}
