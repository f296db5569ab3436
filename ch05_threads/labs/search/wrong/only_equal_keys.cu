// Verdict: given hidden fresh checked: found[
// REGION 1
  int low = 0, high = count - 1;
