// Verdict: given hidden fresh checked: no progress
// REGION 1
