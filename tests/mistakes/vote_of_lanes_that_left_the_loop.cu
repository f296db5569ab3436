// In the last turn of the loop some lanes have left, and the vote still names them.
__device__ int results[32];

__global__ void count(int n) {
  const int lane = threadIdx.x;
  int sum = 0;
#ifdef RIGHT
  for (int first = 0; first < n; first += 32) {
    const int i = first + lane;
    const unsigned int votes = __ballot_sync(0xffffffffu, i < n && i % 3 == 0);
#else
  for (int i = lane; i < n; i += 32) {
    const unsigned int votes = __ballot_sync(0xffffffffu, i % 3 == 0);  // finds shuffle
#endif
    sum += __popc(votes);
  }
  results[lane] = sum;
}

int main() {
  count<<<1, 32>>>(40);
  cudaDeviceSynchronize();
}
