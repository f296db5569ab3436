// Verdict: everything: directly after the end
// REGION 1
  const int stride = blockDim.x * gridDim.x, first = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = first; i - stride < n; i += stride) y[i] += factor * x[i];
