// Verdict: everything: race
// REGION 1
  __syncwarp();
