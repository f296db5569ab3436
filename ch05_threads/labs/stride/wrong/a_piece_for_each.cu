// Verdict: counts: sectors of 32 bytes per request of a warp
// REGION 1
  const int threads = blockDim.x * gridDim.x, each = (n + threads - 1) / threads;
  const int first = (blockIdx.x * blockDim.x + threadIdx.x) * each;
  for (int i = first; i < n && i < first + each; i++) y[i] += factor * x[i];
