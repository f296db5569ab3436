// Verdict: checked counts: no kernel was launched
// REGION 1
  for (int i = 0; i < n; i++) out[i] = sqrtf(in[i]);
