// Verdict: hidden checked: hidden case 1
// REGION 2
  const int blocks = (n + kThreads - 1) / kThreads;
  add<<<blocks, kThreads>>>(dev_a, dev_b, dev_c, n);
