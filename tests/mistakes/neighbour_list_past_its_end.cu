// A graph's list of neighbours is followed up to the end of a vertex that does not exist.
const int vertices = 30;

__global__ void degrees(const int* offsets, int* results) {
  const int v = threadIdx.x;
#ifdef RIGHT
  if (v < vertices)
#endif
    results[v] = offsets[v + 1] - offsets[v];  // finds out-of-bounds
}

int main() {
  int *offsets, *results;
  cudaMalloc(&offsets, (vertices + 1) * sizeof(int));
  cudaMalloc(&results, 32 * sizeof(int));
  cudaMemset(offsets, 0, (vertices + 1) * sizeof(int));
  degrees<<<1, 32>>>(offsets, results);
  cudaDeviceSynchronize();
  cudaFree(results);
  cudaFree(offsets);
}
