// Verdict: everything: divergent barrier
// REGION 1
  if (threadIdx.y < kSide / 2) __syncthreads();
