// Verdict: given hidden checked: race
// REGION 1
  __syncwarp();
