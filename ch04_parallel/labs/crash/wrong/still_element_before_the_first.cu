// Verdict: everything: the index is negative
// REGION 1
  const float before = in[i - 1];
