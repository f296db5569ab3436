// After a published bug: one thread writes the totals of a block, and all threads read them without a barrier between.
// https://github.com/ORNL/HeCBench/issues/254 (marching cubes, June 2026). As it was compiled there, racecheck saw nothing.
constexpr int kThreads = 128;

__global__ void reserve(const int* vertices, int* first_vertex, int* next) {
  __shared__ int sums[kThreads], first;
  const int t = threadIdx.x;
  sums[t] = vertices[blockIdx.x * kThreads + t];
  __syncthreads();
  if (t == kThreads - 1) {
    int total = 0;
    for (int i = 0; i < kThreads; i++) total += sums[i];
    first = atomicAdd(next, total);  // finds race-block
  }
#ifdef RIGHT
  __syncthreads();
#endif
  first_vertex[blockIdx.x * kThreads + t] = first;  // finds race-block
}

int main() {
  constexpr int kAll = 2 * kThreads;
  int vertices[kAll], first[kAll];
  for (int& count : vertices) count = 3;
  int *device_vertices, *device_first, *next;
  cudaMalloc(&device_vertices, sizeof vertices);
  cudaMalloc(&device_first, sizeof first);
  cudaMalloc(&next, sizeof(int));
  cudaMemcpy(device_vertices, vertices, sizeof vertices, cudaMemcpyHostToDevice);
  cudaMemset(next, 0, sizeof(int));
  reserve<<<2, kThreads>>>(device_vertices, device_first, next);
  cudaMemcpy(first, device_first, sizeof first, cudaMemcpyDeviceToHost);
  cudaFree(device_vertices);
  cudaFree(device_first);
  cudaFree(next);
  return first[0] + first[kAll - 1] != 3 * kThreads;
}
