// Verdict: checked counts: lost update
// REGION 1
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    bins[data[i]]++;
