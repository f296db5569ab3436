// A shared flag says whether there is another round, and is set anew before all threads have looked at it.
__global__ void halve(int* values) {
  __shared__ bool more;
  const int t = threadIdx.x;
  int round = 0;
  do {
    if (t == 0) more = true;  // finds race-block
    __syncthreads();
    values[t] /= 2;
    if (++round == 3) break;
#ifdef RIGHT
    const bool again = more;
    __syncthreads();
    if (!again) break;
  } while (true);
#else
  } while (more);  // finds race-block
#endif
}

int main() {
  int* values;
  cudaMalloc(&values, 64 * sizeof(int));
  cudaMemset(values, 1, 64 * sizeof(int));
  halve<<<1, 64>>>(values);
  cudaDeviceSynchronize();
  cudaFree(values);
}
