// After a published bug: blocks add to the same row one after the other. Before thread 0 gives the turn to the next block,
// all threads meet, but none of them has a fence after its sum. https://github.com/NVIDIA/Fuser/pull/2391 (June 2024)
constexpr int kThreads = 64;

__global__ void add_in_turn(float* row, int* turn) {
  if (threadIdx.x == 0) {
    while (atomicAdd(turn, 0) != blockIdx.x) {
    }
    __threadfence();
  }
  __syncthreads();
  row[threadIdx.x] += blockIdx.x + 1;  // finds race-fence
#ifdef RIGHT
  __threadfence();
#endif
  __syncthreads();
  if (threadIdx.x == 0) atomicExch(turn, blockIdx.x + 1);
}

int main() {
  float* row;
  int* turn;
  cudaMalloc(&row, kThreads * sizeof(float));
  cudaMalloc(&turn, sizeof(int));
  cudaMemset(row, 0, kThreads * sizeof(float));
  cudaMemset(turn, 0, sizeof(int));
  add_in_turn<<<3, kThreads>>>(row, turn);
  float sums[kThreads];
  cudaMemcpy(sums, row, sizeof sums, cudaMemcpyDeviceToHost);
  cudaFree(row);
  cudaFree(turn);
  return sums[5] != 6;
}
