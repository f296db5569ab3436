// The index is computed in int, which is too narrow for 70,000 rows of 70,000 elements.
__device__ long long results[32];

__global__ void locate(int row, int width) {
#ifdef RIGHT
  results[threadIdx.x] = static_cast<long long>(row) * width + threadIdx.x;
#else
  results[threadIdx.x] = row * width + static_cast<long long>(threadIdx.x);  // finds arithmetic
#endif
}

int main() {
  locate<<<1, 32>>>(69999, 70000);
  cudaDeviceSynchronize();
}
