// Verdict: given hidden fresh checked counts: device 0 of 2 got 1001 of 1001
// REGION 1
  sum = dot_on_this_device(a, b, n);
  shares[0] = n;
