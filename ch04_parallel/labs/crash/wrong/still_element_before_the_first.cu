// Verdict: everything: out of bounds
// REGION 1
  const float before = in[i - 1];
