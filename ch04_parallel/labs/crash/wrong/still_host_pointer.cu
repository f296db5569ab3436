// Verdict: everything: host pointer
// REGION 3
  scale<<<(n + 127) / 128, 128>>>(in, dev_out, n, factor);
