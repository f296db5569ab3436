// The wrong offset leads into the padding of a tile, which nobody fills, and beyond its rows.
__global__ void transpose(const float* in, float* out, int n) {
  __shared__ float tile[8][9];
  const int x = threadIdx.x, y = threadIdx.y;
  tile[y][x] = in[y * n + x];
  __syncthreads();
#ifdef RIGHT
  out[y * n + x] = tile[x][y];
#else
  out[y * n + x] = tile[x][y + 2];  // finds out-of-bounds
#endif
}

int main() {
  float *in, *out;
  cudaMalloc(&in, 256);
  cudaMalloc(&out, 256);
  cudaMemset(in, 0, 256);
  transpose<<<1, dim3(8, 8)>>>(in, out, 8);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}
