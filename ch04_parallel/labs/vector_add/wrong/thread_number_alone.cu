// Verdict: given hidden fresh checked: c[256] is
// REGION 1
  const int i = threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
