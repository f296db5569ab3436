// Verdict: everything: race
// REGION 1
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x) y[i] += factor * x[i];
