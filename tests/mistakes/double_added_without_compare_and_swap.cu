// trap: the first read of a compare-and-swap loop is plain in CUDA's own guide, and right: the swap
// makes sure of it.
__device__ void add(double* address, double value) {
#ifdef RIGHT
  auto* word = reinterpret_cast<unsigned long long*>(address);
  unsigned long long old = *word, assumed;
  do {
    assumed = old;
    old = atomicCAS(word, assumed, __double_as_longlong(value + __longlong_as_double(assumed)));
  } while (assumed != old);
#else
  *address = *address + value;  // finds race-grid
#endif
}

__global__ void sum(double* total) { add(total, threadIdx.x); }

int main() {
  double* total;
  cudaMalloc(&total, sizeof(double));
  cudaMemset(total, 0, sizeof(double));
  sum<<<4, 32>>>(total);
  cudaDeviceSynchronize();
  cudaFree(total);
}
