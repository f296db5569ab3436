// Verdict: everything: no kernel wrote it
// REGION 1
  for (int i = 0; i < n; i++) out[i] = sqrtf(in[i]);
