// Verdict: given hidden fresh checked: no progress
// REGION 2
  __threadfence();
