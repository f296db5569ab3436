// Verdict: given hidden fresh checked counts: out, row
// REGION 2
  const dim3 blocks((height + threads.x - 1) / threads.x, (width + threads.y - 1) / threads.y);
