// Verdict: everything: race
// REGION 1
  light[threadIdx.y][threadIdx.x] = 0;
  __syncthreads();
  light[threadIdx.y][threadIdx.x] = (x * x + 7 * y) % 251 + 1;
