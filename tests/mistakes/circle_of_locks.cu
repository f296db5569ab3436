// Each of five threads takes the lock on its left, then the one on its right: if all of them hold the first one, none
// gets the second one.
__device__ int locks[5], meals[5];

__device__ void take(int i) {
  while (atomicCAS(&locks[i], 0, 1) != 0) __nanosleep(20);  // finds lock-order
  __threadfence();
}
__device__ void leave(int i) {
  __threadfence();
  atomicExch(&locks[i], 0);
}

__global__ void dine() {
  const int left = blockIdx.x, right = (blockIdx.x + 1) % 5;
#ifdef RIGHT
  take(min(left, right));
  take(max(left, right));
#else
  take(left);
  take(right);
#endif
  meals[left]++;
  leave(left);
  leave(right);
}

int main() {
  dine<<<5, 1>>>();
  cudaDeviceSynchronize();
}
