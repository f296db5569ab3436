// Verdict: given hidden fresh checked: makes progress
// REGION 2
  __threadfence();
