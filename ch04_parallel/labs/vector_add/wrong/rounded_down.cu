// Verdict: given hidden fresh checked: n=1000
// REGION 2
  const int blocks = n / kThreads;
  if (blocks > 0) add<<<blocks, kThreads>>>(dev_a, dev_b, dev_c, n);
