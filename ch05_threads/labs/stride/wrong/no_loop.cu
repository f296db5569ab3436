// Verdict: given hidden fresh checked counts: y[1024] is
// REGION 1
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] += factor * x[i];
