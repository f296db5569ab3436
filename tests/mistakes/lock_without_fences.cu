// A lock made of atomics alone: they order nothing but themselves.
struct Lock {
  int taken;
  __device__ void acquire() {
    while (atomicCAS(&taken, 0, 1) != 0) __nanosleep(20);
#ifdef RIGHT
    __threadfence();
#endif
  }
  __device__ void release() {
#ifdef RIGHT
    __threadfence();
#endif
    atomicExch(&taken, 0);
  }
};

__global__ void add(Lock* lock, float* total) {
  if (threadIdx.x != 0) return;
  lock->acquire();
  *total += 0.5f;  // finds race-fence
  lock->release();
}

int main() {
  Lock* lock;
  float* total;
  cudaMalloc(&lock, sizeof(Lock));
  cudaMalloc(&total, sizeof(float));
  cudaMemset(lock, 0, sizeof(Lock));
  cudaMemset(total, 0, sizeof(float));
  add<<<4, 32>>>(lock, total);
  cudaDeviceSynchronize();
  cudaFree(total);
  cudaFree(lock);
}
