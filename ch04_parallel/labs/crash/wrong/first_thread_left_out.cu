// Verdict: everything: out[0] is
// REGION 1
  if (i == 0) return;
  const float before = in[i - 1];
