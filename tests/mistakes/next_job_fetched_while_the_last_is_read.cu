// A block that fetches jobs: its first thread writes the next one while others still read the last. That they
// then leave the loop at different times is no mistake of its own.
__device__ int head;

__global__ void work(const int* jobs, int n, int* results) {
  __shared__ int job;
  while (true) {
    if (threadIdx.x == 0) job = atomicAdd(&head, 1);  // finds race-block
    __syncthreads();
    const int mine = job;  // finds race-block
#ifdef RIGHT
    __syncthreads();
#endif
    if (mine >= n) break;
    if (threadIdx.x == 0) results[mine] = jobs[mine] * 2;
  }
}

int main() {
  int *jobs, *results;
  cudaMalloc(&jobs, 400);
  cudaMalloc(&results, 400);
  cudaMemset(jobs, 0, 400);
  work<<<3, 64>>>(jobs, 100, results);
  cudaDeviceSynchronize();
  cudaFree(jobs);
  cudaFree(results);
}
