// Verdict: everything: in[-1]
// REGION 1
  const float before = in[i - 1];
