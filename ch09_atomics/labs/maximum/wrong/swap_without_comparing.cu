// Verdict: everything: the largest is
// REGION 1
  atomicExch(largest, value);
  (void)bits;
