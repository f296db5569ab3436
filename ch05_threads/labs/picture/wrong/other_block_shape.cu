// Verdict: everything: the same results and has the same findings as the starter
// REGION 1
  const int x = blockIdx.x * 4 + threadIdx.x / 8, y = blockIdx.y * 64 + threadIdx.x % 8 * 8 + threadIdx.y;
// REGION 2
  const dim3 blocks((width + 3) / 4, (height + 63) / 64);
