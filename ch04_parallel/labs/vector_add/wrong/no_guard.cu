// Verdict: given hidden fresh checked: out of bounds
// REGION 1
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  c[i] = a[i] + b[i];
