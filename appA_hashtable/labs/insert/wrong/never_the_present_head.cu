// Verdict: everything: no progress
// REGION 1
  next[entry] = -1;
  while (atomicCAS(first, -1, entry) != -1) {
  }
