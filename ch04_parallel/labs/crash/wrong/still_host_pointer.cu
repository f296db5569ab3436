// Verdict: checked: host memory
// REGION 3
  scale<<<(n + 127) / 128, 128>>>(in, dev_out, n, factor);
