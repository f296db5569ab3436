// The host passes the address of a row of a __device__ table.
__device__ int table[4][8];

__global__ void fill(int* row) { row[threadIdx.x] = threadIdx.x; }
__global__ void fill_row(int row) { table[row][threadIdx.x] = threadIdx.x; }

int main() {
#ifdef RIGHT
  fill_row<<<1, 8>>>(2);
#else
  fill<<<1, 8>>>(table[2]);  // finds wrong-pointer
#endif
  cudaDeviceSynchronize();
}
