// Verdict: given hidden fresh checked: makes progress
// REGION 1
