// Verdict: given hidden fresh checked: pixels are wrong
// REGION 2
  const dim3 blocks(width / kSide, height / kSide);
